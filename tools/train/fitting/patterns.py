"""Positions of shards as what patterns learn from them, and files of shards that are held out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import torch

from tengen.engine.evaluators.backends.features import feature_set
from tengen.nets.fitting import Positions
from tengen.nets.patterns import FEATURES, Patterns
from tengen.tools.train.data import shards
from tengen.tools.train.data.games import Games
from tengen.tools.train.data.rows import View, inputs, rows_of
from tengen.tools.train.fitting.probcut import GAME

AT_ONCE = 1 << 14
"""Rows that are encoded together: 45 MB of planes."""
EVERY = 33
"""One of so many files is held out."""


def files_of(folders: Sequence[str]) -> tuple[list[Path], list[Path]]:
    """The files of shards in folders: those to learn from, and those that are held out. Raises ValueError."""
    found = [path for folder in folders for path in sorted(Path(folder).glob("*.npz"))]
    if len(found) < 2:
        raise ValueError(f"{', '.join(folders)}: {len(found)} files of games, and one is held out: give two or more")
    held = found[EVERY - 1 :: EVERY] or found[-1:]
    return [path for path in found if path not in held], held


def read(model: Patterns, files: Sequence[Path], tell: Callable[[int], None] = lambda done: None) -> Positions:
    """All positions of these files that a search has labelled. Raises ShardError with the file's name, OSError."""
    parts = []
    for number, path in enumerate(files):
        games = shards.read_named(path)
        if games.game != GAME:
            raise shards.ShardError(f"'{path}' has games of {games.game}, not of {GAME}")
        parts.append(_positions(model, games))
        tell(number + 1)
    return Positions(*(torch.cat(column) for column in zip(*parts, strict=True)))


def _positions(model: Patterns, games: Games) -> Positions:
    picks = rows_of(games)
    labels = games.columns["values"].reshape(-1, 3)[games.starts[picks.numbers] + picks.plies, 2]
    picks, labels = picks.at(np.flatnonzero(np.isfinite(labels)).tolist()), labels[np.isfinite(labels)]
    view, indices, empties = View(feature_set(games.game, FEATURES)), [], []
    for start in range(0, len(labels), AT_ONCE):
        part = picks.at(slice(start, start + AT_ONCE))
        count = len(part.plies)
        planes, _ = inputs(view, part, np.zeros(count, np.int32), np.zeros(count, np.bool_))
        found, left = model.seen(torch.from_numpy(planes))
        indices.append(found.int())
        empties.append(left)
    return Positions(torch.cat(indices), torch.cat(empties), torch.from_numpy(labels.astype(np.float32)))
