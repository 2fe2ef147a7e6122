"""Talking UCI in tests: to a session in this process, or to the real process."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

import gtp_client
from busy_machine import without_remarks

from tengen.engine.config import Config
from tengen.protocols.session import Session
from tengen.protocols.uci import SMALL_MEMORY, Uci

MATED = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
STALEMATE = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
MATE_IN_1 = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"
CONFIG = Config(game="chess", memory=SMALL_MEMORY, threads=1, seed=1, resign=0.0)


def say(*lines: str | bytes, config: Config | None = None, errors: bool = False) -> list[str]:
    """`converse`: the lines it answers. Nothing may come on stderr, unless `errors`: then a traceback must."""
    answers, said = converse(*lines, config=config)
    assert ("Traceback" in said) if errors else not said, said
    return answers


def converse(*lines: str | bytes, config: Config | None = None, handler: Uci | None = None) -> tuple[list[str], str]:
    """Send all lines to a new session, as from a script: what ends by itself is waited for. Returns the lines it
    answers, and what came on stderr."""
    out, err = io.BytesIO(), io.StringIO()
    with tempfile.TemporaryFile(buffering=0) as script:
        script.write(b"".join((line.encode() if isinstance(line, str) else line) + b"\n" for line in lines))
        script.seek(0)
        assert Session(handler or Uci(config or CONFIG)).run(script, out, err) == 0
    return out.getvalue().decode().splitlines(), without_remarks(err.getvalue())


def best(answers: list[str]) -> list[str]:
    """The moves that were answered."""
    return [line.split()[1] for line in answers if line.startswith("bestmove ")]


def told(answers: list[str]) -> list[str]:
    """The sentences for the user."""
    return [line.removeprefix("info string ") for line in answers if line.startswith("info string ")]


def field(line: str, name: str) -> str:
    """The word behind a word of an `info` line."""
    words = line.split()
    return words[words.index(name) + 1]


def variations(answers: list[str]) -> list[str]:
    """The `info` lines with a variation."""
    return [line for line in answers if line.startswith("info ") and " pv " in line]


class Process(gtp_client.Process):
    """`tengen uci` itself."""

    front_end = "uci"

    def __init__(self, *options: str, cwd: Path | None = None) -> None:
        super().__init__("--seed", "1", *options, cwd=cwd)

    def until(self, start: str, timeout: float = 20) -> list[str]:
        """The lines up to the first that begins with `start`."""
        got = [self.line(timeout)]
        while not got[-1].startswith(start):
            assert got[-1] != "EOF", got
            got.append(self.line(timeout))
        return got
