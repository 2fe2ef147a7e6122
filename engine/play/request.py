"""Requests to a player. Light, so that protocols may import it at their start."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tengen.engine._core import StopToken
    from tengen.engine.limits import Limits
    from tengen.engine.play.running import OnInfo
    from tengen.engine.search.base import HeldBack


class Restrictions(NamedTuple):
    """The moves that an analysis considers; all as in `Root`."""

    allow: Sequence[int] = ()
    avoid: Sequence[int] = ()
    held_back: HeldBack = ((), ())


class MoveRequest(NamedTuple):
    """A request for a move, to `Player.genmove`: a move for `colour`.

    limits: None takes them from the clock, then from the configuration. on_info: called every `interval` seconds from
    another thread and at the end, at least once, never after the return. play: play the move. resign: may give up (move
    None). cleanup: capture dead stones before passing. fresh: do not depend on earlier searches. allow, avoid: dense
    moves that alone may, or may not, be played. held_back: as in `Root`. ownership: report who will own what.
    max_lines: of the report, 0 all. started: when the request arrived (`time.monotonic()`), so that waiting counts.
    stop: ends the decision, also when that comes first; without one only `Player.interrupt` does. depth: plies to look
    ahead at most, and the end of the game where it is near (`Limits.to_end`), where `limits` is None, beside what the
    clock and the configuration say. lines: so many of the best moves are searched by a search that looks ahead ply by
    ply (`Limits.lines`), where `limits` is None.
    """

    colour: int
    limits: Limits | None = None
    on_info: OnInfo | None = None
    interval: float = 0.5
    play: bool = True
    resign: bool = True
    cleanup: bool = False
    fresh: bool = False
    allow: Sequence[int] = ()
    avoid: Sequence[int] = ()
    held_back: HeldBack = ((), ())
    ownership: bool = False
    max_lines: int = 0
    started: float | None = None
    stop: StopToken | None = None
    depth: int | None = None
    lines: int = 1
