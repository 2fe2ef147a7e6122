"""The contract of a search. It knows no protocol; the player gives it a position and limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from tengen.engine.games.base import Rules, State
from tengen.engine.info import Info
from tengen.engine.limits import Limits
from tengen.engine.options import Option, Value

if TYPE_CHECKING:
    from tengen.engine._core import StopToken


RECENT, EARLIER = 14, 14
"""The numbers of last moves and of positions before them that a search gets: what the feature sets see at most."""


HeldBack = tuple[Sequence[int], Sequence[int]]
"""Moves that are held back: for player 0 and 1, by dense move, the ply of a search before which it may not be played;
() holds nothing back."""


class Root(NamedTuple):
    """The starting point of a search.

    seen: keys of the positions so far, one for each time (`History.seen`); none may recur, or a recurrence is a draw.
    allow / avoid: cells the root may / may not play (empty: no restriction).
    recent: the last moves as far back as the sides moved in turn, newest last, -1 when unknown.
    """

    state: State
    seen: Sequence[int] = ()
    recent: Sequence[int] = ()
    allow: Sequence[int] = ()
    avoid: Sequence[int] = ()
    komi_shift: float = 0.0
    """Points added to Black's score inside the search only (dynamic komi)."""
    earlier: Sequence[State] = ()
    """The positions before the last moves, newest last, as far as a network wants to see them."""
    rules: Rules | None = None
    """The rules of the game, where more of them counts than the position knows (friendly passes, a button)."""
    has_passed: bool = False
    """Whether anybody has passed since the game was set up."""
    held_back: HeldBack = ((), ())
    """Moves that may not be played before a ply. Alpha-beta ignores them: only `allow` and `avoid` are."""


class Search(Protocol):
    """One search with its tree. `run` blocks with the GIL released; `info` may come from any thread.

    One that cannot run as it was configured has `require`, which raises ValueError saying what is missing.
    """

    def options(self) -> Sequence[Option]:
        """Every option with its present value as the default."""

    def configure(self, values: Mapping[str, Value]) -> None:
        """Set options by name (`fitting`). Raises ValueError naming an unknown one or a value that does not fit."""

    def run(self, root: Root, limits: Limits, stop: StopToken) -> Info:
        """Search until a limit, or for at most 20 ms after `stop` is stopped, from any thread; one that was stopped
        before makes one look. Keeps what the tree knows of this position from earlier runs. Returns what `info()` says.
        """

    def info(self, max_lines: int = 0, ownership: bool = False) -> Info:
        """Report now, also while running. max_lines 0: all."""

    def clear(self) -> None:
        """Forget the tree."""
