"""Levels of chess: the nodes of a move, and by how much it strays from the best.

One table says what an Elo rating takes; levels are ratings of it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from math import ceil
from types import MappingProxyType
from typing import NamedTuple

from tengen.engine.games.players import Level
from tengen.engine.limits import EVERY, Limits

FULL = Level(Limits(), 0.0, 0.1, by_score=True)
"""Full strength, without a level: the best move, as far as the time allows."""


class Rating(NamedTuple):
    """The player of a rating `elo`: so many nodes a move, moves drawn at a temperature in centipawns, none of which
    gives away more than `margin` of the win probability."""

    elo: int
    nodes: int
    temperature: float
    margin: float


RATINGS = (
    Rating(600, 200, 250.0, 0.60),
    Rating(1000, 450, 110.0, 0.40),
    Rating(1400, 900, 45.0, 0.27),
    Rating(1800, 2_600, 8.0, 0.09),
    Rating(2200, 6_000, 0.0, 0.0),
    Rating(2500, 46_000, 0.0, 0.0),
    Rating(2850, 300_000, 0.0, 0.0),
)
"""Ascending. From 1400 to 2500 they are about Stockfish's 15.1 at the same UCI_Elo (docs/chess.md), 2850 with a
wide interval; those below are guesses."""
LOWEST_ELO, HIGHEST_ELO = RATINGS[0].elo, RATINGS[-1].elo


def level_of_elo(elo: int) -> Level:
    """The level of a rating, between those of RATINGS that are nearest: nodes by their logarithm. A rating beyond them
    is the nearest one's."""
    elo = min(max(elo, LOWEST_ELO), HIGHEST_ELO)
    above = max(1, bisect_left(RATINGS, elo, key=lambda one: one.elo))
    low, high = RATINGS[above - 1], RATINGS[above]
    share = (elo - low.elo) / (high.elo - low.elo)
    nodes = round(low.nodes * (high.nodes / low.nodes) ** share)
    temperature = low.temperature + (high.temperature - low.temperature) * share
    margin = low.margin + (high.margin - low.margin) * share
    lines = min(EVERY, 1 + ceil(temperature))  # few moves lie near enough to the best one to be drawn at a low one
    return Level(Limits(playouts=nodes, lines=lines), temperature, margin, by_score=True)


LOOKING_AHEAD: Mapping[int, Level] = MappingProxyType(
    {
        **{
            level: level_of_elo(elo)
            for level, elo in enumerate((600, 900, 1200, 1400, 1600, 1800, 2000, 2200, 2500), 1)
        },
        10: FULL,
    }
)
"""Levels 1 to 10: 600 to 2500 of RATINGS, and full strength."""
