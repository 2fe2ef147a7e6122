"""Ask a teacher about positions: its raw outputs, averaged over symmetries and turned back to the board."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy import bool_, float32, int32, int64
from numpy.typing import NDArray

from tengen.engine import _core
from tengen.engine.evaluators.network import probabilities
from tengen.nets.targets import stored
from tengen.tools.train.data.targets import Places

if TYPE_CHECKING:
    from tengen.engine._core import GoState
    from tengen.engine.evaluators.katago.evaluator import KataGoEvaluator
    from tengen.engine.evaluators.katago.network import KataGoTicket

AT_WORK = 2
"""Batches on their way at once."""


@dataclass(frozen=True)
class Position:
    """One position: the empty board at the beginning of its game, and dense moves of the sides in turn. has_history:
    whether the network sees the last moves. facts: the rules as katago-v7 takes them."""

    start: GoState
    moves: Sequence[int]
    has_history: bool
    facts: _core.KataFacts


class Answer(NamedTuple):
    """The answers for n positions on one size of board, for the side to move.

    policy: n x moves, sums 1, illegal moves included. value: n x 3, win, no result, loss. lead: n. labels: n x numbers
    each, the arrays of `nets.targets.stored` by name, as the teacher outputs them; NaN: it has no such output.
    """

    policy: NDArray[float32]
    value: NDArray[float32]
    lead: NDArray[float32]
    labels: Mapping[str, NDArray[float32]]


def ask(network: KataGoEvaluator, positions: Sequence[Position], symmetries: NDArray[int32], batch: int) -> Answer:
    """Return answers for positions, each the mean over its row of `symmetries` (n x k). batch: most rows in a batch."""
    count, turns = symmetries.shape
    rows = np.arange(count).repeat(turns)
    flat = np.ascontiguousarray(symmetries.ravel(), np.int32)
    state = positions[0].start
    places = Places.of(network.features, state.width, state.height)
    under_way: deque[tuple[slice, KataGoTicket]] = deque()
    parts: list[list[NDArray[float32]]] = []
    for begin in range(0, len(rows), batch):
        part = slice(begin, begin + batch)
        planes, numbers = _encoded(network, [positions[row] for row in rows[part]], flat[part])
        under_way.append((part, network.submit(planes, numbers, optimism=0.0)))
        if len(under_way) > AT_WORK:
            parts.append(_turned_back(*under_way.popleft(), flat, places))
    parts += [_turned_back(*one, flat, places) for one in under_way]
    columns = (np.concatenate(column).reshape(count, turns, -1) for column in zip(*parts, strict=True))
    policy, value, lead, *said = (column.mean(1, dtype=np.float32) for column in columns)
    return Answer(policy, value, lead[:, 0], dict(zip(stored(), said, strict=True)))


def _encoded(
    network: KataGoEvaluator, positions: Sequence[Position], symmetries: NDArray[int32]
) -> tuple[NDArray[float32], NDArray[float32]]:
    features, state = network.features, positions[0].start
    count = len(positions)
    planes = np.empty((count, len(features.planes), state.height, state.width), np.float32)
    numbers = np.empty((count, len(features.globals)), np.float32)
    plies = np.array([len(position.moves) for position in positions], np.int32)
    moves = np.concatenate([np.asarray(position.moves, np.int16) for position in positions])
    offsets = np.concatenate([[0], np.cumsum(plies, dtype=int64)])
    history: NDArray[bool_] = np.array([position.has_history for position in positions], np.bool_)
    _core.encode_rows_go_katago_v7(
        [position.start for position in positions], moves.astype(np.int16), offsets, plies,
        np.ascontiguousarray(symmetries), history, planes, numbers, [position.facts for position in positions],
    )  # fmt: skip
    return planes, numbers


def _turned_back(
    part: slice, ticket: KataGoTicket, symmetries: NDArray[int32], places: Places
) -> list[NDArray[float32]]:
    """Return a batch's policy, value, lead and labels, turned back to the board."""
    found = ticket.wait()
    where = places.policy[symmetries[part]]
    assert found.scores is not None
    parts = [np.take_along_axis(probabilities(found.policies), where, 1), found.values, found.scores]
    for one in stored().values():
        width = places.cells if one.is_board else 1
        unknown = np.full((len(where), width), np.nan, np.float32)
        said = np.concatenate([found.extras.get(name, unknown).reshape(len(where), -1) for name in one.says], 1)
        parts.append(np.take_along_axis(said, where[:, :width], 1) if one.is_board else said)
    return parts
