"""Talking GTP in tests: to a session in this process with a fake player, or to the real process."""

from __future__ import annotations

import io
import os
import queue
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

from busy_machine import without_remarks
from fakes.player import FakePlayer

from tengen.engine.config import Config
from tengen.protocols.gtp import Gtp
from tengen.protocols.session import Session


def say(*lines: str | bytes, player: FakePlayer | None = None, config: Config | None = None) -> list[str]:
    """Send all lines at once to a new session and return the responses, each without its blank line."""
    player = player or FakePlayer(config)
    data = b"".join((line.encode() if isinstance(line, str) else line) + b"\n" for line in lines)
    out, err = io.BytesIO(), io.StringIO()
    handler = Gtp(config or player.config, lambda config, first=[player]: first.pop() if first else FakePlayer(config))
    handler.player  # noqa: B018  (the given player is the first one made)
    assert Session(handler).run(io.BytesIO(data), out, err) == 0
    assert player.closed
    text = out.getvalue().decode()
    say.stderr = without_remarks(err.getvalue())
    return [response.removesuffix(" ") for response in text.split("\n\n")[:-1]]


class Live:
    """A conversation that goes on: `send` lines, `take` responses as they come."""

    def __init__(self, stdin, stdout) -> None:
        self.stdin, self.lines = stdin, queue.Queue()
        self._reader = threading.Thread(target=self._read, args=(stdout,), daemon=True)
        self._reader.start()

    def _read(self, stdout) -> None:
        for line in iter(stdout.readline, b""):
            self.lines.put(line.decode())
        self.lines.put("")

    def send(self, text: str, end: str = "\n") -> None:
        self.stdin.write((text + end).encode())
        self.stdin.flush()

    def line(self, timeout: float = 10) -> str:
        """The next line without LF; "EOF" at the end."""
        line = self.lines.get(timeout=timeout)
        return line.removesuffix("\n") if line else "EOF"

    def take(self, timeout: float = 10) -> str:
        """The next whole response."""
        got = [self.line(timeout)]
        while got[-1] not in ("", "EOF"):
            got.append(self.line(timeout))
        return "\n".join(got[:-1])

    def ask(self, text: str, timeout: float = 10) -> str:
        self.send(text)
        return self.take(timeout)


class InThread(Live):
    """A session in a thread of this process. converse(source, sink, stderr): its exit status."""

    def __init__(self, converse: Callable[[IO[bytes], IO[bytes], io.StringIO], int]) -> None:
        self.status: int | None = None
        (read_in, write_in), (read_out, write_out) = os.pipe(), os.pipe()
        source, sink = open(read_in, "rb", buffering=0), open(write_out, "wb", buffering=0)
        self.stderr = io.StringIO()
        super().__init__(open(write_in, "wb"), open(read_out, "rb"))

        def work() -> None:
            with sink:
                self.status = converse(source, sink, self.stderr)

        self.thread = threading.Thread(target=work, daemon=True)
        self.thread.start()

    def end(self, timeout: float = 5) -> float:
        """Close the input; seconds until the session has ended."""
        start = time.monotonic()
        self.stdin.close()
        self.thread.join(timeout)
        assert not self.thread.is_alive()
        return time.monotonic() - start


class InProcess(InThread):
    """A session with a fake player."""

    def __init__(self, player: FakePlayer | None = None) -> None:
        self.player = player or FakePlayer()
        handler = Gtp(self.player.config, lambda config: self.player)
        super().__init__(Session(handler).run)


class Process(Live):
    """A front end itself."""

    front_end = "gtp"

    def __init__(self, *options: str, cwd: Path | None = None) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tengen.tools", self.front_end, *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd,
        )  # fmt: skip
        super().__init__(self.process.stdin, self.process.stdout)

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *error: object) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join(10)  # a pipe that is closed under a reader is an error in its thread
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                stream.close()
            except OSError:
                pass


def matches(expected: str, got: str) -> bool:
    """Whether a line fits a pattern in which "*" stands for any text and "\\*" for a star."""
    parts = re.split(r"(?<!\\)\*", expected)
    pattern = ".*".join(re.escape(part.replace("\\*", "*")) for part in parts)
    return re.fullmatch(pattern, got.rstrip()) is not None
