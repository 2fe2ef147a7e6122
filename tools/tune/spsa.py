"""SPSA (simultaneous perturbation stochastic approximation, Spall 1992): all parameters move by one noisy comparison.

An iteration draws a sign for each parameter and compares the point plus and the point minus one step. The score of
that match moves the point towards the better side. With gains as Spall recommends (exponents 0.602 and 0.101).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

ALPHA, GAMMA = 0.602, 0.101
STABILITY = 0.1
"""Share of the iterations over which the first gains are kept nearly level."""
AVERAGED = 0.25
"""Share of the iterations, the last ones, whose mean is the result."""

Point = tuple[float, ...]
"""A place on the scales, each coordinate in [0, 1]."""


@dataclass(frozen=True)
class Spsa:
    """The schedule of a run. step: the first perturbation, in units. rate: how many steps a match without a single
    point for one side moves the point at first."""

    iterations: int
    seed: int
    step: float = 0.15
    rate: float = 1.5

    def perturbation(self, iteration: int) -> float:
        """The step of this iteration (from 0)."""
        return float(self.step / (iteration + 1) ** GAMMA)

    def gain(self, iteration: int) -> float:
        """Units that a score of 1 moves the point."""
        level = STABILITY * self.iterations + 1
        return float(self.rate * self.perturbation(iteration) * (level / (level + iteration)) ** ALPHA)

    def signs(self, iteration: int, count: int) -> Point:
        """The direction of this iteration: +1 or -1 for each parameter; depends on the seed only."""
        dice = random.Random(f"{self.seed}/{iteration}")
        return tuple(dice.choice((-1.0, 1.0)) for _ in range(count))

    def sides(self, point: Point, iteration: int) -> tuple[Point, Point]:
        """The two points to compare: with and against the signs."""
        step, signs = self.perturbation(iteration), self.signs(iteration, len(point))
        return _moved(point, signs, step), _moved(point, signs, -step)

    def update(self, point: Point, iteration: int, score: float) -> Point:
        """The next point. score: of the first side of `sides`, from -1 (all lost) to +1."""
        return _moved(point, self.signs(iteration, len(point)), self.gain(iteration) * score)


def result(points: Sequence[Point]) -> Point:
    """The mean of the last points of a run, the start being the first: less noisy than the last one."""
    last = points[-max(1, int(AVERAGED * (len(points) - 1))) :]
    return tuple(sum(values) / len(last) for values in zip(*last, strict=True))


def _moved(point: Point, signs: Point, length: float) -> Point:
    return tuple(min(1.0, max(0.0, value + sign * length)) for value, sign in zip(point, signs, strict=True))
