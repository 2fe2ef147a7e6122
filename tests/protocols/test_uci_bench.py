"""`bench` over UCI is told whole or not at all, however the conversation ends."""

from __future__ import annotations

import functools
import subprocess
import time
from collections.abc import Callable

import pytest
from uci_client import Process, say, told

from tengen.protocols.uci.benchmark import POSITIONS

Run = Callable[..., subprocess.CompletedProcess[str]]


def total(answers: list[str]) -> list[int]:
    """The totals that were told."""
    return [int(line.split()[-1]) for line in answers if line.startswith("Nodes searched")]


@functools.cache
def whole(depth: int) -> list[int]:
    """The total of so deep a bench in this process."""
    return total(say(f"bench {depth}"))


def test_the_total_is_the_sum_of_all_positions() -> None:
    lines = say("bench 4")
    nodes = [int(line.split()[-1]) for line in told(lines) if line.startswith("bench ")]
    assert len(nodes) == len(POSITIONS) and total(lines) == [sum(nodes)]


@pytest.mark.parametrize("ending", ["", "\nquit", "\nquit\n", "\nisready\nquit\n"])
def test_a_file_is_worked_through(tengen: Run, ending: str) -> None:
    assert total(tengen("uci", script="bench 5" + ending).stdout.splitlines()) == whole(5)


def test_a_pipe_that_ends_is_waited_for(tengen: Run) -> None:
    assert total(tengen("uci", send="bench 5\n").stdout.splitlines()) == whole(5)


@pytest.mark.parametrize("depth", ["4", "30"])
@pytest.mark.parametrize("word", ["quit", "stop\nquit"])
def test_behind_quit_it_is_whole_or_has_no_total(tengen: Run, depth: str, word: str) -> None:
    """The short one may be done in time, the long one never is, and then a sentence says why there is no total."""
    done = tengen("uci", send=f"bench {depth}\n{word}\n")
    lines = done.stdout.splitlines()
    assert done.returncode == 0 and not done.stderr
    assert total(lines) in ([], whole(4)) and (depth == "4" or not total(lines))
    assert total(lines) or "'tengen uci bench' waits for it" in lines[-1]


def test_stop_leaves_no_total() -> None:
    with Process() as talk:
        talk.send("bench 30\nstop\nisready")
        lines = talk.until("readyok")
        assert not total(lines) and any("has no total" in line for line in lines)


@pytest.mark.timing
def test_quit_is_obeyed_within_a_second() -> None:
    with Process() as talk:
        talk.send("bench 30\nisready")
        talk.until("readyok")
        start = time.monotonic()
        talk.send("quit")
        assert talk.process.wait(5) == 0 and time.monotonic() - start < 1.0
