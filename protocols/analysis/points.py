"""Moves as text: GTP's vertices, "pass", and KataGo's "(column,row)" that counts from the upper left."""

from __future__ import annotations

import re

from tengen.engine.games.vertex import GTP

PASS = "pass"
_PAIR = re.compile(r"\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)")


def move_of(text: str, width: int, height: int) -> int | None:
    """Return the move of a text; None if it is no point of this board."""
    word = text.strip()
    if word.lower() == PASS:
        return width * height
    pair = _PAIR.fullmatch(word)
    if pair is None:
        return GTP.cell(word, width, height)
    column, row = int(pair[1]), int(pair[2])
    return row * width + column if column < width and row < height else None


def text_of(move: int, width: int, height: int) -> str:
    """The text of a move."""
    return PASS if move >= width * height else GTP.text(move, width, height)
