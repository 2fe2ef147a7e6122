"""Driving many trees by an evaluator that answers batches: while it works on one, the next is collected.

The trees are the core's: `bind_forest` of `engine/core/bind/forest_binding.hpp` makes the class of a game. The
evaluator is a network (`NetworkEvaluator`) or whatever else keeps the contract.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Protocol

from tengen.engine.evaluators.network import BatchEvaluator, EvaluationTicket
from tengen.engine.search.batching import Place, new_place

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from tengen.engine._core import FeatureSet


class Forest(Protocol):
    """Many trees side by side. A batch collected is answered once, in the order of collection."""

    @property
    def features(self) -> FeatureSet:
        """The feature set that it encodes."""

    @property
    def plane_shape(self) -> tuple[int, int, int]:
        """(planes, height, width) of a leaf."""

    def collect(self, planes: NDArray[float32], numbers: NDArray[float32] | None = None) -> int:
        """Write leaves, at most one for each row, and return their number. 0: none before an answer comes, or at
        all."""

    def deliver(self, policies: NDArray[float32], values: NDArray[float32]) -> None:
        """Answer the oldest batch: see `Evaluation`."""


def drive(forest: Forest, evaluator: BatchEvaluator, leaves: int, *, room: int = 32, in_flight: int = 2) -> int:
    """Search until so many leaves were answered, `room` a batch, `in_flight` batches on their way at most.

    Returns how many were: fewer when the trees have nothing more to ask. Nothing is in flight afterwards, and one
    thread repeats what it did. Raises ValueError unless both have one feature set, and what the evaluator raises: then
    batches may be in flight for ever, and the forest is of no more use.
    """
    mine, its = forest.features, evaluator.features
    if (mine.game, mine.name) != (its.game, its.name):
        raise ValueError(f"the trees encode {mine.name} of {mine.game}, the evaluator takes {its.name} of {its.game}")
    if room < 1 or in_flight < 1:
        raise ValueError("a batch has room for a leaf or more, and one or more are on their way")
    free = [new_place(mine, *forest.plane_shape[1:], room) for _ in range(in_flight)]
    waiting: deque[tuple[EvaluationTicket, Place]] = deque()
    asked = 0
    while asked < leaves or waiting:
        place = free.pop()
        rows = min(room, leaves - asked)
        room_left = place.first(rows)
        count = forest.collect(room_left.planes, room_left.numbers) if rows else 0
        if count:
            asked += count
            asking = place.first(count)
            waiting.append((evaluator.submit(asking.planes, asking.numbers), place))
        else:
            free.append(place)
            if not waiting:
                break
        if not free or not count:
            free.append(_answer(forest, *waiting.popleft()))
    return asked


def _answer(forest: Forest, ticket: EvaluationTicket, place: Place) -> Place:
    """Bring the answer home; the place is free then."""
    answer = ticket.wait()
    forest.deliver(answer.policies, answer.values)
    return place
