"""How positions of Reversi stand in an opening book: by their discs, through all symmetries.

A key has 64 letters, rows from the top: `X` the side to move, `O` the other one, `-` empty. Of all images of the board
the first in the order of letters is taken: one line answers for positions of either colour in eight directions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import cast

from tengen.engine.games.base import State
from tengen.engine.games.book import Book, BookError
from tengen.engine.games.symmetries import symmetries
from tengen.engine.games.vertex import OTHELLO

SIDE = 8
_LETTERS = bytes.maketrans(bytes([0, 1, 2]), b"-XO")
_OTHERS = bytes.maketrans(bytes([0, 1, 2]), b"-OX")
_DISCS = bytes.maketrans(b"-XO", bytes([0, 1, 2]))


class ReversiNotation:
    """Implements `tengen.engine.games.book.Notation`; values are discs."""

    ply_cost, most_plies, odds, step, won = 1.0, 36, 4.0, 1.0, math.inf

    def holds(self, state: State) -> bool:
        """The usual board."""
        return (state.width, state.height) == (SIDE, SIDE)

    def key_of(self, state: State) -> tuple[str, Sequence[int]]:
        """The first image of the board, and for each of its cells the cell of the board that it is."""
        seen = bytes(state.stones()).translate(_OTHERS if state.to_move else _LETTERS)
        return min((bytes(map(seen.__getitem__, cells)).decode("ascii"), cells) for cells in symmetries(SIDE, SIDE))

    def state_of(self, key: str) -> State:
        """The position of a key, the first colour to move."""
        from tengen.engine._core import ReversiState

        state = ReversiState()
        state.setup(key.encode("ascii").translate(_DISCS), 0)
        return cast(State, state)

    def is_key(self, word: str) -> bool:
        """Whether a word has 64 of the letters."""
        return len(word) == SIDE * SIDE and not word.strip("-XO")

    def order(self, key: str) -> int:
        """The number of discs."""
        return -key.count("-")

    def text_of(self, key: str, move: int) -> str:
        """A cell: "f5"."""
        return OTHELLO.text(move, SIDE, SIDE)

    def move_of(self, key: str, word: str) -> int | None:
        """The cell of "f5"."""
        return OTHELLO.cell(word, SIDE, SIDE)

    def as_polyglot(self, book: Book) -> bytes:
        """There is no such file of Reversi."""
        raise BookError("Polyglot's format is for chess alone")


NOTATION = ReversiNotation()
