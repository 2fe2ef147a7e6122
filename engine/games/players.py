"""Players of a game: the entries of `Game.players`, and the levels of each. `naming.py` finds them by their names."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from tengen.engine.limits import Limits
from tengen.engine.options import Value


class Level(NamedTuple):
    """limits: of a move's search; no bound but time when it has none, and never seconds, which are the clock's.

    temperature, margin, least and by_score: see `tengen.engine.play.choice.choose_line`.
    """

    limits: Limits
    temperature: float
    margin: float
    least: float = 0.05
    by_score: bool = False


LEVELS: Mapping[int, Level] = MappingProxyType(
    {
        1: Level(Limits(playouts=12), 1.0, 0.20),
        2: Level(Limits(playouts=30), 0.9, 0.16),
        3: Level(Limits(playouts=70), 0.8, 0.12),
        4: Level(Limits(playouts=150), 0.6, 0.10),
        5: Level(Limits(playouts=300), 0.5, 0.08),
        6: Level(Limits(playouts=700), 0.4, 0.06),
        7: Level(Limits(playouts=1500), 0.3, 0.05),
        8: Level(Limits(playouts=4000), 0.2, 0.04),
        9: Level(Limits(playouts=12000), 0.0, 0.0),
        10: Level(Limits(), 0.0, 0.0),
    }
)
"""Levels 1 to 10 of the players that search by playouts: how much each one searches and how freely it chooses.

Weak levels are weak by short searches and by taking moves that are nearly as good as the best, never by absurd ones:
a move is taken only while its win probability is within `margin` of the best one's. Level 10 is full strength.
"""


FULL = Level(Limits(), 0.0, 0.1)
"""The play without a level: full strength."""


class Entry(NamedTuple):
    """One player: a name of SEARCHES, an evaluator of the game where the search needs one, the options that make it
    this player, its levels by number, the weakest first, and the file of weights where its evaluator reads one.

    larger: the same levels on 19x19, where `levels` are those on 9x9; between the two sizes a level lies between
    (`tengen.engine.play.levels`). Empty: levels do not depend on the size. ranks: levels by the name of a rank of
    people, the weakest first, the same on every board. ranks_network: the shipped file that a rank plays with, where
    no network is named.

    needs_network: it plays with a network, which `weights` or an option of its search names. network: the file of the
    one that is shipped for it, which it plays with where none is named. features: what its networks see, where it takes
    none but those (a set's name, for its whole family). full: how it plays without a level."""

    search: str
    evaluator: str | None = None
    set: Mapping[str, Value] = MappingProxyType({})
    levels: Mapping[int, Level] = LEVELS
    larger: Mapping[int, Level] = MappingProxyType({})
    ranks: Mapping[str, Level] = MappingProxyType({})
    ranks_network: str = ""
    weights: Path | None = None
    needs_network: bool = False
    network: str = ""
    features: tuple[str, ...] = ()
    full: Level = FULL
