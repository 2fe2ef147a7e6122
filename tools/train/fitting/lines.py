"""A network over Gomoku's lines from folders of searched games: `tengen train fit` for the kind line-network."""

from __future__ import annotations

from argparse import Namespace
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from tengen.engine._core import GomokuAlphaBeta, GomokuState, gomoku_line_positions
from tengen.engine.evaluators.weights import read_weights
from tengen.nets import safetensors
from tengen.nets.line_fitting import ROW_BITS, LineFitting, LinePositions, LineRecipe, Lookup, losses, together
from tengen.nets.line_network import EVALUATOR, GAME, SCORE, LineNetwork, export_network, rows_of, rule_of
from tengen.tools.executors import choice
from tengen.tools.live import Live, bar
from tengen.tools.train.fitting.passes import finish, passes
from tengen.tools.train.fitting.patterns import files_of
from tengen.tools.train.gomoku import games as searched
from tengen.tools.train.gomoku.games import UNKNOWN, UNSEARCHED, SearchedError, SearchedGames
from tengen.tools.train.settings.kinds import LINE_NETWORK

MOST_PLIES = 250
"""Positions behind so many moves are left out."""


def fit_lines(folders: Sequence[str], out: Path, values: Namespace) -> int:
    """Read, learn, write, print. Raises ValueError, OSError with one sentence."""
    usual, others = LineRecipe(), _arrays_of(values.weights)
    results = usual.results if values.results is None else values.results
    recipe = LineRecipe(values.passes or usual.passes, values.rate or usual.rate, results=results)
    torch.manual_seed(recipe.seed)
    torch.set_num_threads(values.workers or choice.cores())
    files, held_files = files_of(folders)
    live = Live()
    learned, rule = read(files, lambda done: live.update(f"{bar(done, len(files))} files read"))
    held, _ = read(held_files, rule=rule)
    tables = losses(torch.from_numpy(held.tables / SCORE).sigmoid(), held, recipe.results)
    live.line(f"{len(learned.counts)} positions to learn from, {len(held.counts)} held out, of which the tables are "
              f"{tables[0]:.5f}, {tables[1]:.2%} off")  # fmt: skip
    model, lookup = LineNetwork(), Lookup(held)
    fitting = LineFitting(model, learned, recipe)

    def judge(loss: float) -> tuple[dict[str, float], str]:
        apart, distance = fitting.error(held, lookup)
        figures = {"loss": loss, "held_loss": apart, "held_distance": distance}
        return figures, f"loss {loss:.5f}, held out {apart:.5f}, {distance:.2%} from the search's expected result"

    told = passes(fitting, out, live, judge)
    kept = sorted({*map(rule_of, others)} - {rule})
    origin = f"; {', '.join(kept)}: as the card of {Path(values.weights).name} says" if kept else ""
    card = {
        "name": out.stem, "purpose": f"plays Gomoku ({', '.join(sorted([rule, *kept]))})", "licence": "MIT",
        "training": {
            "data": f"{rule}: {len(learned.counts)} searched positions of {len(files)} files of games{origin}",
            "command": f"tengen train fit --kind {LINE_NETWORK} --passes {recipe.passes} --rate {recipe.rate:g} "
                       f"--results {recipe.results:g}",
        },
        "figures": {
            "held out, loss by passes": [round(row["held_loss"], 5) for row in told],
            "held out, loss of the tables": round(tables[0], 5),
            "held out, mean distance from the search's expected result": round(told[-1]["held_distance"], 4),
        },
    }  # fmt: skip
    export_network({rule: model}, out, card, others)
    finish(out, told, "loss")
    print(f"{out}: play by it with --set alphabeta.weights={out}")
    return 0


def _arrays_of(weights: str | None) -> dict[str, NDArray[Any]]:
    """Those of a file of line networks; none of none. Raises NetworkError with one sentence."""
    if not weights:
        return {}
    checked = read_weights(weights, GAME, EVALUATOR)
    GomokuAlphaBeta(EVALUATOR, checked)
    return dict(safetensors.loads(Path(weights).read_bytes()))


def read(
    files: Sequence[Path], tell: Callable[[int], None] = lambda done: None, rule: str | None = None
) -> tuple[LinePositions, str]:
    """The quiet positions of these files that were searched, and the rule of all. Raises SearchedError with the file's
    name, OSError. rule: that they have to be of."""
    parts = []
    for number, path in enumerate(files):
        games = searched.read_named(path)
        if games.rule != (rule := rule or games.rule):
            raise SearchedError(f"'{path}' has games of {games.rule}, and others are of {rule}: a network has one rule")
        try:
            parts.append(positions_of(games))
        except ValueError as error:
            raise SearchedError(f"'{path}': {error}") from None
        tell(number + 1)
    return together(parts), rule or ""


def positions_of(games: SearchedGames) -> LinePositions:
    """The quiet ones that were searched. Raises ValueError for an illegal move."""
    start, found = GomokuState(games.width, games.height, games.rule), defaultdict(list)
    still = gomoku_line_positions(start, [], [0])[0]
    ends = np.cumsum(games.lengths, dtype=np.int64)
    for end, length, result in zip(ends, games.lengths.astype(np.int64), games.results, strict=True):
        every = slice(end - length, end)
        scores = games.scores[every][:MOST_PLIES]
        plies = np.flatnonzero(scores != UNSEARCHED)
        if not len(plies):
            continue
        indices, facts = gomoku_line_positions(start, games.moves[every][: plies[-1]].tolist(), plies.tolist())
        quiet = facts[:, 2] == 1
        plies = plies[quiet]
        found["indices"].append(indices[quiet])
        found["facts"].append(facts[quiet])
        found["scores"].append(scores[plies])
        found["sides"].append(plies & 1)
        found["results"].append(np.full(len(plies), result, np.int8))
    sides, results = (np.concatenate(found[name]) for name in ("sides", "results"))
    facts = np.concatenate(found["facts"])
    cells, counts = _cells(np.concatenate(found["indices"]), still, sides)
    mine = np.where(results == UNKNOWN, UNKNOWN, np.where(sides == 1, -results, results)).astype(np.int8)
    scores = np.concatenate(found["scores"])
    return LinePositions(cells, counts, facts[:, :2].astype(np.uint8), scores, mine, facts[:, 3].astype(np.int16))


def _cells(
    indices: NDArray[np.uint16], still: NDArray[np.uint16], sides: NDArray[np.int64]
) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """The pairs of rows of the cells that count, and how many each position has. indices: n x cells x 2; still: those
    of the empty board, where a cell counts nothing."""
    counts = ~((indices == 0).all(2) | (indices == still).all(2))
    rows = rows_of(indices)
    own = np.where(sides[:, None] == 1, rows[:, :, 1], rows[:, :, 0])
    pairs = own << ROW_BITS | (rows[:, :, 0] + rows[:, :, 1] - own)
    return pairs[counts].astype(np.uint32), counts.sum(1, dtype=np.int64)
