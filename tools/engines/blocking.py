"""A driven engine for callers that wait: one thread runs the event loop of all of them."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine
from functools import cache
from typing import Any, Literal, TypeVar

from tengen.tools.engines.pipes import Hearing, cost
from tengen.tools.engines.process import CannotStart, HasEnded, Launch, Process

Result = TypeVar("Result")
Outcome = Literal["ok", "timeout", "end"]


@cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="engines", daemon=True).start()
    return loop


def _wait(work: Coroutine[Any, Any, Result]) -> Result:
    future = asyncio.run_coroutine_threadsafe(work, _loop())
    try:
        return future.result()
    finally:
        future.cancel()  # of a caller who was interrupted


class BlockingProcess:
    """A Process that is running once it is made. kept: bytes of one reply that are kept, about. memory_mb: of address
    space where the system can limit it, 0 for any. Raises CannotStart."""

    def __init__(self, launch: Launch, hearing: Hearing, *, kept: int, memory_mb: int = 0) -> None:
        self._kept = kept
        self._process = _wait(_started(launch, hearing, memory_mb))

    @property
    def errors(self) -> list[str]:
        """The last lines on stderr."""
        return self._process.errors

    def write(self, data: bytes, seconds: float = 10.0) -> bool:
        """Send bytes; False when the engine does not read them in time."""
        return _wait(self._write(data, seconds))

    async def _write(self, data: bytes, seconds: float) -> bool:
        self._process.write(data)
        return await self._process.has_read(seconds)

    def close_input(self) -> None:
        """End of input, after all that was written."""
        _loop().call_soon_threadsafe(self._process.close_input)

    def read(self, is_last: Callable[[str], bool], seconds: float) -> tuple[list[str], Outcome]:
        """Lines up to one that `is_last`; with "ok", "timeout", or "end" when the engine's output ended."""
        return _wait(self._read(is_last, time.monotonic() + seconds))

    async def _read(self, is_last: Callable[[str], bool], deadline: float) -> tuple[list[str], Outcome]:
        lines: list[str] = []
        room = self._kept
        try:
            while time.monotonic() < deadline:
                line = (await self._process.read(deadline)).text
                is_end = is_last(line)
                room -= cost(line)
                if room > 0 or is_end:
                    lines.append(line)
                if is_end:
                    return lines, "ok"
        except HasEnded:
            return lines, "end"
        except TimeoutError:
            pass
        return lines, "timeout"

    def signal(self, number: int) -> None:
        """Send a signal to the engine alone."""
        _loop().call_soon_threadsafe(self._process.signal, number)

    def wait(self, seconds: float) -> int | None:
        """The exit code, or None while it runs."""
        return _wait(self._process.wait(seconds))

    def has_left_others(self) -> bool:
        """Whether processes of the group outlive the engine, which has ended."""
        return self._process.has_left_others()

    def kill(self) -> None:
        """End it with all that it started."""
        _wait(self._process.kill())


async def _started(launch: Launch, hearing: Hearing, memory_mb: int) -> Process:
    process = Process(launch, hearing)
    await process.begin()
    try:
        process.keep_to(memory_mb=memory_mb)
    except CannotStart:
        pass  # a lower limit of the system's own is as good
    return process
