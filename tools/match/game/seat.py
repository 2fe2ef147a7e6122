"""One side of a game."""

from __future__ import annotations

from dataclasses import dataclass, field

from tengen.tools.match.clock import Clock
from tengen.tools.match.drivers.base import Driver
from tengen.tools.match.game.judge import Outcome
from tengen.tools.match.spec import Reason


@dataclass
class Seat:
    """One side of a game: its engine, its time, and the scores that it reported."""

    driver: Driver
    clock: Clock
    is_first: bool
    scores: list[float | None] = field(default_factory=list)


def loss(seat: Seat, reason: Reason, detail: str) -> Outcome:
    """The other side wins."""
    return Outcome("0-1" if seat.is_first else "1-0", reason, detail)
