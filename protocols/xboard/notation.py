"""Moves as XBoard writes and reads them: coordinates, and castling as `O-O` in Fischer's chess; SAN is read as well."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tengen.engine.games.chess.game import CHESS
from tengen.engine.records import san
from tengen.protocols.chess.position import legal_move

if TYPE_CHECKING:
    from tengen.engine._core import ChessState

_MOVE = re.compile(
    r"[a-h][1-8][a-h][1-8][nbrqNBRQ]?|[NBRQK]?[a-h]?[1-8]?x?[a-h][1-8](?:=?[NBRQ])?[+#!?]*|[O0]-[O0](?:-[O0])?[+#!?]*",
    re.ASCII,
)


def is_move(word: str) -> bool:
    """Whether a word can be taken for a move, of whatever position."""
    return _MOVE.fullmatch(word) is not None


def read(state: ChessState, word: str) -> int | None:
    """A legal move; None for another text."""
    move = legal_move(state, word)
    if move is None:
        move = san.move_of(state, word)
    return move if move is not None and move >= 0 else None


def write(state: ChessState, move: int) -> str:
    """A legal move."""
    if state.is_chess960:
        text = san.text_of(state, move).rstrip("+#")
        if text.startswith("O-O"):
            return text
    return CHESS.move_to_text(state, move)
