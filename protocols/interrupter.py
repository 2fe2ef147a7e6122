"""Ending a search on request, also when the request comes before the search has begun.

Every search belongs to the input line that asked for it. A request names lines ("every search asked for up to
line 17") or a time ("from now on"), so it cannot be lost in the moment between the two threads: one helper
thread repeats the call-back until the search has ended.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

REPEAT = 0.01
"""Seconds between two calls of the call-back of a search that should end."""


@dataclass(eq=False)
class Running:
    """A search in progress. `cancellable`: any later line ends it; `interrupted`: it was asked to end."""

    line: int
    interrupt: Callable[[], None]
    cancellable: bool
    interrupted: bool = False


class Interrupter:
    """Watches the search in progress. All methods may be called from any thread."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._running: Running | None = None
        self._newest = 0
        self._up_to = 0
        self._deadline = float("inf")
        self._thread: threading.Thread | None = None

    def line_arrived(self, number: int) -> None:
        """A line came in: cancellable searches of earlier lines end."""
        with self._changed:
            self._newest = number
            if self._running is not None and self._running.cancellable:
                self._wake()

    def end_up_to(self, number: int) -> None:
        """End the searches that lines up to `number` asked for."""
        with self._changed:
            self._up_to = max(self._up_to, number)
            self._wake()

    def end_after(self, seconds: float) -> None:
        """End every search that still runs, or starts, from `seconds` on."""
        with self._changed:
            self._deadline = min(self._deadline, time.monotonic() + seconds)
            self._wake()

    @contextmanager
    def search(self, line: int, interrupt: Callable[[], None], *, cancellable: bool = False) -> Iterator[Running]:
        """Run a search inside; `interrupt` is called, from another thread, when it should end.

        `interrupt` must return quickly, may come more than once and before the search has begun; it is not
        called after the block is left.
        """
        running = Running(line, interrupt, cancellable)
        with self._changed:
            self._running = running
            self._wake()
        try:
            yield running
        finally:
            with self._changed:
                self._running = None

    def _wake(self) -> None:
        """Caller holds the lock."""
        if self._thread is None and (self._wanted() or self._deadline < float("inf")):
            self._thread = threading.Thread(target=self._watch, name="interrupter", daemon=True)
            self._thread.start()
        self._changed.notify_all()

    def _wanted(self) -> bool:
        running = self._running
        if running is None:
            return False
        return (
            running.line <= self._up_to
            or (running.cancellable and self._newest > running.line)
            or time.monotonic() >= self._deadline
        )

    def _watch(self) -> None:
        with self._changed:
            while True:
                if self._running is not None and self._wanted():
                    self._running.interrupted = True
                    self._running.interrupt()
                    self._changed.wait(REPEAT)
                elif self._running is not None and self._deadline < float("inf"):
                    self._changed.wait(max(0.001, self._deadline - time.monotonic()))
                else:
                    self._changed.wait()
