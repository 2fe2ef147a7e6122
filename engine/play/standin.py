"""A search with a network, and the search that replaces it while the network loads or if it cannot be used.

What a count bounds (playouts, visits) waits for the network, so that it repeats: as long as it takes where there is no
clock, else for a part of the time. What time alone bounds is searched by the stand-in at once, and by the network for
the rest of the time as soon as that is ready. A network that could not answer twice within the time is not asked, and
one that turns out bad leaves the game to the stand-in.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from tengen.engine._core import StopToken
from tengen.engine.info import Info
from tengen.engine.limits import Limits
from tengen.engine.options import Option, Value
from tengen.engine.search.base import Root, Search
from tengen.engine.search.batching import Patience
from tengen.engine.search.guide import NetworkSearch

if TYPE_CHECKING:
    from concurrent.futures import Future

    from tengen.engine.games.base import State

WAITING_SHARE = 0.5
"""The share of the time of a move bounded by a count that may be spent waiting for the network."""
SLICE_SECONDS = 0.05
"""The seconds of the stand-in's search between two looks whether the network is ready."""
HURRIED_SECONDS = 0.02
"""The seconds for the stand-in's move when a stop came before anything was searched."""
LEAST_VISITS = 16
"""A network that came late has a say from so many visits on."""


class Guided(Search, NetworkSearch, Protocol):
    """A search with a network."""


class StandIn:
    """Implements `Search`."""

    def __init__(self, own: Guided, make_other: Callable[[], Search]) -> None:
        self._own, self._make_other = own, make_other
        self._other: Search | None = None
        self._at_work: Search | None = None
        self._ready: Future[float] | None = None
        self.is_too_slow = False
        """Whether the network was ready for the last run and could not have answered twice."""

    @property
    def has_owners(self) -> bool:
        """Whether the last run's report can have ownership."""
        return not self.is_guided or self._own.has_owners

    @property
    def says_owners(self) -> bool:
        """Whether its network says who owns the points of a board."""
        return self._own.has_owners

    @property
    def error(self) -> BaseException | None:
        """Why the network cannot be used, once that is known."""
        ready = self._ready
        return ready.exception() if ready is not None and ready.done() else None

    @property
    def is_guided(self) -> bool:
        """Whether the last run was the network's."""
        return self._at_work is self._own

    def prepared(self, state: State, most: float, stop: StopToken) -> float | None:
        """Return `seconds` for boards like this; wait for the network for a share of so many seconds."""
        self._ready = self._own.prepare(state)
        _wait(self._ready, Patience(stop, time.monotonic() + WAITING_SHARE * most))
        return self.seconds

    @property
    def seconds(self) -> float | None:
        """The time of an answer of the network, if it is ready for the board of the last search."""
        ready = self._ready
        return ready.result() if ready is not None and ready.done() and ready.exception() is None else None

    def options(self) -> Sequence[Option]:
        return self._own.options()

    def configure(self, values: Mapping[str, Value]) -> None:
        self._own.configure(values)

    def info(self, max_lines: int = 0, ownership: bool = False) -> Info:
        at_work = self._at_work
        return Info() if at_work is None else at_work.info(max_lines, ownership)

    def clear(self) -> None:
        self._own.clear()
        if self._other is not None:
            self._other.clear()

    def run(self, root: Root, limits: Limits, stop: StopToken) -> Info:
        deadline = time.monotonic() + (math.inf if limits.seconds is None else limits.seconds)
        self._at_work, bridged = None, Info()
        self._ready = ready = self._own.prepare(root.state)
        self.is_too_slow = self.seconds is not None and not self._can_answer(deadline)
        if limits.is_counted:
            until = math.inf if limits.seconds is None else deadline - (1 - WAITING_SHARE) * limits.seconds
            _wait(ready, Patience(stop, until))
        else:
            bridged = self._bridge(ready, root, limits, deadline, stop)
        if self._can_answer(deadline):
            found = self._work(self._own, root, limits, deadline, stop)
            if found.lines and (found.visits >= LEAST_VISITS or not bridged.lines):
                self._other = None  # its memory is better used
                return found
        if bridged.lines and (stop.is_stopped or deadline - time.monotonic() < SLICE_SECONDS):
            self._at_work = self._substitute()
            return bridged
        return self._work(self._substitute(), root, limits, deadline, stop)

    def _bridge(self, ready: Future[float], root: Root, limits: Limits, deadline: float, stop: StopToken) -> Info:
        """Search by the stand-in until the network is ready, or no time is left; empty where it is."""
        found = Info()
        while not ready.done() and not stop.is_stopped and (left := deadline - time.monotonic()) > 0:
            end = time.monotonic() + min(SLICE_SECONDS, left)
            found = self._work(self._substitute(), root, limits._replace(early_stop=False), end, stop)
            _wait(ready, Patience(stop, end))  # a proof ends a search before its time
        return found

    def _work(self, search: Search, root: Root, limits: Limits, deadline: float, stop: StopToken) -> Info:
        """Run one of them with the time that is left."""
        left = max(deadline - time.monotonic(), HURRIED_SECONDS)
        if stop.is_stopped and search is self._other:  # its best move in no time is better than any move
            stop, left = StopToken(), HURRIED_SECONDS
        self._at_work = search
        if search is self._own:
            root = root._replace(komi_shift=0.0)  # a network knows what a handicap is worth
        return search.run(root, limits._replace(seconds=None if left == math.inf else left), stop)

    def _can_answer(self, deadline: float) -> bool:
        seconds = self.seconds
        return seconds is not None and 2 * seconds < deadline - time.monotonic()

    def _substitute(self) -> Search:
        if self._other is None:
            self._other = self._make_other()
        return self._other


def _wait(future: Future[float], patience: Patience) -> None:
    """Until it is done, well or not, or the patience ends."""
    while not future.done() and not patience.stop.is_stopped and time.monotonic() < patience.deadline:
        time.sleep(min(0.005, max(0.0, patience.deadline - time.monotonic())))
