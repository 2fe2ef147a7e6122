"""The runner of work: as many tasks at a time as there are slots, results as they come, and one end for everything."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from match_games import is_alive

from tengen.tools.jobs import Jobs, Slots


@pytest.mark.parametrize("count", [1, 3])
def test_slots_take_as_many_tasks_at_a_time(count: int) -> None:
    busy: set[int] = set()
    most = 0

    async def work(slot: int, task: int) -> AsyncIterator[tuple[int, str]]:
        nonlocal most
        assert slot not in busy
        busy.add(slot)
        most = max(most, len(busy))
        yield task, "begun"
        await asyncio.sleep(0.001)
        yield task, "done"
        busy.remove(slot)

    async def run() -> list[tuple[int, str]]:
        slots = Slots(count, work)
        for task in range(7):
            slots.submit(task)
        found = [await slots.next() for _ in range(14)]
        await slots.close()
        return found

    found = asyncio.run(run())
    assert sorted(found) == [(task, word) for task in range(7) for word in ("begun", "done")] and most == count


def test_a_mistake_in_the_work_is_raised_and_the_end_reaches_every_slot() -> None:
    ended: list[int] = []

    async def work(slot: int, task: int) -> AsyncIterator[int]:
        yield task
        raise ZeroDivisionError

    async def end(slot: int) -> None:
        ended.append(slot)

    async def run() -> None:
        slots = Slots(2, work, end)
        slots.submit(5)
        try:
            assert await slots.next() == 5
            await slots.next()
        finally:
            await slots.close()

    with pytest.raises(ZeroDivisionError):
        asyncio.run(run())
    assert sorted(ended) == [0, 1]


def test_jobs_are_processes_that_stay_for_the_next_run() -> None:
    with Jobs(2) as jobs:
        first = set(jobs.run(os.getpid, [()] * 8))
        assert os.getpid() not in first and len(first | set(jobs.run(os.getpid, [()] * 8))) <= 2
        left = jobs.run(abs, [(-1,), (-2,), (-3,)])
        assert next(left) in (1, 2, 3)
        left.close()  # a run that nobody wants to the end
        assert sorted(jobs.run(abs, [(-4,), (-5,)])) == [4, 5]
    with Jobs(1) as jobs:
        assert set(jobs.run(os.getpid, [()] * 8)) == {os.getpid()}


def test_a_job_that_is_killed_is_one_sentence_and_the_next_run_has_new_ones() -> None:
    with Jobs(2) as jobs:
        with pytest.raises(OSError, match=r"^a process that worked was killed.*memory"):
            list(jobs.run(os._exit, [(9,), (9,)]))
        assert sorted(jobs.run(abs, [(-4,), (-5,)])) == [4, 5]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_no_job_outlives_an_owner_that_is_killed() -> None:
    code = (
        "import os, time; from tengen.tools.jobs import Jobs\n"
        "with Jobs(2) as jobs:\n"
        "    print(*set(jobs.run(os.getpid, [()] * 9)), flush=True)\n"
        "    list(jobs.run(time.sleep, [(60,), (60,)]))"
    )
    owner = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert owner.stdout is not None
    pids = [int(word) for word in owner.stdout.readline().split()]
    assert pids and all(map(is_alive, pids))
    owner.send_signal(signal.SIGKILL)
    owner.wait()
    owner.stdout.close()
    deadline = time.monotonic() + 5
    while any(map(is_alive, pids)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not any(map(is_alive, pids))
