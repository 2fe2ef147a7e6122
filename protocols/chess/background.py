"""Work beside the conversation: a search, a count, a benchmark. One at a time, each in a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress

from tengen.engine._core import StopToken
from tengen.protocols.output import OutputClosed


class Work:
    """One piece of work. `stop` may come from any thread, also before it has begun.

    is_search: whether somebody plays; a count for a person has a moment left even after `quit`.
    """

    is_search = False

    def __init__(self, act: Callable[[Work], str], write: Callable[[str], None], *, is_bounded: bool) -> None:
        """act: does it and returns what is told at its end, after `release`. is_bounded: it ends by itself."""
        self._act, self._write = act, write
        self.is_bounded = is_bounded
        self.token = StopToken()
        """Ends what `act` runs."""
        self._released = threading.Event()
        self._finished = threading.Event()
        self._thread = threading.Thread(target=self._run, name="work", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    @property
    def is_running(self) -> bool:
        """Whether its end has not been told yet."""
        return not self._finished.is_set()

    def release(self) -> None:
        """Allow the report of its result."""
        self._released.set()

    def stop(self) -> None:
        """End it and have it told."""
        self.token.stop()
        self._released.set()

    def join(self, timeout: float | None = None) -> bool:
        """Wait for its end; whether it has come."""
        return self._finished.wait(timeout)

    def _last_words(self, text: str) -> str:
        """What is told of `text` when that is allowed."""
        return text

    def _ended(self) -> None:
        """Its end has been told; runs in its thread, and nobody waits for it."""

    def _run(self) -> None:
        try:
            text = self._act(self)
            self._released.wait()
            with suppress(OutputClosed):
                self._write(self._last_words(text))
        finally:
            self._finished.set()
        self._ended()
