"""The tempo error of an evaluation of Reversi: what it thinks too little of the side to move, by empty cells.

An evaluation that learned from searches of an even depth passes its own error on: the same side moves at the leaf and
at the root, so the label is wrong by as much as the evaluation. Then scores of odd and of even depths stand apart by
twice the error. The mean of both is right, and the error is what the evaluation differs from it by.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from tengen.tools.train.fitting.probcut import BUCKET, Sample

COUNTS = 61
"""Numbers of empty cells: 0 to 60."""
LEAST = 25
"""The least number of positions for a mean."""


def tempo(samples: Iterable[Sample]) -> NDArray[np.float64]:
    """Return the error by the number of empty cells (COUNTS), in discs: positive where the side to move gets too much.

    It is interpolated between means over BUCKET numbers of empty cells; with none and with 60 it is 0.
    """
    found: dict[int, list[tuple[int, float]]] = {}
    for one in samples:
        if len(one.scores) > 2:
            deep = (one.scores[-1] + one.scores[-2]) / 2
            found.setdefault(one.empties // BUCKET, []).append((one.empties, one.scores[0] - deep))
    means = [np.mean(pairs, 0) for _, pairs in sorted(found.items()) if len(pairs) >= LEAST]
    places = [0.0, *(float(empties) for empties, _ in means), COUNTS - 1.0]
    return np.interp(np.arange(COUNTS), places, [0.0, *(float(error) for _, error in means), 0.0])


def without(samples: Iterable[Sample], errors: NDArray[np.float64]) -> list[Sample]:
    """Return the samples as searches with an evaluation without these errors would give them, but for passes."""
    return [Sample(one.empties, _without(one.scores, one.empties, errors)) for one in samples]


def _without(scores: Sequence[float], empties: int, errors: NDArray[np.float64]) -> tuple[float, ...]:
    """A leaf of an odd depth is the opponent's."""
    return tuple(
        score + (1 if depth % 2 else -1) * float(errors[empties - depth]) for depth, score in enumerate(scores)
    )
