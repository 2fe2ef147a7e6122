"""Units of work: done at least once, counted once, whoever does them."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tengen.tools.executors.base import ATTEMPTS, Collected, Result, Unit, WorkError, perform
from tengen.tools.executors.local import Here, Processes


def unit(folder: Path, name: str, **facts: Any) -> Unit:
    return Unit(name, "note", facts, str(folder / name))


def note(one: Unit) -> Mapping[str, Any]:
    """Writes its name; may fail, or kill the process that does it so many times."""
    if one.facts.get("fails"):
        raise ValueError(one.facts["fails"])
    kills = one.facts.get("kills", 0)
    marks = Path(one.draft + ".kills")
    done = len(marks.read_text()) if marks.exists() else 0
    if done < kills:
        marks.write_text("x" * (done + 1))
        os.kill(os.getpid(), signal.SIGKILL)
    Path(one.draft).write_text(one.name)
    return {"process": os.getpid()}


def collect(executor: Collected, count: int, seconds: float = 60) -> dict[str, Result]:
    found: dict[str, Result] = {}
    end = time.monotonic() + seconds
    while len(found) < count and time.monotonic() < end:
        for result in executor.poll(0.2):
            assert result.unit.name not in found, "every unit counts once"
            found[result.unit.name] = result
    return found


def test_units_are_done_in_processes_and_a_killed_one_is_replaced(tmp_path: Path) -> None:
    executor = Processes(note, 2)
    try:
        collected = Collected(executor, set())
        names = [f"u{number}" for number in range(6)]
        for name in names:
            assert collected.submit(unit(tmp_path, name, kills=1 if name == "u2" else 0))
        found = collect(collected, 6)
        assert sorted(found) == names and executor.pending == 0
        for name, result in found.items():
            assert Path(result.path).read_text() == name and result.figures["process"] != os.getpid()
    finally:
        executor.close()


def test_a_unit_that_kills_every_worker_is_given_up(tmp_path: Path) -> None:
    executor = Processes(note, 1)
    try:
        collected = Collected(executor, set())
        collected.submit(unit(tmp_path, "deadly", kills=ATTEMPTS + 1))
        with pytest.raises(WorkError, match=r"killed again and again"):
            collect(collected, 1)
    finally:
        executor.close()


class Twice(Here):
    """An executor that brings every result twice, as one may whose worker was believed dead."""

    def poll(self, seconds: float) -> list[Result]:
        return [one for result in super().poll(seconds) for one in (result, self.copy(result))]

    def copy(self, result: Result) -> Result:
        again = Path(result.path + ".again")
        again.write_bytes(Path(result.path).read_bytes())
        return Result(result.unit, str(again), result.sha256, result.figures)


def test_of_two_results_the_first_counts(tmp_path: Path) -> None:
    collected = Collected(Twice(note), {"old"})
    assert not collected.submit(unit(tmp_path, "old")), "what counts already is not done again"
    for name in ("a", "b"):
        assert collected.submit(unit(tmp_path, name)) and not collected.submit(unit(tmp_path, name))
    assert sorted(collect(collected, 2)) == ["a", "b"] and collected.poll(0) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"], "the file of the second one is gone"


def test_a_damaged_result_is_refused(tmp_path: Path) -> None:
    class Torn(Here):
        def poll(self, seconds: float) -> list[Result]:
            found = super().poll(seconds)
            for result in found:
                Path(result.path).write_text("torn")
            return found

    collected = Collected(Torn(note), set())
    collected.submit(unit(tmp_path, "a"))
    with pytest.raises(WorkError, match=r"the result of the unit a came damaged"):
        collected.poll(0)


def test_what_a_worker_could_not_do_is_one_sentence(tmp_path: Path) -> None:
    assert perform(note, unit(tmp_path, "a", fails="the disk is full")).error == "the disk is full"
    collected = Collected(Here(note), set())
    collected.submit(unit(tmp_path, "a", fails="the disk is full"))
    with pytest.raises(WorkError, match=r"a worker failed: the disk is full"):
        collected.poll(0)
