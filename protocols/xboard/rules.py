"""How a game of chess ends by its rules, in the words that XBoard takes for a claim."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tengen.engine.games.chess.game import FIFTY

if TYPE_CHECKING:
    from tengen.engine._core import ChessState

DRAWN = "1/2-1/2"
KNIGHT, BISHOP = 2, 3
_OF_BLACK = 6


def result(state: ChessState, seen: Sequence[int]) -> str | None:
    """The claim of a game that is over, "1-0 {White mates}"; None of one that goes on. seen: keys of all positions of
    the game, this one among them."""
    if not state.legal_moves():
        if not state.is_check:
            return f"{DRAWN} {{Stalemate}}"
        return "1-0 {White mates}" if state.to_move else "0-1 {Black mates}"
    if state.halfmove >= FIFTY:
        return f"{DRAWN} {{Draw by fifty-move rule}}"
    if seen.count(state.situational_key) >= 3:
        return f"{DRAWN} {{Draw by repetition}}"
    if is_dead(state.pieces()):
        return f"{DRAWN} {{Insufficient material}}"
    return None


def is_dead(pieces: bytes) -> bool:
    """Whether nobody can mate, of what GUIs take for it: kings with one minor piece, or with one bishop of each side on
    squares of one colour."""
    others = [(square, piece) for square, piece in enumerate(pieces) if piece and piece % _OF_BLACK]
    kinds = [(piece - 1) % _OF_BLACK + 1 for _, piece in others]
    if len(others) < 2:
        return all(kind in (KNIGHT, BISHOP) for kind in kinds)
    if len(others) > 2 or kinds != [BISHOP, BISHOP]:
        return False
    (first, one), (second, other) = others
    return one != other and (first ^ first >> 3) & 1 == (second ^ second >> 3) & 1
