"""Batches of a search on their way to an evaluator and back; a wait for an answer can be stopped."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from tengen.engine.search.guide import PromptGuide, SidedGuide

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    from numpy import bool_, float32, uint8
    from numpy.typing import NDArray

    from tengen.engine._core import FeatureSet, StopToken
    from tengen.engine.evaluators.network import Evaluation, EvaluationTicket
    from tengen.engine.search.guide import Guide

T = TypeVar("T", covariant=True)
VISITS_A_LEAF = 32
"""Visits of a root for each leaf on its way: fewer are searched one by one (docs/benchmarks.md, Batches)."""
LOOK_SECONDS = 0.005
"""The seconds between looks for a stop while an answer is awaited."""
GRACE_SECONDS = 0.03
"""The additional seconds that a stopped search waits for its very first answer: without it there is no move."""


class Place(NamedTuple):
    """The place where a batch is encoded; it belongs to the evaluator until the answer is there."""

    planes: NDArray[float32]
    numbers: NDArray[float32]
    is_root: NDArray[bool_]
    """The rows that are the root of a tree."""
    sides: NDArray[uint8]
    """The sides to move, for networks that see ratings of the players."""

    def first(self, rows: int) -> Place:
        """The same arrays, cut off after so many rows."""
        return self.part(0, rows)

    def part(self, begin: int, end: int | None = None) -> Place:
        """The rows from `begin` on, before `end`."""
        rows = slice(begin, end)
        return Place(self.planes[rows], self.numbers[rows], self.is_root[rows], self.sides[rows])

    def asked(self, guide: Guide) -> EvaluationTicket:
        """Ask a guide about all rows. Raises what it raises."""
        planes, numbers, is_root, sides = self
        if isinstance(guide, SidedGuide):
            return guide.submit_for(sides, planes, numbers, is_root=is_root)
        return guide.submit(planes, numbers, is_root=is_root)


def new_place(features: FeatureSet, height: int, width: int, rows: int) -> Place:
    """Room for so many positions of a feature set; without globals, `numbers` has no columns."""
    import numpy as np

    planes = np.empty((rows, len(features.planes), height, width), np.float32)
    numbers = np.empty((rows, len(features.globals)), np.float32)
    return Place(planes, numbers, np.zeros(rows, np.bool_), np.zeros(rows, np.uint8))


class Result(Protocol[T]):
    """What may be waited for: a future, or a batch that is on its way."""

    def done(self) -> bool: ...
    def result(self, timeout: float | None = None, /) -> T:
        """Raises TimeoutError when it is not there after `timeout` seconds."""


class OnItsWay(NamedTuple):
    """Implements `Result` by a ticket, without a thread."""

    ticket: EvaluationTicket

    def done(self) -> bool:
        return self.ticket.is_there(0)

    def result(self, timeout: float | None = None, /) -> Evaluation:
        if timeout is not None and not self.ticket.is_there(timeout):
            raise TimeoutError
        return self.ticket.wait()


class Patience(NamedTuple):
    """The patience of a run: until it is stopped, or until a deadline (of `time.monotonic`)."""

    stop: StopToken
    deadline: float = math.inf

    def wait(self, future: Result[T], *, is_first: bool = False) -> T | None:
        """Return the result of the future, None if it would come too late. Raises what it raised.

        is_first: nothing is known yet, so that no deadline counts and a stop may wait a little.
        """
        stopped: float | None = None
        while True:
            try:
                return future.result(LOOK_SECONDS)
            except TimeoutError:
                if future.done():  # just now, or it failed by a time limit of its own
                    return future.result()
            now = time.monotonic()
            if stopped is None and self.stop.is_stopped:
                stopped = now + (GRACE_SECONDS if is_first else 0)
            if (stopped is not None and now >= stopped) or (not is_first and now >= self.deadline):
                return None


class Asker:
    """The batches of one run; two at work at most. What nobody waits for any more is answered for nobody.

    A guide that begins at once is asked here, and its answer is awaited here: a thread in between costs more than a
    small network takes. Another is asked by a thread of the pool, as it may compile first.
    """

    IN_FLIGHT = 2

    def __init__(
        self, pool: ThreadPoolExecutor, guide: Guide, place: Callable[[], Place], in_flight: int = IN_FLIGHT
    ) -> None:
        self._pool, self._guide = pool, guide
        is_sided = isinstance(guide, SidedGuide)
        self._prompt = guide if not is_sided and isinstance(guide, PromptGuide) else None
        self._free = [place() for _ in range(in_flight)]
        self._waiting: deque[tuple[Result[Evaluation], Place, int]] = deque()

    @property
    def free(self) -> Place | None:
        """A place for the next batch."""
        return self._free[-1] if self._free else None

    @property
    def rows(self) -> int:
        """The number of answers that are due."""
        return sum(rows for _, _, rows in self._waiting)

    @property
    def is_waiting(self) -> bool:
        """Whether an answer is due."""
        return bool(self._waiting)

    def ask(self, rows: int) -> None:
        """Ask about the first rows of `free`. Raises what the guide raises."""
        place = self._free.pop()
        shown = place.first(rows)
        asked: Result[Evaluation]
        if self._prompt is not None and self._prompt.is_prompt(shown.planes, shown.numbers):
            asked = OnItsWay(self._prompt.submit(shown.planes, shown.numbers, is_root=shown.is_root))
        else:
            asked = self._pool.submit(lambda: shown.asked(self._guide).wait())
        self._waiting.append((asked, place, rows))

    def wait(self, patience: Patience, *, is_first: bool) -> Evaluation | None:
        """The answer to the oldest batch, as `Patience.wait` has it."""
        asked, place, _ = self._waiting[0]
        answer = patience.wait(asked, is_first=is_first)
        if answer is not None:
            self._waiting.popleft()
            self._free.append(place)
        return answer

    def close(self) -> None:
        """Nobody waits any more: threads of the pool see to what is on its way, as it cannot be called back."""
        for asked, _, _ in self._waiting:
            if isinstance(asked, OnItsWay):
                self._pool.submit(asked.result)
        self._waiting.clear()
