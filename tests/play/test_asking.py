"""Waiting for an answer: it comes, fails, or is too late."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from types import MappingProxyType
from typing import Any

import pytest

from tengen.engine._core import StopToken
from tengen.engine.evaluators.backends.features import feature_set
from tengen.engine.search.batching import Asker, Patience, new_place


class Tardy(Future[int]):
    """Is done as soon as somebody has waited in vain."""

    def result(self, timeout: float | None = None) -> int:
        if self.done():
            return super().result(timeout)
        self.finish()
        raise NotYet

    def finish(self) -> None:
        self.set_result(5)


class Failing(Tardy):
    """Fails by a time limit of its own."""

    def finish(self) -> None:
        self.set_exception(TimeoutError("its own"))


def test_an_answer_that_comes_between_two_looks() -> None:
    assert Patience(StopToken()).wait(Tardy()) == 5
    with pytest.raises(TimeoutError, match="its own"):
        Patience(StopToken()).wait(Failing())


def test_a_deadline_counts_only_when_something_is_known() -> None:
    late = Patience(StopToken(), time.monotonic() - 1)
    assert late.wait(Future[int]()) is None
    answer = Future[int]()
    answer.set_result(3)
    assert late.wait(answer) == 3, "what is there is taken"


def test_a_stop_leaves_a_little_time_for_the_first() -> None:
    stop = StopToken()
    stop.stop()
    started = time.monotonic()
    assert Patience(stop).wait(Future[int]()) is None
    between = time.monotonic()
    assert Patience(stop).wait(Future[int](), is_first=True) is None
    assert time.monotonic() - between >= 0.03 > 0 < between - started


class Ticket:
    """An answer that is there once `come` is called; it remembers the threads that waited."""

    def __init__(self) -> None:
        self.here, self.waited = threading.Event(), list[threading.Thread]()

    def is_there(self, seconds: float) -> bool:
        return self.here.wait(seconds)

    def wait(self) -> Any:
        self.here.wait()
        self.waited.append(threading.current_thread())
        return "answer"


class Guide:
    """Begins at once on batches of up to `prompt` rows; it remembers the threads that asked."""

    told: Mapping[str, bool] = MappingProxyType({})

    def __init__(self, prompt: int) -> None:
        self.prompt, self.asked, self.tickets = prompt, list[threading.Thread](), list[Ticket]()

    def submit(self, planes: Any, numbers: Any, *, is_root: Any) -> Any:
        self.asked.append(threading.current_thread())
        self.tickets.append(Ticket())
        return self.tickets[-1]

    def is_prompt(self, planes: Any, numbers: Any) -> bool:
        return len(planes) <= self.prompt


def asker(guide: Guide, pool: ThreadPoolExecutor) -> Asker:
    features = feature_set("reversi", "reversi-v1")
    return Asker(pool, guide, lambda: new_place(features, 8, 8, 4), 2)


def test_a_batch_that_begins_at_once_needs_no_thread() -> None:
    """One that may have to be compiled first has one of its own."""
    here = threading.current_thread()
    with ThreadPoolExecutor(2) as pool:
        guide = Guide(prompt=2)
        made = asker(guide, pool)
        made.ask(2)
        assert guide.asked == [here] and made.rows == 2 and made.wait(Patience(StopToken(), 0), is_first=False) is None
        guide.tickets[0].here.set()
        assert made.wait(Patience(StopToken()), is_first=False) == "answer"
        assert guide.tickets[0].waited == [here] and not made.is_waiting
        made.ask(3)
        while len(guide.tickets) < 2:
            time.sleep(0.001)
        guide.tickets[1].here.set()
        assert made.wait(Patience(StopToken()), is_first=False) == "answer"
        assert guide.asked[1] is not here is not guide.tickets[1].waited[0]


def test_what_nobody_waits_for_is_left_to_the_pool() -> None:
    """A search that was stopped returns while the network still computes."""
    pool, guide = ThreadPoolExecutor(2), Guide(prompt=4)
    made = asker(guide, pool)
    made.ask(1)
    made.close()
    assert not made.is_waiting and not guide.tickets[0].waited
    guide.tickets[0].here.set()
    pool.shutdown()
    (waiter,) = guide.tickets[0].waited
    assert waiter is not threading.current_thread()
