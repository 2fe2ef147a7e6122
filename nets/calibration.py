"""The calibration of expected results: of the positions where about 70 % were expected, how much was scored.

Bins of equal width, from lost to won; several batches are added up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]
BINS = 20


@dataclass(frozen=True, eq=False)
class Calibration:
    """A calibration by bins: rows in it, the sum of what was expected, and of what was scored, 0 to 1."""

    count: Floats
    expected: Floats
    scored: Floats

    def __add__(self, other: Calibration) -> Calibration:
        return Calibration(self.count + other.count, self.expected + other.expected, self.scored + other.scored)

    @property
    def error(self) -> float:
        """The mean distance between the expected and the real score in a row's bin; NaN without rows."""
        rows = self.count.sum()
        return float(np.abs(self.expected - self.scored).sum() / rows) if rows else float("nan")

    def rows(self) -> list[tuple[int, float, float]]:
        """(rows, mean expected, mean scored) of each bin that has any, for a table or a plot."""
        bins = zip(self.count, self.expected, self.scored, strict=True)
        return [(int(count), float(sure / count), float(got / count)) for count, sure, got in bins if count]


def calibration(expected: Floats, scored: Floats, bins: int = BINS) -> Calibration:
    """Compute the calibration of rows: what was expected and what was scored, 0 to 1; rows with NaN are left out."""
    known = ~np.isnan(expected + scored)
    expected, scored = expected[known].astype(np.float64), scored[known].astype(np.float64)
    place = np.clip((expected * bins).astype(int), 0, bins - 1)
    weights = np.ones(len(place)), expected, scored
    return Calibration(*(np.asarray(np.bincount(place, one, bins), np.float64) for one in weights))
