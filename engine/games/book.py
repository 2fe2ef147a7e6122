"""Opening books: positions that were searched before the game, with what their moves are worth.

How a position and a move stand in a book is the game's `Notation`. The file is text under gzip: a header, then a line
for each position, which in Reversi is

    ---------------------------OX------XO--------------------------- d3:-0.50:12:+0.25 ...

Of each move: what the search of this position found (in the game's unit, for the side to move), how many plies it
looked ahead, and what the move is worth by all that the book knows. Tengen ships a book for some games (SHIPPED).
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import NamedTuple, Protocol, cast

from tengen.engine import files
from tengen.engine.games.base import Game, State
from tengen.engine.games.parts import load

HEADER = "tengen-book 1"
LARGEST = 64 << 20
"""Bytes of a file, and of what it unpacks to a quarter of a line at most each."""
_LONGEST = 8 * LARGEST
SHIPPED = "shipped"
"""The name of the book that tengen ships for a game."""


class BookError(ValueError):
    """A file that is no book for this game; the message is one sentence."""


class Notation(Protocol):
    """How the positions and moves of a game stand in its books, and how its books grow.

    Values are in the game's unit. ply_cost: what a ply costs beside what moves give away. most_plies: positions after
    so many are left to the search. odds: the value of a position with winning chances of e to 1. step: what 1 of
    `book_margin` is. won: from this value on a win is proved; nothing follows a move that wins or loses so.
    """

    ply_cost: float
    most_plies: int
    odds: float
    step: float
    won: float

    def holds(self, state: State) -> bool:
        """Whether a book can hold positions on such a board."""

    def key_of(self, state: State) -> tuple[str, Sequence[int]]:
        """The position in one word, and for each move as the book has it the move on the board."""

    def state_of(self, key: str) -> State:
        """The position of a key. Raises ValueError."""

    def is_key(self, word: str) -> bool:
        """Whether a word can be a position."""

    def order(self, key: str) -> int:
        """Positions are written in this order, then in that in which they came."""

    def text_of(self, key: str, move: int) -> str:
        """A move of a position of the book as a word without a colon."""

    def move_of(self, key: str, word: str) -> int | None:
        """The move of a word."""

    def as_polyglot(self, book: Book) -> bytes:
        """The book as a file in Polyglot's format, for other programs. Raises BookError for a game that it has not."""


def notation_of(game: Game) -> Notation:
    """Raises BookError for a game without books."""
    if not game.parts.book:
        raise BookError(f"{game.name} has no opening book")
    return cast(Notation, load(game.parts.book))


class BookMove(NamedTuple):
    """A move of a position; values for the side to move there, in the game's unit.

    searched: by the search that made the entry, `depth` plies ahead. worth: by all that follows in the book.
    """

    cell: int
    searched: float
    depth: int
    worth: float


class Book:
    """Positions (`key_of`) and their moves. What stands in a line is read when somebody asks for it."""

    def __init__(self, game: Game, lines: Mapping[str, str] | None = None) -> None:
        """Raises BookError for a game without books."""
        self.game, self.notation = game, notation_of(game)
        self._lines = dict(lines or {})

    def __len__(self) -> int:
        return len(self._lines)

    def __contains__(self, key: str) -> bool:
        return key in self._lines

    def keys(self) -> Sequence[str]:
        """The positions, in the notation's order."""
        return sorted(self._lines, key=self.notation.order)

    def moves(self, key: str) -> tuple[BookMove, ...]:
        """The moves of a position as the book turns it, best first. Raises KeyError, BookError."""
        try:
            found = [self._move(key, word) for word in self._lines[key].split()]
        except ValueError:
            raise BookError("the opening book has a line that cannot be read") from None
        return tuple(sorted(found, key=lambda move: -move.worth))

    def find(self, state: State) -> tuple[BookMove, ...]:
        """The moves known of a position, best first; none where it is not in the book. Raises BookError."""
        if not self.notation.holds(state):
            return ()
        key, moves = self.notation.key_of(state)
        if key not in self._lines:
            return ()
        return tuple(
            move._replace(cell=moves[move.cell]) for move in self.moves(key) if state.is_legal(moves[move.cell])
        )

    def put(self, key: str, moves: Iterable[BookMove]) -> None:
        """Keep the moves of a position."""
        self._lines[key] = " ".join(
            f"{self.notation.text_of(key, move.cell)}:{move.searched:.2f}:{move.depth}:{move.worth:.2f}"
            for move in moves
        )

    def packed(self) -> bytes:
        """The file; the same for the same book."""
        import gzip

        text = "\n".join([f"{HEADER} {self.game.name}", *(f"{key} {self._lines[key]}" for key in self.keys()), ""])
        into = BytesIO()
        with gzip.GzipFile(fileobj=into, mode="wb", mtime=0) as file:
            file.write(text.encode("ascii"))
        return into.getvalue()

    def _move(self, key: str, word: str) -> BookMove:
        name, searched, depth, worth = word.split(":")
        cell = self.notation.move_of(key, name)
        found = BookMove(-1 if cell is None else cell, float(searched), int(depth), float(worth))
        if cell is None or not (math.isfinite(found.searched) and math.isfinite(found.worth)):
            raise ValueError(word)
        return found


def read(path: files.Name, game: Game) -> Book:
    """The book in a file; SHIPPED: tengen's own. Raises BookError, which names the file and what is wrong with it."""
    import gzip

    book = Book(game)
    if path == SHIPPED:
        path = shipped(game)
        if not path.is_file():
            raise BookError(f"tengen ships no opening book for {game.name}")
    try:
        with gzip.GzipFile(fileobj=BytesIO(files.read(path, LARGEST))) as file:
            data = file.read(_LONGEST + 1)
        if len(data) > _LONGEST:
            raise BookError(f"it unpacks to more than {files.size_text(_LONGEST)}")
        header, *rest = data.decode("ascii").splitlines() or [""]
        if header != f"{HEADER} {game.name}":
            raise BookError(f"it is no opening book for {game.name}")
        lines = dict(_line(line, book.notation) for line in rest)
    except (OSError, EOFError, zlib.error, UnicodeDecodeError, BookError) as error:
        why = "it is damaged" if isinstance(error, EOFError | zlib.error | UnicodeDecodeError) else files.reason(error)
        raise BookError(f"cannot read the opening book '{path}': {why}") from None
    return Book(game, lines)


def shipped(game: Game) -> Path:
    """The book that tengen ships for a game; no file where it ships none."""
    return Path(__file__).parent / game.name / "opening.book"


def _line(line: str, notation: Notation) -> tuple[str, str]:
    key, _, moves = line.partition(" ")
    if not notation.is_key(key) or not moves:
        raise BookError("it is damaged")
    return key, moves
