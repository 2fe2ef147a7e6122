"""The searches of the small AlphaZero programs that our classic players are named after (AlphaZero_Gomoku, CleverGo).

Both make 400 playouts one after the other, with a constant of 5, and reduce nothing for a move without visits. Their
values are from -1 to 1, ours from 0 to 1, so that 5 is 2.5 here; a move without visits is an even game to them, and
worth what its parent is to us.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tengen.engine.games.players import Level
from tengen.engine.limits import Limits
from tengen.engine.options import Value

CLASSIC: Mapping[str, Value] = MappingProxyType(
    {
        "puct.batch": 1,
        "puct.in_flight": 1,
        "puct.c": 2.5,
        "puct.c_log": 0.0,
        "puct.fpu_reduction": 0.0,
        "puct.root_fpu_reduction": 0.0,
        "puct.score_utility": 0.0,
        "puct.lcb": 0.0,
        "puct.symmetries": False,
    }
)
CLASSIC_LEVEL = Level(Limits(playouts=400), 0.0, 0.1)
"""The play without a level: their playouts, and the move with the most visits."""
