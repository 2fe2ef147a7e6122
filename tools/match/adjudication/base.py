"""The interface of a rule of adjudication: when the referee ends a game that is not over by the rules of the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from tengen.engine.options import Option

Settings = Mapping[str, Any]
"""Values by key, the defaults included, of the rules that are switched on."""


@dataclass(frozen=True)
class Sight:
    """A game after a move: all that a rule may look at.

    game: its name. position: the core's state, the other side to move; not to be changed. length: plies, the opening's
    too. is_first: whether the first player made the move. own, other: scores of who moved and of the other side, one
    for each of their moves, -1 to 1 in their own view, None where the engine said none.
    """

    game: str
    position: Any
    length: int
    is_first: bool
    own: Sequence[float | None]
    other: Sequence[float | None]


@dataclass(frozen=True)
class Verdict:
    """The end of a game. winner: of `Sight`, None for a draw. detail: why, for the record of the game."""

    winner: Literal["own", "other"] | None
    detail: str


@dataclass(frozen=True)
class Rule:
    """One rule of adjudication.

    options: its settings with their bounds; the first one switches the rule on and has no default. example: them as
    a command line has them, for the help. verdict: the end of the game by these settings, None while it goes on.
    """

    options: tuple[Option, ...]
    example: str
    verdict: Callable[[Settings, Sight], Verdict | None]

    @property
    def switch(self) -> str:
        """The setting without which the rule does nothing."""
        return self.options[0].name


def all_last(scores: Sequence[float | None], count: int, holds: Callable[[float], bool]) -> bool:
    """Whether the last `count` scores are all there and `holds` is true of each."""
    last = scores[-count:]
    return len(last) == count and all(score is not None and holds(score) for score in last)
