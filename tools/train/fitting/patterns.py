"""Positions of shards as what patterns learn from them, and files of shards that are held out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from tengen.engine._core import reversi_sides_of_games
from tengen.nets.fitting import Positions
from tengen.tools.train.data import shards
from tengen.tools.train.data.games import Games
from tengen.tools.train.data.rows import rows_of
from tengen.tools.train.fitting.probcut import GAME

EVERY = 33
"""One of so many files is held out."""


def files_of(folders: Sequence[str]) -> tuple[list[Path], list[Path]]:
    """The files of shards in folders: those to learn from, and those that are held out. Raises ValueError."""
    found = [path for folder in folders for path in sorted(Path(folder).glob("*.npz"))]
    if len(found) < 2:
        raise ValueError(f"{', '.join(folders)}: {len(found)} files of games, and one is held out: give two or more")
    held = found[EVERY - 1 :: EVERY] or found[-1:]
    return [path for path in found if path not in held], held


def read(files: Sequence[Path], tell: Callable[[int], None] = lambda done: None) -> Positions:
    """All positions of these files that a search has labelled. Raises ShardError with the file's name, OSError."""
    parts = []
    for number, path in enumerate(files):
        games = shards.read_named(path)
        if games.game != GAME:
            raise shards.ShardError(f"'{path}' has games of {games.game}, not of {GAME}")
        try:
            parts.append(_positions(games))
        except ValueError as error:
            raise shards.ShardError(f"'{path}': {error}") from None
        tell(number + 1)
    return Positions(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _positions(games: Games) -> Positions:
    """Raises ValueError for an illegal game."""
    picks, sides = rows_of(games), np.empty((len(games.columns["moves"]), 2), np.uint64)
    reversi_sides_of_games(games.columns["moves"], games.starts, sides)
    places = games.starts[picks.numbers] + picks.plies
    labels = games.columns["values"].reshape(-1, 3)[places, 2]
    is_found = np.isfinite(labels)
    return Positions(sides[places[is_found]], labels[is_found].astype(np.float32))
