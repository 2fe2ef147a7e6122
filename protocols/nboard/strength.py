"""The meaning of `set depth` and of the depth in reports.

To a search that looks ahead, depth d is d plies, and the whole ending a little sooner (`Limits.to_end`). To one that
counts playouts it is 100 * 1.5^d of them: two steps about double the work, as a ply of alpha-beta does. Depth 6 is
1,140 playouts, 12 is 12,975, 20 is 332,526, 26 is 3.8 million. The depth of a `search` line is then the inverse, so
that a search of depth d ends with lines of depth d.
"""

from __future__ import annotations

import math

UNIT, GROWTH = 100, 1.5
DEEPEST = 40
CELLS = 60
"""The empty cells when a game begins."""


def playouts(depth: int) -> int:
    """Playouts of one search at that depth; depths below 1 count as 1, beyond 40 as 40."""
    return math.ceil(UNIT * GROWTH ** min(max(depth, 1), DEEPEST))


def depth(visits: int) -> int:
    """The depth that so many playouts are worth, at least 1."""
    if visits <= UNIT:
        return 1
    return max(1, int(math.log(visits / UNIT, GROWTH) + 1e-6))


def plies(depth: int) -> int:
    """Return the plies of a search that looks ahead at that depth: below 1 counts as 1, beyond the board as all of
    it."""
    return min(max(depth, 1), CELLS)
