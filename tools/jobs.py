"""The one runner of work: slots that take tasks and hand over what comes of them, in this process or in many.

`Slots` are for an event loop: matches of engines, which are processes already. `Jobs` gives every slot a process of
Python and is for functions that compute: matches of our own players, tuning.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Generic, TypeVar

from tengen.engine.system import deaf_to_interrupts

Task = TypeVar("Task")
Event = TypeVar("Event")
Result = TypeVar("Result")


async def _nothing(slot: int) -> None:
    """What a slot that holds nothing needs at its end."""


class Slots(Generic[Task, Event]):
    """Works on `count` tasks at a time, the others wait. work(slot, task): yields what comes of a task. close_slot ends
    what a slot holds. Made inside a running event loop."""

    def __init__(
        self, count: int, work: Callable[[int, Task], AsyncIterator[Event]],
        close_slot: Callable[[int], Awaitable[None]] = _nothing,
    ) -> None:  # fmt: skip
        self.count = count
        self._work = work
        self._close_slot = close_slot
        self._waiting: asyncio.Queue[Task] = asyncio.Queue()
        self._events: asyncio.Queue[tuple[Event] | BaseException] = asyncio.Queue()
        self._runs = [asyncio.create_task(self._run(slot)) for slot in range(count)]

    def submit(self, task: Task) -> None:
        """Take a task; it waits until a slot is free."""
        self._waiting.put_nowait(task)

    async def next(self) -> Event:
        """The next event of any task. Raises whatever the work raised."""
        event = await self._events.get()
        if isinstance(event, BaseException):
            raise event
        return event[0]

    async def close(self) -> None:
        """Cancel the work in progress and end what every slot holds, however often it is called."""
        while pending := [run for run in self._runs if not run.done()]:
            for run in pending:  # again and again: Python 3.11's wait_for loses a cancellation now and then
                run.cancel()
            await asyncio.wait(pending, timeout=0.5)
        await asyncio.gather(*(self._close_slot(slot) for slot in range(self.count)), return_exceptions=True)

    async def _run(self, slot: int) -> None:
        while True:
            task = await self._waiting.get()
            try:
                async for event in self._work(slot, task):
                    self._events.put_nowait((event,))
            except (Exception, KeyboardInterrupt) as error:  # of ours or by the user: it ends the run, not a slot of it
                self._events.put_nowait(error)
                return


class Jobs:
    """Calls a function with many arguments, `count` at a time; one job runs in this process."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Jobs:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pool, self._pool = self._pool, None
        if pool is None:
            return
        if kind is not None:
            for process in multiprocessing.active_children():
                process.terminate()  # an interrupt does not wait for the games in progress
        pool.shutdown(wait=True, cancel_futures=True)

    def run(self, function: Callable[..., Result], tasks: Sequence[tuple[Any, ...]]) -> Iterator[Result]:
        """Results as they come, in any order. The function must be importable by its name. Raises OSError for a process
        that was killed."""
        if self.count == 1 or len(tasks) < 2:
            for task in tasks:
                yield function(*task)
            return
        if self._pool is None:  # spawned: the core's threads do not survive a fork
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self.count, context, initializer=begin_worker)
        with _loop() as runner:
            slots = runner.run(_filled(self.count, self._pool, function, tasks))
            try:
                for _ in tasks:
                    yield runner.run(slots.next())
            except BrokenProcessPool:
                self._pool = None  # all of its processes have been ended
                raise OSError("a process that worked was killed, perhaps for want of memory") from None
            finally:
                runner.run(slots.close())


@contextmanager
def _loop() -> Iterator[asyncio.Runner]:
    """An event loop; interrupts wait while it is made and closed, for half a loop complains when it goes."""
    with deaf_to_interrupts():
        runner = asyncio.Runner()
        runner.get_loop()
    try:
        yield runner
    finally:
        with deaf_to_interrupts():
            runner.close()


async def _filled(
    count: int, pool: ProcessPoolExecutor, function: Callable[..., Result], tasks: Sequence[tuple[Any, ...]]
) -> Slots[tuple[Any, ...], Result]:
    """Slots that call the function in processes, with all tasks."""

    async def call(slot: int, task: tuple[Any, ...]) -> AsyncIterator[Result]:
        with deaf_to_interrupts():  # a process that begins meanwhile stays deaf, before it can say so itself
            future = pool.submit(function, *task)
        yield await asyncio.wrap_future(future)

    slots = Slots(count, call)
    for task in tasks:
        slots.submit(task)
    return slots


def begin_worker() -> None:
    """Begin a worker: the parent handles interrupts, and the worker ends with the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_parent, name="parent", daemon=True).start()


def _end_with_the_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
