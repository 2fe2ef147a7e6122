"""Where a search has its network from, and whether that is ready: from a file, or from whoever loads one for it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, cast

from tengen.engine.evaluators.backends.base import NetworkError
from tengen.engine.evaluators.katago.background import begun, loading_of
from tengen.engine.evaluators.katago.evaluator import ROOT_OPTIMISM
from tengen.engine.evaluators.katago.model import check
from tengen.engine.games.base import State

if TYPE_CHECKING:
    from concurrent.futures import Future

    from tengen.engine._core import GoState
    from tengen.engine.evaluators.katago.loading import Wish
    from tengen.engine.search.guide import Guide

TRIALS, TRIAL_SECONDS = 3, 0.2
"""Further answers by which a network's speed is told, and within how many seconds."""


class Source:
    """The network of one search. Any thread may call it."""

    def __init__(self) -> None:
        self._load: Callable[[], Guide] | None = None
        self._guide: Guide | None = None
        self._lock = Lock()
        self._prepared: dict[tuple[int, int], Future[float]] = {}
        self._prepared_lock = Lock()

    def use(self, load: Callable[[], Guide]) -> None:
        """Have it from somebody else, whose `load` may take its time."""
        with self._prepared_lock:
            self._load, self._guide = load, None
            self._prepared.clear()

    def read(self, path: str, precision: str, threads: int) -> None:
        """Have it from a file, of which the beginning is looked at here. Raises NetworkError with one sentence."""
        check(Path(path).expanduser())
        self.use(lambda: loading_of(path, wish=cast("Wish", precision), threads=threads).get().evaluator)

    def require(self) -> None:
        """Raises NetworkError without a network."""
        if self._load is None:
            raise NetworkError("this player plays with a network, and none was named: --net FILE")

    @property
    def guide(self) -> Guide | None:
        """The network, where it is there already."""
        return self._guide

    def get(self) -> Guide:
        """The network, as soon as it is there. Raises what loading it raises, and tries again the next time."""
        with self._lock:
            load, guide = self._load, self._guide
            assert load is not None
            if guide is None:
                guide = load()
                if load is self._load:
                    self._guide = guide
            return guide

    def prepare(self, state: State) -> Future[float]:
        """See `NetworkSearch.prepare`."""
        self.require()
        size = state.width, state.height
        with self._prepared_lock:
            if size not in self._prepared:
                copy = state.copy()
                self._prepared[size] = begun(lambda: self._tried(copy), "network")
            return self._prepared[size]

    def forget_failures(self) -> None:
        """Try again what could not be prepared."""
        with self._prepared_lock:
            for size, future in list(self._prepared.items()):
                if future.done() and future.exception() is not None:
                    del self._prepared[size]

    def _tried(self, state: State) -> float:
        """The seconds of an answer about a position, the least of some."""
        guide = self.get()
        planes, numbers = cast("GoState", state).katago(suicide_in_life=guide.suicide_in_life)

        def asked() -> float:
            begin = time.monotonic()
            guide.submit(planes[None], numbers[None], optimism=ROOT_OPTIMISM).wait()
            return time.monotonic() - begin

        asked()  # may be compiled first
        least, started = asked(), time.monotonic()
        for _ in range(TRIALS):
            if time.monotonic() - started + least < TRIAL_SECONDS:
                least = min(least, asked())
        return least
