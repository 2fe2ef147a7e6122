"""One engine process: its own session, bounded lines that are stamped when they arrive, killed with all it started.

Nothing here blocks the event loop. A process that outlives a supervisor killed by force is ended by the keeper
(keeper.py). Limits of processors and memory are set right after the start. Left out: Windows, where only the process
itself is ended.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import sys
import time
from collections import deque
from pathlib import Path
from typing import IO, NamedTuple, cast

from tengen.tools.match import keeper
from tengen.tools.match.spec import EngineSpec, Reason

LONGEST_LINE = 1 << 16
"""Bytes of a line that are kept; the rest of it is dropped."""
WAITING_LINES = 1000
"""Lines that wait unread; beyond them the engine has to wait until they are read."""
UNREAD_BYTES = 1 << 20
"""Bytes that an engine may leave unread on its input."""
LARGEST_LOG = 8 << 20
"""Letters of an engine's log; then only its end is kept, and the next process begins a new one."""
LAST_LINES = 100
STDERR_RATE = 1 << 20
"""Bytes a second of stderr; an engine that writes more has to wait, for the others' time is taken here too."""
STDERR_LINES = 200
"""Lines of one arrival on stderr that are logged."""
NEAR_LIMIT = 0.95
"""Of its memory limit: an engine that failed there was refused more."""
_POSIX = hasattr(os, "killpg")


class EngineFault(Exception):
    """An engine that failed: the reason, and one sentence without the engine's name in front."""

    def __init__(self, reason: Reason, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason
        self.sentence = sentence


class Line(NamedTuple):
    """One line from the engine without its end. at: monotonic seconds of its arrival."""

    text: str
    at: float


class EngineLog:
    """What was said, with the seconds since the start: `<` to the engine, `>` from it, `!` its stderr.

    A full one keeps its last lines for the end, when they tell most. A disk that is full ends the log, not the game.
    """

    def __init__(self, path: Path | None) -> None:
        self._file: IO[str] | None = None
        self._room = LARGEST_LOG
        self._last: deque[str] = deque(maxlen=LAST_LINES)
        self._left_out = 0
        self._begin = time.monotonic()
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists() and path.stat().st_size >= LARGEST_LOG:
                path.replace(path.with_name(path.name + ".old"))
            self._file = path.open("a", encoding="utf-8", errors="replace")
            self._room -= self._file.tell()

    def write(self, mark: str, text: str) -> None:
        """Write one line while there is room."""
        if self._file is None:
            return
        line = f"{time.monotonic() - self._begin:.3f} {mark} {text}\n"
        if self._room > 0:
            self._room -= len(line)
            self._put(line)
        else:
            self._left_out += len(self._last) == LAST_LINES
            self._last.append(line if len(line) < 100 else line[:100] + "...\n")

    def flush(self) -> None:
        """Hand what was written to the system."""
        if self._file is not None:
            try:
                self._file.flush()
            except OSError:
                self._drop()

    def close(self) -> None:
        """Write the last lines of a full log, and end it."""
        if self._last:
            self._put(f"the log is full: {self._left_out} lines left out\n{''.join(self._last)}")
        self._drop()

    def _put(self, text: str) -> None:
        if self._file is not None:
            try:
                self._file.write(text)
            except OSError:
                self._drop()

    def _drop(self) -> None:
        if self._file is not None:
            with contextlib.suppress(OSError):
                self._file.close()
            self._file = None


_NO_MEMORY = re.compile(r"bad_alloc|MemoryError|out of memory|cannot allocate memory|failed to allocate", re.IGNORECASE)
"""What programs say that were refused memory."""


class _Pipes(asyncio.SubprocessProtocol):
    """Collects lines of stdout and stderr, and tells who waits."""

    def __init__(self, log: EngineLog, spec: EngineSpec) -> None:
        self.log = log
        self._is_limited = spec.memory_mb is not None
        self.lines: deque[Line] = deque()
        self.waiter: asyncio.Future[None] | None = None
        self.is_closed = False
        self.last_words = ""
        self.exited = asyncio.Event()
        self.out: asyncio.ReadTransport | None = None
        self.err: asyncio.ReadTransport | None = None
        self.is_paused = False
        self.is_refused_memory = False
        self._second, self._heard = 0.0, 0  # of stderr: when a second began, bytes since then
        self._rest = {1: b"", 2: b""}
        self._skips = {1: False, 2: False}

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        pipes = cast(asyncio.SubprocessTransport, transport)
        self.out, self.err = (cast(asyncio.ReadTransport, pipes.get_pipe_transport(fd)) for fd in (1, 2))

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        at = time.monotonic()
        parts = (self._rest[fd] + data).split(b"\n")
        if self._skips[fd] and len(parts) > 1:  # the end of a line whose beginning was already taken
            del parts[0]
            self._skips[fd] = False
        rest = parts.pop()
        if fd == 2:
            self._hold_back(len(data), at)
            if len(parts) > STDERR_LINES:
                self.log.write("#", f"{len(parts) - STDERR_LINES} lines of stderr left out")
                del parts[:-STDERR_LINES]
        for part in parts:
            self._take(fd, part, at)
        if len(rest) > LONGEST_LINE:
            if not self._skips[fd]:
                self._take(fd, rest, at)
            self._skips[fd], rest = True, b""
        self._rest[fd] = rest

    def _hold_back(self, size: int, at: float) -> None:
        """Let stderr wait until the second is over when it was too much."""
        if at - self._second > 1:
            self._second, self._heard = at, 0
        self._heard += size
        if self._heard > STDERR_RATE and self.err is not None:
            self.err.pause_reading()
            asyncio.get_running_loop().call_later(1.01 - (at - self._second), self.err.resume_reading)

    def _take(self, fd: int, raw: bytes, at: float) -> None:
        text = raw[:LONGEST_LINE].decode("utf-8", "replace").rstrip("\r")
        self.log.write(">" if fd == 1 else "!", text)
        if fd == 2 and text.strip():
            self.last_words = text.strip()
        self.is_refused_memory |= self._is_limited and _NO_MEMORY.search(text) is not None
        if fd == 1:
            self.lines.append(Line(text, at))
            if len(self.lines) > WAITING_LINES and not self.is_paused and self.out is not None:
                self.out.pause_reading()
                self.is_paused = True
            self._wake()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == 1:
            if self._rest[1] and not self._skips[1]:
                self._take(1, self._rest[1], time.monotonic())
            self.is_closed = True
            self._wake()

    def process_exited(self) -> None:
        self.exited.set()

    def _wake(self) -> None:
        if self.waiter is not None and not self.waiter.done():
            self.waiter.set_result(None)


class EngineProcess:
    """A running engine. Made by `start`."""

    def __init__(
        self, spec: EngineSpec, transport: asyncio.SubprocessTransport, pipes: _Pipes, log: EngineLog, tag: str
    ) -> None:
        self.spec = spec
        self.tag = tag
        self.log = log
        self.pid = transport.get_pid()
        self._transport = transport
        self._pipes = pipes
        self._input = cast(asyncio.WriteTransport, transport.get_pipe_transport(0))
        self._is_ended = False

    @classmethod
    async def start(cls, spec: EngineSpec, log: Path | None = None) -> EngineProcess:
        """Start the command. Raises EngineFault(VOID) when it cannot be started."""
        kept = EngineLog(log)
        kept.write("#", " ".join(spec.command))
        tag = keeper.new_tag()
        try:
            announce = keeper.announcer(tag)
            transport, pipes = await asyncio.get_running_loop().subprocess_exec(
                lambda: _Pipes(kept, spec),
                *spec.command,
                cwd=spec.directory,
                env={**os.environ, **spec.env, tag: "1"},
                start_new_session=True,
                preexec_fn=announce,
            )
        except (OSError, ValueError, IndexError) as error:
            kept.close()
            words = getattr(error, "strerror", None) or str(error)
            shown = spec.command[0] if spec.command else "no command"
            raise EngineFault(Reason.VOID, f"cannot be started: {words} ({shown})") from None
        engine = cls(spec, transport, pipes, kept, tag)
        try:
            engine._bound()
        except EngineFault:
            await engine.kill()
            raise
        return engine

    def _bound(self) -> None:
        """Set processors and memory. Raises EngineFault(VOID): without them it would be another match."""
        what = f"cpus={','.join(map(str, self.spec.cpus))}"
        try:
            if self.spec.cpus and hasattr(os, "sched_setaffinity"):
                os.sched_setaffinity(self.pid, self.spec.cpus)
            if self.spec.memory_mb and sys.platform == "linux":
                import resource

                size, what = self.spec.memory_mb << 20, f"memory_mb={self.spec.memory_mb}"
                resource.prlimit(self.pid, resource.RLIMIT_AS, (size, size))
        except ProcessLookupError:
            pass  # it has ended; whoever reads notices
        except (OSError, ValueError) as error:
            words = getattr(error, "strerror", None) or str(error)
            raise EngineFault(Reason.VOID, f"cannot be kept to {what}: {words}") from None

    @property
    def is_alive(self) -> bool:
        return not (self._is_ended or self._pipes.is_closed or self._pipes.exited.is_set())

    @property
    def is_out_of_memory(self) -> bool:
        """Whether it has a limit and said that it was refused memory, or has come near the limit."""
        if not self.spec.memory_mb:
            return False
        return self._pipes.is_refused_memory or _peak_mb(self.pid) > NEAR_LIMIT * self.spec.memory_mb

    def send(self, *lines: str) -> float:
        """Write lines and return the monotonic time. Raises EngineFault when it has ended or does not read."""
        if not self.is_alive:
            raise EngineFault(Reason.CRASH, self.ending())
        if self._input.get_write_buffer_size() > UNREAD_BYTES:
            raise EngineFault(Reason.STALL, "does not read its input")
        for line in lines:
            self.log.write("<", line)
        self._input.write("".join(f"{line}\n" for line in lines).encode())
        return time.monotonic()

    async def read(self, deadline: float | None) -> Line:
        """The next line. Raises TimeoutError at the deadline (monotonic), EngineFault(CRASH) at the end of output."""
        pipes = self._pipes
        while not pipes.lines:
            if pipes.is_closed:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(pipes.exited.wait(), 1.0)
                raise EngineFault(Reason.CRASH, self.ending())
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                raise TimeoutError
            await self._arrival(left)
        line = pipes.lines.popleft()
        if pipes.is_paused and len(pipes.lines) < WAITING_LINES // 2 and pipes.out is not None:
            pipes.out.resume_reading()
            pipes.is_paused = False
        return line

    async def _arrival(self, left: float | None) -> None:
        loop = asyncio.get_running_loop()
        waiter = self._pipes.waiter = loop.create_future()
        timer = None if left is None else loop.call_later(left, self._pipes._wake)
        try:
            await waiter
        finally:
            if timer is not None:
                timer.cancel()
            self._pipes.waiter = None

    def drop_waiting(self) -> int:
        """Forget what was said unasked; how many lines that were."""
        count = len(self._pipes.lines)
        self._pipes.lines.clear()
        if self._pipes.is_paused and self._pipes.out is not None:
            self._pipes.out.resume_reading()
            self._pipes.is_paused = False
        return count

    def ending(self) -> str:
        """How it ended, in words."""
        code = self._transport.get_returncode()
        if code is None:
            return "closed its output"
        if code < 0:
            with contextlib.suppress(ValueError):
                return f"ended by signal {signal.Signals(-code).name}"
        return f"exited with code {code}"

    @property
    def last_words(self) -> str:
        """The last line on stderr, where a program that cannot go on says why."""
        return self._pipes.last_words[:200]

    def cpu(self) -> float | None:
        """CPU seconds of the process and its living descendants; None where that cannot be told."""
        return cpu_of(self.pid) if not self._is_ended else None

    async def close(self, grace: float = 1.0) -> bool:
        """Close the input, wait, then kill. Whether it left by itself."""
        with contextlib.suppress(Exception):
            self._input.close()
        try:
            await asyncio.wait_for(self._pipes.exited.wait(), grace)
            left = True
        except TimeoutError:
            left = False
        await self.kill()
        return left

    async def kill(self) -> None:
        """Kill the process with all that it started, also what left its session, and wait for the end."""
        if self._is_ended:
            return
        self._is_ended = True
        self._kill_all()
        if self._pipes.is_paused and self._pipes.out is not None:
            self._pipes.out.resume_reading()
        if not _POSIX:  # elsewhere Popen.kill would take the exit code away from whoever waits for it
            with contextlib.suppress(ProcessLookupError):
                self._transport.kill()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._pipes.exited.wait(), 5.0)
        self._kill_all()  # what was started meanwhile
        self._transport.close()
        keeper.forget(self.pid)
        self.log.close()

    def _kill_all(self) -> None:
        if _POSIX:
            keeper.end(self.pid, self.tag)


def cpu_of(pid: int) -> float | None:
    """CPU seconds of a process and its living descendants, by Linux's clock of a process; else None."""
    if sys.platform != "linux":
        return None
    try:
        total = time.clock_gettime((~pid << 3) | 2)  # clock_getcpuclockid(3)
    except OSError:
        return None
    with contextlib.suppress(OSError, ValueError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", "rb") as children:
                total += sum(cpu_of(int(child)) or 0.0 for child in children.read().split())
    return total


def _peak_mb(pid: int) -> float:
    """Most address space that a living process has had, in MB; 0 where that cannot be told."""
    try:
        status = Path(f"/proc/{pid}/status").read_text("ascii", "replace")
    except OSError:
        return 0.0
    found = re.search(r"^VmPeak:\s+(\d+) kB", status, re.MULTILINE)
    return int(found[1]) / 1024 if found else 0.0
