"""The sequential probability ratio test: play until the games tell two hypotheses about the strength apart.

H0: the difference is elo0; H1: it is elo1. The log-likelihood ratio is the generalized one over the results of games
or pairs (as `elo` has them), which assumes nothing about draws or about the two games of a pair.
M. Van den Bergh, "The Generalized Maximum Likelihood Ratio for the Expectation Value of a Distribution" (prop. 1.1)
and "Comments on Normalized Elo" (section 4.1).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tengen.tools.match.statistics.elo import NORMALIZED_SCALE, games_per_sample, score_of

LIMITS = {"normalized": 200.0, "logistic": 2000.0}
"""The models, and how far from zero their hypotheses may lie. Normalized: the fixed-point iteration of `_with_ratio`
begins at the uniform distribution and leaves the possible ones from 231 Elo of pairs on. Logistic: the score stays off
0 and 1 by 1e-5."""
MODELS = tuple(LIMITS)
_FLOOR = 1e-3
"""Count of a result that never came: the likelihood of a distribution needs each to be possible."""


@dataclass(frozen=True)
class Sprt:
    """The test. alpha, beta: the accepted rates of false passes and of false failures.

    Raises ValueError for hypotheses in the wrong order or beyond what the model can hold, and for rates that leave
    nothing to test.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: str = "normalized"

    def __post_init__(self) -> None:
        if self.model not in MODELS:
            raise ValueError(f"sprt: '{self.model}' is no model; choose one of {', '.join(MODELS)}")
        if not self.elo0 < self.elo1:
            raise ValueError(f"sprt: elo0 ({self.elo0:g}) is not below elo1 ({self.elo1:g})")
        self._check_limits()
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError("sprt: alpha and beta must lie between 0 and 0.5")

    def _check_limits(self) -> None:
        most = LIMITS[self.model]
        for name, elo in (("elo0", self.elo0), ("elo1", self.elo1)):
            if abs(elo) > most:
                wider = [f"model={model}" for model, limit in LIMITS.items() if abs(elo) <= limit]
                raise ValueError(
                    f"sprt: {name} ({elo:g}) is more than {self.model} Elo can hold; choose one from {-most:g} to "
                    f"{most:g}" + (f", or {' or '.join(wider)}" if wider else "")
                )

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios that end the test: H0 accepted at the lower, H1 at the upper."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: Sequence[int]) -> float:
        """Log-likelihood ratio of H1 to H0; 0 without results."""
        return llr(counts, self.elo0, self.elo1, self.model) if sum(counts) else 0.0

    def verdict(self, counts: Sequence[int]) -> str:
        """ "H0", "H1", or "" while the games do not tell."""
        low, high = self.bounds
        ratio = self.llr(counts)
        return "H0" if ratio <= low else "H1" if ratio >= high else ""


def llr(counts: Sequence[int], elo0: float, elo1: float, model: str = "normalized") -> float:
    """Generalized log-likelihood ratio of two differences within LIMITS. counts: as `elo` has them, not all zero."""
    filled = [max(count, _FLOOR) for count in counts]
    total, last = sum(filled), len(filled) - 1
    shares = [count / total for count in filled]
    places = [place / last for place in range(last + 1)]
    if model == "normalized":
        scale = math.sqrt(games_per_sample(counts)) / NORMALIZED_SCALE
        null, other = (_with_ratio(shares, places, scale * elo) for elo in (elo0, elo1))
    else:
        null, other = (_with_mean(shares, [place - score_of(elo) for place in places]) for elo in (elo0, elo1))
    return total * sum(share * math.log(q / p) for share, p, q in zip(shares, null, other, strict=True))


def _with_mean(shares: Sequence[float], offsets: Sequence[float]) -> list[float]:
    """The most likely distribution under which the mean of `offsets` is zero."""
    tilt = _root(shares, offsets)
    return [share / (1 + tilt * offset) for share, offset in zip(shares, offsets, strict=True)]


def _with_ratio(shares: Sequence[float], places: Sequence[float], ratio: float) -> list[float]:
    """The most likely distribution with (mean - 1/2) / deviation = ratio, by fixed-point iteration from uniform."""
    current = [1 / len(places)] * len(places)
    for _ in range(50):
        mean = sum(x * y for x, y in zip(current, places, strict=True))
        deviation = math.sqrt(sum(x * (y - mean) ** 2 for x, y in zip(current, places, strict=True)))
        offsets = [y - 0.5 - ratio * deviation * (1 + ((mean - y) / deviation) ** 2) / 2 for y in places]
        found = _with_mean(shares, offsets)
        change = max(abs(x - y) for x, y in zip(current, found, strict=True))
        current = found
        if change < 1e-9:
            break
    return current


def _root(shares: Sequence[float], offsets: Sequence[float]) -> float:
    """The t with sum(p * x / (1 + t * x)) = 0, by Newton's method kept inside the poles by bisection."""
    low, high = -1 / max(offsets), -1 / min(offsets)
    tilt = 0.0
    for _ in range(200):
        terms = [offset / (1 + tilt * offset) for offset in offsets]
        value = sum(p * term for p, term in zip(shares, terms, strict=True))
        if abs(value) < 1e-13:
            break
        if value > 0:
            low = tilt
        else:
            high = tilt
        step = tilt + value / sum(p * term * term for p, term in zip(shares, terms, strict=True))
        step = step if low < step < high else (low + high) / 2
        if step == tilt:
            break
        tilt = step
    return tilt
