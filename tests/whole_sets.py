"""How much of a large set the tests go through: every fifth item or a third of the draws, or all with TENGEN_WHOLE_SETS=1.

All of the drawn pictures and random games take ten minutes of two cores more. Go through them when recognition or
rules change, and before a release.
"""

from __future__ import annotations

import os

EVERY = 1 if os.environ.get("TENGEN_WHOLE_SETS") else 5


def some_of(count: int) -> range:
    """The numbers of the items to take, of `count` that there are."""
    return range(0, count, EVERY)


def portion(count: int) -> int:
    """How many of `count` random draws to make, or how often a thing has to come up in them: a third, rounded up."""
    return count if EVERY == 1 else -(-count // 3)


def share_of(bar: int, count: int) -> int:
    """What a bar for `count` items asks of those that are taken, rounded down."""
    return bar * len(some_of(count)) // count
