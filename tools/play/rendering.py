"""A board in letters: rows of pieces of text with their colours, for any library of terminals, or plain without."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tengen.engine.games.base import Game, State
from tengen.tools.play.board import CHEQUERS, DARK, EMPTY, LINES, Look, cells_of, look_of, stars

WOOD, FELT, PALE, BROWN = "#dcb35c", "#2e7d4f", "#eed9b6", "#b5875a"
INK, GRID, SNOW, LAST, CURSOR, HINT = "#000000", "#8a6a2f", "#ffffff", "#d9534f", "#4f9dde", "#7b2d8b"
GLYPHS = {"p": "♟", "n": "♞", "b": "♝", "r": "♜", "q": "♛", "k": "♚"}
PLAIN_WIDTH = 2


class Ink(NamedTuple):
    """Colours of a piece of text, "" as the terminal has them."""

    fore: str = ""
    back: str = ""
    is_bold: bool = False

    def rich(self) -> str:
        """As rich writes styles."""
        parts = ["bold"] * self.is_bold + [self.fore] * bool(self.fore) + [f"on {self.back}"] * bool(self.back)
        return " ".join(parts)

    def prompt_toolkit(self) -> str:
        """As prompt_toolkit writes styles."""
        parts = ["bold"] * self.is_bold + [f"fg:{self.fore}"] * bool(self.fore) + [f"bg:{self.back}"] * bool(self.back)
        return " ".join(parts)


Row = list[tuple[Ink, str]]


class Marks(NamedTuple):
    """What is shown besides what stands on the board. last: cells of the last move. hints: cell -> a letter or two.
    held: the cell of a piece that is picked up."""

    last: Sequence[int] = ()
    hints: Mapping[int, str] = {}
    cursor: int | None = None
    held: int | None = None


def board_rows(game: Game, state: State, marks: Marks = Marks(), *, has_colour: bool = True) -> list[Row]:  # noqa: B008
    """The board with its coordinates, a row of it a line."""
    look, cells = look_of(game), cells_of(game, state)
    width, height = state.width, state.height
    drawn = _line_cell if look.kind == LINES else _square_cell
    pitch = 2 if look.kind == LINES else 3
    letters = _letters(look, width, pitch if has_colour else PLAIN_WIDTH)
    rows: list[Row] = [letters]
    labels = look.rows(height)
    points = stars(width, height) if look.kind == LINES else frozenset()
    for row, label in enumerate(labels):
        line: Row = [(Ink(), f"{label:>3} ")]
        for column in range(width):
            cell = row * width + column
            if not has_colour:
                line.append((Ink(), _plain(cells[cell], cell, marks, cell in points)))
            else:
                line += drawn(look, cells[cell], cell, (width, height), marks, cell in points)
        line.append((Ink(), f" {label:<3}"))
        rows.append(line)
    return [*rows, letters]


def text_of(rows: Sequence[Row]) -> str:
    """The rows without their colours."""
    return "\n".join("".join(text for _, text in row).rstrip() for row in rows)


def width_of(rows: Sequence[Row]) -> int:
    """Columns of the widest row."""
    return max((sum(len(text) for _, text in row) for row in rows), default=0)


def _letters(look: Look, width: int, pitch: int) -> Row:
    first = 0 if pitch == PLAIN_WIDTH else 1
    return [(Ink(), " " * 4 + "".join(f"{' ' * first}{letter}".ljust(pitch) for letter in look.columns[:width]))]


def _plain(letter: str, cell: int, marks: Marks, is_star: bool) -> str:
    """A cell in two letters: what stands there, and behind it "<" after the last move, "*" for the cursor."""
    shown = marks.hints.get(cell, letter)[:1] if letter == EMPTY else letter
    shown = "+" if shown == EMPTY and is_star else shown
    behind = "*" if cell in (marks.cursor, marks.held) else "<" if cell in marks.last[-1:] else " "
    return shown + behind


def _line_cell(look: Look, letter: str, cell: int, size: tuple[int, int], marks: Marks, is_star: bool) -> Row:
    """A crossing and the line to its right."""
    width, height = size
    row, column = divmod(cell, width)
    back = CURSOR if cell == marks.cursor else WOOD
    beyond = "─" if column < width - 1 else " "
    line = (Ink(GRID, WOOD), beyond)
    if letter != EMPTY:
        fore = INK if letter == DARK else SNOW
        is_last = cell in marks.last[-1:]
        return [(Ink(fore, back if cell == marks.cursor or not is_last else LAST, True), "●"), line]
    if cell in marks.hints:
        text = marks.hints[cell][:2]
        return [(Ink(SNOW, HINT, True), text), *([line] if len(text) < 2 else [])]
    shown = "•" if is_star else _crossing(row, column, width, height)
    return [(Ink(INK if is_star else GRID, back), shown), line]


def _crossing(row: int, column: int, width: int, height: int) -> str:
    kinds = {(0, 0): "┌", (0, 2): "┐", (2, 0): "└", (2, 2): "┘", (0, 1): "┬", (2, 1): "┴", (1, 0): "├", (1, 2): "┤"}
    where = (row > 0) + (row == height - 1), (column > 0) + (column == width - 1)
    return kinds.get(where, "┼")


def _square_cell(look: Look, letter: str, cell: int, size: tuple[int, int], marks: Marks, is_star: bool) -> Row:
    """A square, three columns wide."""
    row, column = divmod(cell, size[0])
    is_pale = (row + column) % 2 == 0
    back = (PALE if is_pale else BROWN) if look.kind == CHEQUERS else (FELT if is_pale else "#2a7148")
    if cell in marks.last:
        back = "#c9b458" if look.kind == CHEQUERS else LAST
    if cell in (marks.cursor, marks.held):
        back = CURSOR if cell == marks.cursor else HINT
    if letter == EMPTY:
        hint = marks.hints.get(cell, "")
        return [(Ink(SNOW, HINT if hint else back, True), f" {hint[:1] or ' '} ")]
    if look.kind == CHEQUERS:
        return [(Ink(INK if letter.islower() else SNOW, back, True), f" {GLYPHS[letter.lower()]} ")]
    return [(Ink(INK if letter == DARK else SNOW, back, True), " ● ")]
