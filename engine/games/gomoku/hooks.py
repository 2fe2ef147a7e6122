"""Hooks of Gomoku: how long games last, and when it is late enough to resign."""

from __future__ import annotations

from tengen.engine.games.base import State
from tengen.engine.games.hooks import Hooks, Table

USUAL_LENGTH = 50
"""Stones in a usual game between engines on any board; longer games end slowly."""


class GomokuHooks(Hooks):
    """Games are short and end suddenly."""

    def moves_left(self, state: State, ply: int) -> float:
        """Half of the moves left to the usual length, at least ten, never more than the board holds."""
        empties = state.stones().count(0)
        return max(1.0, min(empties / 2, max(10.0, (USUAL_LENGTH - ply) / 2)))

    def most_moves(self, state: State, ply: int) -> float:
        """Twenty more, but never more than the board holds."""
        return min(state.stones().count(0) / 2, self.moves_left(state, ply) + 20)

    def may_resign(self, state: State, table: Table) -> bool:
        """After eight moves: no game is decided before."""
        return len(table.moves) >= 8
