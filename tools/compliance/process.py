"""The engine that is examined: in a scratch folder, in a process group of its own, never able to block the examiner."""

from __future__ import annotations

import os
import queue
import shlex
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path

LONGEST_LINE = 1 << 20
"""Bytes of a line that are kept; the rest of it is dropped."""
MOST_WAITING = 32 << 20
"""Letters of lines that wait to be read; an engine that floods stdout is held up by the full pipe."""
MOST_READ = 16 << 20
"""Letters of one reply that are kept."""


class Scratch:
    """A folder for the engine inside two more that nobody but a fault writes to."""

    def __init__(self) -> None:
        self.top = Path(tempfile.mkdtemp(prefix="compliance-")).resolve()
        self.inside = self.top / "outer" / "engine"
        self.inside.mkdir(parents=True)
        self._known = self._outside()

    def _outside(self) -> dict[Path, tuple[int, int]]:
        found = {}
        for folder, folders, files in os.walk(self.top):
            if Path(folder) == self.inside:
                folders.clear()
                continue
            for name in files:
                path = Path(folder) / name
                status = path.lstat()
                found[path] = (status.st_size, status.st_mtime_ns)
        return found

    def put(self, path: str, data: bytes) -> None:
        """Write a file, its path seen from the engine's folder, before the engine is asked about it."""
        (self.inside / path).write_bytes(data)
        self._known = self._outside()

    def escaped(self) -> list[str]:
        """Files outside the engine's folder, seen from it, that are new or changed since the last call."""
        now = self._outside()
        differing = [path for path, status in now.items() if self._known.get(path) != status]
        changed = [os.path.relpath(path, self.inside) for path in differing]
        changed += [os.path.relpath(path, self.inside) for path in self._known if path not in now]
        self._known = now
        return sorted(changed)

    def remove(self) -> None:
        """Delete all of it."""
        shutil.rmtree(self.top, ignore_errors=True)


def resolve(command: str) -> list[str]:
    """The words of a command line; programs and files are made absolute, for the engine runs in another folder.

    Raises ValueError when there is no such program.
    """
    words = shlex.split(command, posix=os.name == "posix")
    if not words:
        raise ValueError("the engine's command line is empty")
    program = shutil.which(words[0])
    if program is None:
        raise ValueError(f"there is no program '{words[0]}'")
    return [os.path.abspath(program), *(os.path.abspath(word) if os.path.exists(word) else word for word in words[1:])]


class _Lines(queue.Queue[str | None]):
    """Lines that wait, bounded by their letters."""

    def _init(self, maxsize: int) -> None:
        super()._init(maxsize)
        self._weight = 0

    def _qsize(self) -> int:
        return self._weight

    def _put(self, item: str | None) -> None:
        super()._put(item)
        self._weight += weight(item)

    def _get(self) -> str | None:
        item = super()._get()
        self._weight -= weight(item)
        return item


def weight(line: str | None) -> int:
    """What a line costs, about: its letters and the object."""
    return 60 + len(line or "")


class Process:
    """One running engine. Lines come without their LF; bytes that are no UTF-8 as lone surrogates."""

    def __init__(self, words: Sequence[str], folder: Path, *, memory_mb: int = 0) -> None:
        self._popen = subprocess.Popen(
            words, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            start_new_session=True,
        )  # fmt: skip
        self.started = time.monotonic()
        _limit_memory(self._popen.pid, memory_mb)
        self._lines = _Lines(MOST_WAITING)
        self._outgoing: queue.Queue[tuple[bytes, threading.Event] | None] = queue.Queue()
        self._is_killed = False
        self.errors: deque[str] = deque(maxlen=30)
        for work in (self._read, self._read_errors, self._write):
            threading.Thread(target=work, daemon=True).start()

    # -- threads ------------------------------------------------------------------------------------------

    def _read(self) -> None:
        assert self._popen.stdout is not None
        is_inside = False
        try:
            while line := self._popen.stdout.readline(LONGEST_LINE):
                was_inside, is_inside = is_inside, not line.endswith(b"\n")
                if was_inside:
                    continue
                self._give(line.decode("utf-8", "surrogateescape").removesuffix("\n"))
        except (OSError, ValueError):
            pass
        self._give(None)

    def _give(self, line: str | None) -> None:
        while not self._is_killed:
            try:
                return self._lines.put(line, timeout=0.2)
            except queue.Full:
                continue

    def _read_errors(self) -> None:
        assert self._popen.stderr is not None
        try:
            while line := self._popen.stderr.readline(1 << 16):
                self.errors.append(line.decode("utf-8", "replace").rstrip())
        except (OSError, ValueError):
            pass

    def _write(self) -> None:
        assert self._popen.stdin is not None
        while (item := self._outgoing.get()) is not None:
            try:
                self._popen.stdin.write(item[0])
                self._popen.stdin.flush()
            except (OSError, ValueError):
                pass
            item[1].set()
        try:
            self._popen.stdin.close()
        except (OSError, ValueError):
            pass

    # -- talking ------------------------------------------------------------------------------------------

    def write(self, data: bytes, seconds: float = 10.0) -> bool:
        """Send bytes; False when the engine does not read them in time."""
        done = threading.Event()
        self._outgoing.put((data, done))
        return done.wait(seconds)

    def close_input(self) -> None:
        """End of input, after all that was written."""
        self._outgoing.put(None)

    def read(self, is_last: Callable[[str], bool], seconds: float) -> tuple[list[str], str]:
        """Lines up to one that `is_last`; with "ok", "timeout", or "end" when the engine's output ended."""
        lines: list[str] = []
        room = MOST_READ
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                line = self._lines.get(timeout=left)
            except queue.Empty:
                break
            if line is None:
                self._give(None)
                return lines, "end"
            is_end = is_last(line)
            room -= weight(line)
            if room > 0 or is_end:
                lines.append(line)
            if is_end:
                return lines, "ok"
        return lines, "timeout"

    # -- ending -------------------------------------------------------------------------------------------

    def signal(self, number: int) -> None:
        """Send a signal to the engine alone."""
        self._popen.send_signal(number)

    def wait(self, seconds: float) -> int | None:
        """The exit code, or None while it runs."""
        try:
            return self._popen.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def has_left_others(self) -> bool:
        """Whether processes of the group outlive the engine, which has ended."""
        if not hasattr(os, "killpg"):
            return False
        try:
            os.killpg(self._popen.pid, 0)
        except (ProcessLookupError, PermissionError):
            return False
        return True

    def death(self) -> str:
        """How it ended, in words."""
        code = self.wait(2)
        if code is None:
            return "its output ended while it runs on"
        if code < 0:
            return f"it was killed by {signal.Signals(-code).name}"
        return f"it ended with exit code {code}"

    def kill(self) -> None:
        """End the whole group."""
        self._is_killed = True
        try:
            os.killpg(self._popen.pid, signal.SIGKILL)
        except (AttributeError, OSError):
            try:
                self._popen.kill()
            except OSError:
                pass
        self._outgoing.put(None)
        self.wait(5)


def _limit_memory(pid: int, megabytes: int) -> None:
    """Bound the address space, so that no hostile size fills the machine; not where the system cannot."""
    try:
        import resource

        if megabytes:
            resource.prlimit(pid, resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    except (ImportError, AttributeError, OSError, ValueError):
        pass
