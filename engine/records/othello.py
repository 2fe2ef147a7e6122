"""Common parts of the Othello formats (GGF, OBF, move lists): coordinates with a1 top-left, the usual start."""

from __future__ import annotations

from tengen.engine.games.base import BLACK, WHITE
from tengen.engine.games.vertex import OTHELLO
from tengen.engine.records.base import RecordError, excerpt

GAME = "reversi"
SIZES = range(4, 27, 2)
PASSES = frozenset(("pa", "pas", "pass", "--", "ps"))


def usual_start(size: int) -> bytes:
    """The cells of the start: white on the diagonal from the top left, black on the other."""
    cells = bytearray(size * size)
    middle = size // 2
    for row, column, stone in ((-1, -1, 2), (0, 0, 2), (-1, 0, 1), (0, -1, 1)):
        cells[(middle + row) * size + middle + column] = stone
    return bytes(cells)


def is_usual(cells: bytes | None, to_move: int | None, width: int, height: int) -> bool:
    """Whether stones that a file sets up are the usual start with Black to move."""
    return width == height and width in SIZES and not to_move and cells == usual_start(width)


def start_of(cells: bytes, to_move: int, size: int) -> tuple[bytes | None, int | None]:
    """(setup, to_move) of a Record: None, None for the usual start with Black to move."""
    return (None, None) if is_usual(cells, to_move, size, size) else (cells, to_move)


def side(letter: str, black: str, white: str) -> int:
    """The colour that a letter stands for. Raises RecordError."""
    if letter and letter in black:
        return BLACK
    if letter and letter in white:
        return WHITE
    raise RecordError(f"{excerpt(letter)} is not a side to move")


def cells_from(text: str, black: str, white: str, empty: str) -> bytes:
    """One byte a cell from text without blanks. Raises RecordError for any other character."""
    values = {**dict.fromkeys(empty, 0), **dict.fromkeys(black, 1), **dict.fromkeys(white, 2)}
    try:
        return bytes(values[letter] for letter in text)
    except KeyError as error:
        raise RecordError(f"{excerpt(str(error.args[0]))} is not a disc of the board") from None


def move_from(text: str, size: int) -> int:
    """Dense move of "f5", "F5" or a pass ("pa", "pass", "--", any case). Raises RecordError."""
    word = text.strip().lower()
    if word in PASSES:
        return size * size
    cell = OTHELLO.cell(word, size, size) if len(word) < 4 else None
    if cell is None:
        raise RecordError(f"{excerpt(text.strip())} is not a move on a {size}x{size} board")
    return cell


def move_text(move: int, size: int, passing: str) -> str:
    """Text of a dense move, lower case; `passing` for a pass."""
    return passing if move >= size * size else OTHELLO.text(move, size, size)
