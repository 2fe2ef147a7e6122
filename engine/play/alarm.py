"""Calls at a time to come, in a thread that is kept for the next one.

Most searches are over before anybody wants to hear of them, and to start or to wake a thread costs more than such a
search. So a thread that waits for a time waits on when nobody wants it any more; who comes next says what to call and
when, and wakes the thread only where that is before the time that it waits for.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

LINGER = 1.0
"""Seconds that a thread waits for more to do before it ends."""
LEAST = 0.001
"""Seconds between two calls, at least: whoever wants to end them has to get in between."""

Act = Callable[[], float | None]
"""An action, which returns the seconds until it is repeated; None: not again."""


class Alarm:
    """One thread, which calls for one user at a time."""

    def __init__(self, act: Act, seconds: float) -> None:
        """Made when it is set for the first time."""
        self._changed = threading.Condition(threading.Lock())
        self._act: Act | None = act
        self._due = self._wakes = time.monotonic() + seconds
        """When to act, and until when the thread waits (`time.monotonic()`)."""
        self._is_over = False
        threading.Thread(target=self._serve, name="alarm", daemon=True).start()

    def set(self, act: Act, seconds: float) -> bool:
        """Act in so many seconds, and again as it says, until `clear`. False: the thread has ended, use another one."""
        with self._changed:
            if self._is_over:
                return False
            self._act, self._due = act, time.monotonic() + seconds
            if self._due < self._wakes:
                self._changed.notify()
        return True

    def clear(self) -> None:
        """Waits for a call in progress; after this none can come. Any thread but that of the calls."""
        with self._changed:
            self._act = None
        _free.append(self)

    def _serve(self) -> None:
        with self._changed:
            try:
                while self._turn():
                    pass
            finally:  # also where an act failed: its user has no more calls
                self._act, self._is_over = None, True

    def _turn(self) -> bool:
        """Wait or act; False: there was nothing to do for a while."""
        left = self._due - time.monotonic()
        if left > 0:  # also for what is cleared by now: the next one is likely set within that time
            self._wait(left)
        elif self._act is None:
            return self._wait(LINGER) or self._act is not None
        else:
            again = self._act()
            if again is None:
                self._act = None
            else:
                self._due = time.monotonic() + max(again, LEAST)
        return True

    def _wait(self, seconds: float) -> bool:
        """Whether it was ended by `set`."""
        self._wakes = time.monotonic() + seconds
        return self._changed.wait(seconds)


_free: list[Alarm] = []
"""Those that nobody uses; the one that was used last comes first."""


def set_alarm(act: Act, seconds: float) -> Alarm:
    """An alarm of one's own, until `clear`, which is called once."""
    while _free:
        try:
            alarm = _free.pop()
        except IndexError:  # another thread took it
            break
        if alarm.set(act, seconds):
            return alarm
    return Alarm(act, seconds)
