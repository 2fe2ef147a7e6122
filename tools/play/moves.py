"""Moves as people write them: "Q16", "h8", "f5", "pass"; of chess "Nf3", "e2e4", "O-O"."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from tengen.engine.games.base import Game, State
from tengen.engine.records import san
from tengen.engine.records.points import point_text
from tengen.engine.sentence import excerpt
from tengen.tools.play.board import points_of

if TYPE_CHECKING:
    from tengen.engine._core import ChessState

PASSES = ("pass", "pa", "--")


def text_of(game: Game, state: State, move: int) -> str:
    """A legal move of a position as people write it."""
    if not game.conventions.has_points:
        return san.text_of(cast("ChessState", state), move)
    return point_text(game.name, state.width, state.height, move)


def move_of(game: Game, state: State, text: str) -> int:
    """The move of a text, in any case. Raises ValueError with one sentence."""
    word = text.strip()
    if not game.conventions.has_points:
        spellings = (word, word[:1].upper() + word[1:], word.upper())
        named = (san.move_of(cast("ChessState", state), spelling) for spelling in spellings)
        found = next((move for move in named if move >= 0), -1)
        return found if found >= 0 else game.move_from_text(state, word)
    if word.lower() in PASSES:
        if state.pass_move < 0:
            raise ValueError(f"there is no pass in {game.name}")
        return state.pass_move
    cell = points_of(game).cell(word, state.width, state.height)
    if cell is None:
        raise ValueError(f"{excerpt(word)} is no point of this board")
    return cell


def line_of(game: Game, state: State, moves: tuple[int, ...], most: int = 8) -> list[str]:
    """The first moves of a line of play as text; it ends where one is illegal."""
    texts: list[str] = []
    position = state.copy()
    for move in moves[:most]:
        if not position.is_legal(move):
            break
        texts.append(text_of(game, position, move))
        position.play(move)
    return texts
