"""Waiting for an answer: it comes, fails, or is too late."""

from __future__ import annotations

import time
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet

import pytest

from tengen.engine._core import StopToken
from tengen.engine.search.batching import Patience


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
