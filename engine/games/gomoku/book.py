"""How positions of Gomoku stand in an opening book: by rule, board and stones, through all symmetries.

A key is `renju/15x15/w/` and a letter for each cell, rows from the top: `X` black, `O` white, `-` empty. The letter
before them is the side to move. Of all images of the board the first in the order of letters is taken.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from tengen.engine.games.base import State
from tengen.engine.games.book import Book, BookError
from tengen.engine.games.gomoku.game import LARGEST, RULE_SETS, SMALLEST
from tengen.engine.games.symmetries import symmetries
from tengen.engine.games.vertex import RECORDS

if TYPE_CHECKING:
    from tengen.engine._core import GomokuState

KEY = re.compile(rf"({'|'.join(RULE_SETS)})/(\d{{1,2}})x(\d{{1,2}})/([bw])/([-XO]{{25,625}})")
_LETTERS = bytes.maketrans(bytes([0, 1, 2]), b"-XO")
_STONES = bytes.maketrans(b"-XO", bytes([0, 1, 2]))


class GomokuNotation:
    """Implements `tengen.engine.games.book.Notation`; values are the units of alpha-beta."""

    ply_cost, most_plies, odds, step, won = 30.0, 30, 300.0, 100.0, 30_000.0

    def holds(self, state: State) -> bool:
        """Every board."""
        return True

    def key_of(self, state: State) -> tuple[str, Sequence[int]]:
        """The first image of the board, and for each of its cells the cell of the board that it is."""
        gomoku = cast("GomokuState", state)
        seen = state.stones().translate(_LETTERS)
        images = symmetries(state.width, state.height)
        stones, cells = min((bytes(map(seen.__getitem__, cells)).decode("ascii"), cells) for cells in images)
        return f"{gomoku.rule}/{state.width}x{state.height}/{'bw'[state.to_move]}/{stones}", cells

    def state_of(self, key: str) -> State:
        """The position of a key. Raises ValueError."""
        from tengen.engine._core import GomokuState

        rule, width, height, side, stones = _parts(key)
        state = GomokuState(width, height, rule)
        state.setup(stones.encode("ascii").translate(_STONES), "bw".index(side))
        return cast(State, state)

    def is_key(self, word: str) -> bool:
        """Whether a word is a rule, a board and so many letters."""
        try:
            _parts(word)
        except ValueError:
            return False
        return True

    def order(self, key: str) -> int:
        """The number of stones."""
        return key.count("X") + key.count("O")

    def text_of(self, key: str, move: int) -> str:
        """A point of the image: "h8"."""
        _, width, height, *_ = _parts(key)
        return RECORDS.text(move, width, height)

    def move_of(self, key: str, word: str) -> int | None:
        """The cell of "h8"."""
        _, width, height, *_ = _parts(key)
        return RECORDS.cell(word, width, height)

    def as_polyglot(self, book: Book) -> bytes:
        """There is no such file of Gomoku."""
        raise BookError("Polyglot's format is for chess alone")


NOTATION = GomokuNotation()


def _parts(key: str) -> tuple[str, int, int, str, str]:
    """Rule, width, height, side to move, letters. Raises ValueError."""
    found = KEY.fullmatch(key)
    if found is None:
        raise ValueError("that is no position of a book of Gomoku")
    width, height = int(found[2]), int(found[3])
    if not (SMALLEST <= width <= LARGEST and SMALLEST <= height <= LARGEST) or width * height != len(found[5]):
        raise ValueError("the position has another board than it says")
    return found[1], width, height, found[4], found[5]
