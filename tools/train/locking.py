"""One process at a time: a lock that the system takes back when the process ends, however it ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tengen.tools.train.manifest import RunError


@contextmanager
def locked(path: Path, what: str) -> Iterator[None]:
    """Hold the lock of a file. Raises RunError while another process does, OSError."""
    with open(path, "a+", encoding="ascii", errors="replace") as file:
        if not _take(file.fileno()):
            file.seek(0)
            owner = file.read(20).strip()
            who = f" (process {owner})" if owner.isdecimal() else ""
            raise RunError(f"{what} is at work in another process{who}: wait for it, or name another run by --name")
        file.seek(0)
        file.truncate()
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield


def _take(descriptor: int) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(descriptor, 1 << 20, os.SEEK_SET)  # beyond what is read
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
