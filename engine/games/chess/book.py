"""How positions of chess stand in a book of tengen's own, and the moves that such a book gives a player.

A key is the first four fields of a FEN, joined by underlines; a move is a UCI word with castling as the king that takes
its rook ("e1h1"), so that a book needs no python-chess. Values are centipawns.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, cast

from tengen.engine import files
from tengen.engine.games.base import State
from tengen.engine.games.chess.polyglot import BookMove, Polyglot, packed
from tengen.engine.games.chess.text import fen_of, square_of, square_text, state_from_fen

if TYPE_CHECKING:
    from tengen.engine._core import ChessState
    from tengen.engine.games.book import Book

KEY = re.compile(r"(?:[1-8pnbrqkPNBRQK]+/){7}[1-8pnbrqkPNBRQK]+_[wb]_(?:-|[A-HKQa-hkq]{1,4})_(?:-|[a-h][36])")
WORD = re.compile(r"([a-h][1-8])([a-h][1-8])([nbrq]?)")
PROMOTED = " nbrq"
"""The letters of what a pawn becomes, by number."""
MOVES = range(1 << 15)
"""Moves of the book are moves on the board."""
GZIP = b"\x1f\x8b"
"""How a book of tengen's begins."""
MARGIN = 20.0
"""Centipawns by which a move may be worse than the best one to be played."""
HEAVIEST = 100
"""The weight of the best move."""


class ChessNotation:
    """Implements `tengen.engine.games.book.Notation`; values are centipawns."""

    ply_cost, most_plies, odds, step, won = 12.0, 24, 200.0, 40.0, math.inf

    def holds(self, state: State) -> bool:
        """All boards of chess are alike."""
        return True

    def key_of(self, state: State) -> tuple[str, Sequence[int]]:
        """The position without its counters."""
        return "_".join(fen_of(cast("ChessState", state)).split()[:4]), MOVES

    def state_of(self, key: str) -> State:
        """The position of a key. Raises ValueError."""
        return cast(State, state_from_fen(key.replace("_", " ")))

    def is_key(self, word: str) -> bool:
        """Whether a word looks like four fields of a FEN."""
        return KEY.fullmatch(word) is not None

    def order(self, key: str) -> int:
        """None: positions stay in the order in which they came."""
        return 0

    def text_of(self, key: str, move: int) -> str:
        """ "e2e4", "e7e8q", "e1h1"."""
        return square_text(move & 63) + square_text(move >> 6 & 63) + PROMOTED[move >> 12].strip()

    def move_of(self, key: str, word: str) -> int | None:
        """The move of "e2e4"."""
        found = WORD.fullmatch(word)
        if found is None:
            return None
        return square_of(found[1]) | square_of(found[2]) << 6 | PROMOTED.index(found[3] or " ") << 12

    def as_polyglot(self, book: Book) -> bytes:
        """The same weights as a player draws by. Raises ImportError (without python-chess)."""
        own = OwnBook(book)
        states = (cast("ChessState", self.state_of(key)) for key in book.keys())
        return packed((state, own.find(state)) for state in states)


NOTATION = ChessNotation()


class ChessBook(Protocol):
    """An opening book as a player asks it."""

    def close(self) -> None:
        """Let the file go."""

    def find(self, state: ChessState) -> list[BookMove]:
        """The legal moves of a position, the heaviest first. Raises OSError, ValueError, ImportError."""

    def choose(self, state: ChessState, generator: random.Random) -> int | None:
        """A move drawn by the weights, none of weight 0; None where the book has none. Raises as `find`."""


def opened(path: str) -> ChessBook:
    """The book of a file, Polyglot's or tengen's; "shipped": the one that tengen ships. Raises ValueError, OSError."""
    from tengen.engine.games import get_game
    from tengen.engine.games.book import SHIPPED, read

    is_own = path == SHIPPED
    if not is_own:
        with files.open_regular(path) as file:
            is_own = file.read(len(GZIP)) == GZIP
    return OwnBook(read(path, get_game("chess"))) if is_own else Polyglot(path)


class OwnBook:
    """A book of tengen's own; implements ChessBook."""

    def __init__(self, book: Book) -> None:
        self._book = book

    def close(self) -> None:
        """Nothing is open."""

    def find(self, state: ChessState) -> list[BookMove]:
        """The legal moves of a position, the heaviest first. Raises BookError."""
        moves = self._book.find(cast(State, state))
        return [BookMove(move.cell, _weight(moves[0].worth - move.worth)) for move in moves]

    def choose(self, state: ChessState, generator: random.Random) -> int | None:
        """A move drawn by the weights, none of weight 0; None where the book has none. Raises as `find`."""
        moves = [one for one in self.find(state) if one.weight > 0]
        return generator.choices(moves, [one.weight for one in moves])[0].move if moves else None


def _weight(less: float) -> int:
    """How often a move is played that is worth so much less than the best one."""
    return round(HEAVIEST * math.exp(-2 * less / MARGIN)) if less <= MARGIN else 0
