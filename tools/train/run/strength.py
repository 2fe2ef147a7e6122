"""The strength of the generations, from their matches: Elo over the first one, each with its 95 % interval.

A generation is rated by its games against the one that played before it; differences add up, and so do the squares of
their errors. A match that one side won by all its games has a finite difference, by the prior of `ratings`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tengen.tools.match.statistics.elo import Z95, Interval, Summary, summary
from tengen.tools.match.statistics.ratings import Game, fit
from tengen.tools.train.run.manifest import Lot, Manifest, Network

NEW, OLD = "new", "old"


class Standing(NamedTuple):
    """A generation: Elo over generation 0, and the summary of its match against `opponent`, None without one."""

    generation: int
    elo: Interval
    opponent: int | None = None
    match: Summary | None = None


class Anchored(NamedTuple):
    """A match against a program that does not learn."""

    generation: int
    opponent: str
    match: Summary


def scores_of(lots: Sequence[Lot]) -> dict[int, float]:
    """The scores of all games of a match, by number."""
    return {int(number): score for lot in lots for number, score in lot.scores.items()}


def pair_counts(scores: Mapping[int, float]) -> list[int]:
    """Count the results of pairs, as `elo.summary` takes them; games without their partner are left out."""
    counts = [0] * 5
    for number in range(0, max(scores, default=-1) + 1, 2):
        if number in scores and number + 1 in scores:
            counts[int(2 * (scores[number] + scores[number + 1]))] += 1
    return counts


def difference(scores: Mapping[int, float]) -> Interval:
    """Elo of the first side over the second, always finite. Raises ValueError without games."""
    if not scores:
        raise ValueError("no games were played")
    return next(row.elo for row in fit(games_of(NEW, OLD, scores), {OLD: 0.0}).players if row.name == NEW)


def games_of(first: str, second: str, scores: Mapping[int, float]) -> list[Game]:
    """A match as `ratings.fit` takes it: `first` moved first in the games of even numbers."""
    return [
        Game(first, second, score, number // 2) if number % 2 == 0 else Game(second, first, 1 - score, number // 2)
        for number, score in sorted(scores.items())
    ]


def standings(manifest: Manifest) -> list[Standing]:
    """Every generation that was rated, in order; the first has 0."""
    lots: dict[tuple[int, int], list[Lot]] = {}
    for lot in manifest.lots:
        if lot.second.isdecimal():
            lots.setdefault((lot.first, int(lot.second)), []).append(lot)
    found = {0: Standing(0, Interval(0.0, 0.0, 0.0))} if manifest.networks else {}
    for (first, second), rows in lots.items():
        scores = scores_of(rows)
        if second not in found or not scores:
            continue
        base, step = found[second].elo, difference(scores)
        value, error = base.value + step.value, math.hypot(_error(base), _error(step))
        elo = Interval(value, value - Z95 * error, value + Z95 * error)
        found[first] = Standing(first, elo, second, summary(pair_counts(scores)))
    return [found[generation] for generation in sorted(found)]


def anchored(manifest: Manifest) -> list[Anchored]:
    """Every match against an anchor, in order."""
    lots: dict[tuple[int, str], list[Lot]] = {}
    for lot in manifest.lots:
        if not lot.second.isdecimal():
            lots.setdefault((lot.first, lot.second), []).append(lot)
    return [Anchored(first, name, summary(pair_counts(scores_of(rows)))) for (first, name), rows in lots.items()]


def points(match: Summary | None) -> str:
    """ "69% (62% to 75%)"; "" of no match."""
    if match is None:
        return ""
    low, high = (max(0.0, min(1.0, end)) for end in match.score[1:])
    return f"{match.score.value:.0%} ({low:.0%} to {high:.0%})"


def verdict(manifest: Manifest, network: Network, match: Summary | None) -> str:
    """Whether a network plays from its match on: "yes", "being judged", or "no" with the points that were needed."""
    if network.is_taken is None:
        return "being judged"
    if network.is_taken:
        return "yes"
    needed = float(manifest.config["gate"]["score"])
    return "no" if match is None else f"no: under {needed:.0%}"


def _error(interval: Interval) -> float:
    return (interval.high - interval.low) / 2 / Z95
