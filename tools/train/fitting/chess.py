"""A network of chess from folders of labelled positions: what `tengen train fit` does for the kind chess-network."""

from __future__ import annotations

import shutil
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

import torch

from tengen.nets import safetensors
from tengen.nets.chess_fitting import ChessFitting, ChessRecipe, Labelled
from tengen.nets.chess_network import WIDTH, ChessNetwork, export_network, sizes_of
from tengen.tools.executors import choice
from tengen.tools.live import Live, bar
from tengen.tools.train.chess import store
from tengen.tools.train.data import positions
from tengen.tools.train.fitting.passes import finish, passes
from tengen.tools.train.fitting.patterns import files_of
from tengen.tools.train.settings.kinds import CHESS_NETWORK


def fit_chess(folders: Sequence[str], out: Path, values: Namespace) -> int:
    """Read, learn, write, print. Raises ValueError, OSError with one sentence."""
    usual = ChessRecipe()
    results = usual.results if values.results is None else values.results
    recipe = ChessRecipe(values.passes or usual.passes, values.rate or usual.rate, results=results)
    torch.manual_seed(recipe.seed)
    torch.set_num_threads(values.workers or choice.cores())
    model = _model(values.weights, values.width, values.king_buckets)
    files, held_files = files_of(folders)
    folder = out.with_suffix(".positions")
    try:
        return _learn(model, recipe, (files, held_files), out, folder, values.weights)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _learn(
    model: ChessNetwork, recipe: ChessRecipe, read_of: tuple[Sequence[Path], Sequence[Path]], out: Path, folder: Path,
    weights: str | None,
) -> int:  # fmt: skip
    """Learn, by what is stored in a folder, and write and print what came of it. read_of: files to learn from and files
    held out, read in this order, so that the first damaged one is named."""
    live = Live()
    files, held_files = read_of
    stored = store.store(files, folder, lambda done: live.update(f"{bar(done, len(files))} files read"))
    learned, held = Labelled(*stored[:4]), read(held_files)
    live.line(
        f"{len(learned.sides)} positions to learn from, {stored.again} left out that were there before, "
        f"{len(held.sides)} held out"
    )
    fitting = ChessFitting(model, learned, recipe)

    def judge(loss: float) -> tuple[dict[str, float], str]:
        apart, distance = fitting.error(held)
        figures = {"loss": loss, "held_loss": apart, "held_distance": distance}
        return figures, f"loss {loss:.5f}, held out {apart:.5f}, {distance:.2%} from the search's expected result"

    told = passes(fitting, out, live, judge)
    size = f"--width {model.width}" + (f" --king-buckets {model.kings}" if model.kings > 1 else "")
    size += f" --passes {recipe.passes} --rate {recipe.rate:g} --results {recipe.results:g}"
    size += f" --weights {Path(weights).name}" if weights else ""
    card = {
        "name": out.stem, "purpose": "plays chess", "licence": "MIT",
        "training": {
            "data": f"{len(learned.sides)} labelled positions of {len(files)} files",
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


def read(files: Sequence[Path]) -> Labelled:
    """All positions of these files, in memory. Raises PositionsError with the file's name, OSError."""
    found = positions.together([positions.read_named(path) for path in files])
    return Labelled(found.boards, found.sides, found.scores, found.results)
