"""A network of chess from folders of labelled positions: what `tengen train fit` does for the kind chess-network."""

from __future__ import annotations

import shutil
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from tengen.nets import safetensors
from tengen.nets.chess_fitting import ChessFitting, ChessRecipe, Labelled
from tengen.nets.chess_network import WIDTH, ChessNetwork, export_network, sizes_of
from tengen.tools.executors import choice
from tengen.tools.live import Live, bar
from tengen.tools.train.chess import store
from tengen.tools.train.chess.returns import returns
from tengen.tools.train.data import positions
from tengen.tools.train.fitting.passes import finish, passes
from tengen.tools.train.fitting.patterns import files_of
from tengen.tools.train.settings.kinds import CHESS_NETWORK

RETURNS = 0.5
"""The usual share of `returns`."""


def fit_chess(folders: Sequence[str], out: Path, values: Namespace) -> int:
    """Read, learn, write, print. Raises ValueError, OSError with one sentence."""
    usual = ChessRecipe()
    results = usual.results if values.results is None else values.results
    share = RETURNS if values.returns is None else values.returns
    recipe = ChessRecipe(values.passes or usual.passes, values.rate or usual.rate, results=results)
    torch.manual_seed(recipe.seed)
    torch.set_num_threads(values.workers or choice.cores())
    model = _model(values.weights, values.width, values.king_buckets)
    files, held_files = files_of(folders)
    folder = out.with_suffix(".positions")
    try:
        live = Live()
        tell = lambda done: live.update(f"{bar(done, len(files))} files read")  # noqa: E731
        stored = store.store(files, folder, share, tell)
        learned, held = Labelled(*stored[:-1]), read(held_files, share)
        live.line(
            f"{len(learned.sides)} positions to learn from, {stored.again} left out that were there before, "
            f"{len(held.sides)} held out"
        )
        count = len(learned.sides)
        told = _learn(ChessFitting(model, learned, recipe), held, out, live)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    size = f"--width {model.width}" + (f" --king-buckets {model.kings}" if model.kings > 1 else "")
    size += f" --passes {recipe.passes} --rate {recipe.rate:g} --results {results:g} --returns {share:g}"
    size += f" --weights {Path(values.weights).name}" if values.weights else ""
    card = {
        "name": out.stem, "purpose": "plays chess", "licence": "MIT",
        "training": {
            "data": f"{count} labelled positions of {len(files)} files",
            "command": f"tengen train fit --kind {CHESS_NETWORK} {size}",
        },
        "figures": {
            "held out, loss by passes": [round(row["held_loss"], 5) for row in told],
            "held out, mean distance from the search's expected result": round(told[-1]["held_distance"], 4),
        },
    }  # fmt: skip
    export_network(model, out, card)
    finish(out, told, "loss")
    print(f"{out}: play by it with --set alphabeta.weights={out}")
    return 0


def _learn(fitting: ChessFitting, held: Labelled, out: Path, live: Live) -> list[dict[str, float]]:
    """All passes; figures of each."""

    def judge(loss: float) -> tuple[dict[str, float], str]:
        apart, distance = fitting.error(held)
        figures = {"loss": loss, "held_loss": apart, "held_distance": distance}
        return figures, f"loss {loss:.5f}, held out {apart:.5f}, {distance:.2%} from the search's expected result"

    return passes(fitting, out, live, judge)


def _model(weights: str | None, width: int | None, kings: int | None) -> ChessNetwork:
    return begun(weights, width, kings) if weights else ChessNetwork(width or WIDTH, kings or 1)


def begun(weights: str, width: int | None, kings: int | None = None) -> ChessNetwork:
    """A network that a file has, to learn on from. width, kings: what was asked for, the file's or more. Raises
    ValueError with the file's name, OSError."""
    try:
        arrays = safetensors.loads(Path(weights).read_bytes())
        found = sizes_of(arrays)
        model = ChessNetwork(width or found[0], kings or found[1])
        model.begin_with(arrays)
    except ValueError as error:
        raise ValueError(f"'{weights}': {error}") from None
    return model


def read(files: Sequence[Path], share: float = 0) -> Labelled:
    """All positions of these files, in memory. share: of `returns`. Raises PositionsError with the file's name,
    OSError."""
    parts = [positions.read_named(path) for path in files]
    found, mixed = positions.together(parts), np.concatenate([returns(part, share) for part in parts])
    return Labelled(found.boards, found.sides, found.scores, found.results, mixed)
