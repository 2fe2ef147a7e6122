"""The table `search` of games that alpha-beta plays against itself: its options, and their values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, TypeVar

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

    LATER: ClassVar[tuple[str, ...]] = ()
    """Options that older versions did not have; each is off as an empty value."""

    def check_here(self) -> None:
        """Raises ValueError or ImportError for what the games need and this machine lacks."""

    def asked(self) -> dict[str, Any]:
        """The table as it is kept beside the games: a folder is gone on with that an older version began."""
        return {name: value for name, value in asdict(self).items() if value or name not in self.LATER}


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
