"""What the engine agrees with its opponent: when it takes or claims a draw, and when it gives up."""

from __future__ import annotations

from dataclasses import dataclass

from tengen.engine.info import Info

EARLIEST_DRAW = 40
"""Plies of a game before which no draw is agreed."""
EARLIEST_END = 20
"""Plies of a game before which nobody resigns."""
EVEN = 20.0
"""Centipawns up to which the engine does not believe to be better."""
HOPELESS_MOVES = 3
"""Own moves in a row below the threshold before resigning: one bad search is no reason."""


@dataclass
class Opponent:
    """The dealings of one game. resign: the win probability below which a move is hopeless, 0 never."""

    resign: float
    has_offered: bool = False
    """Whether a draw was offered since the engine's last move."""
    score: float | None = None
    """Centipawns that the engine's last search saw for it."""
    hopeless: int = 0
    """Own moves in a row that were."""

    def new_game(self) -> None:
        """Forget the last one."""
        self.has_offered, self.score, self.hopeless = False, None, 0

    def takes_draw(self, plies: int, score: float | None) -> bool:
        """Whether an offer is taken: late enough, by an engine that does not believe to be better."""
        return plies >= EARLIEST_DRAW and is_even(score)

    def resigns(self, plies: int, info: Info) -> bool:
        """Whether the engine gives up instead of moving, after the search of this move."""
        return plies >= EARLIEST_END and self._is_hopeless(info) and self.hopeless + 1 >= HOPELESS_MOVES

    def moved(self, info: Info) -> None:
        """The engine made a move after this search."""
        self.has_offered = False
        if info.best is not None:
            self.score = info.best.score
        self.hopeless = self.hopeless + 1 if self._is_hopeless(info) else 0

    def _is_hopeless(self, info: Info) -> bool:
        return info.best is not None and info.best.expected < self.resign


def is_even(score: float | None) -> bool:
    """Whether a score in centipawns, where there is one, is no reason to play for a win."""
    return score is not None and score <= EVEN
