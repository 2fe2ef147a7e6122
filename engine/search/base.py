"""The contract of a search. It knows no protocol; the player gives it a position and limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from tengen.engine.games.base import State
from tengen.engine.info import Info
from tengen.engine.limits import Limits
from tengen.engine.options import Option, Value


class Root(NamedTuple):
    """What a search starts from.

    seen: keys of the positions so far, one for each time (`History.seen`); none may recur, or a recurrence is a draw.
    allow / avoid: cells the root may / may not play (empty: no restriction).
    recent: the last moves, newest last, -1 when unknown.
    """

    state: State
    seen: Sequence[int] = ()
    recent: Sequence[int] = ()
    allow: Sequence[int] = ()
    avoid: Sequence[int] = ()
    komi_shift: float = 0.0
    """Points added to Black's score inside the search only (dynamic komi)."""


class Search(Protocol):
    """One search with its tree. `run` blocks with the GIL released; `stop` and `info` may come from any thread."""

    def options(self) -> Sequence[Option]:
        """Every option with its present value as the default."""

    def configure(self, values: Mapping[str, Value]) -> None:
        """Set options by name (`fitting`). Raises ValueError naming an unknown one or a value that does not fit."""

    def prepare(self) -> None:
        """Clear the stop flag. Called in the caller's thread before `run` is started in another, so that a
        `stop` that comes before the run has begun is not lost."""

    def run(self, root: Root, limits: Limits) -> Info:
        """Search until a limit or `stop`; keep what the tree knows of this position from earlier runs."""

    def stop(self) -> None:
        """End the current run within 20 ms (a run about to start ends at once)."""

    def info(self, max_lines: int = 0, ownership: bool = False) -> Info:
        """Report now, also while running. max_lines 0: all."""

    def clear(self) -> None:
        """Forget the tree."""
