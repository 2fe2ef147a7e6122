"""Studies side by side: what each keeps of its answers, moves that are held back, shared batches, the analyst's order."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import networks
import numpy as np
import pytest
from checkout import needs_openvino
from puct_searches import after, empty

from tengen.engine.games.base import State
from tengen.engine.limits import Limits
from tengen.engine.play.analyst import Analyst, Job
from tengen.engine.search.base import Root
from tengen.engine.search.studies import Studies
from tengen.engine.search.study import Inquiry, Study

needs_openvino()


class Counting:
    """A guide that counts what it is asked."""

    def __init__(self) -> None:
        self._inner = networks.guide()
        self.told = self._inner.told
        self.rows: list[int] = []
        self.roots: list[list[bool]] = []

    def submit(self, planes: Any, numbers: Any, *, is_root: Any) -> Any:
        self.rows.append(len(planes))
        self.roots.append(list(is_root))
        return self._inner.submit(planes, numbers, is_root=is_root)


@pytest.fixture
def guide() -> Counting:
    return Counting()


def studied(guide: Any, *inquiries: Inquiry, batch: int = 16) -> list[Study]:
    """Searched to their ends."""
    studies, driver = [Study(inquiry) for inquiry in inquiries], Studies(guide, batch=batch)
    for study in studies:
        driver.begin(study)
    while not all(study.is_over for study in studies):
        driver.step([study for study in studies if not study.is_over], 1.0)
    driver.close()
    return studies


def inquiry(state: State | None = None, visits: int = 60, **fields: Any) -> Inquiry:
    return Inquiry(Root(state or empty(5)), Limits(visits=visits), options={"seed": 7}, **fields)


@pytest.mark.parametrize("visits", [1, 2, 17, 100])
@pytest.mark.parametrize("batch", [1, 16])
def test_visits_are_counted_to_the_one(guide: Counting, visits: int, batch: int) -> None:
    for study in studied(guide, *[inquiry(visits=visits) for _ in range(5)], batch=batch):
        assert study.visits == study.info().visits == visits


def test_batches_are_shared(guide: Counting) -> None:
    """Thirty-two trees of 32 visits, of which each has but one or two leaves at a time: full batches, and roots are told from
    other positions."""
    studied(guide, *[inquiry(visits=32) for _ in range(32)])
    assert sum(guide.rows) <= 32 * 32 and np.mean(guide.rows) > 13
    assert guide.roots[0] == [True] * 16 and set(guide.roots[-1]) == {False}


def test_each_is_searched_as_if_alone(guide: Counting) -> None:
    states = [empty(5), after(empty(5), "C3"), after(empty(5), "C3 B2"), empty(9)]
    together = studied(guide, *[inquiry(state) for state in states])
    for state, study in zip(states, together, strict=True):
        (alone,) = studied(guide, inquiry(state))
        assert [line.move for line in alone.info().lines[:3]] == [line.move for line in study.info().lines[:3]]
        assert alone.info().expected == pytest.approx(study.info().expected, abs=0.02)


def test_sums_are_those_of_the_answers(guide: Counting) -> None:
    (study,) = studied(guide, inquiry(after(empty(5), "C3"), 80, moves_owners=True))
    whole, lines = study.sums(), study.info().lines
    below = [study.sums(line.move) for line in lines]
    assert whole.answers == 1 + sum(one.answers for one in below) <= 80
    weighted = sum(one.answers * np.array(one.owners) for one in below)
    rest = np.array(whole.owners) * whole.answers - weighted
    assert np.all(np.abs(rest) <= 1.001), "what is left is the root's own answer"
    assert all(len(one.owners) == len(one.scatter) == 25 and min(one.scatter) >= 0 for one in below)
    assert whole.score_stdev > 0 and study.sums(24 if lines[0].move != 24 else 23).answers <= 80
    plain = studied(guide, inquiry(after(empty(5), "C3"), 80))[0]
    assert plain.sums(lines[0].move).owners == [] and len(plain.sums().owners) == 25


@pytest.mark.parametrize(("moves", "black"), [("", 1), ("C3", -1)])
def test_a_tree_knows_how_its_games_end(guide: Counting, moves: str, black: int) -> None:
    """Expected score and deviation of every line, without a study: they are those that the study sums up."""
    (study,) = studied(guide, inquiry(after(empty(9), moves), 40))
    info = study.info()
    for said, summed in [(info, study.sums()), *((line, study.sums(line.move)) for line in info.lines)]:
        assert said.final_score == pytest.approx((black * summed.score_mean, summed.score_stdev), abs=1e-3)
    (root,) = studied(guide, inquiry(after(empty(9), moves), 1))
    final = root.info().final_score
    assert final is not None and final.mean == pytest.approx(root.raw["score_mean"], abs=1e-3)


def test_the_root_is_seen_as_it_lies(guide: Counting) -> None:
    """Through whichever symmetry it was asked: the policy's best move is that of the priors."""
    for seed in range(1, 9):
        one = Inquiry(Root(after(empty(5), "B2 D3")), Limits(visits=2), options={"seed": seed})
        (study,) = studied(guide, one)
        logits = study.policy()
        legal = study.inquiry.root.state.legal_moves()
        assert max(legal, key=lambda move: logits[move]) == study.info().lines[0].move
        assert set(study.raw) >= {"win", "no_result", "loss", "lead", "score_mean", "score_stdev"}


def lines_of(study: Study, depth: int, line: tuple[int, ...] = ()) -> list[tuple[int, ...]]:
    """Every line of the tree down to that depth."""
    found = [line] if line else []
    if len(line) == depth:
        return found
    for move in range(26):
        if study.visits_along((*line, move))[-1]:
            found += lines_of(study, depth, (*line, move))
    return found


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_moves_are_held_back_down_to_a_ply(guide: Counting, depth: int) -> None:
    """Black may play the first row alone, White anything; below that all."""
    allowed = {0, 1, 2, 3, 4}
    plies = [0 if move in allowed else depth for move in range(26)]
    (study,) = studied(guide, inquiry(visits=400, held_back=(plies, ())))
    lines = lines_of(study, 3)
    black = [{line[ply] for line in lines if len(line) > ply} for ply in (0, 2)]
    white = {line[1] for line in lines if len(line) > 1}
    assert black[0] <= allowed and not white <= allowed
    assert (black[1] <= allowed) == (depth == 3)


def test_wrong_calls_are_refused() -> None:
    from tengen.engine._core import GoTree

    with pytest.raises(ValueError, match="a player is 0 or 1"):
        GoTree().hold_back(2, [])
    for call in (lambda tree: tree.study(), lambda tree: tree.sums_of(), lambda tree: tree.visits_along([1])):
        with pytest.raises(RuntimeError, match="no search was begun"):
            call(GoTree())


class Told:
    """What an analyst told, in order."""

    def __init__(self) -> None:
        self.done: list[tuple[str, int | str]] = []
        self.during: list[str] = []

    def job(self, name: str, visits: int = 10, **fields: Any) -> Job:
        def tell(study: Study, is_during: bool) -> None:
            (self.during.append(name) if is_during else self.done.append((name, study.visits)))

        return Job(inquiry(visits=visits), tell, lambda sentence: self.done.append((name, sentence)), **fields)


def test_the_analyst_takes_the_highest_priority(guide: Counting) -> None:
    told, gate = Told(), threading.Event()
    analyst = Analyst(gated(guide, gate), parallel=1, batch=16)
    for name, priority in (("low", -1), ("first", 0), ("second", 0), ("high", 3)):
        analyst.submit(told.job(name, priority=priority))
    gate.set()
    analyst.drain()
    analyst.close()
    assert [name for name, _ in told.done] == ["high", "first", "second", "low"]


def gated(guide: Counting, gate: threading.Event) -> Callable[[], Counting]:
    def load() -> Counting:
        gate.wait(10)
        return guide

    return load


def test_what_is_ended_while_the_network_loads_is_told_at_once(guide: Counting) -> None:
    told, gate = Told(), threading.Event()
    analyst = Analyst(gated(guide, gate), parallel=4, batch=16)
    analyst.submit(told.job("a"))
    analyst.end()
    analyst.drain()
    assert told.done == [("a", 0)]
    gate.set()
    analyst.submit(told.job("b"))
    analyst.drain()
    analyst.close()
    assert told.done[1:] == [("b", 10)]


def test_a_network_that_fails_is_told_and_tried_again(guide: Counting) -> None:
    told, failures = Told(), [ValueError("no network"), None]

    def load() -> Counting:
        failure = failures.pop(0)
        if failure is not None:
            raise failure
        return guide

    analyst = Analyst(load, parallel=4, batch=16)
    analyst.submit(told.job("a"))
    analyst.drain()
    analyst.submit(told.job("b"))
    analyst.drain()
    analyst.close()
    assert told.done == [("a", "no network"), ("b", 10)]


def test_a_network_that_breaks_down_is_told(guide: Counting) -> None:
    class Broken(Counting):
        def submit(self, planes: Any, numbers: Any, *, is_root: Any) -> Any:
            if len(self.rows) > 3:
                raise RuntimeError("out of order")
            return super().submit(planes, numbers, is_root=is_root)

    told = Told()
    analyst = Analyst(Broken, parallel=4, batch=16)
    analyst.submit(told.job("a", visits=500))
    analyst.drain()
    analyst.close()
    assert told.done == [("a", "out of order")]


def test_a_wrong_setting_is_told(guide: Counting) -> None:
    told = Told()
    analyst = Analyst(lambda: guide, parallel=4, batch=16)
    job = told.job("a")
    job.study = Study(Inquiry(job.inquiry.root, job.inquiry.limits, options={"wonder": 1.0}))
    analyst.submit(job)
    analyst.drain()
    analyst.close()
    assert told.done[0][0] == "a" and "wonder" in str(told.done[0][1])
