"""What a board looks like, as facts of its game: lines or squares, coordinates, what stands on each cell, sides' names.

Cells are numbered as they are drawn: row * width + column, row 0 on top. Nothing here draws.
"""

from __future__ import annotations

from typing import NamedTuple, cast

from tengen.engine.games.base import Game, State
from tengen.engine.games.vertex import RECORDS, Vertices

EMPTY, DARK, LIGHT = ".", "X", "O"
"""What stands on a cell of a game of stones; chess has the letters of FEN, capitals for White."""
LINES, SQUARES, CHEQUERS = "lines", "squares", "chequers"
"""Kinds of boards: stones on crossings, discs in squares, pieces on squares of two colours."""


class Look(NamedTuple):
    """How the board of a game is drawn. sides: who moves first, and the other."""

    kind: str
    columns: str
    is_from_top: bool
    sides: tuple[str, str]

    def rows(self, height: int) -> list[str]:
        """The numbers of the rows, from the top."""
        numbers = range(1, height + 1)
        return [str(number) for number in (numbers if self.is_from_top else reversed(numbers))]


def look_of(game: Game) -> Look:
    """How a game's board is drawn."""
    conventions = game.conventions
    kind = CHEQUERS if not conventions.has_points else SQUARES if conventions.counts_discs else LINES
    points = points_of(game)
    letters = points.columns.upper() if kind == LINES and "i" not in points.columns else points.columns
    return Look(kind, letters, points.is_from_top, ("White", "Black") if kind == CHEQUERS else ("Black", "White"))


def points_of(game: Game) -> Vertices:
    """How the points of a board are named to people."""
    return game.conventions.points if game.conventions.has_points else RECORDS


def cells_of(game: Game, state: State) -> str:
    """A letter for each cell: EMPTY, DARK, LIGHT; where pieces move, those of FEN."""
    if game.conventions.has_points:
        return "".join((EMPTY, DARK, LIGHT)[stone] for stone in state.stones())
    from tengen.engine.games.chess.text import LETTERS

    pieces = cast(bytes, state.pieces())  # type: ignore[attr-defined]
    rows = [pieces[first : first + state.width] for first in range(0, state.cells, state.width)]
    return "".join(LETTERS[piece] for row in reversed(rows) for piece in row)


def cell_of(game: Game, state: State, square: int) -> int:
    """The cell that is drawn for a point of the core, which counts the squares of moving pieces from below."""
    if game.conventions.has_points:
        return square
    row, column = divmod(square, state.width)
    return (state.height - 1 - row) * state.width + column


def cells_of_move(game: Game, state: State, move: int) -> tuple[int, ...]:
    """The cells that a move touches, where it ends last; none of a pass."""
    if game.conventions.has_points:
        return (move,) if 0 <= move < state.cells else ()
    text = game.move_to_text(state, move)
    found = (RECORDS.cell(word, state.width, state.height) for word in (text[:2], text[2:4]))
    return tuple(cell for cell in found if cell is not None)


def stars(width: int, height: int) -> frozenset[int]:
    """Cells of the marked points of a board of lines."""

    def marks(length: int) -> tuple[int, ...]:
        edge = 3 if length > 12 else 2
        middle = (length // 2,) if length % 2 and length > 13 else ()
        return (edge, *middle, length - 1 - edge) if length > 6 else ()

    centre = {(height // 2) * width + width // 2} if width % 2 and height % 2 else set()
    return frozenset(row * width + column for row in marks(height) for column in marks(width)) | centre
