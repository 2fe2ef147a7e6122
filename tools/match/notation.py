"""Moves as text in a match: the letters that each game's own records use, and GTP's.

Go skips the letter I; Gomoku does not ("h8", "i9": Renju's records, RenLib, Yixin-Board), as engine/records/points has
it. GTP skips it in every game, so its driver translates. Folders of earlier releases hold Gomoku's moves as GTP writes
them, in capitals, by which they are told apart ("J9" is "i9").
"""

from __future__ import annotations

from dataclasses import replace

from tengen.engine.games import get_game
from tengen.engine.games.base import State
from tengen.engine.games.vertex import RECORDS
from tengen.engine.records.points import point_text
from tengen.tools.match.spec import GameResult, Opening

COLUMNS = "abcdefghijklmnopqrstuvwxy"
_OF_GTP = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


def move_text(game: str, state: State, move: int) -> str:
    """A dense move: "D4" in Go, "h8" in Gomoku, "f5" in Reversi, "pass", "e2e4" in chess."""
    if not has_own_letters(game):
        return get_game(game).move_to_text(state, move)
    return point_text(game, state.width, state.height, move)


def has_own_letters(game: str) -> bool:
    """Whether records of the game have the letter I, which GTP leaves out."""
    return get_game(game).conventions.points is RECORDS


def move_of(game: str, state: State, text: str) -> int:
    """The dense move of a text in any case. Raises ValueError for one that names none on this board."""
    try:
        return get_game(game).move_from_text(state, to_vertex(game, text))
    except ValueError as error:
        sentence = f"'{text.strip()}' is no cell of this board" if has_own_letters(game) else str(error)
        raise ValueError(sentence) from None


def to_vertex(game: str, text: str) -> str:
    """Write a move as GTP does. A text that is not a move stays one."""
    if not has_own_letters(game):
        return text
    word = text.strip().lower()
    column = COLUMNS.find(word[:1] or "?")
    return f"{_OF_GTP[column]}{word[1:]}" if column >= 0 else "?" + word


def from_vertex(game: str, text: str) -> str:
    """A move that GTP wrote; a text that is none of GTP's stays one that is none."""
    return renamed(text) if has_own_letters(game) else text


def renamed(text: str) -> str:
    """A point with GTP's letters in those of records; a text that is none stays as it is."""
    if not text[1:].isdecimal():
        return text
    column = _OF_GTP.find(text[0].upper())
    return f"{COLUMNS[column]}{text[1:]}" if column >= 0 else f"{text} (GTP has no such column)"


def renewed(result: GameResult) -> GameResult:
    """A game with letters of its own; one of an earlier release in today's."""
    if not result.moves or not _is_old(result.moves[0].move):
        return result
    return replace(result, moves=tuple(replace(row, move=renamed(row.move)) for row in result.moves))


def renewed_opening(opening: Opening) -> Opening:
    """An opening with letters of its own; one of an earlier release in today's."""
    if not opening.moves or not _is_old(opening.moves[0]):
        return opening
    return replace(opening, moves=tuple(renamed(text) for text in opening.moves))


def _is_old(text: str) -> bool:
    return text[:1].isupper()
