"""Calls at a time to come, in threads that are kept."""

from __future__ import annotations

import gc
import threading
import time
import weakref
from collections.abc import Callable, Iterator

import pytest

from tengen.engine.play import alarm
from tengen.engine.play.alarm import set_alarm

Threads = Callable[[], int]


@pytest.fixture(autouse=True)
def threads(monkeypatch: pytest.MonkeyPatch) -> Iterator[Threads]:
    """How many threads of its own a test has, which are gone soon after it."""
    monkeypatch.setattr(alarm, "_free", [])
    monkeypatch.setattr(alarm, "LINGER", 0.2)
    others = set(alarms())

    def count() -> int:
        return len(set(alarms()) - others)

    yield count
    assert soon(lambda: count() == 0)


def alarms() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "alarm"]


def soon(holds: Callable[[], bool]) -> bool:
    end = time.monotonic() + 5
    while not (held := holds()) and time.monotonic() < end:
        time.sleep(0.001)
    return held


class Acts:
    """Counts its calls; after each, again in `again` seconds."""

    def __init__(self, again: float | None = None) -> None:
        self.again, self.count = again, 0

    def __call__(self) -> float | None:
        self.count += 1
        return self.again


def test_it_acts_once_at_its_time() -> None:
    act, began = Acts(), time.monotonic()
    one = set_alarm(act, 0.05)
    assert soon(lambda: act.count == 1) and time.monotonic() - began > 0.04
    time.sleep(0.05)
    one.clear()
    assert act.count == 1


def test_it_acts_again_until_it_is_cleared() -> None:
    act = Acts(again=0.0)
    one = set_alarm(act, 0.0)
    assert soon(lambda: act.count > 3)
    one.clear()
    count = act.count
    time.sleep(0.05)
    assert act.count == count


def test_who_is_over_before_hears_nothing_and_one_thread_serves_all(threads: Threads) -> None:
    acts = [Acts() for _ in range(200)]
    for act in acts:
        set_alarm(act, 0.05).clear()
    assert threads() == 1
    time.sleep(0.1)
    assert not any(act.count for act in acts)
    last = Acts()
    one = set_alarm(last, 0.0)
    assert soon(lambda: last.count == 1)
    one.clear()


def test_an_earlier_time_wakes_the_thread(threads: Threads) -> None:
    set_alarm(Acts(), 30.0).clear()
    act = Acts()
    one = set_alarm(act, 0.01)
    assert soon(lambda: act.count == 1) and threads() == 1
    one.clear()


def test_each_of_several_has_its_own() -> None:
    acts = [Acts(), Acts()]
    both = [set_alarm(act, 0.01) for act in acts]
    assert soon(lambda: all(act.count == 1 for act in acts))
    for one in both:
        one.clear()


def test_one_whose_thread_has_ended_is_replaced(threads: Threads) -> None:
    set_alarm(Acts(), 0.0).clear()
    assert soon(lambda: threads() == 0)
    act = Acts()
    one = set_alarm(act, 0.0)
    assert soon(lambda: act.count == 1)
    one.clear()


def test_to_clear_waits_for_a_call_in_progress() -> None:
    begun, ended = threading.Event(), threading.Event()

    def act() -> None:
        begun.set()
        time.sleep(0.1)
        ended.set()

    one = set_alarm(act, 0.0)
    assert begun.wait(5)
    one.clear()
    assert ended.is_set()


def test_what_fails_ends_its_thread_only(monkeypatch: pytest.MonkeyPatch, threads: Threads) -> None:
    failures = list[object]()
    monkeypatch.setattr(threading, "excepthook", failures.append)

    def fail() -> None:
        raise RuntimeError("broken")

    one = set_alarm(fail, 0.0)
    assert soon(lambda: bool(failures) and threads() == 0)
    one.clear()
    act = Acts()
    other = set_alarm(act, 0.0)
    assert soon(lambda: act.count == 1)
    other.clear()


def test_nothing_is_held_after_it() -> None:
    act = Acts()
    gone = weakref.ref(act)
    gc.disable()
    try:
        set_alarm(act, 0.02).clear()
        del act
        assert gone() is None
        act = Acts()
        gone = weakref.ref(act)
        one = set_alarm(act, 0.0)
        assert soon(lambda: (found := gone()) is not None and found.count == 1)
        one.clear()
        del act
        assert soon(lambda: gone() is None)
    finally:
        gc.enable()
