"""The resources that a process uses, if the system reports them."""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path

from tengen.tools.engines import keeper


def cpu_of(pid: int) -> float | None:
    """CPU seconds of a process and its living descendants, by Linux's clock of a process; else None."""
    own = _clock(pid)
    return None if own is None else own + sum(_clock(child) or 0.0 for child in keeper.descendants(pid))


def _clock(pid: int) -> float | None:
    if sys.platform != "linux":
        return None
    try:
        return time.clock_gettime((~pid << 3) | 2)  # clock_getcpuclockid(3)
    except OSError:
        return None


def peak_mb(pid: int) -> float:
    """Most address space that a living process has had, in MB; 0 where that cannot be told."""
    try:
        status = Path(f"/proc/{pid}/status").read_text("ascii", "replace")
    except OSError:
        return 0.0
    found = re.search(r"^VmPeak:\s+(\d+) kB", status, re.MULTILINE)
    return int(found[1]) / 1024 if found else 0.0
