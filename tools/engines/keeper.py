"""Ends engines whose supervisor was killed by force, so that no orphan remains.

A small process of its own session reads pids from a pipe whose other end only the supervisor holds. Every engine
writes its own pid there before it becomes the engine, so that none is missed; when the pipe ends, the keeper kills
the sessions that were not taken back. It holds none of the supervisor's other files and ignores Ctrl-C.
A process that left its engine's session and whose parent is gone (a daemon) is known by its environment, where every
engine has a word of its own that its children inherit. Left out: one that also emptied its environment; systems
without /proc, where only the engine's group is killed.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable

MOST_ROUNDS = 20
"""Times that is looked for processes which others started meanwhile."""
_pipe: int | None = None
_owner = 0
_living: dict[int, str] = {}
"""Engines of this process and their tags, for a keeper that begins after them."""
process: subprocess.Popen[bytes] | None = None
"""The keeper of this process."""


def new_tag() -> str:
    """The name of an environment variable that one engine alone has, with all that it starts."""
    return f"TENGEN_ENGINE_{os.urandom(8).hex()}"


def announcer(tag: str) -> Callable[[], None] | None:
    """Return the function that a child runs before it becomes the engine of this tag; None where there are no
    sessions."""
    if not hasattr(os, "killpg"):
        return None
    pipe = _keeper()

    def announce() -> None:
        os.write(pipe, _row(os.getpid(), tag))

    return announce


def remember(pid: int, tag: str) -> None:
    """Tell that this engine has begun."""
    _living[pid] = tag


def forget(pid: int) -> None:
    """Tell that this engine has ended."""
    _living.pop(pid, None)
    if _pipe is not None and _owner == os.getpid():
        with contextlib.suppress(OSError):
            os.write(_pipe, b"-%d\n" % pid)


def _keeper() -> int:
    """The writing end; starts the keeper at the first call of this process, and again when somebody killed it."""
    global _pipe, _owner, process
    if _pipe is None or _owner != os.getpid() or process is None or process.poll() is not None:
        reading, _pipe = os.pipe()
        if _owner != os.getpid():
            _living.clear()  # they are the parent's
        _owner = os.getpid()
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", __file__],
            stdin=reading,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(reading)
        os.write(_pipe, b"".join(_row(pid, tag) for pid, tag in _living.items()))
    return _pipe


def _row(pid: int, tag: str) -> bytes:
    return b"+%d %s\n" % (pid, tag.encode())


def keep(pipe: int) -> None:
    """The keeper: remember pids until the pipe ends, then kill the remaining processes."""
    if sys.platform == "win32":
        return
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    left: dict[int, str] = {}
    rest = b""
    while data := os.read(pipe, 4096):
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            words = line[1:].split()
            if line[:1] == b"+":
                left[int(words[0])] = words[1].decode()
            else:
                left.pop(int(words[0]), None)
    for leader, tag in left.items():
        end(leader, tag)


def end(leader: int, tag: str) -> None:
    """SIGKILL to the group, the session and the living descendants of an engine, and to whatever bears its tag."""
    if sys.platform == "win32":
        return
    others = descendants(leader)  # where neither session nor tag tell, only the parents do, while they live
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)
    _kill({*session(leader), *others})
    for _ in range(MOST_ROUNDS):
        bearers = tagged(tag)
        if not bearers:
            break
        _kill(bearers)


def _kill(pids: Iterable[int]) -> None:
    if sys.platform == "win32":
        return
    for pid in pids:
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
    for pid in _processes():
        with contextlib.suppress(OSError, IndexError), open(f"/proc/{pid}/stat", "rb") as stat:
            words = stat.read().rpartition(b")")[2].split()
            if int(words[3]) == leader and words[0] != b"Z":
                found.append(pid)
    return found


def tagged(tag: str) -> list[int]:
    """Living processes that began with this variable in their environment, where /proc tells."""
    found = []
    for pid in _processes():
        with contextlib.suppress(OSError), open(f"/proc/{pid}/environ", "rb") as environ:
            if any(row.startswith(b"%s=" % tag.encode()) for row in environ.read().split(b"\0")):
                found.append(pid)
    return found


def _processes() -> list[int]:
    with contextlib.suppress(OSError):
        return [int(name) for name in os.listdir("/proc") if name.isdigit()]
    return []


if __name__ == "__main__":
    keep(0)
