"""The engine process of a match: a driven engine (tools/engines) that is limited as its table says, and has a log."""

from __future__ import annotations

import re
import time
from pathlib import Path

from tengen.engine.sentence import printable
from tengen.tools.engines.measure import peak_mb
from tengen.tools.engines.pipes import Line
from tengen.tools.engines.process import CannotStart, HasEnded, Launch, Process
from tengen.tools.match.drivers.log import EngineLog
from tengen.tools.match.spec import EngineSpec, Reason

UNREAD_BYTES = 1 << 20
"""Bytes that an engine may leave unread on its input."""
NEAR_LIMIT = 0.95
"""The share of its memory limit from which on the failure of an engine counts as a lack of
memory."""
_NO_MEMORY = re.compile(r"bad_alloc|MemoryError|out of memory|cannot allocate memory|failed to allocate", re.IGNORECASE)
"""What programs say that were refused memory."""


def _tells_no_memory(text: str) -> bool:
    """Whether a line says that memory was refused; cheap for all others."""
    small = text.lower()
    return ("alloc" in small or "memory" in small) and _NO_MEMORY.search(text) is not None


class EngineFault(Exception):
    """An engine that failed: the reason, and one printable sentence without the engine's name in front."""

    def __init__(self, reason: Reason, sentence: str) -> None:
        self.reason = reason
        self.sentence = printable(sentence)
        super().__init__(self.sentence)


class EngineProcess(Process):
    """A running engine. Made by `start`."""

    def __init__(self, spec: EngineSpec, log: EngineLog) -> None:
        super().__init__(Launch(spec.command, spec.directory, spec.env), tell=self._hear)
        self.spec = spec
        self.log = log
        self._is_refused_memory = False

    @classmethod
    async def start(cls, spec: EngineSpec, log: Path | None = None) -> EngineProcess:
        """Start the command. Raises EngineFault(VOID) when it cannot be started, or cannot be kept to its processors
        and memory: without them it would be another match."""
        engine = cls(spec, EngineLog(log))
        engine.log.write("#", " ".join(spec.command))
        try:
            await engine.begin()
            engine.keep_to(cpus=spec.cpus, memory_mb=spec.memory_mb)
        except CannotStart as error:
            await engine.kill()
            raise EngineFault(Reason.VOID, str(error)) from None
        return engine

    def _hear(self, mark: str, text: str) -> None:
        self.log.write(mark, text)
        if self.spec.memory_mb is not None and not self._is_refused_memory:
            self._is_refused_memory = _tells_no_memory(text)

    @property
    def is_out_of_memory(self) -> bool:
        """Whether it has a limit and said that it was refused memory, or has come near the limit."""
        if not self.spec.memory_mb:
            return False
        return self._is_refused_memory or peak_mb(self.pid) > NEAR_LIMIT * self.spec.memory_mb

    def send(self, *lines: str) -> float:
        """Write lines and return the monotonic time. Raises EngineFault when it has ended or does not read."""
        if not self.is_alive:
            raise EngineFault(Reason.CRASH, self.ending())
        if self.unread > UNREAD_BYTES:
            raise EngineFault(Reason.STALL, "does not read its input")
        for line in lines:
            self.log.write("<", line)
        self.write("".join(f"{line}\n" for line in lines).encode())
        return time.monotonic()

    async def read(self, deadline: float | None) -> Line:
        """The next line. Raises TimeoutError at the deadline (monotonic), EngineFault(CRASH) at the end of output."""
        try:
            return await super().read(deadline)
        except HasEnded as ended:
            raise EngineFault(Reason.CRASH, str(ended)) from None

    async def kill(self) -> None:
        """Kill the process and end its log."""
        await super().kill()
        self.log.close()
