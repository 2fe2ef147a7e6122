"""The game that a GUI shows: where it began, and the moves from there."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

from tengen.engine.games.chess.game import CHESS
from tengen.engine.games.chess.text import START, state_from_fen

if TYPE_CHECKING:
    from tengen.engine._core import ChessState


class Unusable(ValueError):
    """A position that is not taken; the message is the reason, and the old one stays."""


class Position:
    """A start, and moves from there."""

    def __init__(self) -> None:
        self.begin(START, is_chess960=False)

    start: ChessState
    """Before the first of `moves`; read only."""
    state: ChessState
    """After them; replaced, never changed."""
    moves: list[int]

    def begin(self, fen: str, *, is_chess960: bool) -> None:
        """Go to a position. Raises Unusable, and changes nothing, where the FEN is none that can be played on."""
        try:
            start = state_from_fen(fen, is_chess960)
        except ValueError as error:
            raise Unusable(f"invalid fen: {error}") from None
        start.play_on()  # where the GUI does, there is a move
        self.start = self.state = start
        self.moves = []

    def play(self, moves: list[int]) -> None:
        """Play legal moves."""
        state = self.state.copy()
        for move in moves:
            state.play(move)
        self.moves += moves
        self.state = state

    def take_back(self, count: int) -> None:
        """Back by so many moves, of as many as there are."""
        moves, self.moves, self.state = self.moves[: max(0, len(self.moves) - count)], [], self.start
        self.play(moves)

    def after(self, move: int) -> Position:
        """Another one, a legal move further; the start is the same object."""
        found = copy(self)
        found.moves = list(self.moves)
        found.play([move])
        return found

    def text(self, move: int) -> str:
        """A move of the current position."""
        return CHESS.move_to_text(self.state, move)

    def move(self, word: str) -> int | None:
        """A legal move of the current position from its text, else None."""
        return legal_move(self.state, word)


def legal_move(state: ChessState, word: str) -> int | None:
    """A legal move from its text as UCI writes it, else None."""
    try:
        move = CHESS.move_from_text(state, word)
    except ValueError:
        return None
    return move if state.is_legal(move) else None
