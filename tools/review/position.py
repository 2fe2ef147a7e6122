"""The evaluation of a position of a reviewed game, and the interface of reviewers."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Protocol

from tengen.engine.records import Record
from tengen.tools.review.grading import Terms

Move = tuple[int, int]
"""(colour, move)."""


@dataclass(frozen=True)
class Position:
    """win, lead: of who moves first (Black, in chess White), 0 to 1 and in the game's unit. visits: what the search
    counted. line: the best moves from here on, those of both sides.

    played, played_win: the lead after the move that was played, and the first player's chances, by the same search;
    None: what the next position says. is_exact: nobody can play better than this. depth: plies that the search looked
    ahead, 0 where it does not count them. is_forced: the move that was played was the only one. arrived: the position
    that the move before led to, where stones were set up then. plies: to the end of a game that is proved, where the
    line does not reach it. why: the win that is proved, in a sentence without its end.
    """

    to_move: int
    win: float
    lead: float
    visits: int
    line: tuple[Move, ...]
    played: float | None = None
    played_win: float | None = None
    is_exact: bool = False
    depth: int = 0
    is_forced: bool = False
    arrived: Position | None = None
    plies: int = 0
    why: str = ""


class Reviewer(Protocol):
    """A reviewer of the games of one kind."""

    terms: ClassVar[Terms]

    def check(self, record: Record) -> None:
        """Raises RecordError for a game that cannot be reviewed; takes no time."""

    def review(self, record: Record, progress: Callable[[int], None]) -> Sequence[Position]:
        """The positions before each move of the record, and the last one. progress: told how many are done."""

    def who(self, record: Record) -> str:
        """Return the engine and settings of that game's review, for its comment."""

    def doubt(self, record: Record) -> str:
        """Why its figures are guesses, in a sentence, after the review; "" where they are none."""


def _as_it_is(record: Record, rules: str | None) -> Record:
    return record


class Kind(NamedTuple):
    """The kind of review of games of one name (`Parts.review`).

    title: of the game in a sentence. options: those of `tengen review` that mean something for it, beside `threads`.
    make: the reviewer, of settings that were given and of all options; raises ConfigError. legal: a record up to its
    first illegal move, under the rules that were given; raises RecordError.
    """

    title: str
    options: frozenset[str]
    make: Callable[[Mapping[str, Any], Namespace], Reviewer]
    legal: Callable[[Record, str | None], Record] = _as_it_is
