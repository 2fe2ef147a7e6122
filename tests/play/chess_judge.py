"""How far networks of chess are from what a strong engine finds, as expected results.

    tengen train label own --teacher stockfish --nodes 20000 --out judge
    python tests/play/chess_judge.py NETWORK.safetensors [NETWORK ...] --positions judge [--count 10000]

The positions are files of `tengen train label --teacher`; some are drawn by `--seed`. Each network's centipawns are
stretched to be as near to the judge as they can be. Printed are the mean square of the distance (0..1); that of balanced
positions alone, whose expected result by the judge is 0.3 to 0.7, and the correlation there, of centipawns; and that of
positions with more than twenty men. Own searches are judged by their own networks' misjudgements; another engine is not.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tengen.nets import safetensors
from tengen.nets.chess_network import CENTIPAWNS, evaluated
from tengen.tools.train.data import positions

BALANCED = (0.3, 0.7)
MANY = 20
"""Men."""
STRETCHES = np.exp(np.linspace(-1.2, 1.2, 241))

Floats = NDArray[np.float64]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", type=Path, nargs="+")
    parser.add_argument("--positions", type=Path, nargs="+", required=True)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    values = parser.parse_args()
    files = sorted(path for folder in values.positions for path in folder.glob("*.npz"))
    found = positions.together([positions.read_named(path) for path in files])
    chosen = np.random.default_rng(values.seed).permutation(len(found))[: values.count]
    squares, sides = positions.squares_of(found.boards[chosen]), found.sides[chosen]
    judge = expected(found.scores[chosen].astype(float))
    for path in values.networks:
        said = evaluated(safetensors.loads(path.read_bytes()), squares, sides).astype(float)
        print(f"{path.name}: {told(said, judge, np.count_nonzero(squares, axis=1))}")


def told(said: Floats, judge: Floats, men: NDArray[np.int64]) -> str:
    """The figures of a network, in words. said: n, centipawns; judge: n, expected results; men: n."""
    best = min(STRETCHES, key=lambda by: float(np.square(expected(said * by) - judge).mean()))
    off = np.square(expected(said * best) - judge)
    balanced = (judge > BALANCED[0]) & (judge < BALANCED[1])
    match = np.corrcoef(said[balanced], judge[balanced])[0, 1]
    return (
        f"{off.mean():.5f} off, balanced {off[balanced].mean():.5f} (correlation {match:.3f}), "
        f"many men {off[men > MANY].mean():.5f}; centipawns times {best:.2f}"
    )


def expected(centipawns: Floats) -> Floats:
    """0..1."""
    return np.asarray(1 / (1 + np.exp(-np.clip(centipawns / CENTIPAWNS, -30, 30))))


if __name__ == "__main__":
    main()
