"""Who plays while a network loads, and where it is of no use: time is kept, what a count bounds repeats."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import networks
import pytest
from checkout import needs_openvino

from tengen.engine._core import StopToken
from tengen.engine.config import Config
from tengen.engine.evaluators import background
from tengen.engine.evaluators.katago import loading
from tengen.engine.info import Info
from tengen.engine.limits import Limits
from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest

needs_openvino()


class Gate:
    """Holds up whoever loads a network, until it is opened."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._open = threading.Event()
        self._load = loading.load_for_play
        monkeypatch.setattr(loading, "load_for_play", self._loaded)
        monkeypatch.setattr(background, "_kept", {})

    def open(self) -> None:
        self._open.set()

    def _loaded(self, *words: Any, **terms: Any) -> Any:
        assert self._open.wait(60)
        return self._load(*words, **terms)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    made = Gate(monkeypatch)
    yield made
    made.open()


@pytest.fixture
def player() -> Iterator[Callable[..., Player]]:
    made: list[Player] = []

    def make(path: Path | None = None, **config: Any) -> Player:
        live = Player(Config(net=str(path or networks.tiny()), precision="f32", threads=1, seed=3, **config))
        live.new_game(9)
        made.append(live)
        return live

    yield make
    for live in made:
        live.close()


def is_guided(info: Info) -> bool:
    """Whether a network had a say: no playout at this komi ends without a winner, a network is never so sure."""
    return any(line.draw > 0 for line in info.lines)


def seconds_of(work: Callable[[], Any]) -> tuple[float, Any]:
    started = time.monotonic()
    found = work()
    return time.monotonic() - started, found


@pytest.mark.timing
def test_a_clock_is_kept_while_the_network_loads(gate: Gate, player: Callable[..., Player]) -> None:
    live = player(time=0.4)
    seconds, decision = seconds_of(lambda: live.genmove(MoveRequest(0)))
    assert seconds < 0.6 and decision.info.visits > 100 and not is_guided(decision.info)
    gate.open()
    decision = live.genmove(MoveRequest(1, limits=Limits(visits=30)))
    assert is_guided(decision.info), "from the next move on"


def test_a_network_that_comes_within_the_time_takes_over(gate: Gate, player: Callable[..., Player]) -> None:
    live = player(time=3)
    threading.Timer(0.3, gate.open).start()
    decision = live.genmove(MoveRequest(0))
    assert is_guided(decision.info) and decision.info.visits > 16


def test_an_analysis_is_taken_over_too(gate: Gate, player: Callable[..., Player]) -> None:
    live, seen, late = player(), [], threading.Event()

    def on_info(info: Any) -> None:
        seen.append(is_guided(info))
        if len(seen) == 3:
            gate.open()
        if seen[-1]:
            late.set()

    analysis = live.analyse(0, on_info, 0.05)
    assert late.wait(20)
    analysis.stop()
    assert seen[:3] == [False] * 3 and seen[-1]


@pytest.mark.parametrize("limits", [Limits(playouts=30), Limits(visits=30, seconds=20.0)])
def test_what_a_count_bounds_waits_and_repeats(limits: Limits, gate: Gate, player: Callable[..., Player]) -> None:
    threading.Timer(0.3, gate.open).start()
    first, second, request = player(), player(), MoveRequest(0, limits=limits)
    facts = [
        [(line.move, line.visits, line.win, line.draw) for line in live.genmove(request).info.lines]
        for live in (first, second)
    ]
    assert facts[0] == facts[1] and sum(visits for _, visits, _, _ in facts[0]) == 29
    assert all(draw > 0 for _, visits, _, draw in facts[0] if visits)


@pytest.mark.timing
def test_a_count_does_not_wait_beyond_the_clock(gate: Gate, player: Callable[..., Player]) -> None:
    live = player(playouts=10**6)
    request = MoveRequest(0, limits=Limits(playouts=10**6, seconds=0.4))
    seconds, decision = seconds_of(lambda: live.genmove(request))
    assert seconds < 0.6 and decision.info.visits > 100 and not is_guided(decision.info)


@pytest.mark.timing
@pytest.mark.parametrize("config", [{"playouts": 50}, {"time": 60.0}])
def test_a_stop_leaves_a_move_that_was_thought_of(
    config: dict[str, Any], gate: Gate, player: Callable[..., Player]
) -> None:
    live, stop = player(**config), StopToken()
    threading.Timer(0.1, stop.stop).start()
    seconds, decision = seconds_of(lambda: live.genmove(MoveRequest(0, stop=stop)))
    assert seconds < 0.4 and decision.info.visits > 10


def test_a_network_that_is_bad_leaves_the_game_to_another(tmp_path: Path, player: Callable[..., Player]) -> None:
    path = tmp_path / "cut.bin.gz"
    path.write_bytes(networks.tiny().read_bytes()[:600])
    seconds, decision = seconds_of(lambda: player(path, time=0.6).genmove(MoveRequest(0)))
    assert seconds > 0.4 and not is_guided(decision.info), "with all of its time"
    live = player(path, playouts=100)
    assert (live.plays, live.stand_in) == ("puct", "uct")
    decision = live.genmove(MoveRequest(0))
    assert decision.info.playouts == 100 and not is_guided(decision.info) and live.plays == "uct"
    path.write_bytes(networks.tiny().read_bytes())
    assert not is_guided(live.genmove(MoveRequest(1)).info), "not in the middle of a game"
    live.new_game(9)
    assert is_guided(live.genmove(MoveRequest(0)).info) and live.plays == "puct"


@pytest.mark.timing
def test_a_network_that_is_too_slow_for_the_time_is_not_asked(
    player: Callable[..., Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    live = player(time=0.3)
    slow = background.loading_of(str(networks.tiny()), wish="f32", threads=1).get().evaluator
    submit = slow.submit

    def slowly(*words: Any, **terms: Any) -> Any:
        time.sleep(0.2)
        return submit(*words, **terms)

    monkeypatch.setattr(slow, "submit", slowly)
    assert is_guided(live.genmove(MoveRequest(0, play=False, limits=Limits(visits=2))).info), "no time, no hurry"
    seconds, decision = seconds_of(lambda: live.genmove(MoveRequest(0, play=False)))
    assert seconds < 0.5 and not is_guided(decision.info)
    assert decision.notice == "the network takes 0.2 s for an answer: uct plays where time is short"
    decision = live.genmove(MoveRequest(0, limits=Limits(seconds=1.5)))
    assert is_guided(decision.info) and not decision.notice, "where there is time for it, it plays"
