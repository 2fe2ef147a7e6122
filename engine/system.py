"""What only some operating systems have, each with what the others do instead.

Everything else is written without it (tests/tools/test_layers.py); the processes of engines have rooms of their own,
`tools/engines`.
"""

from __future__ import annotations

import math
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_PLACE_OF_A_LOCK = 1 << 20
"""Windows keeps others from reading a byte that is locked: it is one beyond what is read."""


def processors() -> frozenset[int]:
    """The logical processors that this process may use, by number; all of the machine where it is not told."""
    if hasattr(os, "sched_getaffinity"):
        return frozenset(os.sched_getaffinity(0))
    return frozenset(range(os.cpu_count() or 1))


def memory() -> float:
    """Bytes of memory of the machine; infinite where the system does not say."""
    if sys.platform == "win32":
        return math.inf
    try:
        return float(os.sysconf("SC_PHYS_PAGES")) * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        return math.inf


def memory_taken(listing: str = "/proc/self/statm") -> tuple[float, float]:
    """Bytes of address space and of resident memory of this process; 0 and 0 where the system does not say."""
    if sys.platform == "win32":
        return 0.0, 0.0
    try:
        pages = Path(listing).read_text("ascii").split()
        return float(pages[0]) * os.sysconf("SC_PAGE_SIZE"), float(pages[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0.0, 0.0


def address_space_limit() -> float:
    """Bytes of address space that this process may take (`ulimit -v`); infinite without a limit."""
    if sys.platform == "win32":
        return math.inf
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    return math.inf if soft == resource.RLIM_INFINITY else float(soft)


def take_lock(descriptor: int) -> bool:
    """Whether a lock on an open file could be had at once. Raises OSError where there are none."""
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(descriptor, _PLACE_OF_A_LOCK, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if sys.platform != "win32" and not isinstance(error, BlockingIOError):
            raise
        return False
    return True


@contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """Interrupts wait until the block is left; Windows has no such wait."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
