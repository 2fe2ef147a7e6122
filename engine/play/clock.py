"""Game clocks, and how a clock becomes the seconds for one move.

Times are seconds; `now` is `time.monotonic()` and may be simulated. Nothing here starts a timer: the search enforces
the seconds, the overhead learns by how much it is late.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Sequence

from tengen.engine.play.time_control import System, TimeControl

LEAST = 0.001
"""The shortest search that is ever planned."""
UNSEEN = 0.3
"""The share of a hard limit per move that is kept for delays that were not seen yet: beside eight busy processes on two
cores moves of 200 ms were up to 40 ms late."""
HARD = 4.0
"""So many times the expected time a hard position takes to be solved."""
LONG = 40.0
"""Moves that a game may still last, where nobody knows more."""
LONGEST_LAG = 1.0
"""A clock that lost more than this between two moves was set by hand."""
LATE = "a move came later than planned, as other programs kept the machine busy; the next ten moves are given less time"
"""The message to the user about a late move."""


class Overhead:
    """The delays of moves on the way to the controller: seconds, from which a reserve follows.

    The maximum of the last moves, not a mean: a busy core is late rarely and by much. What is later than TOLD is
    forgotten after SPAN moves, for it says little of later ones. Of less, as busy machines are late all the time, up to
    LASTING is remembered, and half of that forgotten in 230 moves.
    """

    FLOOR = 0.008
    DECAY = 0.997
    LASTING = 0.05
    SPAN = 10
    TOLD = 0.1
    """Seconds from which on the user is told: more than is kept back for what was never seen."""

    def __init__(self, initial: float = 0.015) -> None:
        self._late = deque([initial], self.SPAN)
        self._lost = deque([0.0], self.SPAN)
        self._lasting = min(initial, self.LASTING)
        self.notice = ""
        """A sentence for the user once a move was late."""

    def observe(self, planned: float, actual: float, waited: float = 0.0) -> None:
        """Learn from one move that should have taken `planned` seconds. Moves that ended early were in time.

        waited: seconds before its thought began, as while the program starts; the user is not told of those.
        """
        late = max(0.0, min(actual - planned, 2.0))
        self._learn(self._late, late)
        if actual - max(planned, waited) > self.TOLD:
            self.notice = LATE

    def lose(self, seconds: float) -> None:
        """Learn what the clock of the controller lost beside the time that a move took."""
        self._learn(self._lost, max(0.0, seconds))

    @property
    def lag(self) -> float:
        """Seconds that a move usually loses on the way."""
        return _usual(self._lost)

    @property
    def usual(self) -> float:
        """Seconds that a move usually costs beside its thought."""
        return self.FLOOR + _usual(self._late) + self.lag

    def reserve(self, limit: float = math.inf) -> float:
        """Seconds to keep back from a move that should not exceed `limit`, at most 28 % of it."""
        return min(self._peak + self.FLOOR, 0.28 * limit)

    def margin(self, limit: float, unseen: float = 0.1) -> float:
        """Seconds to reserve where a late move loses the game: twice the peak, and a share for delays that were not
        seen yet.

        unseen: how much of a short limit that may be; 0.1 s of a long one.
        """
        return min(max(2.0 * self._peak + self.FLOOR, min(0.1, unseen * limit)), 0.5 * limit)

    @property
    def _peak(self) -> float:
        return max(self._lasting, *self._late, *self._lost)

    def _learn(self, seen: deque[float], seconds: float) -> None:
        seen.append(seconds)
        lasting = min(seconds, self.LASTING) if seconds <= self.TOLD else 0.0
        self._lasting = max(self._lasting * self.DECAY, lasting)


class Clock:
    """The clock of one colour."""

    def __init__(self, control: TimeControl, overhead: Overhead) -> None:
        self.control = control
        self.overhead = overhead
        self.reset()

    def reset(self) -> None:
        """Back to the start of a game."""
        self.remaining = self.control.main
        """Seconds of main time, or of the current period in overtime."""
        self.count = self.control.count
        """Canadian: stones still to be played in the period. Japanese: periods left, this one included."""
        self.is_overtime = False
        self._started: float | None = None
        self._has_moved = False
        self._enter_overtime_at_zero()

    def start(self, now: float) -> None:
        """This colour begins to think."""
        self._started = now

    def stop(self, now: float) -> float:
        """This colour has moved: charge the time and return it. 0 when the clock was not running."""
        if self._started is None:
            return 0.0
        elapsed, self._started = max(0.0, now - self._started), None
        self._charge(elapsed)
        self._has_moved = True
        return elapsed

    def time_left(self, seconds: float, count: int) -> None:
        """Take the remaining time that the controller reports (GTP `time_left`): count 0 is main time, otherwise stones
        or periods left.

        When it says less than this clock believed after a move, the difference was spent on the way and is learned.
        """
        lost = self.remaining - seconds
        if self._has_moved and self.is_overtime == (count > 0) and count in (0, self.count) and lost < LONGEST_LAG:
            self.overhead.lose(lost)
        self._has_moved = False
        self.remaining = seconds if seconds == seconds else 0.0
        self.is_overtime = count > 0 and self.control.system in (System.CANADIAN, System.BYOYOMI)
        self.count = max(1, count) if self.is_overtime else self.control.count
        if not self.is_overtime:
            self._enter_overtime_at_zero()

    def budget(self, moves_left: float, to_solve: float = 0.0, most_moves: float = LONG) -> float | None:
        """Seconds for this move; None: no clock. moves_left: about how many moves this colour will still make.
        to_solve: about how many seconds would solve the game, which makes its other moves nearly free; 0: too many.
        most_moves: hardly more than so many are still made; what they cost beside their thought is kept back.

        At least LEAST, also when the time is over: then nothing better can be done than to answer at once.
        """
        system, control = self.control.system, self.control
        if system is System.NONE:
            return None
        moves, most = max(1.0, moves_left), max(1.0, moves_left, most_moves)
        if system is System.PER_MOVE:
            seconds = control.period - self.overhead.reserve(control.period)
        elif system is System.ABSOLUTE:
            seconds = self._share(self.remaining, moves, most)
        elif system is System.FISCHER:
            seconds = self._fischer(moves, most)
        elif system is System.BYOYOMI:
            seconds = self._with_period(control.period, moves)
        else:
            stones = max(1, self.count)
            if self.is_overtime:
                # What earlier stones saved is not spent on the last one: the controller may have begun the period
                # one stone earlier than we believe, and would charge it to the next.
                seconds = min(1.5 * control.period / control.count, self._even(self.remaining, float(stones)))
            else:
                seconds = self._with_period(control.period / stones, moves)
        seconds = max(seconds, self._to_solve(to_solve))
        return max(LEAST, min(seconds, control.move_limit - self.overhead.margin(control.move_limit, UNSEEN)))

    def _to_solve(self, expected: float) -> float:
        """Up to half of the main time, where the game is likely solved in that; 0 elsewhere."""
        if expected <= 0.0 or self.is_overtime or self.control.system is System.PER_MOVE:
            return 0.0
        most = self._usable(self.remaining) / 2
        return min(HARD * expected, most) if expected <= most else 0.0

    def _share(self, remaining: float, moves: float, most: float) -> float:
        """A share of `remaining`, in the middle game more than an even one."""
        return min(1.3 * self._even(remaining, moves, most), self._usable(remaining) / 4)

    def _even(self, remaining: float, moves: float, most: float = 0.0) -> float:
        """An even share of what is left when these moves, or the most that may come, have cost what they usually do."""
        return (self._usable(remaining) - self.overhead.usual * max(moves, most)) / moves

    def _usable(self, remaining: float) -> float:
        """What may be thought away; the rest pays for the lateness of a game that goes on and on."""
        whole = self.control.period if self.is_overtime else self.control.main
        return remaining - self.overhead.margin(max(0.0, remaining)) - 0.03 * min(whole, 100.0)

    def _fischer(self, moves: float, most: float) -> float:
        """The increment, and a share of what has been saved beyond it and beyond what it does not pay for."""
        usable, increment = self._usable(self.remaining), self.control.increment
        steady = max(0.0, increment - self.overhead.reserve())
        costs = max(0.0, self.overhead.usual - increment) * most
        return min(usable, 0.95 * steady + max(0.0, usable - steady - costs) / moves)

    def _with_period(self, period: float, moves: float) -> float:
        """One period for free, and a share of the main time while there is some."""
        if self.is_overtime:
            left = self.remaining if self.count <= 1 else max(self.remaining, period)
            return left - self.overhead.margin(max(0.0, left))
        free = period - self.overhead.margin(period)
        return min(max(free, self._share(self.remaining, moves, moves) + free / 2), self.remaining + free)

    def _charge(self, elapsed: float) -> None:
        """Take `elapsed` off, entering and leaving periods as the rules of the system say."""
        control = self.control
        self.remaining -= elapsed
        if control.system is System.FISCHER:
            self.remaining = min(self.remaining + control.increment, control.main_limit)
        elif control.system is System.CANADIAN and self._in_overtime():
            self.count -= 1
            if self.count <= 0:
                self.remaining, self.count = control.period, control.count
        elif control.system is System.BYOYOMI and self._in_overtime():
            while self.remaining < 0 and self.count > 1:
                self.remaining += control.period
                self.count -= 1
            if self.remaining >= 0:
                self.remaining = control.period

    def _in_overtime(self) -> bool:
        """Whether the move just charged ended in overtime; entering it adds the first period."""
        if not self.is_overtime and self.remaining <= 0:
            self.is_overtime = True
            self.remaining += self.control.period
            return True
        return self.is_overtime

    def _enter_overtime_at_zero(self) -> None:
        if self.control.system in (System.CANADIAN, System.BYOYOMI) and self.remaining <= 0:
            self.is_overtime, self.remaining = True, self.control.period


def _usual(seen: Sequence[float]) -> float:
    """The median, or the mean where that is more; of what is more than twice the median, that much counts."""
    middle = sorted(seen)[len(seen) // 2]
    return max(middle, sum(min(one, 2.0 * middle) for one in seen) / len(seen))


class Clocks:
    """The two clocks of a game under one control, with a common overhead."""

    def __init__(self, control: TimeControl | None = None, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.overhead = Overhead()
        self.monotonic = monotonic
        self.set_control(control or TimeControl.none())

    def set_control(self, control: TimeControl) -> None:
        """A new time control, from the beginning."""
        self.control = control
        self._clocks = (Clock(control, self.overhead), Clock(control, self.overhead))

    def __getitem__(self, colour: int) -> Clock:
        return self._clocks[colour]

    def time_left(self, colour: int, seconds: float, count: int) -> None:
        """GTP `time_left` for one colour."""
        self._clocks[colour].time_left(seconds, count)

    def reset(self) -> None:
        """A new game."""
        for clock in self._clocks:
            clock.reset()
