"""The clock of one side: the time of the next move by a TimeSpec, and the time left after it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tengen.tools.match.spec import TimeSpec


@dataclass
class Clock:
    """left: seconds of the base; periods: byo-yomi periods not yet lost; moves_left: until the base comes again."""

    spec: TimeSpec
    left: float = 0.0
    periods: int = 0
    moves_left: int = 0

    def __post_init__(self) -> None:
        self.left = self.spec.base or 0.0
        self.periods = self.spec.periods
        self.moves_left = self.spec.moves or 0

    @property
    def is_game_clock(self) -> bool:
        """Whether there is time for more than one move."""
        return self.spec.base is not None

    @property
    def remaining(self) -> float:
        """Seconds left of the game, all periods counted; 0 without a game clock."""
        return self.left + self.periods * self.spec.period

    def limit(self) -> float | None:
        """Seconds that the next move may take, margin aside; None: as long as it likes."""
        limits = []
        if self.spec.base is not None:
            limits.append(self.remaining)
        if self.spec.movetime is not None:
            limits.append(self.spec.movetime)
        return min(limits, default=None)

    def spend(self, seconds: float) -> bool:
        """Take a move's time off. Whether it was within the limit and the margin."""
        limit = self.limit()
        if limit is not None and seconds > limit + self.spec.margin:
            self.left, self.periods = 0.0, 0
            return False
        if self.spec.base is None:
            return True
        if seconds <= self.left:
            self.left -= seconds
        else:
            over = seconds - self.left
            self.left = 0.0
            if self.periods:  # a period that was not used up is there again
                self.periods = max(1, self.periods - math.floor(over / self.spec.period)) if self.spec.period else 0
        self.left += self.spec.increment
        if self.spec.moves:
            self.moves_left -= 1
            if self.moves_left == 0:
                self.moves_left = self.spec.moves
                self.left += self.spec.base
        return True
