"""Levels of players with a network: by its policy and its visits, so that weak levels err as people do."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tengen.engine.games.players import FULL, Level
from tengen.engine.limits import Limits

SAMPLING = Level(Limits(), temperature=1.0, margin=1.0, least=0.0)
"""The policy as it is: every legal move by its share."""

ONE = Limits(visits=1)
"""The policy alone."""

LIKELIEST = Level(ONE, temperature=0.0, margin=1.0)
"""The move that has the largest share of the policy."""
HUMAN: Mapping[int, Level] = MappingProxyType({1: SAMPLING, 2: Level(ONE, 0.5, 1.0, 0.02), 3: LIKELIEST})
"""Levels of a player that moves as people do: each move by its share, the likely ones more often, the likeliest."""

NETWORK: Mapping[int, Level] = MappingProxyType(
    {
        1: Level(ONE, 3.0, 1.0, 0.002),
        2: Level(ONE, 1.8, 1.0, 0.005),
        3: Level(ONE, 1.2, 1.0, 0.01),
        4: Level(ONE, 0.8, 1.0, 0.02),
        5: Level(ONE, 0.3, 1.0, 0.05),
        6: Level(Limits(visits=8), 0.5, 0.10),
        7: Level(Limits(visits=24), 0.3, 0.06),
        8: Level(Limits(visits=64), 0.2, 0.04),
        9: Level(Limits(visits=160), 0.0, 0.0),
        10: FULL,
    }
)
"""Levels 1 to 10. The first five take moves as the network's policy has them, flattened by the temperature and without
those that it has for no move (`least` of its best one's share); the others look ahead."""
