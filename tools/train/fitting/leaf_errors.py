"""The error of an evaluation of Reversi at the leaves of searches: what it gives too much to the side to move, by empty
cells.

An evaluation that learned from searches passes its own errors on. One of them is the side's: with an even number of
empty cells the opponent has the last move, with an odd number the side to move, and what that is worth shows only when
the end is played out. Another one is the choice: a search takes the leaves that look best, not those that are. Both
shift every search by about as much, so they can be measured and taken out of the evaluation.

The truth comes from the end: positions with few empty cells are solved. Those before are searched as deep as others are
known already, and so on backwards.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from tengen.tools.train.fitting.probcut import BUCKET, Sample

COUNTS = 61
"""Numbers of empty cells: 0 to 60."""
LEAST = 140
"""The least number of scores for a mean: of about half as many positions, whose worths spread by some 4 discs. Fewer
would put an error of a disc of their own into every mean above."""
DEPTHS = range(1, 5)
"""Of the searches whose leaves are judged."""


def leaf_errors(samples: Iterable[Sample]) -> NDArray[np.float64]:
    """Return the error by the number of empty cells (COUNTS), in discs: positive where the side to move gets too much.

    It is interpolated between means over BUCKET numbers of empty cells, even ones and odd ones apart; with none and
    with 60 it is 0.
    """
    known = sorted((one for one in samples if len(one.scores) > max(DEPTHS)), key=lambda one: one.empties)
    errors = np.zeros(COUNTS)
    places: list[list[float]] = [[0.0], [0.0]]  # of even numbers of empty cells, and of odd ones
    means: list[list[float]] = [[0.0], [0.0]]
    for first in range(0, COUNTS, BUCKET):
        for is_odd in (0, 1):
            found = [
                (one.empties - depth, (-1 if depth % 2 else 1) * (one.scores[depth] - _truth(one, errors)))
                for one in known
                for depth in DEPTHS
                if first <= one.empties - depth < first + BUCKET and (one.empties - depth) % 2 == is_odd
            ]
            if len(found) < LEAST:
                continue
            place, mean = np.mean(found, 0)
            places[is_odd].append(float(place))
            means[is_odd].append(float(mean))
        for is_odd in (0, 1):
            errors[is_odd::2] = np.interp(np.arange(is_odd, COUNTS, 2), places[is_odd], means[is_odd])
    for is_odd in (0, 1):
        ends = [*places[is_odd], COUNTS - 1.0]
        errors[is_odd::2] = np.interp(np.arange(is_odd, COUNTS, 2), ends, [*means[is_odd], 0.0])
    return errors


def _truth(one: Sample, errors: NDArray[np.float64]) -> float:
    """What a position is worth: exactly, or by the deepest search without the error of its leaves."""
    if math.isfinite(one.exact):
        return one.exact
    return _without(one.scores, one.empties, errors)[-1]


def without(samples: Iterable[Sample], errors: NDArray[np.float64]) -> list[Sample]:
    """Return the samples as searches with an evaluation without these errors would give them, but for passes."""
    return [one._replace(scores=_without(one.scores, one.empties, errors)) for one in samples]


def _without(scores: Sequence[float], empties: int, errors: NDArray[np.float64]) -> tuple[float, ...]:
    """A leaf of an odd depth is the opponent's."""
    return tuple(
        score + (1 if depth % 2 else -1) * float(errors[empties - depth]) for depth, score in enumerate(scores)
    )
