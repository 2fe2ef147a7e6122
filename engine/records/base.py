"""A stored game, whatever its file format, and what all formats share: bounded text, columns of the move list."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from tengen.engine.games.base import BLACK
from tengen.engine.records import encoding
from tengen.engine.sentence import excerpt as excerpt

MAX_BYTES = 16 << 20
"""The largest file that is read (SGF: 4 MB, because its tree costs memory)."""
MAX_GAMES = 50_000
"""The most games that are read from one file."""


CUT = ": the game is read up to it"
"""The end of a warning that says why a game is read no further."""


class RecordError(ValueError):
    """A file that cannot be read as a game, or a game that a format cannot hold; the message is one sentence."""


class Note(NamedTuple):
    """The note of a move, as the file gives it: an evaluation, and the seconds that it thought. commands: (name, value)
    of what else PGN tells programs ("clk", "0:03:00")."""

    evaluation: float | None = None
    seconds: float | None = None
    commands: tuple[tuple[str, str], ...] = ()


class Change(NamedTuple):
    """Stones set up in mid-game: after so many moves, each as (cell, 0 empty, 1 black, 2 white), and the side to move
    then, if the file names it."""

    after: int
    stones: tuple[tuple[int, int], ...]
    to_move: int | None = None


class Lines(Protocol):
    """The lines of a record's moves in its file."""

    def line(self, number: int) -> int:
        """The line of a move, both from 1."""


@dataclass(frozen=True)
class Record:
    """The main line of one game.

    setup: width*height bytes, row-major from the top (0 empty, 1 black, 2 white), or None for the usual start.
    position: in place of a set-up where a position is more than stones, its text (chess: FEN); to_move is then as it
    says. to_move: who moves first after the set-up, when the file says so. moves: (colour, move) in order, as the file
    has them: nothing here checks that they are legal. komi, rules: None when the file does not say.
    players: black's and white's names, of chess White's first, who moves first there. result: "" or as SGF writes it
    ("B+12", "W+R", "0"), of chess as PGN does ("1-0", "0-1", "1/2-1/2").
    properties: other facts by the format's own key ("DT", "EV", ...). notes: empty, or one for every move.
    changes: in their order, one at most after a move. warnings: sentences of what was not as it should be in the file,
    for whoever reads it to tell once. lines: None when nobody knows them.
    """

    game: str
    width: int
    height: int
    komi: float | None = None
    rules: str | None = None
    handicap: int = 0
    setup: bytes | None = None
    position: str = ""
    to_move: int | None = None
    moves: tuple[tuple[int, int], ...] = ()
    players: tuple[str, str] = ("", "")
    result: str = ""
    properties: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    changes: tuple[Change, ...] = ()
    warnings: tuple[str, ...] = field(default=(), compare=False)
    lines: Lines | None = field(default=None, compare=False, repr=False)

    @property
    def cut(self) -> str:
        """The reason why reading stopped before the end of the file's game, "" if it did not."""
        return next((said for said in self.warnings if said.endswith(CUT)), "")

    @property
    def first(self) -> int:
        """The colour that moves first: as the file says, else the colour of the first move, else Black."""
        if self.to_move is not None:
            return self.to_move
        return self.moves[0][0] if self.moves else BLACK


def decode(data: bytes | str, limit: int = MAX_BYTES) -> str:
    """Text of a file, its encoding recognised. Raises RecordError when it is too long or no text."""
    if len(data) > limit:
        raise RecordError(f"the file is larger than {limit >> 20} MB")
    text = data.removeprefix("\ufeff") if isinstance(data, str) else encoding.decode(data).text
    if "\0" in text:
        raise RecordError("the file is not text")
    return text


def lines_of(text: str) -> Iterator[str]:
    """Lines one by one, blank ones in a row as one: megabytes of them cost nothing. CR, LF and CRLF end a line."""
    for line in re.finditer(r"(?:[ \t]*+[\r\n])++|([^\r\n]++)(?:\r\n?|\n)?", text):
        yield line[1] or ""


def collect(games: Iterator[Record], nothing: str) -> list[Record]:
    """All games of a file. Raises RecordError naming the game it concerns, or with `nothing` when there is none."""
    records: list[Record] = []
    try:
        for record in games:
            if len(records) == MAX_GAMES:
                raise RecordError(f"the file holds more than {MAX_GAMES} games")
            records.append(record)
    except RecordError as error:
        raise RecordError(f"game {len(records) + 1}: {error}" if records else str(error)) from None
    if not records:
        raise RecordError(nothing)
    return records


def first_of(games: Iterator[Record], nothing: str) -> Record:
    """The first game of a file. Raises RecordError with `nothing` when there is none."""
    for record in games:
        return record
    raise RecordError(nothing)


def refuse_changes(record: Record, form: str) -> None:
    """Raises RecordError where a format cannot hold stones that are set up in mid-game."""
    if record.changes:
        after = record.changes[0].after
        raise RecordError(f"{form} cannot hold stones that are set up in mid-game (after move {after})")
