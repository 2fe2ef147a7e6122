"""What a player does around its search: reports, interrupts, pondering, analysis, resignation."""

from __future__ import annotations

import gc
import threading
import time
import weakref
from dataclasses import replace

import pytest
from scripted import Scripted, scripted_player

from tengen.engine._core import StopToken
from tengen.engine.config import ConfigError
from tengen.engine.games import get_game
from tengen.engine.games.base import State
from tengen.engine.games.hooks import Table, hooks_of
from tengen.engine.info import Info
from tengen.engine.limits import Limits
from tengen.engine.play.request import MoveRequest
from tengen.engine.play.time_control import TimeControl
from tengen.engine.search import SEARCHES, Entry
from tengen.engine.search.base import Root

pytestmark = pytest.mark.usefixtures("scripted")


def test_resigns_after_three_hopeless_moves_and_not_early() -> None:
    live = scripted_player(playouts=10)
    Scripted.win = 0.01
    decisions = []
    while not decisions or decisions[-1] is not None:
        decisions.append(live.genmove(MoveRequest(len(live.moves) % 2)).move)
    assert 81 / 5 <= len(live.moves) <= 81 / 5 + 6


@pytest.mark.parametrize(
    ("handicap", "played", "may"), [(0, 17, True), (0, 15, False), (5, 47, False), (5, 49, True), (5, 48, True)]
)
def test_white_gives_a_handicap_game_up_later(handicap: int, played: int, may: bool) -> None:
    """9x9: at 17 moves, and White with a handicap at 49; Black is to move after an even number of moves here."""
    game = get_game("go")
    state = game.new_state(9, 9, game.default_rules, 0.5)
    for move in range(played):
        state.play(move)
    table = Table(game.default_rules, 0.5, handicap, [(move % 2, move) for move in range(played)])
    assert hooks_of(game).may_resign(state, table) == may


@pytest.mark.parametrize(("threshold", "win", "resign"), [(0.0, 0.0, True), (0.05, 0.06, True), (0.05, 0.0, False)])
def test_does_not_resign(threshold: float, win: float, resign: bool) -> None:
    live = scripted_player(playouts=10, resign=threshold)
    Scripted.win = win
    for ply in range(40):
        assert live.genmove(MoveRequest(ply % 2, resign=resign)).move is not None


@pytest.mark.threads
def test_an_interrupt_ends_a_move_soon() -> None:
    live = scripted_player(time=30)
    live.interrupt()
    threading.Timer(0.1, live.interrupt).start()
    began = time.monotonic()
    assert live.genmove(MoveRequest(0)).move is not None
    assert 0.05 < time.monotonic() - began < 5


def test_a_stop_that_comes_before_the_decision_is_not_lost() -> None:
    live, stop = scripted_player(time=30), StopToken()
    stop.stop()
    began = time.monotonic()
    assert live.genmove(MoveRequest(0, stop=stop)).move is not None
    assert time.monotonic() - began < 5


@pytest.mark.threads
def test_what_ended_a_decision_does_not_end_the_next() -> None:
    live, stop = scripted_player(time=0.4), StopToken()
    threading.Timer(0.05, stop.stop).start()
    spent = [time.monotonic()]
    for request in (MoveRequest(0, stop=stop), MoveRequest(1)):
        live.genmove(request)
        spent.append(time.monotonic())
    assert spent[1] - spent[0] < 0.3 < spent[2] - spent[1]


@pytest.mark.threads
@pytest.mark.timing
def test_reports_of_a_move() -> None:
    live, seen = scripted_player(time=0.5), list[float]()
    began = time.monotonic()
    live.genmove(MoveRequest(0, on_info=lambda info: seen.append(time.monotonic() - began), interval=0.1))
    count = len(seen)
    assert seen[0] < 0.1 and 4 <= count <= 8
    time.sleep(0.15)
    assert len(seen) == count


def test_what_a_search_can_solve_gets_the_time_for_it() -> None:
    """A set-up with a minute on the clock, as for Reversi's last 22 cells: the search says 4 s, hard ones take 16."""
    seconds: list[float | None] = []

    class Solving(Scripted):
        def seconds_to_solve(self, state: State) -> float:
            return 4.0

        def run(self, root: Root, limits: Limits, stop: StopToken) -> Info:
            seconds.append(limits.seconds)
            return super().run(root, Limits(playouts=1), stop)

    SEARCHES["scripted"] = Entry(Solving)
    live = scripted_player()
    live.clock.set_control(TimeControl.absolute(60))
    live.genmove(MoveRequest(0))
    assert seconds[0] is not None and 14 < seconds[0] < 16.1


def test_a_short_move_reports_too() -> None:
    live, seen = scripted_player(playouts=1), list[Info]()
    live.genmove(MoveRequest(0, on_info=seen.append, interval=10))
    assert seen and seen[-1].lines


@pytest.mark.threads
@pytest.mark.timing
def test_analysis() -> None:
    live, seen = scripted_player(), list[float]()
    began = time.monotonic()
    analysis = live.analyse(0, lambda info: seen.append(time.monotonic() - began), 0.1)
    assert time.monotonic() - began < 0.05
    time.sleep(0.35)
    ended = time.monotonic()
    assert analysis.stop().lines and time.monotonic() - ended < 0.05
    count = len(seen)
    assert seen[0] < 0.05 and 3 <= count <= 6
    time.sleep(0.15)
    assert len(seen) == count and analysis.stop().lines and not live.moves


@pytest.mark.threads
def test_analysis_falls_silent_at_its_cap() -> None:
    live, seen = scripted_player(analysis_seconds=0.1), list[Info]()
    analysis = live.analyse(1, seen.append, 0.05)
    time.sleep(0.4)
    count = len(seen)
    assert count and not analysis.is_searching and seen[0].to_move == 1
    time.sleep(0.15)
    assert len(seen) == count
    analysis.stop()


@pytest.mark.threads
def test_a_change_of_the_position_ends_an_analysis() -> None:
    live = scripted_player()
    analysis = live.analyse(0, lambda info: None, 0.05)
    live.play(0, 3)
    assert not analysis.is_searching
    live.close()


@pytest.mark.threads
def test_pondering_ends_with_the_next_request() -> None:
    live = scripted_player(time=0.02, ponder=True)
    live.genmove(MoveRequest(0))
    assert any(thread.name == "search" for thread in threading.enumerate())
    live.play(1, 40)
    assert not any(thread.name == "search" for thread in threading.enumerate())
    live.genmove(MoveRequest(0))
    live.close()
    assert not any(thread.name == "search" for thread in threading.enumerate())


def test_a_broken_search_leaves_the_game_as_it_was() -> None:
    live = scripted_player("failing", playouts=1)
    for _ in range(2):
        with pytest.raises(RuntimeError, match="broken"):
            live.genmove(MoveRequest(0))
    assert not live.moves
    with pytest.raises(RuntimeError, match="broken"):
        live.analyse(0, lambda info: None, 1.0).stop()


def test_nothing_that_a_player_made_holds_it() -> None:
    """What decides, searches and reports gets values: the player goes with the last reference to it."""
    live = scripted_player(playouts=1, ponder=True)
    live.genmove(MoveRequest(0, on_info=lambda info: None))
    live.analyse(1, lambda info: None, 1.0).stop()
    live.final_status()
    live.close()
    gone = weakref.ref(live)
    gc.disable()
    try:
        del live
        assert gone() is None
    finally:
        gc.enable()


def test_a_move_is_found_without_any_search() -> None:
    live = scripted_player("empty", playouts=1)
    for ply in range(20):
        assert live.genmove(MoveRequest(ply % 2)).move is not None


@pytest.mark.timing
def test_the_clock_runs_from_the_request() -> None:
    live = scripted_player()
    live.clock.set_control(TimeControl.absolute(10))
    began = time.monotonic()
    live.genmove(MoveRequest(0, started=began - 1.0))
    spent = time.monotonic() - began + 1.0
    assert abs(10 - live.clock[0].remaining - spent) < 0.05 and live.clock[1].remaining == 10


def test_settings_change_during_a_game() -> None:
    live = scripted_player(playouts=1)
    live.play(0, 3)
    live.configure(replace(live.config, playouts=5, resign=0.0))
    assert live.config.playouts == 5 and len(live.moves) == 1
    with pytest.raises(ConfigError):
        live.configure(replace(live.config, level=3, set={"nothing": 1.0}))
