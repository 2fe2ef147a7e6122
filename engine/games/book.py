"""Opening books: positions that were searched before the game, with what their moves are worth.

A position is known by its stones as the side to move sees them, through all symmetries of the board, so that a book is
for games in which nothing else decides (no komi, ko or repetition). The file is text under gzip: a header, then a line
for each position with the most stones last,

    ---------------------------OX------XO--------------------------- d3:-0.50:12:+0.25 ...

`X` the side to move, rows from the top; of each move its cell, what the search of this position found (in the game's
unit, for the side to move), how many plies it looked ahead, and what the move is worth by all that the book knows.
"""

from __future__ import annotations

import gzip
import math
import zlib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from io import BytesIO
from typing import NamedTuple

from tengen.engine import files
from tengen.engine.games.base import Game, State
from tengen.engine.games.vertex import OTHELLO

HEADER = "tengen-book 1"
LARGEST = 64 << 20
"""Bytes of a file, and of what it unpacks to a quarter of a line at most each."""
_LONGEST = 8 * LARGEST
_LETTERS = bytes.maketrans(bytes([0, 1, 2]), b"-XO")
_OTHERS = bytes.maketrans(bytes([0, 1, 2]), b"-OX")
_DISCS = bytes.maketrans(b"-XO", bytes([0, 1, 2]))


class BookError(ValueError):
    """A file that is no book for this game; the message is one sentence."""


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
        if not game.conventions.has_books:
            raise BookError(f"{game.name} has no opening book")
        self.game, self.side = game, game.default_size
        self._lines = dict(lines or {})

    def __len__(self) -> int:
        return len(self._lines)

    def __contains__(self, key: str) -> bool:
        return key in self._lines

    def keys(self) -> Sequence[str]:
        """The positions, fewest stones first."""
        return sorted(self._lines, key=lambda key: key.count("-"), reverse=True)

    def moves(self, key: str) -> tuple[BookMove, ...]:
        """The moves of a position as the book turns it, best first. Raises KeyError, BookError."""
        try:
            found = [self._move(word) for word in self._lines[key].split()]
        except ValueError:
            raise BookError("the opening book has a line that cannot be read") from None
        return tuple(sorted(found, key=lambda move: -move.worth))

    def find(self, state: State) -> tuple[BookMove, ...]:
        """The moves known of a position, best first; none where it is not in the book. Raises BookError."""
        if (state.width, state.height) != (self.side, self.side):
            return ()
        key, cells = key_of(state)
        if key not in self._lines:
            return ()
        return tuple(
            move._replace(cell=cells[move.cell]) for move in self.moves(key) if state.is_legal(cells[move.cell])
        )

    def put(self, key: str, moves: Iterable[BookMove]) -> None:
        """Keep the moves of a position."""
        self._lines[key] = " ".join(
            f"{OTHELLO.text(move.cell, self.side, self.side)}:{move.searched:.2f}:{move.depth}:{move.worth:.2f}"
            for move in moves
        )

    def packed(self) -> bytes:
        """The file; the same for the same book."""
        text = "\n".join([f"{HEADER} {self.game.name}", *(f"{key} {self._lines[key]}" for key in self.keys()), ""])
        into = BytesIO()
        with gzip.GzipFile(fileobj=into, mode="wb", mtime=0) as file:
            file.write(text.encode("ascii"))
        return into.getvalue()

    def _move(self, word: str) -> BookMove:
        name, searched, depth, worth = word.split(":")
        cell = OTHELLO.cell(name, self.side, self.side)
        found = BookMove(-1 if cell is None else cell, float(searched), int(depth), float(worth))
        if cell is None or not (math.isfinite(found.searched) and math.isfinite(found.worth)):
            raise ValueError(word)
        return found


def read(path: files.Name, game: Game) -> Book:
    """The book in a file. Raises BookError, which names the file and what is wrong with it."""
    book = Book(game)
    try:
        with gzip.GzipFile(fileobj=BytesIO(files.read(path, LARGEST))) as file:
            data = file.read(_LONGEST + 1)
        if len(data) > _LONGEST:
            raise BookError(f"it unpacks to more than {files.size_text(_LONGEST)}")
        header, *rest = data.decode("ascii").splitlines() or [""]
        if header != f"{HEADER} {game.name}":
            raise BookError(f"it is no opening book for {game.name}")
        lines = dict(_line(line, book.side) for line in rest)
    except (OSError, EOFError, zlib.error, UnicodeDecodeError, BookError) as error:
        why = "it is damaged" if isinstance(error, EOFError | zlib.error | UnicodeDecodeError) else files.reason(error)
        raise BookError(f"cannot read the opening book '{path}': {why}") from None
    return Book(game, lines)


def _line(line: str, side: int) -> tuple[str, str]:
    key, _, moves = line.partition(" ")
    if len(key) != side * side or key.strip("-XO") or not moves:
        raise BookError("it is damaged")
    return key, moves


def key_of(state: State) -> tuple[str, Sequence[int]]:
    """The position as books know it, and for each of its cells the cell of the board that it is."""
    seen = bytes(state.stones()).translate(_OTHERS if state.to_move else _LETTERS)
    return min((bytes(map(seen.__getitem__, cells)).decode("ascii"), cells) for cells in symmetries(state.width))


def state_of(key: str, game: Game) -> State:
    """The position of a key, the first colour to move."""
    state = game.new_state(game.default_size, game.default_size, game.default_rules, 0.0)
    state.setup(key.encode("ascii").translate(_DISCS), 0)  # type: ignore[attr-defined]
    return state


@lru_cache(maxsize=4)
def symmetries(side: int) -> Sequence[tuple[int, ...]]:
    """The eight orders in which the cells of a square board can be read."""
    found = []
    for turn in range(8):
        cells = []
        for row in range(side):
            for column in range(side):
                y, x = (row, column) if turn < 4 else (column, row)
                cells.append((side - 1 - y if turn & 1 else y) * side + (side - 1 - x if turn & 2 else x))
        found.append(tuple(cells))
    return tuple(found)
