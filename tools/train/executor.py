"""Who does units of work: a small interface, so that processes of this machine and other machines are alike to a run.

A unit is done at least once. What comes of it is a file with its SHA-256, and of results of one unit the first counts:
`Collected` sees to that for any executor. Units take 10 to 60 seconds, so that little is lost with a worker.
"""

from __future__ import annotations

import multiprocessing
import time
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from tengen.engine import atomic
from tengen.tools import jobs
from tengen.tools.train.manifest import RunError

ATTEMPTS = 3
"""How often a unit is tried whose worker died."""


@dataclass(frozen=True)
class Unit:
    """Work that can be told over a wire. name: unique in its run. kind: what is done (`work.py`). facts: of plain
    values. draft: the file to be written."""

    name: str
    kind: str
    facts: Mapping[str, Any]
    draft: str


@dataclass(frozen=True)
class Result:
    """What came of a unit: the file, its SHA-256, and figures about it; or why nothing came of it."""

    unit: Unit
    path: str = ""
    sha256: str = ""
    figures: Mapping[str, Any] = field(default_factory=dict)
    error: str = ""


Work = Callable[[Unit], Mapping[str, Any]]
"""Does a unit in the process of a worker: writes its draft and returns figures. Importable by its name."""


class Executor(Protocol):
    """Takes units and brings results, in any order, some perhaps twice."""

    @property
    def workers(self) -> int:
        """Units that it does at a time."""

    @property
    def pending(self) -> int:
        """Units that it has not brought results of."""

    def submit(self, unit: Unit) -> None: ...
    def poll(self, seconds: float) -> list[Result]:
        """Results that are there; waits so long for the first one."""

    def close(self) -> None:
        """End it; what is under way is lost."""


def perform(work: Work, unit: Unit) -> Result:
    """Do a unit and say what came of it. Runs in the process of a worker."""
    try:
        figures = work(unit)
        path = Path(unit.draft)
        atomic.sync(path)
        return Result(unit, unit.draft, atomic.digest(path), figures)
    except (ValueError, OSError, RuntimeError, ImportError) as error:
        return Result(unit, error=str(error) or type(error).__name__)


class Here:
    """Does units in this process, one for each poll: for one worker, and for tests."""

    workers = 1

    def __init__(self, work: Work) -> None:
        self._work = work
        self._waiting: deque[Unit] = deque()

    @property
    def pending(self) -> int:
        return len(self._waiting)

    def submit(self, unit: Unit) -> None:
        self._waiting.append(unit)

    def poll(self, seconds: float) -> list[Result]:
        """The next unit, whatever time it takes."""
        return [perform(self._work, self._waiting.popleft())] if self._waiting else []

    def close(self) -> None:
        self._waiting.clear()


class Processes:
    """Does units in processes of this machine. One that is killed is replaced, and what it had is done again."""

    def __init__(self, work: Work, workers: int) -> None:
        self.workers = workers
        self._work = work
        self._pool = self._new_pool()
        self._running: dict[Future[Result], Unit] = {}
        self._attempts: dict[str, int] = {}

    @property
    def pending(self) -> int:
        return len(self._running)

    def submit(self, unit: Unit) -> None:
        self._attempts[unit.name] = self._attempts.get(unit.name, 0) + 1
        with jobs.deaf_to_interrupts():  # a process that begins meanwhile stays deaf, before it can say so itself
            try:
                future = self._pool.submit(perform, self._work, unit)
            except BrokenProcessPool:
                self._pool = self._new_pool()
                future = self._pool.submit(perform, self._work, unit)
        self._running[future] = unit

    def poll(self, seconds: float) -> list[Result]:
        if not self._running:
            time.sleep(min(seconds, 0.05))
            return []
        done = wait(self._running, timeout=seconds, return_when=FIRST_COMPLETED).done
        return [result for future in done if (result := self._result(future)) is not None]

    def close(self) -> None:
        for future in self._running:
            future.cancel()
        for process in list((self._pool._processes or {}).values()):
            process.terminate()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._running.clear()

    def _result(self, future: Future[Result]) -> Result | None:
        """What came of it; nothing yet where its worker was killed and it is tried again."""
        unit = self._running.pop(future)
        try:
            return future.result()
        except BrokenProcessPool:
            if self._attempts[unit.name] >= ATTEMPTS:
                return Result(unit, error="its process was killed again and again, perhaps for want of memory")
            self.submit(unit)
            return None

    def _new_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self.workers, multiprocessing.get_context("spawn"), initializer=jobs.begin_worker)


class Collected:
    """The results of an executor, each unit's once. known: units whose results count already."""

    def __init__(self, executor: Executor, known: set[str]) -> None:
        self.executor = executor
        self._known = set(known)
        self._asked: set[str] = set()

    def submit(self, unit: Unit) -> bool:
        """Ask for a unit, unless it is known or was asked for."""
        if unit.name in self._known or unit.name in self._asked:
            return False
        self._asked.add(unit.name)
        self.executor.submit(unit)
        return True

    def poll(self, seconds: float) -> list[Result]:
        """The new ones. A second result of a unit is thrown away, and so is its file. Raises RunError for a unit that
        nobody could do and for a file that is not what the worker wrote."""
        found = []
        for result in self.executor.poll(seconds):
            name = result.unit.name
            if name in self._known:
                if result.path:
                    Path(result.path).unlink(missing_ok=True)
                continue
            if result.error:
                raise RunError(f"a worker failed: {result.error}")
            if atomic.digest(Path(result.path)) != result.sha256:
                raise RunError(f"the result of the unit {name} came damaged")
            self._known.add(name)
            found.append(result)
        return found
