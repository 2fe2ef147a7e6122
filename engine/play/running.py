"""One search and the threads around it: reports while it runs, a search in the background, analysis.

A search runs in the calling thread or in a `Background`; a `Reporter` tells what it finds, from a thread that is kept
for the next one (`alarm`). Both end before the call that ends them returns, so that no report can come after it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import NamedTuple

from tengen.engine._core import StopToken
from tengen.engine.info import Info
from tengen.engine.limits import Limits
from tengen.engine.play.alarm import Alarm, set_alarm
from tengen.engine.search.base import Root, Search

OnInfo = Callable[[Info], None]
FIRST_LOOK = 0.005
"""Seconds between looks for the first line of a search."""


class Watch(NamedTuple):
    """An observer of a search: `on_info` every `interval` seconds, of `max_lines` lines (0: all)."""

    on_info: OnInfo | None
    interval: float
    ownership: bool = False
    max_lines: int = 0

    def look(self, search: Search) -> Info:
        """Return the report as of now."""
        return search.info(self.max_lines, self.ownership)


class Background:
    """A search in its own thread, from construction until `stop` or a limit."""

    def __init__(self, search: Search, root: Root, limits: Limits) -> None:
        self._search = search
        self._stop = StopToken()
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, args=(root, limits), name="search", daemon=True)
        self._thread.start()

    def _run(self, root: Root, limits: Limits) -> None:
        try:
            self._search.run(root, limits, self._stop)
        except Exception as error:
            self._error = error

    @property
    def is_running(self) -> bool:
        """Whether the search has not ended yet."""
        return self._thread.is_alive()

    def stop(self) -> None:
        """End the search and wait for it. Raises what the search raised."""
        self._stop.stop()
        self._thread.join()
        error, self._error = self._error, None
        if error is not None:
            raise error


class Reporter:
    """Reports as soon as there is a line, then as `watch` says, until the run ends or `stop`."""

    def __init__(self, search: Search, watch: Watch, is_running: Callable[[], bool]) -> None:
        self._search, self._watch, self._is_running = search, watch, is_running
        self._told = False
        self._alarm: Alarm | None = set_alarm(self._report, FIRST_LOOK)

    def _report(self) -> float | None:
        """Look once; in how many seconds again."""
        is_running = self._is_running()
        info = self._watch.look(self._search)
        if info.lines and self._watch.on_info is not None:
            self._told = True
            self._watch.on_info(info)
        if not is_running:
            return None
        return self._watch.interval if self._told else FIRST_LOOK

    def stop(self) -> None:
        """After this no report can come. May repeat."""
        alarm, self._alarm = self._alarm, None
        if alarm is not None:
            alarm.clear()


class Analysis:
    """A search that reports until it is stopped; at its limits it falls silent but stays open."""

    def __init__(self, search: Search, root: Root, limits: Limits, watch: Watch) -> None:
        self._look: Callable[[], Info] = lambda: watch.look(search)
        self._search = Background(search, root, limits)
        self._reports = Reporter(search, watch, lambda: self._search.is_running)
        self._final: Info | None = None
        self._lock = threading.Lock()

    @property
    def is_searching(self) -> bool:
        """Whether it has not reached its limits yet."""
        return self._search.is_running

    def stop(self) -> Info:
        """End it and return the last report; no `on_info` comes afterwards. Any thread but `on_info`'s; may repeat."""
        with self._lock:
            if self._final is None:
                try:
                    self._search.stop()
                finally:
                    self._reports.stop()
                self._final = self._look()
            return self._final


def run(search: Search, root: Root, limits: Limits, stop: StopToken, watch: Watch) -> Info:
    """Search in this thread and return the whole report; who watches hears meanwhile and at the end.

    Handing the search to another thread and sleeping here was tried: with eight busy processes on two cores the sleeper
    woke as late (40-70 ms) as the thread that computed.
    """
    reports = None if watch.on_info is None else Reporter(search, watch, lambda: True)
    try:
        info = search.run(root, limits, stop)
    finally:
        if reports is not None:
            reports.stop()
    if watch.ownership:
        info = search.info(0, True)
    if watch.on_info is not None:
        watch.on_info(watch.look(search) if watch.max_lines else info)
    return info
