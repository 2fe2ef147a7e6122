"""Ratings of many players: the Bradley-Terry model by maximum likelihood, in Elo.

The expected score of the first player is score_of(first - second + advantage); a draw is half a point. The intervals
come from the sandwich estimator with a pair of games as one observation, so they hold whatever the rate of draws and
however alike the two games of an opening are. A normal prior around the mean, PRIOR_ELO wide, keeps perfect scores
and players who never met finite; it moves a rating with real results by far less than its interval. Where only the
prior tells (groups that never met), the interval is the prior's.
Left out: rating drift, players' own advantages.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from tengen.tools.match.statistics.elo import Z95, Interval, score_of

PRIOR_ELO = 1000.0
PRIOR_ADVANTAGE = 200.0
"""Width of the advantage's own prior: it decides only where one player always moved first."""
_UNIT = math.log(10) / 400
_ADVANTAGE = ""  # the name of the parameter that is no player


class Game(NamedTuple):
    """One game. score: the first player's, 1, 0.5 or 0. pair: games with the same number are one observation."""

    first: str
    second: str
    score: float
    pair: int


class Rating(NamedTuple):
    """One player. elo: with its 95 % interval (an anchor's is its value). points: won of `games`."""

    name: str
    elo: Interval
    points: float
    games: int


class Ratings(NamedTuple):
    """players: the best first. advantage: what the first move is worth, in Elo."""

    players: tuple[Rating, ...]
    advantage: Interval


def fit(games: Iterable[Game], anchors: Mapping[str, float] | None = None, names: Iterable[str] = ()) -> Ratings:
    """Rate everybody in `games` and `names`; ratings are relative to the anchors, else to a mean of zero.

    Raises ValueError for an anchor that nobody bears.
    """
    rows = list(games)
    fixed = dict(anchors or {})
    players = sorted({*names, *(row.first for row in rows), *(row.second for row in rows)})
    for name in fixed:
        if name not in players:
            raise ValueError(f"no player is called '{name}', which was to be an anchor")
    centre = sum(fixed.values()) / len(fixed) if fixed else 0.0
    free = [name for name in players if name not in fixed] + [_ADVANTAGE]
    place = {name: number for number, name in enumerate(free)}
    values = {**dict.fromkeys(players, centre), **fixed, _ADVANTAGE: 0.0}
    centres = [0.0 if name == _ADVANTAGE else centre for name in free]
    for _ in range(100):
        gradient, curvature = _derivatives(rows, values, place, centres)
        steps = _solve(curvature, gradient)
        longest = max(abs(step) for step in steps)
        damping = min(1.0, 400 / longest) if longest else 0.0
        for name, step in zip(free, steps, strict=True):
            values[name] += step * damping
        if longest < 1e-7:
            break
    contrasts = {name: [float(name == other) for other in free] for name in free}
    if not fixed:  # what is told is the distance from the mean, which is better known than the place of all together
        for name in players:
            contrasts[name] = [float(name == other) - (other != _ADVANTAGE) / len(players) for other in free]
    errors = _errors(rows, values, place, centres, contrasts)
    mean = 0.0 if fixed or not players else sum(values[name] for name in players) / len(players)
    table = [_rating(name, values[name] - mean, errors.get(name, 0.0), rows) for name in players]
    table.sort(key=lambda rating: -rating.elo.value)
    return Ratings(tuple(table), _interval(values[_ADVANTAGE], errors[_ADVANTAGE]))


def _rating(name: str, value: float, error: float, rows: Sequence[Game]) -> Rating:
    points = sum(row.score if row.first == name else 1 - row.score for row in rows if name in (row.first, row.second))
    return Rating(name, _interval(value, error), points, sum(name in (row.first, row.second) for row in rows))


def _interval(value: float, error: float) -> Interval:
    return Interval(value, value - Z95 * error, value + Z95 * error)


def _share(row: Game, place: Mapping[str, int]) -> list[tuple[int, float]]:
    """The parameters that a game tells about, with their signs."""
    signs = ((row.first, 1.0), (row.second, -1.0), (_ADVANTAGE, 1.0))
    return [(place[name], sign) for name, sign in signs if name in place]


def _expected(row: Game, values: Mapping[str, float]) -> float:
    return score_of(values[row.first] - values[row.second] + values[_ADVANTAGE])


def _derivatives(
    rows: Sequence[Game], values: Mapping[str, float], place: Mapping[str, int], centres: Sequence[float]
) -> tuple[list[float], list[list[float]]]:
    """Gradient of the log-likelihood and its negative Hessian, with the prior."""
    size = len(place)
    priors = _priors(place)
    gradient = [priors[number] * (centres[number] - values[name]) for name, number in place.items()]
    curvature = [[priors[row] if row == column else 0.0 for column in range(size)] for row in range(size)]
    for row in rows:
        expected = _expected(row, values)
        weight = _UNIT * _UNIT * expected * (1 - expected)
        share = _share(row, place)
        for number, sign in share:
            gradient[number] += _UNIT * sign * (row.score - expected)
            for other, other_sign in share:
                curvature[number][other] += weight * sign * other_sign
    return gradient, curvature


def _errors(
    rows: Sequence[Game],
    values: Mapping[str, float],
    place: Mapping[str, int],
    centres: Sequence[float],
    contrasts: Mapping[str, Sequence[float]],
) -> dict[str, float]:
    """Standard error of every contrast of the free parameters; the model's own where the games show no variance: for
    perfect scores, and where both games of every pair cancel out."""
    _, curvature = _derivatives(rows, values, place, centres)
    pairs: dict[tuple[int, frozenset[str]], dict[int, float]] = {}
    for row in rows:
        sums = pairs.setdefault((row.pair, frozenset(row[:2])), {})
        for number, sign in _share(row, place):
            sums[number] = sums.get(number, 0.0) + _UNIT * sign * (row.score - _expected(row, values))
    errors = {}
    for name, contrast in contrasts.items():
        weights = _solve(curvature, contrast)
        model = sum(x * y for x, y in zip(weights, contrast, strict=True))
        spread = sum(sum(weights[number] * x for number, x in sums.items()) ** 2 for sums in pairs.values())
        prior = sum(x * x * y for x, y in zip(weights, _priors(place), strict=True))
        seen = {row.score if row.first == name else 1 - row.score for row in rows if name in (row.first, row.second)}
        is_perfect = name != _ADVANTAGE and len(seen) < 2
        is_blind = is_perfect or len(pairs) < 2 or spread < 1e-9 * model
        errors[name] = math.sqrt(max(spread + prior, model) if is_blind else spread + prior)
    return errors


def _priors(place: Mapping[str, int]) -> list[float]:
    """The prior's precision of every parameter."""
    return [1 / (PRIOR_ADVANTAGE if name == _ADVANTAGE else PRIOR_ELO) ** 2 for name in place]


def _solve(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Solve a symmetric positive definite system by Gaussian elimination."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for pivot in range(size):
        for row in range(pivot + 1, size):
            factor = rows[row][pivot] / rows[pivot][pivot]
            if factor:
                for column in range(pivot, size + 1):
                    rows[row][column] -= factor * rows[pivot][column]
    result = [0.0] * size
    for row in range(size - 1, -1, -1):
        known = sum(rows[row][column] * result[column] for column in range(row + 1, size))
        result[row] = (rows[row][size] - known) / rows[row][row]
    return result
