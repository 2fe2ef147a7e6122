"""Board diagrams in text: rows of cells, with or without blanks, row numbers and a row of letters."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tengen.engine.records.base import RecordError, excerpt

MAX_ROWS = 25
_CELLS = {
    **dict.fromkeys(".-+_,·", 0),
    **dict.fromkeys("Xx#*@bB●", 1),
    **dict.fromkeys("OowW○", 2),
}
_DIGITS = {"0": 0, "1": 1, "2": 2}
_LABEL = re.compile(r"\d{1,2}")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_FRAME = re.compile(r"[|\s]+")


def is_row(line: str) -> bool:
    """Whether a line looks like a row of a diagram or its row of letters, not like a move or a fact."""
    return _cells(line[:200]) is not None or _is_letters(line[:200])


def cells_of(rows: Sequence[str]) -> tuple[bytes, int]:
    """(cells, width) of the rows, top first. Raises RecordError when they are no rectangle."""
    found = [cells for cells in (_cells(row) for row in rows if not _is_letters(row)) if cells is not None]
    if not found:
        raise RecordError("the diagram has no rows")
    width = len(found[0])
    for number, cells in enumerate(found, 1):
        if len(cells) != width:
            raise RecordError(f"row {number} of the diagram has {len(cells)} cells instead of {width}")
    if width > MAX_ROWS or len(found) > MAX_ROWS:
        raise RecordError(f"the diagram {excerpt(rows[0])} is larger than {MAX_ROWS}x{MAX_ROWS}")
    return b"".join(found), width


def rows_text(cells: bytes, width: int) -> list[str]:
    """The rows of a diagram, cells separated by blanks."""
    return [" ".join(".XO"[cell] for cell in cells[row : row + width]) for row in range(0, len(cells), width)]


def _cells(line: str) -> bytes | None:
    """The cells of one row, or None when it is no row."""
    words = _FRAME.sub(" ", line).split()
    if len(words) > 1 and all(word in _DIGITS for word in words):
        return bytes(_DIGITS[word] for word in words)
    if len(words) == 1 and len(words[0]) > 2 and set(words[0]) <= _DIGITS.keys():
        return bytes(_DIGITS[letter] for letter in words[0])
    if len(words) > 1 and _LABEL.fullmatch(words[0]):
        words = words[1:]
    if len(words) > 1 and _LABEL.fullmatch(words[-1]):
        words = words[:-1]
    letters = "".join(words)
    if not letters or any(letter not in _CELLS for letter in letters):
        return None
    return bytes(_CELLS[letter] for letter in letters)


def _is_letters(line: str) -> bool:
    """Whether the line is the row of column letters ("a b c", "ABCDEFGHJ")."""
    letters = "".join(line.split()).lower()
    return len(letters) > 1 and letters in (_LETTERS[: len(letters)], _LETTERS.replace("i", "")[: len(letters)])
