"""One engine process: a session of its own, bounded lines stamped when they arrive, killed with all that it started.

Nothing here blocks the event loop. A process that outlives its owner, killed by force, is ended by the keeper
(keeper.py). Limits of processors and memory are set right after the start. Windows has job objects for all of this
(job.py).
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tengen.tools.engines import job, keeper
from tengen.tools.engines.measure import cpu_of
from tengen.tools.engines.pipes import Hearing, Line, Pipes, Tell

LAST_BREATH = 1.0
"""Seconds after the end of output in which the exit code is waited for."""
LAST_WORDS = 0.2
"""Seconds of silence after which an engine that has exited is over, though what it started holds its output open."""
_POSIX = hasattr(os, "killpg")


class CannotStart(OSError):
    """The message is why, without the engine's name in front: "cannot be started: ..."."""


class HasEnded(Exception):
    """The output has ended; the message is how the engine did: "exited with code 1"."""


@dataclass(frozen=True)
class Launch:
    """The start of an engine. directory: where it runs, None for here. env: over our own environment."""

    command: Sequence[str]
    directory: str | Path | None = None
    env: Mapping[str, str] = field(default_factory=dict)


class Process:
    """An engine that runs from `begin` to `kill`. Everything but the constructor needs the event loop."""

    def __init__(self, launch: Launch, hearing: Hearing | None = None, tell: Tell | None = None) -> None:
        self.launch = launch
        self.pid = 0
        self.tag = keeper.new_tag()
        self._job: job.Job | None = None
        """On Windows: what holds the engine and all that it starts."""
        self._pipes = Pipes(hearing or Hearing(), tell or (lambda mark, text: None))
        self._is_over = False

    async def begin(self) -> None:
        """Start it. Raises CannotStart."""
        command = self.launch.command
        try:
            announce = keeper.announcer(self.tag)
            transport, _ = await asyncio.get_running_loop().subprocess_exec(
                lambda: self._pipes,
                *command,
                cwd=self.launch.directory,
                env={**os.environ, **self.launch.env, self.tag: "1"},
                start_new_session=True,
                preexec_fn=announce,
            )
        except (OSError, ValueError, IndexError) as error:
            shown = command[0] if command else "no command"
            raise CannotStart(f"cannot be started: {_words(error)} ({shown})") from None
        self.pid = transport.get_pid()
        if _POSIX:
            keeper.remember(self.pid, self.tag)
        else:
            self._hold()

    def _hold(self) -> None:
        """Windows: put the engine into a job. Where it has ended already, there is nothing to hold."""
        held = job.Job()
        try:
            held.add(self.pid)
        except OSError:
            held.close()
        else:
            self._job = held

    def keep_to(self, *, cpus: Sequence[int] = (), memory_mb: int | None = None) -> None:
        """Set the processors and the address space that it may use. Raises CannotStart where the system refuses."""
        what = f"cpus={','.join(map(str, cpus))}"
        try:
            if self._job is not None:
                return self._job.keep_to(cpus=cpus, memory_mb=memory_mb)
            if cpus and hasattr(os, "sched_setaffinity"):
                os.sched_setaffinity(self.pid, cpus)
            if memory_mb and sys.platform == "linux":
                import resource

                size, what = memory_mb << 20, f"memory_mb={memory_mb}"
                resource.prlimit(self.pid, resource.RLIMIT_AS, (size, size))
        except ProcessLookupError:
            pass  # it has ended; whoever reads notices
        except (OSError, ValueError) as error:
            raise CannotStart(f"cannot be kept to {what}: {_words(error)}") from None

    # -- talking ------------------------------------------------------------------------------------------

    @property
    def is_alive(self) -> bool:
        return not (self._is_over or self._pipes.is_closed or self._pipes.exited.is_set())

    @property
    def unread(self) -> int:
        """Bytes that were written and wait until the engine reads."""
        return self._pipes.input.get_write_buffer_size()

    def write(self, data: bytes) -> None:
        """Send bytes; they are lost if the engine has ended."""
        if not self._pipes.input.is_closing():
            self._pipes.input.write(data)

    async def has_read(self, seconds: float) -> bool:
        """Whether all that was written leaves for the engine within this time."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._pipes.has_been_read.wait(), seconds)
        return self._pipes.has_been_read.is_set()

    def close_input(self) -> None:
        """End of input, after all that was written."""
        with contextlib.suppress(Exception):
            self._pipes.input.close()

    async def read(self, deadline: float | None) -> Line:
        """The next line. Raises TimeoutError at the deadline (monotonic), HasEnded at the end of output or when it has
        exited and nothing more comes."""
        has_exited = False
        while (line := self._pipes.pop()) is None:
            if self._pipes.is_closed or has_exited:
                raise HasEnded(await self.final_ending())
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                raise TimeoutError
            has_exited = self._pipes.exited.is_set()
            await self._pipes.arrival(LAST_WORDS if has_exited else left)
        return line

    def drop_waiting(self) -> int:
        """Drop unrequested lines; return their number."""
        return self._pipes.drop()

    @property
    def errors(self) -> list[str]:
        """The last lines on stderr."""
        return list(self._pipes.errors)

    @property
    def last_words(self) -> str:
        """The last line on stderr, where a program that cannot go on says why."""
        return next((line.strip()[:200] for line in reversed(self.errors) if line.strip()), "")

    def cpu(self) -> float | None:
        """CPU seconds of the process and its living descendants; None where that cannot be told."""
        if self._job is not None:
            return self._job.cpu
        return cpu_of(self.pid) if not self._is_over else None

    # -- ending -------------------------------------------------------------------------------------------

    async def wait(self, seconds: float) -> int | None:
        """The exit code, negative for a signal; None while it runs on after this time."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._pipes.exited.wait(), seconds)
        return self.code

    @property
    def code(self) -> int | None:
        """The exit code, negative for a signal; None while it runs."""
        transport = self._pipes.transport
        return None if transport is None else transport.get_returncode()

    def ending(self) -> str:
        """Describe in words how it ended."""
        if self.code is None:
            return "closed its output"
        if self.code < 0:
            return f"ended by {signal_name(-self.code)}"
        return f"exited with code {self.code}"

    async def final_ending(self) -> str:
        """The same of one whose output has ended, when its exit code and its last words are here."""
        await self.wait(LAST_BREATH)
        with contextlib.suppress(TimeoutError):  # what it said last may come after its end
            await asyncio.wait_for(self._pipes.errors_ended.wait(), LAST_WORDS)
        return self.ending()

    def has_left_others(self) -> bool:
        """Whether processes of its group outlive it, which has ended."""
        if sys.platform == "win32" or not _POSIX:
            return self._job is not None and self._job.active > 0
        try:
            os.killpg(self.pid, 0)
        except (ProcessLookupError, PermissionError):
            return False
        return True

    async def close(self, grace: float = 1.0) -> bool:
        """Close the input, wait, then kill. Whether it left by itself."""
        self.close_input()
        left = await self.wait(grace) is not None
        await self.kill()
        return left

    def signal(self, number: int) -> None:
        """Send a signal to the engine alone."""
        if self._pipes.transport is not None:
            with contextlib.suppress(ProcessLookupError):
                self._pipes.transport.send_signal(number)

    async def kill(self) -> None:
        """Kill the process with all that it started, also what left its session, and wait for the end."""
        transport = self._pipes.transport
        if self._is_over or transport is None:
            return
        self._is_over = True
        self._kill_all()
        self._pipes.resume()
        if not _POSIX:  # elsewhere Popen.kill would take the exit code away from whoever waits for it
            with contextlib.suppress(ProcessLookupError):
                transport.kill()
        await self.wait(5.0)
        self._kill_all()  # what was started meanwhile
        transport.close()
        if self._job is not None:
            self._job.close()
            self._job = None
        if _POSIX:
            keeper.forget(self.pid)

    def _kill_all(self) -> None:
        if _POSIX:
            keeper.end(self.pid, self.tag)
        elif self._job is not None:
            self._job.end()


def signal_name(number: int) -> str:
    """Its name ("SIGKILL"), or "signal 37" where it has none."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _words(error: Exception) -> str:
    """An error of the system in its own words."""
    return getattr(error, "strerror", None) or str(error)
