"""How much of a set of drawn pictures the slow tests read: every third picture, or all with TENGEN_WHOLE_SETS=1.

Reading all of them takes eight minutes of two cores. Do that when recognition changes, and before a release.
"""

from __future__ import annotations

import os

EVERY = 1 if os.environ.get("TENGEN_WHOLE_SETS") else 3


def some_of(count: int) -> range:
    """The numbers of the pictures to read, of `count` that there are."""
    return range(0, count, EVERY)


def share_of(bar: int, count: int) -> int:
    """What a bar for `count` pictures asks of those that are read, rounded down."""
    return bar * len(some_of(count)) // count
