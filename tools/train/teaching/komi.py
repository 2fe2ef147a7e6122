"""Absurd komi: a teacher is asked at a komi near fair, and its answer is moved to the komi of the game by the rules.

Networks of KataGo's format hardly met komi far from fair. g170-b6c96 says that White leads by 128 points on an empty
13x13 board at komi -60. A point of komi is a point of the score, so the answer at a fair komi says what is true at any
other one: the lead moves by the difference, and the chances by the teacher's standard deviation of the score.
"""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

REACH = 8.0
"""Points from a fair komi at which a teacher is still asked."""
SUREST = 3.5
"""Standard deviations that a chance to win is worth at most, before it is moved."""
LEAST_STDEV = 2.0
NORMAL = NormalDist()


def asked_komi(komi: float, fair: float) -> float:
    """Return the komi that a teacher is asked about, `komi` unless it is far from fair."""
    return max(fair - REACH, min(fair + REACH, komi))


def move_value(value: NDArray[float32], points: float, stdev: float) -> None:
    """Move win, no result and loss (3) in place, for a side that gets so many points more. stdev: of the score."""
    decided = float(value[0] + value[2])
    if decided <= 0 or not points:
        return
    least = NORMAL.cdf(-SUREST)
    before = NORMAL.inv_cdf(min(1 - least, max(least, float(value[0]) / decided)))
    won = NORMAL.cdf(before + points / _spread(stdev))
    value[0], value[2] = decided * won, decided * (1 - won)


def _spread(stdev: float) -> float:
    """The deviation to reckon with; of a teacher that says none, what is usual in the middle of a game."""
    return max(LEAST_STDEV, stdev) if np.isfinite(stdev) else 15.0
