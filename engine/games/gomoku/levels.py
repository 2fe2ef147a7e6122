"""Levels of the player of Gomoku that looks ahead: the nodes of a move, and by how much it strays from the best."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tengen.engine.games.players import Level
from tengen.engine.limits import EVERY, Limits

FULL = Level(Limits(), 0.0, 0.1, by_score=True)
"""Without a level: the best move, as far as the time allows."""


def _nodes(nodes: int, temperature: float = 0.0, margin: float = 0.0) -> Level:
    """So many nodes a move; moves are drawn at a temperature in score units (300 are a unit of log probability), of
    those that give away at most `margin` of the win probability."""
    return Level(Limits(playouts=nodes, lines=EVERY if temperature else 1), temperature, margin, by_score=True)


LOOKING_AHEAD: Mapping[int, Level] = MappingProxyType(
    {
        1: _nodes(300, 240.0, 0.45),
        2: _nodes(600, 170.0, 0.37),
        3: _nodes(1_200, 100.0, 0.28),
        4: _nodes(2_500, 58.0, 0.19),
        5: _nodes(5_000, 16.0, 0.10),
        6: _nodes(2_000),
        7: _nodes(6_000),
        8: _nodes(20_000),
        9: _nodes(60_000),
        10: FULL,
    }
)
"""Levels 1 to 10."""
