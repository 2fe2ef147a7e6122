"""Clocks as `go` tells them, and the seconds of one move.

A move has a plan and a most: the search takes about the plan, less where its best move is clear and more where it is in
doubt, and stops at the most. Milliseconds come from the GUI; everything here is in seconds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tengen.engine.play.clock import LEAST, LONG, LONGEST_LAG, Overhead

if TYPE_CHECKING:
    from tengen.protocols.chess.bounds import Go

STRETCH = 4.0
"""The most time of one move, as a multiple of the plan, an even share."""
MOST_OF_ALL = 0.4
"""The most time of one move, as a share of the time left for more than one move."""
MOST_OF_THE_LAST = 0.85
"""The most time of one move, as a share of the time left when the clock is set anew after it."""
FEWEST_MOVES = 2.0
NOTHING = 2 * LEAST
"""Seconds of a move without thought or lag."""
RESERVE, RESERVE_SHARE = 0.06, 0.3
"""Seconds that are never thought away, at most that share of what is left: other processes may hold this one up."""


class Remaining(NamedTuple):
    """The remaining time of one side. moves: until its clock is set anew; None: never."""

    seconds: float
    increment: float
    moves: int | None = None


def remaining(go: Go, colour: int) -> Remaining | None:
    """The clock of a side, that of the other where only this one was told; None without any."""
    own = go.times[colour] if go.times[colour] is not None else go.times[1 - colour]
    if own is None:
        return None
    return Remaining(own / 1000, go.increments[colour] / 1000, go.movestogo)


class Share(NamedTuple):
    """Seconds of one move: about so many, and no more than these."""

    plan: float
    most: float


def share(clock: Remaining, moves_left: float, overhead: float, late: Overhead, most_moves: float = LONG) -> Share:
    """Return this move's share of the clock, at least LEAST, also when the time is over.

    moves_left: about how many the side will still make. overhead: seconds that are lost with every move on the way, or
    more, if more were. most_moves: hardly more than so many are still made: what they lose, and no increment pays for,
    is kept back; of what was declared alone, and not seen to be lost, that of half of them.
    """
    seen, cost = late.lag + NOTHING, max(overhead, late.lag) + NOTHING
    left = clock.seconds - overhead
    usable = left - max(late.margin(max(0.0, left)), min(RESERVE, RESERVE_SHARE * max(0.0, left)))
    if usable <= 0.0:
        return Share(LEAST, LEAST)
    moves = max(FEWEST_MOVES, moves_left) if clock.moves is None else min(float(clock.moves), max(moves_left, 1.0))
    if clock.moves is None:
        kept = max((seen - clock.increment) * most_moves, (cost - clock.increment) * max(moves, most_moves / 2))
    else:
        kept = (cost - clock.increment) * (clock.moves - 1)
    usable -= max(0.0, kept)
    if usable <= 0.0:
        return Share(LEAST, LEAST)
    gained = max(0.0, clock.increment - cost) * (moves - 1.0)
    most = (MOST_OF_ALL if moves > 1.0 else MOST_OF_THE_LAST) * usable
    even = (usable + gained) / moves
    return Share(max(LEAST, min(even, most)), max(LEAST, min(STRETCH * even, most)))


def fixed(milliseconds: int, overhead: float, late: Overhead) -> float:
    """Seconds of `movetime`, less what makes the answer late."""
    seconds = milliseconds / 1000
    return max(LEAST, seconds - max(min(overhead, seconds / 2), late.reserve(seconds)))


class Lags:
    """Learns what a move costs beside its thinking, from what the clocks of the next one have lost."""

    def __init__(self, late: Overhead) -> None:
        self._late = late
        self._now: tuple[object, int] = (None, 0)
        self._expected: tuple[object, int, float] | None = None

    @property
    def notice(self) -> str:
        """A sentence for the user once a move was late, "" before."""
        return self._late.notice

    def told(self, game: object, ply: int, clock: Remaining) -> None:
        """A clock as it is before the move of that ply. game: what tells it from others."""
        expected, self._expected = self._expected, None
        self._now = game, ply
        if expected is not None and expected[0] is game and expected[1] == ply:
            lost = expected[2] - clock.seconds
            if lost < LONGEST_LAG:
                self._late.lose(lost)

    def spent(self, clock: Remaining, seconds: float) -> None:
        """The move of the clock that was told last took so many."""
        game, ply = self._now
        if clock.moves is None:
            self._expected = game, ply + 2, clock.seconds - seconds + clock.increment
