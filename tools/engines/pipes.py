"""The three pipes of an engine, as the event loop sees them: bounded lines that are stamped when they arrive."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, cast

from tengen.tools.engines.lines import Splitter

LINE_COST = 60
"""Bytes that a line which waits costs, about, besides its letters."""
LONGEST_ERROR = 1 << 16
"""Bytes of a line of stderr that are kept."""
LAST_ERRORS = 30
"""Lines of stderr that are kept."""
STDERR_LINES = 200
"""Lines of one arrival on stderr that are told of."""

Tell = Callable[[str, str], None]
"""Hears a mark and a line: `>` of stdout, `!` of stderr, `#` a remark."""


class Line(NamedTuple):
    """One line from the engine without its end. at: monotonic seconds of its arrival."""

    text: str
    at: float


def plain(line: bytes) -> str:
    """A line as text that any file takes; its CR goes."""
    return line.decode("utf-8", "replace").rstrip("\r")


@dataclass(frozen=True)
class Hearing:
    """The limits for reading an engine. longest: bytes of a line that are kept. waiting: bytes of lines that wait to be
    read, about; beyond them the engine has to wait. decode: a line to text. error_rate: bytes a second of stderr; an
    engine that writes more has to wait too, for the time of others is taken here."""

    longest: int = 1 << 16
    waiting: int = 1 << 18
    decode: Callable[[bytes], str] = plain
    error_rate: int = 1 << 20


def cost(line: str) -> int:
    """Return the approximate memory of a line: its letters and the object."""
    return LINE_COST + len(line)


class Pipes(asyncio.SubprocessProtocol):
    """Collects lines of stdout and stderr, tells who waits, and knows whether all was read that was sent."""

    def __init__(self, hearing: Hearing, tell: Tell) -> None:
        self._hearing = hearing
        self._tell = tell
        self.transport: asyncio.SubprocessTransport | None = None
        self.is_closed = False
        """Whether stdout has ended."""
        self.exited = asyncio.Event()
        self.errors_ended = asyncio.Event()
        self.has_been_read = asyncio.Event()
        """Set while nothing waits to be written, or nobody is left to read it."""
        self.has_been_read.set()
        self.errors: deque[str] = deque(maxlen=LAST_ERRORS)
        self._lines: deque[Line] = deque()
        self._waiting = 0
        self._is_paused = False
        self._waiter: asyncio.Future[None] | None = None
        self._splitters = {1: Splitter(hearing.longest), 2: Splitter(LONGEST_ERROR)}
        self._second, self._heard = 0.0, 0  # of stderr: when a second began, bytes since then

    # -- what the loop calls ------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.SubprocessTransport, transport)
        self.input.set_write_buffer_limits(high=0)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        at = time.monotonic()
        lines = self._splitters[fd].feed(data)
        if fd == 1:
            self._take(lines, at)
        else:
            self._hold_back(len(data), at)
            self._take_errors(lines)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == 0:
            self.has_been_read.set()
        elif fd == 1:
            self._take(self._splitters[1].end(), time.monotonic())
            self.is_closed = True
            self.wake()
        else:
            self.errors_ended.set()

    def pause_writing(self) -> None:
        self.has_been_read.clear()

    def resume_writing(self) -> None:
        self.has_been_read.set()

    def process_exited(self) -> None:
        self.has_been_read.set()
        self.exited.set()
        self.wake()

    # -- what the engine's owner calls --------------------------------------------------------------------

    @property
    def input(self) -> asyncio.WriteTransport:
        """The engine's stdin."""
        assert self.transport is not None
        return cast(asyncio.WriteTransport, self.transport.get_pipe_transport(0))

    def output(self, fd: int) -> asyncio.ReadTransport:
        """The engine's stdout (1) or stderr (2)."""
        assert self.transport is not None
        return cast(asyncio.ReadTransport, self.transport.get_pipe_transport(fd))

    def pop(self) -> Line | None:
        """The next line that waits, if any."""
        if not self._lines:
            return None
        line = self._lines.popleft()
        self._waiting -= cost(line.text)
        if self._waiting < self._hearing.waiting // 2:
            self.resume()
        return line

    def drop(self) -> int:
        """Forget the lines that wait; how many they were."""
        count = len(self._lines)
        self._lines.clear()
        self._waiting = 0
        self.resume()
        return count

    def resume(self) -> None:
        """Let an engine that had to wait go on writing."""
        if self._is_paused:
            self.output(1).resume_reading()
            self._is_paused = False

    async def arrival(self, seconds: float | None) -> None:
        """Return when something has come, or at the end of the time."""
        loop = asyncio.get_running_loop()
        waiter = self._waiter = loop.create_future()
        timer = None if seconds is None else loop.call_later(seconds, self.wake)
        try:
            await waiter
        finally:
            if timer is not None:
                timer.cancel()
            self._waiter = None

    def wake(self) -> None:
        """Let who waits look again."""
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    # -- lines --------------------------------------------------------------------------------------------

    def _take(self, lines: list[bytes], at: float) -> None:
        for raw in lines:
            text = self._hearing.decode(raw)
            self._tell(">", text)
            self._lines.append(Line(text, at))
            self._waiting += cost(text)
        if self._waiting > self._hearing.waiting and not self._is_paused:
            self.output(1).pause_reading()
            self._is_paused = True
        self.wake()

    def _take_errors(self, lines: list[bytes]) -> None:
        if len(lines) > STDERR_LINES:
            self._tell("#", f"{len(lines) - STDERR_LINES} lines of stderr left out")
        for raw in lines[-STDERR_LINES:]:
            text = plain(raw)
            self.errors.append(text)
            self._tell("!", text)

    def _hold_back(self, size: int, at: float) -> None:
        """Let stderr wait until the second is over when it was too much."""
        if at - self._second > 1:
            self._second, self._heard = at, 0
        self._heard += size
        if self._heard > self._hearing.error_rate:
            pipe = self.output(2)
            pipe.pause_reading()
            asyncio.get_running_loop().call_later(1.01 - (at - self._second), pipe.resume_reading)
