"""What a network should say of positions: arrays of a `Batch`, for the side to move, turned as the planes are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy import float32
from numpy.typing import NDArray

from tengen.engine._core import FeatureSet
from tengen.tools.train.data.games import SAYS, Games, spans
from tengen.tools.train.data.window import Picks

Floats = NDArray[float32]


@dataclass(frozen=True, eq=False)
class Places:
    """Where the moves of one size of board are in a policy of so many numbers: symmetries x moves."""

    policy: NDArray[np.int64]
    size: int
    cells: int
    shape: tuple[int, int]

    @classmethod
    def of(cls, features: FeatureSet, width: int, height: int) -> Places:
        key = (features.game, features.name, width, height)
        if key not in _PLACES:
            moves = range(features.moves(width, height))
            symmetries = range(features.symmetries(width, height))
            places = [[features.policy_index(move, width, height, turn) for move in moves] for turn in symmetries]
            _PLACES[key] = cls(np.array(places), features.policy_size(width, height), width * height, (height, width))
        return _PLACES[key]


_PLACES: dict[tuple[str, str, int, int], Places] = {}


def targets(places: Places, picks: Picks, symmetries: NDArray[np.int32]) -> tuple[Floats, ...]:
    """policy, next_policy, value, found, score, owners, found_score, weight, taught."""
    games, numbers, plies = picks
    column, n = games.columns, len(plies)
    at, sign = games.starts[numbers] + plies, np.where(plies % 2, -1, 1).astype(np.float32)
    policy = _policies(places, symmetries, games, at, np.ones(n, np.bool_))
    reply = _policies(places, symmetries, games, at + 1, plies + 1 < column["length"][numbers])
    value, found = np.zeros((n, 3), np.float32), np.full((n, 3), np.nan, np.float32)
    found_score = np.full(n, np.nan, np.float32)
    chance = 0.5 + sign * (column["outcome"][numbers] - 0.5)
    value[np.arange(n), np.round(2 - 2 * chance).astype(np.int64)] = 1
    if len(column["values"]):
        searched = column["values"].reshape(-1, 3)[at]
        found[:, :2], found_score = searched[:, :2], searched[:, 2].copy()
        found[:, 2] = 1 - found[:, 0] - found[:, 1]
    margin = column["margin"][numbers]
    score = np.where(np.isfinite(margin), sign * margin, np.nan).astype(np.float32)
    owners = np.full((n, places.cells), np.nan, np.float32)
    known = np.flatnonzero(column["owned"][numbers])
    where = games.owner_starts[numbers[known]][:, None] + np.arange(places.cells)
    turned = places.policy[symmetries[known], : places.cells]
    owners[known[:, None], turned] = sign[known, None] * column["owners"][where]
    taught = _taught(places, picks, symmetries, owners)
    shaped = owners.reshape(n, *places.shape)
    return policy, reply, value, found, score, shaped, found_score, np.ones(n, np.float32), taught


def _taught(places: Places, picks: Picks, symmetries: NDArray[np.int32], owners: Floats) -> Floats:
    """n x 4, what a teacher says beside; where it was asked, its owners take the place of those of the game's end."""
    games, numbers, plies = picks
    says = np.full((len(plies), SAYS), np.nan, np.float32)
    if not len(games.columns["taught"]):
        return says
    at = games.starts[numbers] + plies
    rows = np.flatnonzero(games.columns["taught"][at])
    says[rows] = games.columns["taught_says"].reshape(-1, SAYS)[games.says_starts[at[rows]]]
    where = games.taught_starts[at[rows]][:, None] + np.arange(places.cells)
    sign = np.where(plies[rows] % 2, -0.01, 0.01).astype(np.float32)
    owners[rows[:, None], places.policy[symmetries[rows], : places.cells]] = (
        sign[:, None] * games.columns["taught_owners"][where]
    )
    return says


def _policies(
    places: Places, symmetries: NDArray[np.int32], games: Games, at: NDArray[np.int64], is_there: NDArray[np.bool_]
) -> Floats:
    """What the policy should be at each position that is there: what the search said, else the move. A pass that the
    policy has not is left out."""
    n = len(at)
    policy = np.zeros((n, places.size), np.float32)

    def put(rows: Any, moves: Any, shares: Any) -> None:
        fits = moves < places.policy.shape[1]
        rows, moves = rows[fits], moves[fits]
        policy[rows, places.policy[symmetries[rows], moves]] = shares[fits]

    counts = np.zeros(n, np.int64)
    if len(games.columns["targeted"]):
        counts[is_there] = games.columns["targeted"][at[is_there]]
        spots, rows = spans(games.target_starts[np.where(is_there, at, 0)], counts)
        put(rows, games.columns["target_moves"][spots], games.columns["target_shares"][spots])
    rows = np.flatnonzero(is_there & (counts == 0))
    put(rows, games.columns["moves"][at[rows]], np.ones(len(rows), np.float32))
    sums = policy.sum(1, keepdims=True)
    policy /= np.where(sums > 0, sums, 1)
    return policy
