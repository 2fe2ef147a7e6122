"""Levels 1 to 10: how much each one searches and how freely it chooses. The only place where they are tuned.

Weak levels are weak by short searches and by taking moves that are nearly as good as the best, never by absurd ones:
a move is taken only while its win probability is within `margin` of the best one's. Level 10 is full strength.
"""

from __future__ import annotations

from typing import NamedTuple


class Level(NamedTuple):
    """playouts: per move, None for no bound but time. temperature and margin: see `tengen.engine.play.choice`."""

    playouts: int | None
    temperature: float
    margin: float


LEVELS = {
    1: Level(12, 1.0, 0.20),
    2: Level(30, 0.9, 0.16),
    3: Level(70, 0.8, 0.12),
    4: Level(150, 0.6, 0.10),
    5: Level(300, 0.5, 0.08),
    6: Level(700, 0.4, 0.06),
    7: Level(1500, 0.3, 0.05),
    8: Level(4000, 0.2, 0.04),
    9: Level(12000, 0.0, 0.0),
    10: Level(None, 0.0, 0.0),
}
