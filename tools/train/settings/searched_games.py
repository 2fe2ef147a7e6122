"""The table `search` of games that alpha-beta plays against itself: its options, and their values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from tengen.engine.options import Option, number

TABLE = "search."
"""Before each name in `tengen selfplay --set search.NAME=...`."""


def options(nodes: int, opening: tuple[int, int], balance: tuple[int, str], strayed: float) -> list[Option]:
    """Those that every game has, by their defaults. opening: the least and the most random moves at the beginning.
    balance: how far either side may be ahead after those, and in which units."""
    least, most = opening
    ahead, units = balance
    return [
        number("nodes", nodes, 1, 10**9, "of each search", is_whole=True),
        number("opening_least", least, 0, 60, "random moves at the beginning, at least", is_whole=True),
        number("opening_most", most, 0, 60, "and at most", is_whole=True),
        number("balance", ahead, 0, 10**5, f"{units} that either side may be ahead after those"),
        number("strayed", strayed, 0, 1, "positions beside the game, a random move away, for each one of it"),
    ]


@dataclass(frozen=True)
class Played:
    """What every game's table says: see `options`."""

    nodes: int
    opening_least: int
    opening_most: int
    balance: float
    strayed: float


P = TypeVar("P", bound=Played)


def read(title: str, known: Sequence[Option], table: Mapping[str, Any], kind: type[P]) -> P:
    """The value of every option of a game. title: the game, as in a sentence. Raises ValueError with one sentence for a
    name or a value that does not fit."""
    names = [option.name for option in known]
    unknown = [name for name in table if name not in names]
    if unknown:
        raise ValueError(f"a game of {title} has no {TABLE}{unknown[0]}; there are {', '.join(names)}")
    values: dict[str, Any] = {option.name: option.parse(table.get(option.name, option.default)) for option in known}
    return kind(**values)
