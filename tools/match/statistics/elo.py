"""Score, Elo, normalized Elo and likelihood of superiority of a match, each with its 95 % interval.

Counts are results from worst to best: [losses, draws, wins] of games, or the five of colour-reversed pairs
[LL, LD, DD+WL, WD, WW], which is the better description because the two games of an opening are not independent.
Formulas: M. Van den Bergh, "Comments on Normalized Elo" (2021).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

Z95 = 1.959963984540054
NORMALIZED_SCALE = 800 / math.log(10)
"""Normalized Elo of a game result whose mean lies one standard deviation above one half."""


class Interval(NamedTuple):
    """An estimate and the ends of its 95 % interval; infinite where all games ended alike."""

    value: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """Half of the interval's width."""
        return (self.high - self.low) / 2 if math.isfinite(self.high - self.low) else math.inf

    def as_text(self, digits: int = 0, sign: str = "+") -> str:
        """ "+12 (-3 to +27)"; "+300 (+80 or more)" where an end is infinite; "over +166" or "below -166" of an infinite
        value. "unknown" where nothing is known of it, or not even which player is the stronger one. sign: "-" writes no
        plus, as ratings on a scale are written."""
        value, low, high = (f"{number:{sign}.{digits}f}" for number in self)
        if math.isinf(self.low) and math.isinf(self.high):
            return "unknown"
        if math.isinf(self.value):
            if self.value > 0:
                return f"over {low}" if self.low > 0 else "unknown"
            return f"below {high}" if self.high < 0 else "unknown"
        if math.isinf(self.high):
            return f"{value} ({low} or more)"
        return f"{value} ({high} or less)" if math.isinf(self.low) else f"{value} ({low} to {high})"

    def moved(self, factor: float, offset: float) -> Interval:
        """factor * it + offset; a negative factor turns the ends."""
        ends = sorted(factor * end + offset for end in (self.low, self.high))
        return Interval(factor * self.value + offset, *ends)


class Summary(NamedTuple):
    """samples: games or pairs. los: probability that the first player is the stronger one, 0..1."""

    samples: int
    score: Interval
    elo: Interval
    normalized: Interval
    los: float


def elo_of(score: float) -> float:
    """The rating difference that gives an expected score; infinite for 0 and 1.

    >>> round(elo_of(0.75), 1), elo_of(0.5), elo_of(1.0)
    (190.8, 0.0, inf)
    """
    if not 1e-9 < score < 1 - 1e-9:
        return math.inf if score > 0.5 else -math.inf
    return -400 * math.log10(1 / score - 1) + 0.0


def score_of(elo: float) -> float:
    """The expected score of a rating difference."""
    return 1 / (1 + 10 ** (-elo / 400))


def wilson(score: float, games: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a score of `games` games; (0, 1) without games."""
    if games == 0:
        return 0.0, 1.0
    z = 1.96
    middle = (score + z * z / (2 * games)) / (1 + z * z / games)
    half = z * math.sqrt(score * (1 - score) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return max(0.0, middle - half), min(1.0, middle + half)


def moments(counts: Sequence[float]) -> tuple[float, float]:
    """Mean and variance of one sample, results spread evenly over 0..1. At least one result."""
    total, last = sum(counts), len(counts) - 1
    mean = sum(count * place for place, count in enumerate(counts)) / (total * last)
    return mean, sum(count * (place / last - mean) ** 2 for place, count in enumerate(counts)) / total


def games_per_sample(counts: Sequence[float]) -> int:
    """1 for wins, draws and losses, 2 for pairs."""
    return 1 if len(counts) == 3 else 2


def summary(counts: Sequence[int]) -> Summary:
    """Sum up a match. Where all samples are alike the score's interval is Wilson's, and the likelihood of superiority
    that of a coin that fell on one side each time, all coins being as likely before: no variance is no knowledge."""
    samples = sum(counts)
    if samples == 0:
        unknown = Interval(0.0, -math.inf, math.inf)
        return Summary(0, Interval(0.5, 0.0, 1.0), unknown, unknown, 0.5)
    mean, variance = moments(counts)
    if variance == 0:
        low, high = wilson(mean, samples)
        score = Interval(mean, min(low, mean), max(high, mean))  # an end that is the value may be rounded past it
        side = 0.0 if mean == 0.5 else math.copysign(math.inf, mean - 0.5)
        normalized = Interval(side, -math.inf, math.inf)
        weaker = 0.5 ** (samples + 1)
        los = 0.5 if mean == 0.5 else 1 - weaker if mean > 0.5 else weaker
    else:
        half = Z95 * math.sqrt(variance / samples)
        score = Interval(mean, mean - half, mean + half)
        scale = NORMALIZED_SCALE / math.sqrt(games_per_sample(counts) * variance)
        normalized = Interval(*((point - 0.5) * scale for point in score))
        los = 0.5 * (1 + math.erf((mean - 0.5) / math.sqrt(2 * variance / samples)))
    return Summary(samples, score, Interval(*map(elo_of, score)), normalized, los)
