"""Reversi's positions from pictures, and its points by name."""

from __future__ import annotations

from tengen.engine._core import ReversiState
from tengen.engine.games.reversi.game import REVERSI


def cell(text: str) -> int:
    """ "f5" -> 37."""
    return REVERSI.move_from_text(ReversiState(), text)


def board(text: str, to_move: str = "X") -> ReversiState:
    """A position from rows of - X O, top row first; missing rows are empty."""
    cells = "".join(text.split()).ljust(64, "-")
    state = ReversiState()
    state.setup(bytes("-XO".index(c) for c in cells), "XO".index(to_move))
    return state
