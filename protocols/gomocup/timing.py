"""Time as INFO sets it: a limit for each move, one for the match, the time left; and the control that they make."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tengen.engine.play.clock import Clocks
from tengen.engine.play.time_control import TimeControl

UNLIMITED = 2_147_483_647
"""Milliseconds that mean "no limit", wherever they stand."""
AT_ONCE = 0.02
"""Seconds for a move when `timeout_turn 0` asks for one as fast as possible."""


@dataclass
class Timing:
    """Seconds; infinite: no limit. turn None: nothing was said. left None: nothing since the last move."""

    turn: float | None = None
    match: float = math.inf
    left: float | None = None
    increment: float = 0.0
    is_match_counted: bool = True
    """False after `time_left 2147483647`, until another `time_left` or `timeout_match`."""

    def set_turn(self, milliseconds: int) -> None:
        """`timeout_turn`; 0: as fast as possible."""
        self.turn = _seconds(milliseconds)

    def set_match(self, milliseconds: int) -> None:
        """`timeout_match`; 0: no limit."""
        self.match = _seconds(milliseconds) if milliseconds > 0 else math.inf
        self.is_match_counted = True

    def set_left(self, milliseconds: int) -> None:
        """`time_left`: before every move; it may be negative. It tells of a match limit that was not announced."""
        left = _seconds(milliseconds)
        self.is_match_counted = math.isfinite(left)
        if self.is_match_counted:
            self.left = left
            self.match = max(left, 0.001) if math.isinf(self.match) else self.match

    def set_increment(self, milliseconds: int) -> None:
        """`time_increment`: added to the match time after every move."""
        increment = _seconds(milliseconds)
        self.increment = increment if math.isfinite(increment) else 0.0

    def control(self) -> TimeControl:
        """The time control in force."""
        if self.turn == 0:
            return TimeControl.per_move(AT_ONCE)
        turn = math.inf if self.turn is None else self.turn
        match = self.match if self.is_match_counted else math.inf
        return TimeControl.gomocup(turn, match, self.increment)

    def apply(self, clocks: Clocks, colour: int) -> None:
        """Set the clock of a side that begins to think."""
        control = self.control()
        if clocks.control != control:
            clocks.set_control(control)
        if self.left is not None and self.is_match_counted:
            clocks.time_left(colour, self.left, 0)
        self.left = None


def _seconds(milliseconds: int) -> float:
    return math.inf if milliseconds >= UNLIMITED else max(0, milliseconds) / 1000
