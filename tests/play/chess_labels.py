"""What searches of so many nodes can teach a network of chess, judged by deeper ones.

    python tests/play/chess_labels.py NETWORK.safetensors FILE.npz [FILE.npz ...] [--nodes 150 500 2000] [--count 40000]

The files are those of `tengen selfplay` and `tengen train label`; positions are drawn by `--seed`. Each is searched with
every number of nodes in turn, one table for all, and the last number is the judge. Castling and en passant are not in the files, so no search has
them. For each number: the mean square of the distance from the judge, as expected results (0..1), of the search itself;
and by how much less the network is off once a correction is added to it that was learned from these searches: a linear
one of what both sides see and of the network's own answer, learned from four fifths of the positions and judged by the
rest, in turn. A network that has learned all that searches of a depth can teach gains nothing more by them.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tengen.engine._core import ChessState, StopToken
from tengen.nets import safetensors
from tengen.nets.chess_network import CENTIPAWNS, INPUTS, evaluated, seen
from tengen.tools.train.chess.label import searcher
from tengen.tools.train.data import positions

FOLDS, RIDGE = 5, 1000.0
AT_ONCE = 4096

Floats = NDArray[np.float64]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", type=Path)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--nodes", type=int, nargs="+", default=[150, 500, 2000])
    parser.add_argument("--count", type=int, default=40000)
    parser.add_argument("--seed", type=int, default=1)
    values = parser.parse_args()
    squares, sides = drawn(values.files, values.count, values.seed)
    scores = searched(values.network, squares, sides, values.nodes)
    is_known = np.isfinite(scores).all(1)
    squares, sides, found = squares[is_known], sides[is_known], expected(scores[is_known])
    said = expected(evaluated(safetensors.loads(values.network.read_bytes()), squares, sides).astype(float))
    judge = found[:, -1]
    print(f"{len(sides)} positions; judge: {values.nodes[-1]} nodes; network: {off(said, judge):.5f} from it")
    corrections = corrected(squares, sides, said, found)
    for nodes, search, better in zip(values.nodes, found.T, corrections.T, strict=True):
        print(
            f"{nodes} nodes: {off(search, judge):.5f} from it; corrected by them, the network {off(better, judge):.5f}"
        )


def off(said: Floats, judge: Floats) -> float:
    """The mean square of the distance, but for a constant one."""
    return float(np.var(said - judge))


def expected(centipawns: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-centipawns / CENTIPAWNS)))


def drawn(files: list[Path], count: int, seed: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """So many positions of the files: n x 64 pieces; n, who moves."""
    every = positions.together([positions.read_named(path) for path in files])
    chosen = np.random.default_rng(seed).permutation(len(every))[:count]
    return positions.squares_of(every.boards[chosen]), every.sides[chosen]


def searched(network: Path, squares: NDArray[np.uint8], sides: NDArray[np.uint8], nodes: list[int]) -> Floats:
    """positions x nodes: centipawns for the side to move; NaN for a mate, or where the game is over."""
    search, stop = searcher(str(network)), StopToken()
    out = np.full((len(sides), len(nodes)), np.nan)
    for row, (pieces, side) in enumerate(zip(squares, sides, strict=True)):
        state = ChessState()
        state.setup(bytes(pieces), int(side), [-1] * 4, -1, 0, 1, False)
        for column, most in enumerate(nodes):
            search.run(state, playouts=most, stop=stop)
            lines = search.info().lines
            if lines and not lines[0].is_proved:
                out[row, column] = lines[0].score
    return out


def corrected(squares: NDArray[np.uint8], sides: NDArray[np.uint8], said: Floats, found: Floats) -> Floats:
    """positions x nodes: the network's answers with a correction that was learned from the other folds."""
    size = 2 * INPUTS + 4
    products, moments = np.zeros((FOLDS, size, size)), np.zeros((FOLDS, size, found.shape[1]))
    wanted = found - said[:, None]
    parts = [slice(begin, begin + AT_ONCE) for begin in range(0, len(sides), AT_ONCE)]
    folds = np.arange(len(sides)) % FOLDS
    for part in parts:
        inputs = inputs_of(squares[part], sides[part], said[part])
        for fold in range(FOLDS):
            mine = inputs[folds[part] == fold]
            products[fold] += mine.T @ mine
            moments[fold] += mine.T @ wanted[part][folds[part] == fold]
    ridge = RIDGE * np.eye(size)
    weights = [
        np.linalg.solve(products.sum(0) - products[fold] + ridge, moments.sum(0) - moments[fold])
        for fold in range(FOLDS)
    ]
    out = np.empty_like(found)
    for part in parts:
        inputs = inputs_of(squares[part], sides[part], said[part])
        for fold in range(FOLDS):
            mine = folds[part] == fold
            out[part][mine] = said[part][mine, None] + inputs[mine] @ weights[fold]
    return out


def inputs_of(squares: NDArray[np.uint8], sides: NDArray[np.uint8], said: Floats) -> Floats:
    """What the side to move sees, what the other one sees, and powers of the network's answer."""
    count, view = len(sides), seen(squares, sides)
    of = np.repeat(np.arange(2 * count), np.diff(np.append(view.starts, len(view.rows))))
    inputs = np.zeros((2 * count, INPUTS))
    inputs[of, view.rows] = 1
    return np.concatenate([inputs[:count], inputs[count:], np.stack([said**power for power in range(4)], 1)], axis=1)


if __name__ == "__main__":
    main()
