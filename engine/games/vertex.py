"""Points of a board as text: a letter for the column, a number for the row, as protocols and records count them."""

from __future__ import annotations

from typing import NamedTuple


class Vertices(NamedTuple):
    """The notation of points on boards up to 25x25: the letters of the columns, and whether row 1 is on top."""

    columns: str
    is_from_top: bool = False

    def text(self, cell: int, width: int, height: int) -> str:
        """Return the text of a cell (row * width + column, row 0 on top)."""
        row, column = divmod(cell, width)
        return f"{self.columns[column]}{row + 1 if self.is_from_top else height - row}"

    def cell(self, text: str, width: int, height: int) -> int | None:
        """Return the cell of a text in any case; None if it is no point of this board."""
        given = text.strip()
        word = given.upper()
        column, digits = self.columns.upper().find(word[:1] or "?"), word[1:]
        if not (0 <= column < width and given.isascii() and digits.isdigit() and len(digits) <= 3):
            return None
        row = int(digits) - 1 if self.is_from_top else height - int(digits)
        return row * width + column if 0 <= row < height else None


COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
"""GTP's letters, and those that are printed beside boards of Go: without an I."""
LETTERS = "abcdefghijklmnopqrstuvwxyz"
GTP = Vertices(COLUMNS)
""" "D4" of every game in GTP, and of Go everywhere."""
RECORDS = Vertices(LETTERS)
""" "h8" of Gomoku outside of GTP."""
OTHELLO = Vertices(LETTERS, is_from_top=True)
""" "f5" of Reversi, and of Gomoku where x and y count from the upper left."""
