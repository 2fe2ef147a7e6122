"""An engine against opponents of known rating: what its rating expects against each, and whether they agree.

The known ratings are taken as exact, so the interval of the rating has the error of the games alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from tengen.tools.match.statistics.elo import Z95, Interval, score_of, wilson

DOUBTFUL = 0.01
"""Opponents whose results would differ so much with less than this probability do not agree."""


class Meeting(NamedTuple):
    """One opponent. known: its rating. points: won of `games`. score: with its 95 % interval, 0 to 1. alone: the rating
    by these games alone."""

    name: str
    known: float
    points: float
    games: int
    score: Interval
    alone: Interval

    def expected(self, rating: float) -> float:
        """The points that a rating would win."""
        return self.games * score_of(rating - self.known)

    def _error(self) -> float:
        """The standard error of the score; Wilson's where all games ended alike and show no spread."""
        low, high = self.score.low, self.score.high
        if high - low < 1e-9:
            low, high = wilson(self.score.value, self.games)
        return (high - low) / (2 * Z95)


def agreement(rating: float, meetings: Iterable[Meeting]) -> float | None:
    """How probable it is that opponents of these very ratings give results that differ so much or more, 0 to 1; None
    for fewer than two opponents. A chi-squared test, by the approximation of Wilson and Hilferty (1931)."""
    rows = [row for row in meetings if row.games]
    free = len(rows) - 1
    if free < 1:
        return None
    found = sum(((row.score.value - score_of(rating - row.known)) / row._error()) ** 2 for row in rows)
    spread = 2 / (9 * free)
    return 0.5 * math.erfc(((found / free) ** (1 / 3) - (1 - spread)) / math.sqrt(2 * spread))


def sentence(chance: float) -> str:
    """One sentence on the agreement of the opponents."""
    if chance >= DOUBTFUL:
        return f"the opponents agree (p = {chance:.2f})"
    return (
        f"the opponents do not agree (p = {chance:.1g}): their ratings are of different lists or of other conditions, "
        "so the interval is too narrow"
    )
