"""Ends engines whose supervisor was killed by force, so that no orphan remains.

A small process of its own session reads pids from a pipe whose other end only the supervisor holds. Every engine
writes its own pid there before it becomes the engine, so that none is missed; when the pipe ends, the keeper kills
the sessions that were not taken back. It holds none of the supervisor's other files and ignores Ctrl-C.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable

_pipe: int | None = None
_owner = 0
process: subprocess.Popen[bytes] | None = None
"""The keeper of this process."""


def announcer() -> Callable[[], None] | None:
    """What a child runs before it becomes an engine; None where there are no sessions."""
    if not hasattr(os, "killpg"):
        return None
    pipe = _keeper()

    def announce() -> None:
        os.write(pipe, b"+%d\n" % os.getpid())

    return announce


def forget(pid: int) -> None:
    """Tell that this engine has ended."""
    if _pipe is not None and _owner == os.getpid():
        with contextlib.suppress(OSError):
            os.write(_pipe, b"-%d\n" % pid)


def _keeper() -> int:
    """The writing end; starts the keeper at the first call of this process, and again when somebody killed it."""
    global _pipe, _owner, process
    if _pipe is None or _owner != os.getpid() or process is None or process.poll() is not None:
        reading, _pipe = os.pipe()
        _owner = os.getpid()
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", __file__],
            stdin=reading,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(reading)
    return _pipe


def keep(pipe: int) -> None:
    """The keeper: remember pids until the pipe ends, then kill what is left."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    left: set[int] = set()
    rest = b""
    while data := os.read(pipe, 4096):
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            (left.add if line[:1] == b"+" else left.discard)(int(line[1:]))
    end(left)


def end(leaders: Iterable[int]) -> None:
    """SIGKILL to the groups, sessions and living descendants of these leaders."""
    for leader in leaders:
        others = descendants(leader)  # one with a session of its own is not found once its parent is gone
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(leader, signal.SIGKILL)
        for pid in (*session(leader), *others):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)


def descendants(pid: int) -> list[int]:
    """Living children of a process and theirs, where /proc tells."""
    found = []
    with contextlib.suppress(OSError, ValueError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", "rb") as children:
                found += [int(child) for child in children.read().split()]
    return [*found, *(one for child in found for one in descendants(child))]


def session(leader: int) -> list[int]:
    """Living processes of a session, where /proc tells."""
    found = []
    with contextlib.suppress(OSError):
        for name in os.listdir("/proc"):
            if name.isdigit():
                with contextlib.suppress(OSError, IndexError), open(f"/proc/{name}/stat", "rb") as stat:
                    words = stat.read().rpartition(b")")[2].split()
                    if int(words[3]) == leader and words[0] != b"Z":
                        found.append(int(name))
    return found


if __name__ == "__main__":
    keep(0)
