"""How far the labels of own games of Reversi are from exact results, by the share of `tengen train fit --returns`.

    python tests/play/reversi_labels.py NETWORK.safetensors FILE.npz [FILE.npz ...] [--empties 20 18] [--count 250] [--shares 0 0.5 0.8 1]

The files are those of `tengen selfplay` without random moves but at the beginning; the network only makes the solver
faster. Of each game one position is taken, with so many empty cells. For each share: the mean distance in discs, and
the mean of label less result, which is positive where the side to move is thought too well of.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tengen.engine._core import ReversiSolver, ReversiState
from tengen.engine.evaluators.weights import read_weights
from tengen.tools.train.data import shards
from tengen.tools.train.data.games import Games
from tengen.tools.train.fitting.patterns import labels_of


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", type=Path)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--empties", type=int, nargs="+", default=[20])
    parser.add_argument("--count", type=int, default=250)
    parser.add_argument("--shares", type=float, nargs="+", default=[0, 0.5, 0.8, 1])
    values = parser.parse_args()
    solver = ReversiSolver(weights=read_weights(values.network, "reversi", "patterns"))
    for empties in values.empties:
        errors = np.empty((0, len(values.shares)))
        for path in values.files:
            games = shards.read_named(path)
            labels = np.stack([labels_of(games, share) for share in values.shares], 1)
            errors = np.concatenate([errors, errors_of(games, labels, solver, empties, values.count - len(errors))])
        told = (
            f"{share:g}: {np.abs(error).mean():.2f} ({error.mean():+.2f})"
            for share, error in zip(values.shares, errors.T, strict=True)
        )
        print(f"{empties} empty cells, {len(errors)} positions; {'; '.join(told)}", flush=True)


def errors_of(
    games: Games, labels: NDArray[np.float64], solver: ReversiSolver, empties: int, count: int
) -> NDArray[np.float64]:
    """positions x shares: label less result. labels: moves x shares."""
    found = []
    for number, game in enumerate(games):
        if len(found) >= count:
            break
        state, place = ReversiState(), int(games.starts[number])
        for move in game.moves.tolist():
            if bytes(state.stones()).count(0) == empties and np.isfinite(labels[place]).all():
                solved = solver.solve(state)
                assert solved is not None
                found.append(labels[place] - solved[0])
                break
            state.play(move)
            place += 1
    return np.array(found).reshape(-1, labels.shape[1])


if __name__ == "__main__":
    main()
