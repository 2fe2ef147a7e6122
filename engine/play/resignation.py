"""Resignation: hopeless for some moves in a row, not early, not while lent komi hides the truth."""

from __future__ import annotations

from tengen.engine.info import Info
from tengen.engine.play.situation import Situation
from tengen.engine.search.base import Root

RESIGN_AFTER = 3
"""Own moves in a row below the threshold before resigning: one bad search is no reason."""
RESIGN_VISITS, GUIDED_VISITS = 100, 8
"""A search of fewer visits resigns nothing, unless it has proved the loss: one by playouts, one by a network."""


class Resignation:
    """Counts hopeless moves in a row, per colour."""

    def __init__(self) -> None:
        self._hopeless = [0, 0]

    def reset(self) -> None:
        """A new game, or a position out of order."""
        self._hopeless = [0, 0]

    def is_due(self, now: Situation, root: Root, info: Info, *, is_guided: bool = False) -> bool:
        """Note what the search of a move found; whether to give up. A threshold of 0 never does."""
        best = info.best
        if best is None or root.komi_shift or not now.hooks.may_resign(root.state, now.table):
            return False
        least = GUIDED_VISITS if is_guided else RESIGN_VISITS
        if info.visits < least and (best.proof is None or best.proof.result >= 0):
            return False
        colour, is_hopeless = root.state.to_move, best.expected < now.config.resign
        self._hopeless[colour] = self._hopeless[colour] + 1 if is_hopeless else 0
        return self._hopeless[colour] >= RESIGN_AFTER
