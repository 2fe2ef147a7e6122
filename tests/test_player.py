"""Player: the game it keeps, the decisions it makes, and the threads that must end."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
from go_players import at, name, player

from tengen.engine.config import Config, ConfigError
from tengen.engine.games import GAMES, get_game
from tengen.engine.games.base import IllegalMove, State
from tengen.engine.games.go import GO
from tengen.engine.games.players import LEVELS, Level
from tengen.engine.games.players import Entry as PlayerEntry
from tengen.engine.info import Info, Line
from tengen.engine.limits import Limits
from tengen.engine.play.clock import TimeControl
from tengen.engine.play.options import options_of
from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest
from tengen.engine.search import SEARCHES, Entry
from tengen.engine.search.base import Root

# The game


def test_undo_leads_back_through_moves_and_handicap() -> None:
    live = player(9)
    assert len(live.handicap_fixed(4)) == 4 and live.handicap == 4 and live.state.to_move == 1
    live.play(1, 40)
    live.undo(2)
    assert live.handicap == 0 and not any(live.state.stones())
    with pytest.raises(ValueError, match="^cannot undo$"):
        live.undo()


@pytest.mark.parametrize(
    ("rules", "bonus"), [("chinese", 3), ("aga", 2), ("japanese", 0), ("tromp-taylor", 0), ("new-zealand", 0)]
)
def test_handicap_bonus(rules: str, bonus: int) -> None:
    live = player(9, rules=rules)
    live.set_komi(0.5)
    live.handicap_set([0, 8, 40])
    assert live.komi == 0.5 and live.state.komi == 0.5 + bonus  # type: ignore[attr-defined]
    live.undo()
    assert live.state.komi == 0.5  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("width", "count", "cells"),
    [(9, 2, "G7 C3"), (9, 9, "C7 E7 G7 C5 E5 G5 C3 E3 G3"), (19, 5, "D16 Q16 K10 D4 Q4"), (8, 4, "C6 F6 C3 F3")],
)
def test_fixed_handicap(width: int, count: int, cells: str) -> None:
    live = player(width)
    placed = live.handicap_fixed(count)
    assert [name(live, cell) for cell in placed] == cells.split()


@pytest.mark.parametrize(("width", "count"), [(6, 2), (9, 10), (9, 1), (8, 5), (7, 5), (9, 0)])
def test_no_such_fixed_handicap(width: int, count: int) -> None:
    with pytest.raises(ValueError, match="^invalid number of stones$"):
        player(width).handicap_fixed(count)


@pytest.mark.parametrize("width", [2, 3, 5, 9, 19])
def test_free_handicap(width: int) -> None:
    for count in range(2, min(width * width, 30)):
        live = player(width)
        cells = live.handicap_free(count)
        assert 2 <= len(cells) == len(set(cells)) <= count and live.state.stones().count(1) == len(cells)


@pytest.mark.parametrize("cells", [[], [3], [3, 3], [3, 49], [-1, 3]])
def test_bad_handicap_lists(cells: list[int]) -> None:
    live = player()
    with pytest.raises(ValueError, match="^bad vertex list$"):
        live.handicap_set(cells)
    live.play(0, 0)
    with pytest.raises(ValueError, match="^board not empty$"):
        live.handicap_set([3, 4])


KO = """
. X O .
X . X O
. X O .
. . . .
"""


@pytest.mark.parametrize(("rules", "refused"), [("chinese", False), ("tromp-taylor", True), ("aga", True)])
def test_superko_is_refused_only_when_the_rules_say_so(rules: str, refused: bool) -> None:
    """White takes a ko and black, after a pass of each, retakes: the stones come again, with white to move."""
    live = at(KO, 1, 0, rules=rules)
    white_takes, black_retakes = 5, 6
    live.play(1, white_takes)
    live.play_sequence([(0, live.state.pass_move), (1, live.state.pass_move)])
    if refused:
        with pytest.raises(IllegalMove, match="^superko$"):
            live.play(0, black_retakes)
    else:
        live.play(0, black_retakes)
    assert len(live.moves) == 3 + (not refused)


def test_a_sequence_is_atomic() -> None:
    live = player()
    live.play(0, 10)
    with pytest.raises(IllegalMove, match="occupied"):
        live.play_sequence([(1, 11), (0, 12), (1, 10)])
    assert live.moves == ((0, 10),)
    live.play_sequence([(1, 11), (1, 12)])
    assert len(live.moves) == 3


def test_a_bad_setup_changes_nothing() -> None:
    live = player(3)
    live.play(0, 4)
    for stones in (b"\1" * 9, b"\1" * 8):
        with pytest.raises(ValueError):
            live.setup(stones, 0)
    assert live.moves == ((0, 4),)


def test_rules_change_in_the_middle_of_a_game() -> None:
    live = player(5)
    live.play_sequence([(0, 12), (1, 7)])
    live.set_rules(GO.rule_sets["japanese"])
    assert live.rules.name == "japanese" and len(live.moves) == 2 and live.state.stones().count(0) == 23


def test_rules_that_forbid_what_was_played_are_refused() -> None:
    live = at(KO, 1, 0)
    live.play_sequence([(1, 5), (0, live.state.pass_move), (1, live.state.pass_move), (0, 6)])
    with pytest.raises(ValueError, match="move 4 is illegal under tromp-taylor rules: superko"):
        live.set_rules(GO.rule_sets["tromp-taylor"])
    assert live.rules.name == "chinese" and len(live.moves) == 4


def test_sizes() -> None:
    live = player(9)
    live.new_game(7, 5)
    assert (live.state.width, live.state.height) == (7, 5)
    for width, height in ((1, 1), (26, 26), (9, 30)):
        with pytest.raises(ValueError, match="^unacceptable size$"):
            live.new_game(width, height)
    assert live.state.width == 7


# Deciding


@pytest.mark.parametrize("who", ["uct", "rollout", "random"])
def test_every_player_plays_to_the_end(who: str) -> None:
    live = player(5, player=who, playouts=100)
    colour = 0
    while live.passes_at_end < 2:
        assert live.genmove(MoveRequest(colour, resign=False)).move is not None
        colour = 1 - colour
        assert len(live.moves) < 400
    assert abs(live.final_status().score) <= 25 + live.komi


def test_looking_is_not_playing() -> None:
    live = player()
    first = live.genmove(MoveRequest(0, play=False, fresh=True))
    live.genmove(MoveRequest(1, play=False))
    assert live.genmove(MoveRequest(0, play=False, fresh=True)).move == first.move and not live.moves


def test_allow_and_avoid() -> None:
    live = player()
    assert live.genmove(MoveRequest(0, play=False, allow=[10])).move == 10
    best = live.genmove(MoveRequest(0, play=False)).move
    assert best is not None and live.genmove(MoveRequest(0, play=False, avoid=[best])).move != best


@pytest.mark.parametrize("level", LEVELS)
def test_levels_play(level: int) -> None:
    live = player(7, level=level, playouts=None, time=0.05)
    assert live.genmove(MoveRequest(0)).move is not None


def test_a_player_has_levels_of_its_own(scripted: type[Scripted]) -> None:
    levels = {3: Level(Limits(visits=7), 0.5, 0.2), 20: Level(Limits(depth=4), 0.0, 0.0)}
    GAMES["scripted"] = replace(GO, name="scripted", players={"deep": PlayerEntry("scripted", levels=levels)})
    live = scripted_player("deep", level=3)
    assert live.level == levels[3]
    live.genmove(MoveRequest(0, play=False))
    assert scripted.limits == Limits(visits=7), "nothing else bounds it"
    live.configure(replace(live.config, level=20, playouts=5))
    assert live.level.limits == Limits(depth=4, playouts=5)
    says = "the player 'deep' of scripted has no level 4; it has 3, 20"
    for refused in (lambda: live.configure(replace(live.config, level=4)), lambda: scripted_player("deep", level=4)):
        with pytest.raises(ConfigError, match=says):
            refused()
    assert live.config.level == 20


def test_a_player_without_levels(scripted: type[Scripted]) -> None:
    GAMES["scripted"] = replace(GO, name="scripted", players={"deep": PlayerEntry("scripted", levels={})})
    with pytest.raises(ConfigError, match="the player 'deep' of scripted has no level 1; it has none"):
        scripted_player("deep", level=1)
    assert "level" not in {option.name for option in options_of(get_game("scripted"))}


# Scripted searches


class Scripted:
    """A search in Python, written against the contract alone: answers `WIN`, lasts as long as it is allowed."""

    win = 0.5
    visits = 1000
    limits = Limits()
    """Those of the last run."""

    def __init__(self, game: object, evaluator: str | None) -> None:
        self._stop = threading.Event()
        self._info = Info()

    def options(self) -> Sequence[Any]:
        return ()

    def configure(self, values: Any) -> None:
        if values:
            raise ValueError(f"unknown option '{next(iter(values))}'")

    def prepare(self) -> None:
        self._stop.clear()

    def run(self, root: Root, limits: Limits) -> Info:
        moves = [m for m in root.state.legal_moves() if m not in root.avoid and m != root.state.pass_move]
        lines = tuple(Line(m, (m,), self.visits, self.win, 0.0, 1 - self.win) for m in moves[:3])
        self._info = Info(lines, root.state.to_move, visits=self.visits)
        type(self).limits = limits
        if limits.seconds or not limits.is_counted:
            self._stop.wait(limits.seconds)
        return self._info

    def stop(self) -> None:
        self._stop.set()

    def info(self, max_lines: int = 0, ownership: bool = False) -> Info:
        return self._info

    def clear(self) -> None:
        self._info = Info()


class Failing(Scripted):
    """A search that breaks."""

    def run(self, root: Root, limits: Limits) -> Info:
        raise RuntimeError("broken")


class Empty(Scripted):
    """A search that finds nothing."""

    def run(self, root: Root, limits: Limits) -> Info:
        return Info()


@pytest.fixture
def scripted() -> Iterator[type[Scripted]]:
    """A game "scripted" whose players are the searches above."""
    players = {kind.__name__.lower(): PlayerEntry(kind.__name__.lower()) for kind in (Scripted, Failing, Empty)}
    GAMES["scripted"] = replace(GO, name="scripted", players=players)
    for kind in (Scripted, Failing, Empty):
        SEARCHES[kind.__name__.lower()] = Entry(kind, frozenset({"scripted"}))
    Scripted.win = 0.5
    yield Scripted
    del GAMES["scripted"]
    for kind in (Scripted, Failing, Empty):
        del SEARCHES[kind.__name__.lower()]


def scripted_player(who: str = "scripted", **settings: Any) -> Player:
    live = Player(Config(game="scripted", player=who, **settings))
    live.new_game(9)
    return live


@pytest.mark.usefixtures("scripted")
class TestScripted:
    """What does not depend on a real search."""

    def test_resigns_after_three_hopeless_moves_and_not_early(self) -> None:
        live = scripted_player(playouts=10)
        Scripted.win = 0.01
        decisions = []
        while not decisions or decisions[-1] is not None:
            decisions.append(live.genmove(MoveRequest(len(live.moves) % 2)).move)
        assert 81 / 5 <= len(live.moves) <= 81 / 5 + 6

    @pytest.mark.parametrize(("threshold", "win", "resign"), [(0.0, 0.0, True), (0.05, 0.06, True), (0.05, 0.0, False)])
    def test_does_not_resign(self, threshold: float, win: float, resign: bool) -> None:
        live = scripted_player(playouts=10, resign=threshold)
        Scripted.win = win
        for ply in range(40):
            assert live.genmove(MoveRequest(ply % 2, resign=resign)).move is not None

    @pytest.mark.threads
    def test_an_interrupt_ends_a_move_soon(self) -> None:
        live = scripted_player(time=30)
        live.interrupt()
        threading.Timer(0.1, live.interrupt).start()
        began = time.monotonic()
        assert live.genmove(MoveRequest(0)).move is not None
        assert 0.05 < time.monotonic() - began < 0.5

    @pytest.mark.threads
    @pytest.mark.timing
    def test_reports_of_a_move(self) -> None:
        live, seen = scripted_player(time=0.5), list[float]()
        began = time.monotonic()
        live.genmove(MoveRequest(0, on_info=lambda info: seen.append(time.monotonic() - began), interval=0.1))
        count = len(seen)
        assert seen[0] < 0.1 and 4 <= count <= 8
        time.sleep(0.15)
        assert len(seen) == count

    def test_what_a_search_can_solve_gets_the_time_for_it(self) -> None:
        """A set-up with a minute on the clock, as for Reversi's last 22 cells: the search says 4 s, hard ones take 16."""
        seconds: list[float | None] = []

        class Solving(Scripted):
            def seconds_to_solve(self, state: State) -> float:
                return 4.0

            def run(self, root: Root, limits: Limits) -> Info:
                seconds.append(limits.seconds)
                return super().run(root, Limits(playouts=1))

        SEARCHES["scripted"] = Entry(Solving, frozenset({"scripted"}))
        live = scripted_player()
        live.clock.set_control(TimeControl.absolute(60))
        live.genmove(MoveRequest(0))
        assert seconds[0] is not None and 14 < seconds[0] < 16.1

    def test_a_short_move_reports_too(self) -> None:
        live, seen = scripted_player(playouts=1), list[Info]()
        live.genmove(MoveRequest(0, on_info=seen.append, interval=10))
        assert seen and seen[-1].lines

    @pytest.mark.threads
    @pytest.mark.timing
    def test_analysis(self) -> None:
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
    def test_analysis_falls_silent_at_its_cap(self) -> None:
        live, seen = scripted_player(analysis_seconds=0.1), list[Info]()
        analysis = live.analyse(1, seen.append, 0.05)
        time.sleep(0.4)
        count = len(seen)
        assert count and not analysis.is_searching and seen[0].to_move == 1
        time.sleep(0.15)
        assert len(seen) == count
        analysis.stop()

    @pytest.mark.threads
    def test_a_change_of_the_position_ends_an_analysis(self) -> None:
        live = scripted_player()
        analysis = live.analyse(0, lambda info: None, 0.05)
        live.play(0, 3)
        assert not analysis.is_searching
        live.close()

    @pytest.mark.threads
    def test_pondering_ends_with_the_next_request(self) -> None:
        live = scripted_player(time=0.02, ponder=True)
        live.genmove(MoveRequest(0))
        assert any(thread.name == "search" for thread in threading.enumerate())
        live.play(1, 40)
        assert not any(thread.name == "search" for thread in threading.enumerate())
        live.genmove(MoveRequest(0))
        live.close()
        assert not any(thread.name == "search" for thread in threading.enumerate())

    def test_a_broken_search_leaves_the_game_as_it_was(self) -> None:
        live = scripted_player("failing", playouts=1)
        for _ in range(2):
            with pytest.raises(RuntimeError, match="broken"):
                live.genmove(MoveRequest(0))
        assert not live.moves
        with pytest.raises(RuntimeError, match="broken"):
            live.analyse(0, lambda info: None, 1.0).stop()

    def test_a_move_is_found_without_any_search(self) -> None:
        live = scripted_player("empty", playouts=1)
        for ply in range(20):
            assert live.genmove(MoveRequest(ply % 2)).move is not None

    @pytest.mark.timing
    def test_the_clock_runs_from_the_request(self) -> None:
        live = scripted_player()
        live.clock.set_control(TimeControl.absolute(10))
        began = time.monotonic()
        live.genmove(MoveRequest(0, started=began - 1.0))
        spent = time.monotonic() - began + 1.0
        assert abs(10 - live.clock[0].remaining - spent) < 0.05 and live.clock[1].remaining == 10

    def test_settings_change_during_a_game(self) -> None:
        live = scripted_player(playouts=1)
        live.play(0, 3)
        live.configure(replace(live.config, playouts=5, resign=0.0))
        assert live.config.playouts == 5 and len(live.moves) == 1
        with pytest.raises(ConfigError):
            live.configure(replace(live.config, level=3, set={"nothing": 1.0}))
