"""What bounds a search of chess, whichever protocol asks for it."""

from __future__ import annotations

from typing import NamedTuple


class Go(NamedTuple):
    """One `go`. None: it did not say. Times are milliseconds, by colour; they may be negative or zero.

    notes: sentences about words that were not understood.
    """

    depth: int | None = None
    nodes: int | None = None
    movetime: int | None = None
    mate: int | None = None
    perft: int | None = None
    times: tuple[int | None, int | None] = (None, None)
    increments: tuple[int, int] = (0, 0)
    movestogo: int | None = None
    is_infinite: bool = False
    is_ponder: bool = False
    moves: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def has_clock(self) -> bool:
        """Whether a clock runs, be it only one side's."""
        return self.times != (None, None)

    @property
    def may_answer(self) -> bool:
        """Whether a move is told as soon as the search ends, once it no longer ponders."""
        return self.is_bounded or (self.mate is not None and not self.is_infinite)

    @property
    def is_bounded(self) -> bool:
        """Whether the search certainly ends by itself, once it no longer ponders."""
        bounds = (self.depth, self.nodes, self.movetime, self.perft)
        return not self.is_infinite and (self.has_clock or any(bound is not None for bound in bounds))
