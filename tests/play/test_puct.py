"""Go searched with a network: the contract of a search, kept by batches that are answered from outside."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import networks
import pytest
from checkout import needs_openvino
from puct_searches import GO, after, empty, facts, run, search, with_banned

from tengen.engine._core import StopToken
from tengen.engine.info import Info
from tengen.engine.limits import Limits
from tengen.engine.search.base import Root

needs_openvino()

# Limits


@pytest.mark.parametrize("batch", [1, 3, 8, 64])
@pytest.mark.parametrize("visits", [1, 2, 17, 257])
def test_visits_and_playouts_are_counted_to_the_one(visits: int, batch: int) -> None:
    made = search(batch=batch)
    info = run(made, empty(), visits=visits)
    assert (info.visits, info.playouts) == (visits, visits)
    assert sum(line.visits for line in info.lines) == visits - 1
    more = run(made, empty(), playouts=30)
    assert (more.visits, more.playouts) == (visits + 30, 30), "the tree was kept"
    assert run(made, empty(), visits=visits + 30).playouts == 0


def test_the_first_limit_ends_it() -> None:
    assert run(search(), empty(), visits=20, playouts=50).visits == 20
    assert run(search(), empty(), seconds=60, playouts=5).playouts == 5


@pytest.mark.timing
def test_seconds_bound_it() -> None:
    made = search()
    run(made, empty(), visits=40)  # the network is ready
    started = time.monotonic()
    info = run(made, empty(), seconds=0.3)
    assert (
        0.25 < time.monotonic() - started < 0.45 and info.playouts > 5 and info.seconds == pytest.approx(0.3, abs=0.1)
    )


def test_a_depth_bounds_it() -> None:
    info = run(search(), empty(5), depth=2, playouts=5000)
    assert info.playouts < 5000 and info.lines[0].depth >= 2 and info.lines[0].seldepth >= 2


def test_it_ends_early_when_nothing_can_change() -> None:
    made = search()
    root = Root(empty(), allow=[40])
    assert run(made, root, visits=200).visits == 200
    made.clear()
    assert run(made, root, visits=200, early_stop=True).visits < 200


# Stopping


@pytest.mark.timing
@pytest.mark.parametrize("size", [9, 19])
def test_a_stop_ends_it_at_once(size: int) -> None:
    made, stop = search(), StopToken()
    run(made, empty(size), visits=40)
    threading.Timer(0.2, stop.stop).start()
    started = time.monotonic()
    made.run(Root(empty(size)), Limits(seconds=20), stop)
    assert time.monotonic() - started < 0.2 + 0.05 + 0.1  # of which 0.1 is the machine's
    assert run(made, empty(size), playouts=10).playouts == 10, "and nothing is left in flight"


class Slow:
    """A network that answers after a second."""

    told: Mapping[str, bool] = MappingProxyType({})

    def submit(self, planes: Any, numbers: Any, *, is_root: Any) -> Slow:
        return self

    def wait(self) -> Any:
        time.sleep(1)
        raise RuntimeError("nobody waits for this")


@pytest.mark.timing
def test_a_slow_network_holds_nobody_up() -> None:
    made, stop = search(), StopToken()
    made.use(lambda _size: Slow())  # type: ignore[attr-defined]
    threading.Timer(0.1, stop.stop).start()
    started = time.monotonic()
    info = made.run(Root(empty()), Limits(), stop)
    assert time.monotonic() - started < 0.3 and info.playouts == 0 and info.visits == 0


@pytest.mark.timing
def test_a_network_that_is_still_being_loaded_holds_nobody_up() -> None:
    made, stop, load = search(), StopToken(), threading.Event()

    def loading() -> Any:
        load.wait(10)
        raise RuntimeError("too late for anybody")

    made.use(lambda _size: loading())  # type: ignore[attr-defined]
    threading.Timer(0.1, stop.stop).start()
    started = time.monotonic()
    info = made.run(Root(empty()), Limits(), stop)
    assert time.monotonic() - started < 0.3 and info.visits == 0
    load.set()
    made.configure({"puct.network": str(networks.tiny())})
    assert run(made, empty(), visits=10).visits == 10


def test_a_stop_before_the_run() -> None:
    made, stop = search(), StopToken()
    stop.stop()
    assert made.run(Root(empty()), Limits(visits=1000), stop).playouts <= 1


def test_what_the_network_says_wrong_is_told() -> None:
    made = search()

    class Broken(Slow):
        def wait(self) -> Any:
            raise RuntimeError("the network broke")

    made.use(lambda _size: Broken())  # type: ignore[attr-defined]
    with pytest.raises(RuntimeError, match="the network broke"):
        run(made, empty(), visits=10)
    made.configure({"puct.network": str(networks.tiny())})
    assert run(made, empty(), visits=10).visits == 10, "and the tree is as it was"


# Repeatable


@pytest.mark.parametrize("symmetries", [False, True])
def test_a_seed_repeats(symmetries: bool) -> None:
    first, second = (run(search(symmetries=symmetries), empty(), visits=150) for _ in range(2))
    assert facts(first) == facts(second)


def test_symmetries_are_seen_where_they_are_asked_for() -> None:
    seen = {tuple(facts(run(search(symmetries=True, seed=seed), empty(), visits=60))) for seed in (1, 2, 3, 4)}
    plain = {tuple(facts(run(search(symmetries=False, seed=seed), empty(), visits=60))) for seed in (1, 2, 3, 4)}
    assert len(seen) > 1 and len(plain) == 1


# Reuse


def test_the_tree_is_kept_from_move_to_move() -> None:
    made, state = search(), empty()
    info = run(made, state, visits=300)
    best = info.lines[0]
    reply = best.pv[1]
    history = [best.move, reply]
    for move in history:
        state.play(move)
    before = run(made, Root(state, recent=history), playouts=0, visits=1)
    assert before.playouts == 0 and before.visits > 1
    ownership = made.info(0, True).ownership
    assert len(ownership) == 81 and any(ownership), "the root is looked at again for it"
    assert run(made, Root(state, recent=history), playouts=20).visits == before.visits + 20


def test_another_position_begins_anew() -> None:
    made = search()
    run(made, empty(), visits=50)
    assert run(made, after(empty(), "A1 B1 C1"), visits=10).playouts == 10
    assert run(made, empty(13), visits=10).playouts == 10


# What the root may play


def test_allow_and_avoid() -> None:
    made = search()
    info = run(made, Root(empty(), allow=[3, 4, 5]), visits=60)
    assert {line.move for line in info.lines} <= {3, 4, 5} and sum(line.visits for line in info.lines) == 59
    info = run(made, Root(empty(), avoid=[info.lines[0].move]), visits=120)
    assert all(line.move != info.lines[0].move for line in info.lines[1:]) and info.lines[0].move != 3


def test_a_root_that_may_play_nothing() -> None:
    state = after(empty(), "E5")
    info = run(search(), Root(state, allow=[40]), playouts=50)
    assert not info.lines and info.visits <= 1


@pytest.mark.parametrize("seed", [1, 2, pytest.param(3, marks=pytest.mark.slow)])
def test_superko_is_not_searched(seed: int) -> None:
    history, banned = with_banned(seed)
    state = history.state
    told = run(
        search(), Root(state, history.seen("positional"), history.recent(8), earlier=history.earlier(2)), visits=400
    )
    untold = run(search(), Root(state), visits=400)
    assert not set(banned) & {line.move for line in told.lines} and told.lines
    assert set(banned) <= {line.move for line in untold.lines}, "only the game forbids them"


# Reports


def test_reports_are_in_range() -> None:
    made = search()
    info = run(made, after(empty(), "E5 C3"), visits=200)
    found = made.info(3, True)
    assert len(found.lines) == 3 and len(found.ownership) == 81
    assert all(-1 <= value <= 1 for value in found.ownership)
    assert info.to_move == 0 and 0 <= info.expected <= 1 and 0 < info.hashfull < 1 and info.nodes > 100
    assert 0.3 < sum(line.prior for line in info.lines) <= 1.0001
    for line in info.lines:
        assert line.win + line.draw + line.loss == pytest.approx(1) and 0 <= line.lcb <= line.expected
        assert line.pv[0] == line.move and 0 <= line.prior <= 1 and abs(line.score) < 400
    mean = sum(line.visits * line.expected for line in info.lines) / sum(line.visits for line in info.lines)
    assert info.expected == pytest.approx(mean, abs=0.02)


def test_one_visit_is_the_policy_and_the_value_of_the_root() -> None:
    """Of every move, whichever limit it is; only a run that is bounded so tells of moves that were not visited."""
    info = run(search(), empty(), visits=1)
    assert len(info.lines) == 81 and sum(line.prior for line in info.lines) == pytest.approx(1)
    assert [line.prior for line in info.lines] == sorted((line.prior for line in info.lines), reverse=True)
    for line in info.lines:
        assert line.visits == 0 and line.expected == pytest.approx(info.expected) != 0.5
        assert line.score == pytest.approx(info.score) != 0
    assert facts(run(search(), empty(), playouts=1)) == facts(info)
    assert all(line.visits for line in run(search(), empty(), visits=2).lines)


def test_a_report_comes_from_another_thread() -> None:
    made, stop, reports = search(), StopToken(), list[Info]()
    thread = threading.Thread(target=made.run, args=(Root(empty()), Limits(seconds=5), stop))
    thread.start()
    deadline = time.monotonic() + 5
    while len(reports) < 20 and time.monotonic() < deadline:
        info = made.info(0, True)
        if info.lines and (not reports or info.visits > reports[-1].visits):
            reports.append(info)
        time.sleep(0.002)
    stop.stop()
    thread.join()
    assert len(reports) == 20
    assert all(sum(line.visits for line in info.lines) <= info.visits + 64 for info in reports)


def test_komi_of_the_search_only() -> None:
    """Points that are lent count in what is searched, not in what is told."""
    made = search(symmetries=False)
    lent = run(made, Root(empty(), komi_shift=-20.0), visits=1)
    kept = GO.new_state(9, 9, GO.default_rules, 27.5)
    other = run(search(symmetries=False), kept, visits=1)
    assert lent.expected == pytest.approx(other.expected, abs=1e-6)
    assert lent.score == pytest.approx(other.score + 20, abs=1e-3)


# Proofs and ends


def test_a_pass_that_wins_is_proved() -> None:
    """The opponent has passed, and on the board we are ahead."""
    state = after(empty(5, "tromp-taylor"), "C3 A1 C2 pass C4 pass C5 pass C1 pass B3 pass B2 pass")
    info = run(search(), state, visits=500)
    best = info.lines[0]
    assert best.move == state.pass_move and best.proof is not None and best.proof.result == 1
    assert info.visits < 500, "and it is searched no further"


def test_a_game_that_is_over_is_survived() -> None:
    state = after(empty(5), "C3 pass pass")
    assert state.is_terminal() and not run(search(), state, playouts=20).lines


# Memory


def test_memory_is_bounded() -> None:
    made = search(memory_mb=1)
    info = run(made, empty(19), visits=1000)
    assert info.visits == 1000 and info.hashfull <= 1 and info.nodes < 1000
