"""Ending a search on request, also when the request comes before the search has begun.

Every search belongs to the input line that asked for it and has a stop token of its own. A request names lines ("every
search asked for up to line 17") or a time ("from now on"). Whichever comes second, search or request, stops the token.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tengen.engine._core import StopToken


@dataclass(eq=False)
class _Running:
    """A search in progress. cancellable: any later line ends it. earliest: when it may end (`time.monotonic()`)."""

    line: int
    stop: StopToken
    cancellable: bool
    earliest: float
    is_waiting: bool = False
    """Whether somebody waits for the end of the current work."""


class Interrupter:
    """Watches the search in progress. All methods may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._running: _Running | None = None
        self._newest = 0
        self._up_to = 0
        self._deadline = math.inf
        self._is_over = False

    def line_arrived(self, number: int) -> None:
        """A line came in: cancellable searches of earlier lines end."""
        with self._lock:
            self._newest = number
            self._look()

    def end_up_to(self, number: int) -> None:
        """End the searches that lines up to `number` asked for."""
        with self._lock:
            self._up_to = max(self._up_to, number)
            self._look()

    def end_after(self, seconds: float) -> None:
        """End every search that still runs, or starts, from `seconds` on."""
        with self._lock:
            deadline = time.monotonic() + seconds
            if deadline < self._deadline:
                self._deadline = deadline
                _later(seconds, self._end_all)

    @contextmanager
    def search(self, line: int, *, cancellable: bool = False, least: float = 0.0) -> Iterator[StopToken]:
        """Run a search inside, which has at least so many seconds; the token is stopped when it should end."""
        from tengen.engine._core import StopToken  # the player whose search it is has loaded it

        running = _Running(line, StopToken(), cancellable, time.monotonic() + least)
        with self._lock:
            self._running = running
            self._look()
        try:
            yield running.stop
        finally:
            with self._lock:
                self._running = None

    def _look(self) -> None:
        """End the search in progress when that is wanted, as soon as it may. The caller holds the lock."""
        running = self._running
        if running is None or running.is_waiting or not self._is_unwanted(running):
            return
        running.is_waiting = True
        _later(running.earliest - time.monotonic(), running.stop.stop)

    def _is_unwanted(self, running: _Running) -> bool:
        is_cancelled = running.cancellable and self._newest > running.line
        return self._is_over or is_cancelled or running.line <= self._up_to

    def _end_all(self) -> None:
        with self._lock:
            self._is_over = True
            self._look()


def _later(seconds: float, act: Callable[[], None]) -> None:
    """Act after so many seconds in a thread, without any here and now."""
    if seconds <= 0:
        act()
        return
    timer = threading.Timer(seconds, act)
    timer.daemon = True
    timer.start()
