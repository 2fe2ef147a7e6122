"""Moves as text in a match: the letters that each game's own records use, and GTP's.

Go skips the letter I; Gomoku does not ("h8", "i9": Renju's records, RenLib, Yixin-Board), as engine/records/points has
it. GTP skips it in every game, so its driver translates. Folders of earlier releases hold Gomoku's moves as GTP writes
them, in capitals, by which they are told apart ("J9" is "i9").
"""

from __future__ import annotations

from dataclasses import replace

from tengen.engine.games import get_game
from tengen.engine.games.base import State
from tengen.engine.records.points import point_text
from tengen.tools.match.spec import GameResult, Opening

COLUMNS = "abcdefghijklmnopqrstuvwxy"
_OF_GTP = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


def move_text(game: str, state: State, move: int) -> str:
    """A dense move: "D4" in Go, "h8" in Gomoku, "f5" in Reversi, "pass", "e2e4" in chess."""
    if not (kind := get_game(game)).conventions.has_points:
        return kind.move_to_text(state, move)
    return point_text(game, state.width, state.height, move)


def move_of(game: str, state: State, text: str) -> int:
    """The dense move of a text in any case. Raises ValueError for one that names none on this board."""
    try:
        return get_game(game).move_from_text(state, to_vertex(game, text))
    except ValueError as error:
        raise ValueError(f"'{text.strip()}' is no cell of this board" if game == "gomoku" else str(error)) from None


def to_vertex(game: str, text: str) -> str:
    """As GTP writes a move; a text that is none stays one that is none."""
    if game != "gomoku":
        return text
    word = text.strip().lower()
    column = COLUMNS.find(word[:1] or "?")
    return f"{_OF_GTP[column]}{word[1:]}" if column >= 0 else "?" + word


def from_vertex(game: str, text: str) -> str:
    """A move that GTP wrote; a text that is none of GTP's stays one that is none."""
    if game != "gomoku" or not text[1:].isdecimal():
        return text
    column = _OF_GTP.find(text[0].upper())
    return f"{COLUMNS[column]}{text[1:]}" if column >= 0 else f"{text} (GTP has no such column)"


def renewed(result: GameResult) -> GameResult:
    """A game of Gomoku; one of an earlier release in today's letters."""
    if not result.moves or not _is_old(result.moves[0].move):
        return result
    return replace(result, moves=tuple(replace(row, move=from_vertex("gomoku", row.move)) for row in result.moves))


def renewed_opening(opening: Opening) -> Opening:
    """An opening of Gomoku; one of an earlier release in today's letters."""
    if not opening.moves or not _is_old(opening.moves[0]):
        return opening
    return replace(opening, moves=tuple(from_vertex("gomoku", text) for text in opening.moves))


def _is_old(text: str) -> bool:
    return text[:1].isupper()
