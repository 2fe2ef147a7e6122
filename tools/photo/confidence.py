"""Judge the certainty of a reading: whether its lattice is right, whether its points are clear, what a person should
check."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tengen.tools.photo.geometry import Lattice
from tengen.tools.photo.results import Point, Reading
from tengen.tools.photo.warnings import Warned, warning

REFUSED = 0.3
"""A board that is this unlikely to be where it was found is not reported."""
UNCLEAR = 0.93
"""Where the points are less certain than this in the mean, only a board without that doubt is reported."""
DOUBTED = 0.9
"""A board less likely than this is reported with a warning."""
WHOLE = 0.75
"""So is one whose points are all right with less than this probability."""
_OUTSIDE = 0.35
"""Cells beyond the picture's edge at which nothing of a stone is seen any more."""
LIKELY = (-16.6, 10.97, 0.78)
"""Log odds that a lattice is right: constant, per score of the fit, per mean log odds of its points.

`lab calibrate` over 732 lattices found in 550 rendered boards (150 of Reversi) and 100 pictures without a board."""


def is_board(reading: Reading) -> bool:
    """Whether a reading is worth reporting: the lattice likely, or at least clear what its points hold.

    Points under a hand say nothing of that, unless they are more than half of the board.
    """
    clear = float(shown(reading.probabilities[reading.shown])[:, :3].max(-1).mean())
    return reading.found >= (REFUSED if clear >= UNCLEAR else DOUBTED)


def likelihood(score: float, probabilities: NDArray[np.float32]) -> float:
    """The probability that a lattice is right, from the score of its fit and how clear its points are."""
    constant, by_score, by_points = LIKELY
    odds = constant + by_score * score + by_points * clearness(probabilities)
    return float(1 / (1 + np.exp(-np.clip(odds, -30, 30))))


def may_be_board(score: float) -> bool:
    """Whether a lattice with this score is reported if only its points are clear enough."""
    constant, by_score, by_points = LIKELY
    return bool(constant + by_score * score + by_points * np.log(999) > np.log(REFUSED / (1 - REFUSED)))


def clearness(probabilities: NDArray[np.float32]) -> float:
    """The mean over the points (size, size, 4) that show of the log odds of what each is read as."""
    best = np.clip(shown(probabilities)[..., :3].max(-1), 1e-3, 1 - 1e-3)
    return float(np.log(best / (1 - best)).mean())


def shown(probabilities: NDArray[np.float32]) -> NDArray[np.float32]:
    """The points (n, 4) that are not hidden; all of them where those are fewer than half."""
    seen = probabilities[..., Point.HIDDEN] <= 0.5
    return probabilities[seen if seen.mean() > 0.5 else np.ones_like(seen)]


def doubts(reading: Reading) -> Iterator[Warned]:
    """Yield the points that a person should check."""
    if reading.found < DOUBTED:
        yield warning("board-unsure", sure=100 * reading.found)
    hidden = int((reading.probabilities[reading.shown, Point.HIDDEN] > 0.5).sum())
    if hidden:
        yield warning("points-hidden", points=f"{hidden} point{'s are' if hidden > 1 else ' is'}")
    whole = float(np.prod(np.clip(reading.confidence[reading.shown], 1e-6, 1), dtype=np.float64))
    if whole < WHOLE:
        yield warning("points-unclear", sure=100 * whole)


def hide_outside(probabilities: NDArray[np.float32], lattice: Lattice, height: int, width: int) -> None:
    """Mark the points whose middles lie clearly outside of the picture as hidden."""
    points = lattice.points()
    reach = _OUTSIDE * lattice.cell()
    outside = ((points < -reach) | (points > np.array([width, height]) - 1 + reach)).any(-1)
    probabilities[outside] *= 0.5
    probabilities[outside, Point.HIDDEN] += 0.5
