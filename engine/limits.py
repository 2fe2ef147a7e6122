"""The limits of one search. The core enforces every limit; the first one reached ends the search, as does a proof."""

from __future__ import annotations

from typing import NamedTuple

EVERY = 256
"""Lines that are never fewer than a position has moves, in games whose moves are looked at one by one."""


class Limits(NamedTuple):
    """Bounds of one search; None or 0 means unbounded. `seconds` is wall time from the call.

    playouts: simulations started by this search. visits: visits of the root, reused tree included.
    depth: plies that the search looks ahead (`Line.depth`); a tree search that has nothing else to bound it ends when
    its memory is full. `early_stop`: end when no other move can overtake the best one within the limits. plan: with
    it, the seconds that a search which looks ahead ply by ply takes on the whole, up to `seconds` where its move is in
    doubt; None: most of `seconds`. lines: how
    many of the best moves are searched to the depth by a search that looks ahead ply by ply; a tree weighs all anyway.
    to_end: near the end of the game such a search looks to it, beyond `depth`, where that costs about as much: first
    with something left out, and a little later exactly.
    """

    seconds: float | None = None
    playouts: int | None = None
    visits: int | None = None
    depth: int | None = None
    early_stop: bool = False
    lines: int = 1
    to_end: bool = False
    plan: float | None = None

    @property
    def is_counted(self) -> bool:
        """Whether something other than time bounds the search."""
        return bool(self.playouts or self.visits or self.depth)
