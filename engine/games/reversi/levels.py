"""Levels of Reversi's `alphabeta`: how far it looks, and by how many discs it strays."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tengen.engine.games.players import Level
from tengen.engine.limits import EVERY, Limits

FULL = Level(Limits(), 0.0, 0.1, by_score=True)
"""The play without a level: the best move, as far as the time allows."""


def _straying(depth: int, discs: float) -> Level:
    return Level(Limits(depth=depth, lines=EVERY if discs else 1), discs, 1.0, by_score=True)


LOOKING_AHEAD: Mapping[int, Level] = MappingProxyType(
    {
        1: _straying(1, 10.0),
        2: _straying(1, 5.0),
        3: _straying(1, 2.5),
        4: _straying(2, 1.5),
        5: _straying(3, 1.0),
        6: _straying(4, 0.7),
        7: _straying(6, 0.5),
        8: _straying(8, 0.3),
        9: _straying(12, 0.0),
        10: FULL,
    }
)
"""Levels 1 to 10: plies ahead, and the temperature in discs at which moves are drawn by what they are worth."""
