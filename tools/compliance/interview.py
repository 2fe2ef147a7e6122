"""Talking to one engine after the other of the same command: questions, bursts, and what became of it."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from tengen.tools.compliance.check import Check, matches, normal
from tengen.tools.compliance.dialect import Dialect
from tengen.tools.compliance.process import Process, Scratch

FIRST_SENTINEL = 900_000_000


class Ended(Exception):
    """The engine is gone; the message is how, in words."""

    errors = ""


class Hangs(Exception):
    """The sentinel was not answered in time."""

    errors = ""


class Interview:
    """The engine under examination. seconds: how long one answer may take; it is twice that for the first one."""

    def __init__(
        self, words: Sequence[str], dialect: Dialect, scratch: Scratch, *, seconds: float, memory_mb: int
    ) -> None:
        self.dialect = dialect
        self.scratch = scratch
        self.words = words
        self._seconds = seconds
        self._memory_mb = memory_mb
        self._number = FIRST_SENTINEL + random.randrange(10_000)
        self._process: Process | None = None

    @property
    def process(self) -> Process:
        """The one that runs; started when there is none."""
        if self._process is None:
            self._process = self.start()
        return self._process

    def start(self) -> Process:
        """A fresh process, which `say` does not know of; the caller kills it."""
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

    def say_to(self, process: Process, data: bytes, awaited: str | None, seconds: float | None) -> list[str]:
        """As `say`, to any process; `awaited`: the line that the protocol promises."""
        seconds = seconds or self._seconds
        if not process.write(data + b"\n", seconds):
            raise self._hangs(process, f"it did not read its input for {seconds:g} s")
        lines: list[str] = []
        if awaited is not None:
            lines, outcome = process.read(lambda line: re.match(awaited, line) is not None, min(seconds, 10.0))
            if outcome == "end":
                raise self._ended(process)
        return lines + self._sentinel(process, seconds)

    def _sentinel(self, process: Process, seconds: float) -> list[str]:
        self._number += 1
        question, is_answer = self.dialect.sentinel(self._number)
        if not process.write(f"\n{question}\n".encode(), seconds):
            raise self._hangs(process, f"it did not read its input for {seconds:g} s")
        lines, outcome = process.read(is_answer, seconds)
        if outcome == "end":
            raise self._ended(process)
        if outcome == "timeout":
            raise self._hangs(process, f"'{question}' has no answer within {seconds:g} s")
        if self.dialect.kind == "gtp":
            process.read(lambda line: not line.strip(), 2.0)
        return lines[:-1]

    def _ended(self, process: Process) -> Ended:
        death = Ended(process.death())
        death.errors = "\n".join(list(process.errors)[-4:])
        return death

    def _hangs(self, process: Process, sentence: str) -> Hangs:
        death = Hangs(sentence)
        death.errors = "\n".join(list(process.errors)[-4:])
        return death

    def row(self, check: Check) -> tuple[tuple[str, ...], str] | None:
        """Ask one row of the table; None: all is right, otherwise what was sent and the wrong answer."""
        sent: list[str] = []
        for step in check.steps:
            send = step.send.replace("{top}", str(self.scratch.top))
            sent += send.split("\n")
            reply = self.say(send)
            answer = normal([line for line in reply if not self.dialect.is_comment(line)])
            if not matches(step, answer):
                return tuple(sent), answer or "(nothing)"
        return None

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
