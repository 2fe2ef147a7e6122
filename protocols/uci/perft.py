"""`go perft N`: how many games of N plies there are, move by move, as other engines print it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tengen.engine._core import StopToken, chess_perft
from tengen.engine.games.chess.game import CHESS

if TYPE_CHECKING:
    from tengen.engine._core import ChessState

AT_ONCE = 4
"""Plies that are counted without a look at the stop."""


def perft(state: ChessState, depth: int, write: Callable[[str], None], stop: StopToken) -> str:
    """Write the count of each move, and return the line with their sum; that of what was counted once it is stopped."""
    if depth == 0:
        return "\nNodes searched: 1\n\n"
    total = 0
    for move in state.legal_moves():
        after = state.copy()
        after.play(move)
        leaves = _leaves(after, depth - 1, stop)
        if leaves is None:
            write("info string perft was stopped\n")
            break
        write(f"{CHESS.move_to_text(state, move)}: {leaves}\n")
        total += leaves
    return f"\nNodes searched: {total}\n\n"


def _leaves(state: ChessState, depth: int, stop: StopToken) -> int | None:
    """Games of so many plies; None once it is stopped."""
    if stop.is_stopped:
        return None
    if depth <= AT_ONCE:
        return chess_perft(state, depth) if depth else 1
    total = 0
    for move in state.legal_moves():
        after = state.copy()
        after.play(move)
        leaves = _leaves(after, depth - 1, stop)
        if leaves is None:
            return None
        total += leaves
    return total
