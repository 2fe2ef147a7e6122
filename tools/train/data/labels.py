"""Labels of single positions of games, as flat arrays: those of `nets.targets.stored`, by name.

Column `taught` marks the positions that were labelled, a mark for each move; `blind` marks those that are seen without
earlier moves. An array holds the labels of the marked positions one after the other. An empty array has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy import float32
from numpy.typing import NDArray

from tengen.nets.targets import UNKNOWN, Stored, stored
from tengen.tools.train.data.game import PlayedGame

Columns = Mapping[str, NDArray[Any]]
MARKS = ("taught", "blind")
KINDS = {"taught": "u1", **{name: one.kind for name, one in stored().items()}, "blind": "u1"}
"""Name -> type of all columns of labels."""


def lengths(columns: Columns, one: Stored) -> NDArray[np.int64]:
    """Count the numbers of an array for the position before each move; empty if no position is marked."""
    taught = columns["taught"].astype(np.int64)
    if not len(taught) or not one.is_board:
        return taught * len(one.says)
    cells = columns["width"].astype(np.int64) * columns["height"]
    return taught * np.repeat(cells, columns["length"])


def side_by_side(games: Sequence[PlayedGame]) -> dict[str, NDArray[Any]]:
    """Return the columns of games. An array that some games lack is filled as unknown; if all lack it, it is empty."""
    known = [game for game in games if game.taught is not None]
    if not known:
        return {name: np.zeros(0, kind) for name, kind in KINDS.items()}
    taught, blind = ([np.zeros(len(game.moves), np.uint8) for game in games] for _ in MARKS)
    for number, game in enumerate(games):
        if game.taught is not None:
            taught[number][game.taught.plies] = 1
            blind[number][:] = game.taught.blind
    found: dict[str, NDArray[Any]] = {"taught": np.concatenate(taught), "blind": np.concatenate(blind)}
    for name, one in stored().items():
        is_there = any(name in game.taught.labels for game in known if game.taught)
        parts = [_of_game(one, game) for game in known] if is_there else [np.zeros(0, one.kind)]
        found[name] = np.concatenate(parts)
    return found


def _of_game(one: Stored, game: PlayedGame) -> NDArray[Any]:
    """Return the array of a labelled game."""
    assert game.taught is not None
    width = game.width * game.height if one.is_board else len(one.says)
    found = game.taught.labels.get(one.name)
    return nothing(one, len(game.taught.plies) * width) if found is None else found.ravel().astype(one.kind)


def nothing(one: Stored, count: int) -> NDArray[Any]:
    """Return an array of unknown numbers."""
    return np.full(count, np.nan if one.kind.startswith("<f") else UNKNOWN, one.kind)


def filled(columns: Columns, one: Stored) -> NDArray[Any]:
    """Return an array of one part of many, filled as unknown if the part lacks it."""
    count = int(lengths(columns, one).sum())
    return columns[one.name] if len(columns[one.name]) or not count else nothing(one, count)


def told(one: Stored, numbers: NDArray[Any], sign: NDArray[float32]) -> NDArray[float32]:
    """Convert rows x numbers of a file to what a network learns. sign: 1 for rows with Black to move, else -1."""
    found = numbers.astype(np.float32)
    if not one.kind.startswith("<f"):
        found[numbers == UNKNOWN] = np.nan
    factor = np.float32(one.unit) * (sign[:, None] if one.is_black else np.float32(1))
    return np.asarray(found * factor, np.float32)


def kept(one: Stored, numbers: NDArray[float32], ply: int) -> NDArray[Any]:
    """Convert a teacher's output for the side to move before move `ply` to numbers of a file."""
    found = np.asarray(numbers, np.float64) / one.unit * (-1 if one.is_black and ply % 2 else 1)
    if one.kind.startswith("<f"):
        return found.astype(one.kind)
    rounded = np.clip(np.rint(np.nan_to_num(found)), -one.most, one.most)
    return np.where(np.isfinite(found), rounded, UNKNOWN).astype(one.kind)


def checks(columns: Columns) -> Iterator[tuple[bool, str]]:
    """Check the columns of a file one by one: whether each holds, and the sentence if it does not."""
    plies, taught, blind = len(columns["moves"]), columns["taught"], columns["blind"]
    yield len(taught) in (0, plies) and len(blind) == len(taught), "what was taught is not all described"
    yield bool((taught <= 1).all() and (blind <= 1).all()), "what was taught is not marked by 0 and 1"
    for name, one in stored().items():
        array, count = columns[name], int(lengths(columns, one).sum())
        yield len(array) in (0, count), f"its {name} are not all there"
        known = array[~np.isnan(array)] if one.kind.startswith("<f") else array[array != UNKNOWN].astype(np.int64)
        yield bool((abs(known) <= one.most).all()), f"its {name} are out of bounds"
