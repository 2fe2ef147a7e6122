"""The engine that is examined: a driven engine (tools/engines) that may say more, and nothing of it is mended."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path

from tengen.tools.engines.blocking import BlockingProcess
from tengen.tools.engines.pipes import Hearing
from tengen.tools.engines.process import Launch, signal_name

MOST_READ = 16 << 20
"""Bytes of one reply that are kept."""


def _as_it_is(line: bytes) -> str:
    """Bytes that are no UTF-8 as lone surrogates, and the CR where there is one."""
    return line.decode("utf-8", "surrogateescape")


# Nobody else's time is taken, and who is made to wait seems late.
HEARING = Hearing(longest=1 << 20, waiting=32 << 20, decode=_as_it_is, error_rate=1 << 40)


def resolve(command: str) -> list[str]:
    """The words of a command line; programs and files are made absolute, for the engine runs in another folder.

    Raises ValueError when there is no such program.
    """
    words = shlex.split(command, posix=os.name == "posix")
    if not words:
        raise ValueError("the engine's command line is empty")
    program = shutil.which(words[0])
    if program is None:
        raise ValueError(f"there is no program '{words[0]}'")
    return [os.path.abspath(program), *(os.path.abspath(word) if os.path.exists(word) else word for word in words[1:])]


class Process(BlockingProcess):
    """One running engine in its folder. Raises CannotStart."""

    def __init__(self, words: Sequence[str], folder: Path, *, memory_mb: int = 0) -> None:
        super().__init__(Launch(words, folder), HEARING, kept=MOST_READ, memory_mb=memory_mb)

    def death(self) -> str:
        """Describe in words how it ended."""
        code = self.wait(2)
        if code is None:
            return "its output ended while it runs on"
        if code < 0:
            return f"it was killed by {signal_name(-code)}"
        return f"it ended with exit code {code}"
