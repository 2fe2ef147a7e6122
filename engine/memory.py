"""Return the memory that outer limits leave this process: RLIMIT_AS (`ulimit -v`) and the memory limit of its control
groups.

Linux only; elsewhere, and without a limit, nothing is known. Left out: the memory of the machine itself.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from pathlib import Path

from tengen.engine import system

MB = 1 << 20
GROUPS = Path("/sys/fs/cgroup")
GROUP_SHARE = 0.9
"""The share of a control group's limit that may be used: what the system keeps for the group counts, too."""


def room_mb() -> float | None:
    """Megabytes that this process may still take; None: no limit is known. Negative: it is over one already."""
    size, resident = system.memory_taken()
    room = min(system.address_space_limit() - size, GROUP_SHARE * group_limit() - resident)
    return None if math.isinf(room) else room / MB


def group_limit(listing: Path = Path("/proc/self/cgroup"), root: Path = GROUPS) -> float:
    """The least memory limit of the control groups this process is in, in bytes; infinite without one."""
    limits = [math.inf]
    for file in _limit_files(listing, root):
        with contextlib.suppress(OSError, ValueError):  # "max" is no limit
            limits.append(float(int(file.read_text("ascii"))))
    return min(limits)


def _limit_files(listing: Path, root: Path) -> Iterator[Path]:
    """memory.max of version 2, memory.limit_in_bytes of version 1: of the group and of all above it."""
    try:
        lines = listing.read_text("utf-8", "replace").splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, group = (line.split(":", 2) + ["", ""])[:3]
        is_second = not controllers
        if not is_second and "memory" not in controllers.split(","):
            continue
        top = root if is_second else root / "memory"
        inner = top / group.strip("/")
        for folder in (inner, *inner.parents):
            yield folder / ("memory.max" if is_second else "memory.limit_in_bytes")
            if folder == top:
                break
