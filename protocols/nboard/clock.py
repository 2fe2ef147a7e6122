"""The clock of an Othello game: GGF's TI (and TB, TW for one colour), "main/increment/grace".

A time is "days.hours:minutes:seconds" without leading parts; a lone number is seconds. The increment comes after
every move. The grace, two minutes unless named, is added once when the main time is over: the game is lost then, but
can still be played to its end. TI[0] or none: no clock.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

GRACE = 120.0
LONGEST = 1e8
_TIME = re.compile(r"(?:(\d{1,6})\.)?(?:(\d{1,6}):)?(?:(\d{1,6}):)?(\d{1,9})")


@dataclass(frozen=True)
class Allowance:
    """Seconds that one side has: for all moves, more after each move, and once when the time is over."""

    main: float = 0.0
    increment: float = 0.0
    grace: float = GRACE

    @property
    def is_limited(self) -> bool:
        """Whether there is a clock at all."""
        return self.main > 0 or self.increment > 0


def parse(text: str) -> Allowance:
    """Read the value of TI; what cannot be read counts as no clock."""
    parts = [part.strip() for part in text.split("/")][:3]
    times = [_time(part) for part in parts]
    main, increment, grace = (times + [None] * 3)[:3]
    if main is None and parts[0]:
        return Allowance()
    return Allowance(main or 0.0, increment or 0.0, GRACE if grace is None else grace)


def _time(text: str) -> float | None:
    match = _TIME.fullmatch(text)
    if match is None:
        return None
    days, hours, minutes, seconds = match.groups()
    if minutes is None:  # "15:00" fills the hours' place first
        hours, minutes = None, hours
    total = ((float(days or 0) * 24 + float(hours or 0)) * 60 + float(minutes or 0)) * 60 + float(seconds)
    return min(total, LONGEST)


@dataclass
class GameClock:
    """The time left of both sides, from the times that came with the moves."""

    allowances: tuple[Allowance, Allowance] = (Allowance(), Allowance())
    used: list[float] = field(default_factory=lambda: [0.0, 0.0])
    moves: list[int] = field(default_factory=lambda: [0, 0])

    @staticmethod
    def of(properties: Mapping[str, str]) -> GameClock:
        """The clock of a game with these GGF tags, nothing used."""
        both = properties.get("TI", "")
        black, white = (parse(properties.get(tag) or both) for tag in ("TB", "TW"))
        return GameClock((black, white))

    def charge(self, colour: int, seconds: float) -> None:
        """One move of `colour` took that long."""
        self.used[colour] += seconds
        self.moves[colour] += 1

    def left(self, colour: int) -> float:
        """Seconds left, the grace included once the main time is over; never below zero."""
        allowance = self.allowances[colour]
        left = allowance.main + allowance.increment * self.moves[colour] - self.used[colour]
        return max(0.0, left if left > 0 else left + allowance.grace)
