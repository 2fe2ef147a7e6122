"""Talking to one engine after the other of the same command: questions, bursts, and what became of it."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

from tengen.tools.compliance.dialect import Dialect
from tengen.tools.compliance.process import Process
from tengen.tools.compliance.scratch import Scratch
from tengen.tools.compliance.transcript import Transcript

FIRST_SENTINEL = 900_000_000


class Ended(Exception):
    """The engine is gone; the message is how, in words."""

    errors = ""
    sent: tuple[str, ...] = ()


class Hangs(Exception):
    """The sentinel was not answered in time."""

    errors = ""
    sent: tuple[str, ...] = ()


class Interview:
    """The engine under examination. seconds: how long one answer may take; it is twice that for the first one.
    lacks_end: it was seen to leave out the empty line that ends an answer in GTP."""

    def __init__(
        self, words: Sequence[str], dialect: Dialect, scratch: Scratch, *, seconds: float, memory_mb: int,
        transcript: Transcript | None = None,
    ) -> None:  # fmt: skip
        self.dialect = dialect
        self.scratch = scratch
        self.words = words
        self.transcript = transcript or Transcript()
        self.lacks_end = False
        self._seconds = seconds
        self._memory_mb = memory_mb
        self._number = FIRST_SENTINEL + random.randrange(10_000)
        self._process: Process | None = None

    @property
    def process(self) -> Process:
        """The running process; started if there is none."""
        if self._process is None:
            self._process = self.start()
        return self._process

    def start(self) -> Process:
        """A fresh process, which `say` does not know of; the caller kills it."""
        self.transcript.note("a new process")
        return Process(self.words, self.scratch.inside, memory_mb=self._memory_mb)

    def close(self) -> None:
        """Kill it."""
        if self._process is not None:
            self._process.kill()
            self._process = None

    def restart(self) -> None:
        """Begin again with a fresh process that has answered."""
        self.close()
        self.say(self.dialect.hello, seconds=2 * self._seconds)

    # -- asking -------------------------------------------------------------------------------------------

    def say(self, text: str, *, seconds: float | None = None) -> list[str]:
        """Send lines, wait for what the protocol promises, then for the sentinel; the lines before its answer.
        Raises Ended or Hangs."""
        return self.say_to(self.process, text.encode("utf-8", "surrogateescape"), self.dialect.awaited(text), seconds)

    def burst(self, lines: Sequence[bytes]) -> list[str]:
        """Send lines without waiting between them, then the sentinel."""
        return self.say_to(self.process, b"\n".join(lines), None, None)

    def late(self, seconds: float) -> list[str]:
        """Return the lines that arrive within that time without a request."""
        return self._read(self.process, lambda line: False, seconds)[0]

    def say_to(self, process: Process, data: bytes, awaited: str | None, seconds: float | None) -> list[str]:
        """As `say`, to any process; `awaited`: the line that the protocol promises. No data: the sentinel alone."""
        seconds = seconds or self._seconds
        lines: list[str] = []
        if data:
            self._send(process, data + b"\n", seconds)
        if awaited is not None:
            lines, outcome = self._read(process, lambda line: re.match(awaited, line) is not None, min(seconds, 10.0))
            if outcome == "end":
                raise self._death(process, Ended, process.death())
        return lines + self._sentinel(process, seconds)

    def _sentinel(self, process: Process, seconds: float) -> list[str]:
        self._number += 1
        sentinel = self.dialect.sentinel(self._number)
        self._send(process, f"{sentinel.question}\n".encode(), seconds)
        lines, outcome = self._read(process, sentinel.is_end, seconds)
        if outcome == "end":
            raise self._death(process, Ended, process.death())
        if outcome == "timeout":
            question = sentinel.question.replace("\n", " / ")
            raise self._death(process, Hangs, f"'{question}' has no answer within {seconds:g} s")
        if self.dialect.is_framed and not self.lacks_end:
            _, outcome = self._read(process, lambda line: not line.strip(), 2.0)
            self.lacks_end = outcome == "timeout"
        return lines[: _begin_of_last(lines, sentinel.answers)]

    def _send(self, process: Process, data: bytes, seconds: float) -> None:
        self.transcript.sent(data)
        if not process.write(data, seconds):
            raise self._death(process, Hangs, f"it did not read its input for {seconds:g} s")

    def _read(self, process: Process, is_last: Callable[[str], bool], seconds: float) -> tuple[list[str], str]:
        lines, outcome = process.read(is_last, seconds)
        self.transcript.received(lines)
        return lines, outcome

    def _death(self, process: Process, kind: type[Ended] | type[Hangs], sentence: str) -> Ended | Hangs:
        self.transcript.note(sentence)
        death = kind(sentence)
        death.errors = "\n".join(list(process.errors)[-4:])
        return death

    def dies_of(self, lines: Sequence[bytes], death: type[Exception]) -> bool:
        """Whether a fresh process ends (or hangs) over these lines."""
        process = self.start()
        try:
            self.say_to(process, self.dialect.hello.encode(), None, 2 * self._seconds)
            self.say_to(process, b"\n".join(lines), None, self._seconds)
        except (Ended, Hangs) as seen:
            return isinstance(seen, death)
        finally:
            process.kill()
        return False


def _begin_of_last(lines: Sequence[str], answers: int) -> int:
    """Where the last `answers` answers begin, the last of which is one line."""
    at = len(lines) - 1
    while answers > 1 and at > 0:
        at -= 1
        answers -= lines[at][:1] in ("=", "?") and bool(lines[at])
    return at
