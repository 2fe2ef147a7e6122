"""Alpha-beta by the toy game: what brute force finds, bounds, stopping, repeatability, several lines, threads."""

from __future__ import annotations

import random
import threading
import time
from functools import cache
from typing import Any, NamedTuple

import pytest
from _tengen_toy import ToyAlphaBeta, ToyState

from tengen.engine._core import StopToken

POSITIONS = 2000
LONGEST = 5  # plies of the longest win


class Known(NamedTuple):
    """A position, who wins with best play (1: the side to move) and in how many plies, and where its moves lead."""

    state: Any
    result: int
    plies: int
    after: dict[int, tuple[bytes, int]]


def key_of(state: Any) -> tuple[bytes, int]:
    return bytes(state.stones()), state.to_move


@cache
def table() -> dict[tuple[bytes, int], Known]:
    """Every position, solved from the ends backward (retrograde analysis); who can only go round in circles draws."""
    states: dict[tuple[bytes, int], Any] = {}
    after: dict[tuple[bytes, int], dict[int, tuple[bytes, int]]] = {}
    open_ones = [ToyState()]
    while open_ones:
        state = open_ones.pop()
        key = key_of(state)
        if key in states:
            continue
        states[key], after[key] = state, {}
        for move in () if state.is_terminal() else state.legal_moves():
            following = state.copy()
            following.play(move)
            after[key][move] = key_of(following)
            open_ones.append(following)
    solved = {key: (-1, 0) for key, state in states.items() if state.is_terminal()}
    for plies in range(1, len(states)):
        new = {}
        for key, moves in after.items():
            if key in solved:
                continue
            results = [solved[child][0] if child in solved else 0 for child in moves.values()]
            if -1 in results:
                new[key] = (1, plies)
            elif all(result == 1 for result in results):
                new[key] = (-1, plies)
        if not new:
            break
        solved |= new
    return {key: Known(state, *solved.get(key, (0, 0)), after[key]) for key, state in states.items()}


def make(**options: float) -> Any:
    search = ToyAlphaBeta("end")
    for name, value in {"memory_mb": 4, **options}.items():
        search.set(name, value)
    return search


def drawn() -> Any:
    """A position that nobody wins and whose search has no end."""
    return next(one.state for one in table().values() if one.result == 0 and min(one.state.legal_moves()) >= 9)


def facts(search: Any) -> list[tuple[Any, ...]]:
    info = search.info()
    return [(info.nodes, line.move, list(line.pv), line.score, line.depth, line.seldepth) for line in info.lines]


def test_the_table_is_right() -> None:
    """Whoever begins can draw alone, and no win is longer than five plies."""
    found = table()
    assert max(one.plies for one in found.values()) == LONGEST and found[key_of(ToyState())].result == 0


@pytest.mark.threads
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("memory", [0, 4])
def test_it_finds_what_brute_force_finds(memory: int, threads: int) -> None:
    """Who wins, by a move that keeps it, and the shortest win where no table brings longer ones."""
    found = table()
    chosen = random.Random(1).sample([key for key, one in found.items() if one.after], POSITIONS)
    search = make(memory_mb=memory, threads=threads)
    for key in chosen:
        one = found[key]
        search.run(one.state, depth=LONGEST + 2)
        line = search.info().lines[0]
        assert line.is_proved == (one.result != 0) and line.proof == one.result
        assert found[one.after[line.move]].result == -one.result
        if one.result:
            assert len(line.pv) == one.plies if memory == 0 and threads == 1 else len(line.pv) >= one.plies
            assert line.win == (one.result + 1) / 2


def test_one_thread_repeats() -> None:
    reports = []
    for _ in range(2):
        search = make()
        search.run(drawn(), depth=9)
        search.run(ToyState(), playouts=3000)
        reports.append(facts(search))
    assert reports[0] == reports[1] and reports[0]


@pytest.mark.parametrize("nodes", [1, 500, 5000, 77777])
def test_nodes_are_counted_exactly(nodes: int) -> None:
    """Playouts bound them; the first ply is looked at in any case."""
    search = make()
    search.run(drawn(), playouts=nodes)
    info = search.info()
    assert info.lines and (info.nodes == nodes if nodes > 100 else info.nodes < 100)
    assert info.playouts == info.visits == info.nodes


@pytest.mark.parametrize("depth", [1, 2, 5, 9])
@pytest.mark.parametrize("as_option", [False, True])
def test_a_depth_bounds_it(depth: int, as_option: bool) -> None:
    search = make(depth=depth if as_option else 0)
    search.run(drawn(), depth=0 if as_option else depth)
    (line,) = search.info().lines
    assert line.depth == depth <= line.seldepth and not line.is_proved and line.bound == "estimate"
    assert 1 <= len(line.pv) <= depth


@pytest.mark.timing
@pytest.mark.threads
@pytest.mark.parametrize("threads", [1, 2])
def test_seconds_bound_it(threads: int) -> None:
    search, state = make(threads=threads), drawn()
    started = time.monotonic()
    search.run(state, seconds=0.2)
    assert 0.19 < time.monotonic() - started < 0.25 and search.info().seconds == pytest.approx(0.2, abs=0.03)


@pytest.mark.timing
@pytest.mark.threads
@pytest.mark.parametrize("threads", [1, 2])
def test_a_stop_ends_it_within_20_ms(threads: int) -> None:
    late = []
    for _ in range(5):
        search, stop = make(threads=threads), StopToken()
        timer = threading.Timer(0.05, stop.stop)
        started = time.monotonic()
        timer.start()
        search.run(drawn(), stop=stop)
        late.append(time.monotonic() - started - 0.05)
        assert search.info().lines
    assert sorted(late)[2] < 0.02


def test_a_stop_that_came_before_leaves_a_move() -> None:
    search, stop = make(), StopToken()
    stop.stop()
    search.run(ToyState(), stop=stop)
    assert search.info().lines[0].depth == 1


def test_a_proof_ends_it() -> None:
    """Without any bound; and a lost position is played on for as long as it lasts."""
    search = make(memory_mb=0)
    search.run(next(one.state for one in table().values() if one.result == 1 and one.plies == LONGEST))
    assert search.info().lines[0].proof == 1 and len(search.info().lines[0].pv) == LONGEST
    lost = next(one for one in table().values() if one.result == -1 and one.plies == 4)
    search.run(lost.state)
    line = search.info().lines[0]
    assert line.is_proved and line.proof == -1 and len(line.pv) == 4 and line.win == 0


def test_the_root_plays_what_it_may() -> None:
    search, state = make(), ToyState()
    search.run(state, allow=[0, 1], depth=6)
    assert search.info().lines[0].move in (0, 1)
    search.run(state, avoid=[4], depth=6)
    assert search.info().lines[0].move != 4


def test_several_lines_are_all_exact() -> None:
    """Each with the result that its position has, the best first; they end together."""
    one = next(one for one in table().values() if {table()[key].result for key in one.after.values()} == {-1, 0, 1})
    search = make(lines=256)
    search.run(one.state, depth=LONGEST + 2)
    lines = search.info().lines
    assert {line.move for line in lines} == set(one.after)
    for line in lines:
        assert (line.proof if line.is_proved else 0) == -table()[one.after[line.move]].result
    assert [line.win for line in lines] == sorted((line.win for line in lines), reverse=True)
    assert search.info(max_lines=2).lines[1].move == lines[1].move and len(search.info(max_lines=2).lines) == 2


def test_what_the_game_has_seen_twice_is_a_draw() -> None:
    """A win is given away that leads to a third time."""
    one = next(
        one for one in table().values()
        if one.result == 1 and one.plies > 1 and min(one.after) >= 9
        and sum(table()[key].result == -1 for key in one.after.values()) == 1
    )  # fmt: skip
    (move,) = (move for move, key in one.after.items() if table()[key].result == -1)
    reached = one.state.copy()
    reached.play(move)
    search = make()
    search.run(one.state, seen=[reached.situational_key], depth=LONGEST + 2)
    assert search.info().lines[0].proof == 1, "once is no draw"
    search.run(one.state, seen=[reached.situational_key] * 2, depth=LONGEST + 2)
    assert not search.info().lines[0].is_proved
    search.run(one.state, depth=LONGEST + 2)
    assert search.info().lines[0].proof == 1, "and nothing of that is remembered"


@pytest.mark.threads
def test_reports_while_it_runs() -> None:
    search, stop = make(threads=2), StopToken()
    thread = threading.Thread(target=lambda: search.run(drawn(), stop=stop))
    thread.start()
    depths, deadline = [], time.monotonic() + 10
    while (not depths or depths[-1] < 12) and time.monotonic() < deadline:
        info = search.info()
        if info.lines:
            depths.append(info.lines[0].depth)
            assert 0 <= info.hashfull <= 1
    stop.stop()
    thread.join()
    assert depths == sorted(depths) and depths[-1] >= 12


def test_settings() -> None:
    search = make()
    names = {name for name, *_ in search.options()}
    assert names >= {"threads", "memory_mb", "lines", "depth", "window", "history_bonus", "time_scale"}
    assert not names & {"selectivity", "null_depth", "lmr_base", "see_depth", "etc_depth"}, "it has no such part"
    with pytest.raises(ValueError, match="threads must lie between"):
        search.set("threads", 0)
    with pytest.raises(ValueError, match="unknown option plies"):
        search.set("plies", 3)
    with pytest.raises(ValueError, match="there are end"):
        ToyAlphaBeta("eval")
