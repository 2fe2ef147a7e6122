"""Vertices as GTP writes them, for boards of stones up to 25x25: a letter without I, then the row from the bottom."""

from __future__ import annotations

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


def vertex_text(cell: int, width: int, height: int) -> str:
    """ "D4" of a cell (row * width + column, row 0 on top)."""
    row, column = divmod(cell, width)
    return f"{COLUMNS[column]}{height - row}"


def vertex_cell(text: str, width: int, height: int) -> int | None:
    """The cell of a vertex in any case; None for what is none of this board."""
    word = text.strip().upper()
    column, digits = COLUMNS.find(word[:1] or "?"), word[1:]
    if not (0 <= column < width and digits.isascii() and digits.isdigit() and len(digits) <= 3):
        return None
    row = height - int(digits)
    return row * width + column if 0 <= row < height else None
