"""The time of a move: limits of its search, and when the answer is due.

It is one budget: most of it goes to the search, and near the end of a game a part is kept for the questions that
passing raises.
"""

from __future__ import annotations

from typing import NamedTuple

from tengen.engine.config import DEFAULT_SECONDS
from tengen.engine.limits import Limits
from tengen.engine.play.clock import LEAST, Clock
from tengen.engine.play.request import MoveRequest
from tengen.engine.play.searches import Searches
from tengen.engine.play.situation import Situation
from tengen.engine.play.time_control import System, TimeControl

ENDING_SHARE = 0.75
"""Share of a move's time for the search when questions about passing are expected."""


class Budget(NamedTuple):
    """limits of the search; deadline: when the answer is due, None without wall time."""

    limits: Limits
    deadline: float | None


def budget_of(now: Situation, request: MoveRequest, started: float, searches: Searches, *, is_calm: bool) -> Budget:
    """Limits as asked for, else from the clock, else from the configuration. is_calm: questions are expected."""
    if request.limits is not None:
        limits, seconds = request.limits, request.limits.seconds
    else:
        clock, own = now.clocks[request.colour], now.level.limits
        is_saving = clock.control.system not in (System.NONE, System.PER_MOVE)
        limits = own._replace(early_stop=is_saving, lines=max(own.lines, request.lines))
        if request.depth is not None:
            limits = limits._replace(depth=request.depth, to_end=True)
        seconds = _seconds(now, limits, clock, searches.seconds_to_solve(now.state))
    if seconds is None:
        return Budget(limits, None)
    left = seconds - (now.clocks.monotonic() - started)
    share = ENDING_SHARE if now.is_ending and (is_calm or now.passes > 0) else 1.0
    return Budget(limits._replace(seconds=max(LEAST, left * share)), started + seconds)


def _seconds(now: Situation, limits: Limits, clock: Clock, to_solve: float) -> float | None:
    """Seconds for this move from the clock and `config.time`; None when only a count bounds it."""
    position = now.state, len(now.table.moves)
    seconds = clock.budget(now.hooks.moves_left(*position), to_solve, now.hooks.most_moves(*position))
    fixed = now.config.time
    if fixed is None and seconds is None and not limits.is_counted:
        fixed = DEFAULT_SECONDS
    if fixed is None:
        return seconds
    own = Clock(TimeControl.per_move(fixed), now.clocks.overhead).budget(1)
    return own if seconds is None or own is None else min(seconds, own)
