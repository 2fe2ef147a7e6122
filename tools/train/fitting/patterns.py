"""Patterns of Reversi from folders of games: what `tengen train fit` does for both kinds of them."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from tengen.engine._core import reversi_sides_of_games
from tengen.engine.config import ConfigError
from tengen.engine.evaluators.backends.features import feature_set
from tengen.nets import safetensors
from tengen.nets.fitting import FitRecipe, Fitting, Positions, returns
from tengen.nets.models import build
from tengen.nets.pattern_network import VectorNet
from tengen.nets.patterns import FEATURES, Patterns
from tengen.nets.publish import export
from tengen.nets.spec import ModelSpec
from tengen.tools.executors import choice
from tengen.tools.live import Live, bar
from tengen.tools.train.data import shards
from tengen.tools.train.data.asked import question_of
from tengen.tools.train.data.games import Games
from tengen.tools.train.data.rows import rows_of
from tengen.tools.train.fitting.passes import finish, passes
from tengen.tools.train.fitting.probcut import GAME

MIDDLE = (24, 36)
"""Empty cells of the positions that are judged apart."""
EVERY = 33
"""One of so many files is held out."""


def fit_patterns(kind: str, folders: Sequence[str], out: Path, values: Namespace) -> int:
    """Read, learn, write, print. Raises ValueError, OSError with one sentence."""
    usual = FitRecipe()
    recipe = FitRecipe(values.passes or usual.passes, values.rate or usual.rate)
    torch.manual_seed(recipe.seed)
    torch.set_num_threads(values.workers or choice.cores())
    model = build(ModelSpec(kind), feature_set(GAME, FEATURES), (8, 8))
    assert isinstance(model, Patterns)
    if values.weights:
        _begin(model, values.weights)
    live, share = Live(), values.returns or 0.0
    if share:
        _check_moves(folders)
    files, held_files = files_of(folders)
    learned = read(files, share, lambda done: live.update(f"{bar(done, len(files))} files read"))
    held = read(held_files, share)
    live.line(f"{len(learned.labels)} positions to learn from, {len(held.labels)} held out")
    fitting = Fitting(model, learned, recipe)

    def judge(error: float) -> tuple[dict[str, float], str]:
        apart, middle = fitting.error(held), fitting.error(held, *MIDDLE)
        text = f"mean error {error:.3f} discs, held out {apart:.3f}, at {MIDDLE[0]} to {MIDDLE[1]} empty cells "
        return {"margin_error": error, "held_margin_error": apart}, f"{text}{middle:.3f}"

    told = passes(fitting, out, live, judge)
    more = f" --returns {share:g}" + (f" --weights {Path(values.weights).name}" if values.weights else "")
    card = {
        "name": out.stem, "purpose": "plays Reversi", "licence": "MIT",
        "training": {
            "data": f"{len(learned.labels)} positions of {len(files)} files of games",
            "command": f"tengen train fit --kind {kind} --passes {recipe.passes} --rate {recipe.rate:g}{more}",
        },
        "figures": {"held out, by passes": [round(row["held_margin_error"], 3) for row in told]},
    }  # fmt: skip
    export(model, out, card)
    finish(out, told, "margin_error")
    print(f"{out}: now measure how far searches by it foretell each other: tengen train probcut {out}")
    return 0


def _check_moves(folders: Sequence[str]) -> None:
    """Raises ConfigError for games with random moves in their midst: what comes behind one says nothing of what was
    before it."""
    for folder in folders:
        noise = float(question_of(Path(folder)).get("search.noise", 0))
        if noise:
            raise ConfigError(f"the games of '{folder}' have random moves (search.noise={noise:g}): use --returns 0")


def _begin(model: Patterns, weights: str) -> None:
    """Let the network be what a file has. Raises ValueError with the file's name, OSError."""
    assert isinstance(model, VectorNet)
    try:
        model.begin_with(safetensors.loads(Path(weights).read_bytes()))
    except ValueError as error:
        raise ValueError(f"'{weights}': {error}") from None


def files_of(folders: Sequence[str]) -> tuple[list[Path], list[Path]]:
    """The files of shards in folders: those to learn from, and those that are held out. Raises ValueError."""
    found = [path for folder in folders for path in sorted(Path(folder).glob("*.npz"))]
    if len(found) < 2:
        raise ValueError(f"{', '.join(folders)}: {len(found)} files of games, and one is held out: give two or more")
    held = found[EVERY - 1 :: EVERY] or found[-1:]
    return [path for path in found if path not in held], held


def read(files: Sequence[Path], share: float = 0, tell: Callable[[int], None] = lambda done: None) -> Positions:
    """All positions of these files that a search has labelled. share: of the next position of the game in a label, as
    `returns` mixes them. Raises ShardError with the file's name, OSError."""
    parts = []
    for number, path in enumerate(files):
        games = shards.read_named(path)
        if games.game != GAME:
            raise shards.ShardError(f"'{path}' has games of {games.game}, not of {GAME}")
        try:
            parts.append(_positions(games, share))
        except ValueError as error:
            raise shards.ShardError(f"'{path}': {error}") from None
        tell(number + 1)
    return Positions(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def labels_of(games: Games, share: float) -> NDArray[np.float64]:
    """Discs for the side to move at each move of the games, passes among them; NaN where nothing was searched."""
    said = games.columns["values"].reshape(-1, 3)[:, 2].astype(np.float64)
    if not share:
        return said
    plies = np.arange(len(said)) - np.repeat(games.starts[:-1], np.diff(games.starts))
    signs = np.where(plies % 2, -1.0, 1.0)  # Black begins, and a pass is a move
    return signs * returns(signs * said, games.columns["margin"], games.starts, share)


def _positions(games: Games, share: float) -> Positions:
    """Raises ValueError for an illegal game."""
    picks, sides = rows_of(games), np.empty((len(games.columns["moves"]), 2), np.uint64)
    reversi_sides_of_games(games.columns["moves"], games.starts, sides)
    places = games.starts[picks.numbers] + picks.plies
    labels = labels_of(games, share)[places]
    is_found = np.isfinite(labels)
    return Positions(sides[places[is_found]], labels[is_found].astype(np.float32))
