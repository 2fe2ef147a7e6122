"""Windows: a job object holds an engine with all that it starts.

The system ends everything in a job when its last handle is closed, also when the supervisor that holds it is killed; so
no keeper is needed there. Source: "Job Objects" of the Windows API. Left out: what an engine starts in the moment
between its own start and `add`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

KILL_ON_CLOSE, AFFINITY, JOB_MEMORY = 0x2000, 0x10, 0x200
"""Flags of the limits of a job."""
ACCOUNTING, LIMITS = 1, 9
"""Classes of information on a job."""
MAY_BE_ADDED = 0x0100 | 0x0001
"""Rights to a process: to set its quotas, and to end it."""
TICKS = 1e7
"""Ticks of 100 ns in a second."""


class _Basic(ctypes.Structure):
    _fields_ = [
        ("process_time", ctypes.c_int64), ("job_time", ctypes.c_int64), ("flags", ctypes.c_uint32),
        ("least_set", ctypes.c_size_t), ("most_set", ctypes.c_size_t), ("most_processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t), ("priority", ctypes.c_uint32), ("scheduling", ctypes.c_uint32),
    ]  # fmt: skip


class Extended(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION."""

    _fields_ = [
        ("basic", _Basic), ("io", ctypes.c_uint64 * 6), ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t), ("peak_process", ctypes.c_size_t), ("peak_job", ctypes.c_size_t),
    ]  # fmt: skip


class Accounting(ctypes.Structure):
    """JOBOBJECT_BASIC_ACCOUNTING_INFORMATION."""

    _fields_ = [
        ("user", ctypes.c_int64), ("kernel", ctypes.c_int64), ("user_now", ctypes.c_int64),
        ("kernel_now", ctypes.c_int64), ("faults", ctypes.c_uint32), ("processes", ctypes.c_uint32),
        ("active", ctypes.c_uint32), ("ended", ctypes.c_uint32),
    ]  # fmt: skip


class Job:
    """One job object. Every method raises OSError where the system refuses."""

    def __init__(self, kernel: Any = None) -> None:
        """kernel: kernel32 with the use of the last error; a stand-in in tests."""
        self._kernel = kernel or _kernel()
        self._handle: Any = self._checked(self._kernel.CreateJobObjectW(None, None))
        self._limits = Extended()
        self._limits.basic.flags = KILL_ON_CLOSE
        self._set_limits()

    def add(self, pid: int) -> None:
        """Put a process in. What it starts from now on is in, too."""
        process = self._checked(self._kernel.OpenProcess(MAY_BE_ADDED, False, pid))
        try:
            self._checked(self._kernel.AssignProcessToJobObject(self._handle, process))
        finally:
            self._kernel.CloseHandle(process)

    def keep_to(self, *, cpus: Sequence[int] = (), memory_mb: int | None = None) -> None:
        """Set the processors and the memory that all of it may use together."""
        basic = self._limits.basic
        if cpus:
            basic.flags |= AFFINITY
            basic.affinity = sum(1 << cpu for cpu in cpus)
        if memory_mb:
            basic.flags |= JOB_MEMORY
            self._limits.job_memory = memory_mb << 20
        self._set_limits()

    @property
    def active(self) -> int:
        """Processes in it that have not ended."""
        return int(self._accounting().active)

    @property
    def cpu(self) -> float:
        """CPU seconds of all its processes, also of those that have ended."""
        spent = self._accounting()
        return float(spent.user + spent.kernel) / TICKS

    def end(self) -> None:
        """End all of its processes."""
        if self._handle:
            self._kernel.TerminateJobObject(self._handle, 1)

    def close(self) -> None:
        """End all of its processes and give the job back. Afterwards only `end` and `close` may be called."""
        if self._handle:
            self._kernel.CloseHandle(self._handle)
            self._handle = None

    def _set_limits(self) -> None:
        size = ctypes.sizeof(self._limits)
        self._checked(self._kernel.SetInformationJobObject(self._handle, LIMITS, ctypes.byref(self._limits), size))

    def _accounting(self) -> Accounting:
        found = Accounting()
        size = ctypes.sizeof(found)
        self._checked(self._kernel.QueryInformationJobObject(self._handle, ACCOUNTING, ctypes.byref(found), size, None))
        return found

    def _checked(self, result: Any) -> Any:
        if not result:
            raise OSError(f"Windows refuses it (error {self._kernel.last_error()})")
        return result


class _Kernel:
    """kernel32 with the types of what is called here."""

    def __init__(self) -> None:
        library = ctypes.WinDLL("kernel32", use_last_error=True)  # type: ignore[attr-defined,unused-ignore]
        handle, pointer, word = ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint32
        types: dict[str, tuple[Any, list[Any]]] = {
            "CreateJobObjectW": (handle, [pointer, ctypes.c_wchar_p]),
            "OpenProcess": (handle, [word, ctypes.c_int, word]),
            "AssignProcessToJobObject": (ctypes.c_int, [handle, handle]),
            "SetInformationJobObject": (ctypes.c_int, [handle, ctypes.c_int, pointer, word]),
            "QueryInformationJobObject": (ctypes.c_int, [handle, ctypes.c_int, pointer, word, pointer]),
            "TerminateJobObject": (ctypes.c_int, [handle, word]),
            "CloseHandle": (ctypes.c_int, [handle]),
        }
        for name, (result, arguments) in types.items():
            call = getattr(library, name)
            call.restype, call.argtypes = result, arguments
            setattr(self, name, call)

    def last_error(self) -> int:
        """The number of the last error of this thread."""
        return int(ctypes.get_last_error())  # type: ignore[attr-defined,unused-ignore]


def _kernel() -> Any:
    return _Kernel()
