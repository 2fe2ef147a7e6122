"""`edit`, the old way to set up a position: pieces are put on the board one by one, up to a "."."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tengen.engine.games.chess.text import LETTERS, board_of, square_of

if TYPE_CHECKING:
    from tengen.engine._core import ChessState

END = "."
_LINE = re.compile(r"[c#.]|[PNBRQKx][a-h][1-8]", re.ASCII)
_KINGS, _ROOKS = (("K", "e1"), ("k", "e8")), (("R", "h1"), ("R", "a1"), ("r", "h8"), ("r", "a8"))


class Edit:
    """A board while it is edited. The side to move stays."""

    def __init__(self, state: ChessState) -> None:
        self._pieces = bytearray(state.pieces())
        self._side = "wb"[state.to_move]
        self._is_black = False
        self.is_done = False
        """Whether the last line ended it."""

    def obeys(self, line: str) -> bool:
        """Obey a line; False where it is none of an edit."""
        if not _LINE.fullmatch(line):
            return False
        self.is_done = line == END
        if line == "c":
            self._is_black = not self._is_black
        elif line == "#":
            self._pieces = bytearray(64)
        elif line != END:
            piece = 0 if line[0] == "x" else LETTERS.index(line[0].lower() if self._is_black else line[0])
            self._pieces[square_of(line[1:])] = piece
        return True

    def fen(self) -> str:
        """The position: kings and rooks at home may castle, and nothing can be captured on the way."""
        return f"{board_of(bytes(self._pieces))} {self._side} {self._castling() or '-'} - 0 1"

    def _castling(self) -> str:
        at_home = {name for name in (*_KINGS, *_ROOKS) if self._pieces[square_of(name[1])] == LETTERS.index(name[0])}
        rights = zip("KQkq", _ROOKS, strict=True)
        return "".join(right for right, rook in rights if {rook, _KINGS[right.islower()]} <= at_home)
