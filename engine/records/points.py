"""Moves of the text format: points in each game's own letters and rows, passes, offsets from the centre."""

from __future__ import annotations

import re

from tengen.engine.games import get_game
from tengen.engine.games.base import BLACK, IllegalMove
from tengen.engine.games.forced_passes import played_out
from tengen.engine.records import othello
from tengen.engine.records.base import Record, RecordError, excerpt
from tengen.engine.records.replay import start_of

MAX_MOVES = 5_000
_WORD = re.compile(
    r"[\s,;.]*+(?:\d{1,4}\.\s*+)?(?:([bBwW]):)?(pass|pas|pa|--|[a-zA-Z]\d{1,2}(?!\d)(?:-[a-zA-Z]\d{1,2}(?!\d))?)",
    re.IGNORECASE,
)
_END = re.compile(r"[\s,;.]*+")
_OFFSET = re.compile(r"[\s,]*+(-?\d{1,3})\s*+,\s*+(-?\d{1,3})(?!\d)")


def point_text(game: str, width: int, height: int, move: int) -> str:
    """Text of a dense move as `list_moves` reads it."""
    if not 0 <= move < width * height:
        return "pass"
    return get_game(game).conventions.points.text(move, width, height)


def point(game: str, width: int, height: int, text: str) -> int:
    """Dense move of a point or a pass. Raises RecordError when it is not on the board."""
    if text.lower() in othello.PASSES:
        return width * height
    cell = get_game(game).conventions.points.cell(text, width, height)
    if cell is None:
        raise RecordError(f"{excerpt(text)} is not a point of the {width}x{height} {game} board")
    return cell


def word_of(record: Record, move: int) -> str:
    """Text of a move as `list_moves` reads it: a point, a pass, or of a game whose stones move "b3-c2"."""
    kind, cells = get_game(record.game), record.width * record.height
    if move <= cells:  # one more is a pass, also where it is none of the game
        return point_text(record.game, record.width, record.height, move)
    return kind.move_to_text(start_of(record), move)


def _move(record: Record, text: str) -> int:
    """The other way round. Raises RecordError."""
    if "-" not in text.strip("-"):
        return point(record.game, record.width, record.height, text)
    try:
        return get_game(record.game).move_from_text(start_of(record), text)
    except ValueError as error:
        raise RecordError(str(error)) from None


def list_moves(record: Record, text: str) -> tuple[tuple[int, int], ...]:
    """(colour, move) of "h8i9g7", "f5 d6 pass", "1. D4 w:Q16". Raises RecordError."""
    moves: list[tuple[int | None, int]] = []
    position = 0
    while word := _WORD.match(text, position):
        if len(moves) == MAX_MOVES:
            raise RecordError(f"there are more than {MAX_MOVES} moves")
        colour = None if word[1] is None else "bw".index(word[1].lower())
        moves.append((colour, _move(record, word[2])))
        position = word.end()
    rest = text[_END.match(text, position).end() :]  # type: ignore[union-attr]
    if rest:
        raise RecordError(f"{excerpt(rest)} is not a move")
    return by_rules(record, moves) if record.game == othello.GAME else _in_turn(record, moves)


def offset_moves(record: Record, text: str) -> tuple[tuple[int, int], ...]:
    """(colour, move) of "0,0, 1,-1": columns and rows from the centre (width // 2, height // 2)."""
    moves: list[tuple[int | None, int]] = []
    position = 0
    while pair := _OFFSET.match(text, position):
        column, row = record.width // 2 + int(pair[1]), record.height // 2 + int(pair[2])
        if not (0 <= column < record.width and 0 <= row < record.height):
            raise RecordError(f"{pair[1]},{pair[2]} from the centre is not on a {record.width}x{record.height} board")
        if len(moves) == MAX_MOVES:
            raise RecordError(f"there are more than {MAX_MOVES} moves")
        moves.append((None, row * record.width + column))
        position = pair.end()
    rest = text[position:].strip(" ,\t")
    if rest:
        raise RecordError(f"{excerpt(rest)} is not a pair of offsets")
    return _in_turn(record, moves)


def _in_turn(record: Record, moves: list[tuple[int | None, int]]) -> tuple[tuple[int, int], ...]:
    """Colours alternate but where the text gives one."""
    played: list[tuple[int, int]] = []
    colour = BLACK if record.to_move is None else record.to_move
    for given, move in moves:
        colour = colour if given is None else given
        played.append((colour, move))
        colour = 1 - colour
    return tuple(played)


def by_rules(record: Record, moves: list[tuple[int | None, int]]) -> tuple[tuple[int, int], ...]:
    """Reversi: as the rules have it, with the passes that the text leaves out. Raises RecordError."""
    if record.width != record.height:
        raise RecordError("Reversi boards are square")
    if not moves:
        return ()

    def name(move: int) -> str:
        return f" ('{point_text(record.game, record.width, record.height, move)}')"

    try:
        return tuple(played_out(get_game(record.game), start_of(record), moves, name))
    except IllegalMove as error:
        raise RecordError(str(error)) from None
