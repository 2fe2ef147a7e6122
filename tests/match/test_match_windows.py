"""The Windows branch of driven engines, under a stand-in of the system: job objects in place of sessions and a keeper."""

from __future__ import annotations

import asyncio
import ctypes
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from checkout import FAKES

from tengen.tools import cli
from tengen.tools.engines import job, keeper, process
from tengen.tools.engines.pipes import Hearing
from tengen.tools.engines.process import Launch, Process

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the stand-in needs /proc")


class Kernel:
    """kernel32, of which a job is a set of processes with what they started; a closed job is ended."""

    def __init__(self) -> None:
        self.jobs: dict[int, set[int]] = {}
        self.limits: dict[int, job.Extended] = {}
        self.handles: dict[int, int] = {}
        self._next = 100

    def _new(self) -> int:
        self._next += 1
        return self._next

    def CreateJobObjectW(self, security: None, name: None) -> int:  # noqa: N802  Windows names it so
        self.jobs[number := self._new()] = set()
        return number

    def OpenProcess(self, rights: int, inherits: bool, pid: int) -> int:  # noqa: N802
        if not Path(f"/proc/{pid}").exists():
            return 0
        self.handles[number := self._new()] = pid
        return number

    def AssignProcessToJobObject(self, one: int, handle: int) -> int:  # noqa: N802
        self.jobs[one].add(self.handles[handle])
        return 1

    def SetInformationJobObject(self, one: int, kind: int, at: Any, size: int) -> int:  # noqa: N802
        held = job.Extended()
        ctypes.memmove(ctypes.byref(held), at, size)
        self.limits[one] = held
        return int(kind == job.LIMITS and size == ctypes.sizeof(job.Extended))

    def QueryInformationJobObject(self, one: int, kind: int, at: Any, size: int, none: None) -> int:  # noqa: N802
        held = job.Accounting(user=20_000_000, kernel=5_000_000, active=len(self._living(one)))
        ctypes.memmove(at, ctypes.byref(held), size)
        return int(kind == job.ACCOUNTING)

    def TerminateJobObject(self, one: int, code: int) -> int:  # noqa: N802
        for pid in self._living(one):
            os.kill(pid, signal.SIGKILL)
        return 1

    def CloseHandle(self, handle: int) -> int:  # noqa: N802
        if handle in self.jobs:
            self.TerminateJobObject(handle, 0)
            del self.jobs[handle]
        self.handles.pop(handle, None)
        return 1

    def last_error(self) -> int:
        return 87

    def _living(self, one: int) -> set[int]:
        started = {
            pid for first in self.jobs[one] for pid in (first, *keeper.descendants(first), *keeper.session(first))
        }
        return {pid for pid in started if is_alive(pid)}


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> Iterator[Kernel]:
    """Everything that asks for the system sees Windows."""
    kernel = Kernel()
    monkeypatch.setattr(process, "_POSIX", False)
    monkeypatch.setattr(keeper, "announcer", lambda tag: None)
    monkeypatch.setattr(job, "_kernel", lambda: kernel)
    yield kernel
    assert not kernel.jobs and not kernel.handles, "every handle is given back"


def test_sizes_are_those_of_windows() -> None:
    """Of 64 bits, as winnt.h lays them out."""
    assert (ctypes.sizeof(job.Extended), ctypes.sizeof(job.Accounting)) == (144, 48)


def test_an_engine_ends_with_what_it_started(kernel: Kernel) -> None:
    code = (
        "import subprocess, sys; child = subprocess.Popen([sys.executable, '-S', '-c', 'import time; time.sleep(99)']); "
        "print(child.pid, flush=True); input()"
    )

    async def run() -> tuple[int, int]:
        engine = Process(Launch((sys.executable, "-S", "-c", code)), Hearing())
        await engine.begin()
        child = int((await engine.read(time.monotonic() + 10)).text)
        engine.keep_to(cpus=(0, 2), memory_mb=512)
        (number,) = kernel.jobs
        limits = kernel.limits[number]
        assert limits.basic.flags == job.KILL_ON_CLOSE | job.AFFINITY | job.JOB_MEMORY
        assert (limits.basic.affinity, limits.job_memory) == (0b101, 512 << 20)
        assert engine.cpu() == 2.5 and engine.has_left_others()
        await engine.kill()
        return engine.pid, child

    for pid in asyncio.run(run()):
        deadline = time.monotonic() + 5
        while is_alive(pid) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert not is_alive(pid)


def test_an_engine_that_has_ended_is_no_fault(kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "OpenProcess", lambda *words: 0)

    async def run() -> int | None:
        engine = Process(Launch((sys.executable, "-S", "-c", "")), Hearing())
        await engine.begin()
        code = await engine.wait(10)
        assert engine.cpu() is not None or sys.platform != "linux" or code == 0
        await engine.kill()
        return code

    assert asyncio.run(run()) == 0


def test_what_windows_refuses_is_told(kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    held = job.Job()
    monkeypatch.setattr(kernel, "SetInformationJobObject", lambda *words: 0)
    with pytest.raises(OSError, match=r"Windows refuses it \(error 87\)"):
        held.keep_to(memory_mb=1)
    held.close()
    held.end()  # nothing is left to end


def test_a_match_is_played(kernel: Kernel, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = f"{sys.executable} {FAKES / 'match_engines.py'} uci"
    words = [
        "match",
        "--game",
        "chess",
        "--games",
        "2",
        "--tc",
        "5+0.1",
        "--max-moves",
        "20",
        "--out",
        str(tmp_path / "out"),
    ]
    engines = [word for name in "ab" for word in ("--engine", f"name={name}", f"command={command}", "protocol=uci")]
    assert cli.main([*words, *engines]) == 0
    assert "a - b: 1 of 2 (+0 =2 -0)" in capsys.readouterr().out
