"""What a network should say of positions: arrays of a `Batch`, for the side to move, turned as the planes are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy import float32
from numpy.typing import NDArray

from tengen.engine._core import FeatureSet
from tengen.nets.targets import stored
from tengen.tools.train.data import labels
from tengen.tools.train.data.games import Games, spans
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


Encoder = Callable[[Places, Picks, NDArray[np.int32]], Floats]
"""Computes a target of rows from their games: n x numbers, for the side to move; NaN: unknown. Numbers of cells turn
with the planes (`Places.policy`)."""
ENCODERS: dict[str, Encoder] = {}
"""Targets of `nets.targets` that are neither a field of a batch nor kept in files, by name."""


def targets(places: Places, picks: Picks, symmetries: NDArray[np.int32]) -> tuple[Any, ...]:
    """Return the fields of a `Batch` after its inputs, in their order."""
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
    fields = {
        "policy": policy, "next_policy": reply, "value": value, "found": found, "score": score, "owners": owners,
        "found_score": found_score, "weight": np.ones(n, np.float32),
    }  # fmt: skip
    said = _labels(places, picks, symmetries, fields)
    fields["owners"] = owners.reshape(n, *places.shape)
    return *fields.values(), said or None


def _labels(
    places: Places, picks: Picks, symmetries: NDArray[np.int32], fields: Mapping[str, Floats]
) -> dict[str, Floats]:
    """Return the labels of rows by name. A known label with `into` replaces that field instead."""
    games, numbers, plies = picks
    found = {name: encode(places, picks, symmetries) for name, encode in ENCODERS.items()}
    at = games.starts[numbers] + plies
    rows = np.flatnonzero(games.columns["taught"][at]) if len(games.columns["taught"]) else np.zeros(0, np.int64)
    sign = np.where(plies[rows] % 2, -1, 1).astype(np.float32)
    for name, one in stored().items():
        if not len(rows) or not len(games.columns[name]):
            continue
        width = places.cells if one.is_board else len(one.says)
        where = games.label_starts[name][at[rows]][:, None] + np.arange(width)
        said = labels.told(one, games.columns[name][where], sign)
        if one.is_board:
            turned = np.empty_like(said)
            turned[np.arange(len(rows))[:, None], places.policy[symmetries[rows], : places.cells]] = said
            said = turned
        if one.into:
            field = fields[one.into]
            field[rows] = np.where(np.isnan(said), field[rows], said)
        else:
            found[name] = np.full((len(plies), width), np.nan, np.float32)
            found[name][rows] = said
    return found


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
