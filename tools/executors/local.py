"""Units done on this machine: in this process, or in others."""

from __future__ import annotations

import multiprocessing
import time
from collections import deque
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

from tengen.engine.system import deaf_to_interrupts
from tengen.tools import jobs
from tengen.tools.executors.base import ATTEMPTS, Result, Unit, Work, perform


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
        with deaf_to_interrupts():  # a process that begins meanwhile stays deaf, before it can say so itself
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
