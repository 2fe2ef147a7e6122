"""Analyses that many ask for at once: taken by priority, searched side by side in shared batches, told when complete.

A thread drives it. What is asked for while the network loads waits.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tengen.engine.search.studies import Studies
from tengen.engine.search.study import Inquiry, Study

if TYPE_CHECKING:
    from tengen.engine.evaluators.katago.evaluator import KataGoEvaluator
    from tengen.engine.search.guide import Guide

    Guides = tuple[Guide, KataGoEvaluator | None]

LOOK_SECONDS = 0.005
"""The seconds between looks for news while an answer is awaited."""
LAST_SECONDS = 0.3
"""The seconds for the answer that is under way when it is closed."""
EXTRA = 4
"""Analyses of higher priority that begin although as many run as may, for each of these."""


@dataclass(eq=False)
class Job:
    """One analysis. Higher priorities first, earlier ones before later ones.

    tell(study, is_during): called in the analyst's thread with what is known, the last time with False; `study.visits`
    may be 0 then, when it was ended before anything was known. failed(sentence): called in its place. first, every:
    seconds until the first report and between two while it is searched, None for none. tag: its name among others.
    """

    inquiry: Inquiry
    tell: Callable[[Study, bool], None]
    failed: Callable[[str], None]
    priority: int = 0
    first: float | None = None
    every: float | None = None
    tag: tuple[str, int] = ("", 0)
    number: int = field(default=0, init=False)
    is_unwanted: bool = field(default=False, init=False)
    study: Study = field(init=False)
    due: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        self.study = Study(self.inquiry)

    @property
    def rank(self) -> tuple[int, int]:
        return -self.priority, self.number


class Analyst:
    """Analyses positions of Go with a network. `submit`, `end`, `drain` and `close` may be called from any thread."""

    def __init__(
        self,
        load: Callable[[], Guide],
        *,
        parallel: int,
        batch: int,
        load_human: Callable[[], KataGoEvaluator | None] = lambda: None,
    ) -> None:
        """load: may take its time, and so may load_human, which brings the human network beside the search, if there is
        one. parallel: how many analyses run side by side; batch: positions a batch."""
        self._load, self._parallel, self._batch = lambda: (load(), load_human()), parallel, batch
        self._news = threading.Condition()
        self._queued: list[Job] = []
        self._running: list[Job] = []
        self._count = itertools.count()
        self._is_closed = False
        self._loading: _Coming | None = None
        self._thread = threading.Thread(target=self._run, name="analyst", daemon=True)
        self._thread.start()

    def submit(self, job: Job) -> None:
        with self._news:
            job.number = next(self._count)
            self._queued.append(job)
            self._news.notify_all()

    def end(self, *, which: Callable[[Job], bool] = lambda job: True) -> None:
        """End analyses: each reports its results once more. Returns at once."""
        with self._news:
            for job in (*self._queued, *self._running):
                job.is_unwanted |= which(job)
            self._news.notify_all()

    def drain(self, seconds: float | None = None) -> bool:
        """Wait until everything that was asked for has been told, at most so long; whether it has been."""
        with self._news:
            return self._news.wait_for(lambda: self._is_closed or not (self._queued or self._running), seconds)

    def close(self) -> None:
        """Nobody wants anything any more; nothing is told from now on."""
        with self._news:
            self._is_closed = True
            self._news.notify_all()
        if self._thread is not threading.current_thread():
            self._thread.join(LAST_SECONDS)

    # -- the thread ---------------------------------------------------------------------------------------

    def _run(self) -> None:
        studies: Studies | None = None
        while self._await_work():
            self._tell_unwanted()
            try:
                if studies is None:
                    studies = self._ready()
                    if studies is None:
                        continue
                self._admit(studies)
                studies.step([job.study for job in self._running], LOOK_SECONDS)
            except Exception as error:
                self._fail(_sentence(error))
                studies = self._loading = None
                continue
            self._tell_due()
        if studies is not None:
            studies.close()

    def _await_work(self) -> bool:
        """Whether there is something to do; waits for it. False: closed."""
        with self._news:
            self._news.wait_for(lambda: self._is_closed or self._queued or self._running)
            return not self._is_closed

    def _ready(self) -> Studies | None:
        """What is searched with, None while the network loads. Raises what went wrong with that."""
        if self._loading is None:
            self._loading = _Coming(self._load)
        guides = self._loading.guides(LOOK_SECONDS)
        return None if guides is None else Studies(guides[0], batch=self._batch, human=guides[1])

    def _admit(self, studies: Studies) -> None:
        """Begin what may begin."""
        while True:
            with self._news:
                job = min(self._queued, key=lambda job: job.rank, default=None)
                if job is None or not self._may_begin(job):
                    return
                self._queued.remove(job)
                self._running.append(job)
                self._running.sort(key=lambda job: job.rank)
            job.due = time.monotonic() + (job.first if job.first is not None else float("inf"))
            try:
                studies.begin(job.study)
            except ValueError as error:
                self._over(job)
                job.failed(str(error))

    def _may_begin(self, job: Job) -> bool:
        if len(self._running) < self._parallel:
            return True
        return job.priority > self._running[0].priority and len(self._running) < EXTRA * self._parallel

    def _tell_unwanted(self) -> None:
        with self._news:
            unwanted = [job for job in (*self._queued, *self._running) if job.is_unwanted]
        for job in unwanted:
            self._finish(job)

    def _tell_due(self) -> None:
        now = time.monotonic()
        for job in tuple(self._running):
            if job.study.is_over:
                self._finish(job)
            elif now >= job.due and job.study.visits and job.study.awaited is None:
                job.due = now + (job.every if job.every is not None else float("inf"))
                job.tell(job.study, True)

    def _finish(self, job: Job) -> None:
        job.study.end()
        job.tell(job.study, False)
        self._over(job)

    def _over(self, job: Job) -> None:
        with self._news:
            for jobs in (self._queued, self._running):
                if job in jobs:
                    jobs.remove(job)
            self._news.notify_all()

    def _fail(self, sentence: str) -> None:
        """The network does not load or run: all who wait hear of it."""
        with self._news:
            jobs = [*self._queued, *self._running]
        for job in jobs:
            job.failed(sentence)
            self._over(job)


class _Coming:
    """Networks that a thread loads."""

    def __init__(self, load: Callable[[], Guides]) -> None:
        self._load = load
        self._guides: Guides | None = None
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._run, name="analyst's network", daemon=True)
        self._thread.start()

    def guides(self, patience: float) -> Guides | None:
        """The networks; None when it takes longer than so many seconds. Raises what went wrong."""
        self._thread.join(patience)
        if self._error is not None:
            raise self._error
        return self._guides

    def _run(self) -> None:
        try:
            self._guides = self._load()
        except Exception as error:
            self._error = error


def _sentence(error: Exception) -> str:
    return str(error) or type(error).__name__
