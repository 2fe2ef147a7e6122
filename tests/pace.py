"""How slow this machine is at the moment, for bounds of CPU time that are near what a test takes.

A core that is shared with other machines takes up to twice the CPU time for the same work, for hours. A bound times
`slowness()` is the bound on a machine that does the reference in NOMINAL.
"""

from __future__ import annotations

import time

NOMINAL = 0.055
"""CPU seconds of the reference on the core that bounds are meant for, a definition: a shared Intel Xeon took 0.087 in a
slow phase."""


def slowness() -> float:
    """Return how many times NOMINAL the reference takes now, at least 1: the least of five runs."""
    return max(1.0, min(_reference() for _ in range(5)) / NOMINAL)


def _reference() -> float:
    start = time.process_time()
    numbers = [number * 7919 % 10_007 for number in range(200_000)]
    numbers.sort()
    assert sum(numbers) > 0 and len(set(numbers)) == 10_007
    return time.process_time() - start
