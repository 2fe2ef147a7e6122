"""Time controls: what two players agreed on, or a controller said.

Systems: none, a limit per move, sudden death (absolute), Canadian and Japanese byo-yomi (GTP 2, kgs-time_settings),
Fischer and capped Fischer (KataGo's kata-time_settings), Gomocup's limits per move and per match. Times are seconds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum


class System(Enum):
    """The systems of time."""

    NONE = "none"
    PER_MOVE = "per-move"
    ABSOLUTE = "absolute"
    CANADIAN = "canadian"
    BYOYOMI = "byoyomi"
    FISCHER = "fischer"


@dataclass(frozen=True)
class TimeControl:
    """One time control. Use the constructors below, which check their values (ValueError).

    main: seconds before any period. period: seconds of one period (of one move for PER_MOVE). count: stones per
    Canadian period or number of Japanese periods. increment: Fischer's. main_limit: most main time that
    increments can gather. move_limit: most seconds for one move. 0 or infinity where a field has no use.
    """

    system: System = System.NONE
    main: float = 0.0
    period: float = 0.0
    count: int = 0
    increment: float = 0.0
    main_limit: float = math.inf
    move_limit: float = math.inf

    def __post_init__(self) -> None:
        values = (self.main, self.period, self.count, self.increment, self.main_limit, self.move_limit)
        if any(value != value or value < 0 for value in values) or math.inf in values[:4]:
            raise ValueError("times must be finite and not negative")

    @staticmethod
    def none() -> TimeControl:
        """No clock."""
        return TimeControl()

    @staticmethod
    def per_move(seconds: float) -> TimeControl:
        """At most `seconds` for each move; unused time is lost."""
        return TimeControl(System.PER_MOVE, period=seconds)

    @staticmethod
    def absolute(main: float) -> TimeControl:
        """Sudden death."""
        return TimeControl(System.ABSOLUTE, main=main)

    @staticmethod
    def canadian(main: float, period: float, stones: int) -> TimeControl:
        """After the main time, `stones` moves in every `period`."""
        return _overtime(System.CANADIAN, main, period, stones)

    @staticmethod
    def byoyomi(main: float, period: float, periods: int) -> TimeControl:
        """After the main time, `periods` of `period` seconds; a move inside one keeps it."""
        return _overtime(System.BYOYOMI, main, period, periods)

    @staticmethod
    def fischer(main: float, increment: float) -> TimeControl:
        """`increment` is added after every move."""
        return TimeControl(System.FISCHER, main=main, increment=increment)

    @staticmethod
    def fischer_capped(main: float, increment: float, main_limit: float, move_limit: float) -> TimeControl:
        """Fischer whose main time never exceeds `main_limit` and whose moves never exceed `move_limit`."""
        return TimeControl(
            System.FISCHER,
            main=min(main, main_limit),
            increment=increment,
            main_limit=main_limit,
            move_limit=move_limit,
        )

    @staticmethod
    def gomocup(turn: float, match: float, increment: float = 0.0) -> TimeControl:
        """Gomocup: at most `turn` for a move and `match` for all of them; infinite where there is no such limit.

        Both are hard: going over loses the game, so that the margin is kept back from either.
        """
        if math.isinf(match):
            return TimeControl() if math.isinf(turn) else TimeControl(System.PER_MOVE, period=turn, move_limit=turn)
        system = System.FISCHER if increment > 0 else System.ABSOLUTE
        return TimeControl(system, main=match, increment=increment, move_limit=turn)

    @staticmethod
    def gtp(main: float, period: float, stones: int) -> TimeControl:
        """GTP 2 `time_settings`: stones 0 with a period means no limit; all three 0 is taken as no clock."""
        if stones == 0:
            return TimeControl() if period > 0 or main == 0 else TimeControl.absolute(main)
        return TimeControl.canadian(main, period, stones)


def _overtime(system: System, main: float, period: float, count: int) -> TimeControl:
    if count < 1:
        raise ValueError("overtime needs at least one period and one stone")
    return TimeControl(system, main=main, period=period, count=count)
