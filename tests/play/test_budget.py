"""What bounds the search of a move: as asked for, else by the clock, else by the settings. No player is needed."""

from __future__ import annotations

import pytest

from tengen.engine.config import Config
from tengen.engine.games.go.game import GO
from tengen.engine.games.hooks import Table, hooks_of
from tengen.engine.history import History
from tengen.engine.limits import Limits
from tengen.engine.play.budget import Budget, budget_of
from tengen.engine.play.clock import Clocks
from tengen.engine.play.levels import level_in_force
from tengen.engine.play.request import MoveRequest
from tengen.engine.play.searches import Searches
from tengen.engine.play.situation import Situation, situation_of
from tengen.engine.play.time_control import TimeControl

NONE, MOVE, SUDDEN = TimeControl.none(), TimeControl.per_move(10), TimeControl.absolute(600)

# clock | settings | limits of the request | playouts | least and most seconds | ends early
BUDGETS = [
    (NONE, {}, None, None, 4, 5, False),
    (NONE, {"playouts": 20}, None, 20, None, None, False),
    (NONE, {"level": 3}, None, 70, None, None, False),
    (NONE, {"level": 3, "playouts": 20}, None, 20, None, None, False),
    (NONE, {"time": 2.0, "playouts": 20}, None, 20, 1.5, 2, False),
    (MOVE, {}, None, None, 9, 10, False),
    (MOVE, {"time": 2.0}, None, None, 1.5, 2, False),
    (MOVE, {"time": 20.0}, None, None, 9, 10, False),
    (SUDDEN, {}, None, None, 3, 60, True),
    (SUDDEN, {"playouts": 20}, None, 20, 3, 60, True),
    (SUDDEN, {"level": 3, "playouts": 20}, Limits(playouts=7), 7, None, None, False),
    (SUDDEN, {"time": 2.0}, Limits(seconds=30), None, 29, 30, False),
]


def situation(control: TimeControl, settings: dict[str, float], moves: tuple[int, ...] = ()) -> Situation:
    config = Config(game="go", **settings)  # type: ignore[arg-type]
    rules = GO.default_rules
    history = History(GO.new_state(9, 9, rules, 7.5))
    for ply, move in enumerate(moves):
        history.play(ply % 2, move)
    table = Table(rules, 7.5, 0, history.moves)
    clocks = Clocks(control, lambda: 1000.0)
    return situation_of(history, table, hooks_of(GO), clocks, config, level_in_force(GO, config))


def budget(now: Situation, limits: Limits | None = None, late: float = 0.0, *, is_calm: bool = False) -> Budget:
    searches = Searches(GO, "random", now.config)
    return budget_of(now, MoveRequest(0, limits=limits), 1000.0 - late, searches, is_calm=is_calm)


@pytest.mark.parametrize(("control", "settings", "limits", "playouts", "least", "most", "is_early"), BUDGETS)
def test_limits(
    control: TimeControl,
    settings: dict[str, float],
    limits: Limits | None,
    playouts: int | None,
    least: float | None,
    most: float | None,
    is_early: bool,
) -> None:
    found = budget(situation(control, settings), limits)
    assert (found.limits.playouts, found.limits.early_stop) == (playouts, is_early)
    if least is None or most is None:
        assert found.limits.seconds is None and found.deadline is None
    else:
        assert found.limits.seconds is not None and found.deadline is not None
        assert least <= found.limits.seconds <= most
        assert found.deadline == pytest.approx(1000 + found.limits.seconds)


def test_what_a_request_waited_is_taken_off() -> None:
    now = situation(MOVE, {})
    prompt, late = budget(now), budget(now, late=3.0)
    assert prompt.limits.seconds is not None and late.limits.seconds is not None
    assert late.limits.seconds == pytest.approx(prompt.limits.seconds - 3.0)
    assert late.deadline == pytest.approx(997 + prompt.limits.seconds)


def test_time_is_kept_for_the_questions_of_the_end() -> None:
    """After a pass, or when little is undecided near the end; the answer is due at the same time."""
    plain, passed = situation(MOVE, {}), situation(MOVE, {}, (*range(0, 72, 2), 81))
    for now, is_calm, share in ((plain, False, 1.0), (plain, True, 1.0), (passed, False, 0.75)):
        found = budget(now, Limits(seconds=8.0), is_calm=is_calm)
        assert found == (Limits(seconds=8.0 * share), 1008.0)


def test_a_situation_stays_as_it_was() -> None:
    history = History(GO.new_state(9, 9, GO.default_rules, 7.5))
    table = Table(GO.default_rules, 7.5, 0, history.moves)
    now = situation_of(history, table, hooks_of(GO), Clocks(), Config(), level_in_force(GO, Config()))
    history.play(0, 40)
    assert not any(now.state.stones()) and now.table.moves == () and len(now.seen) == 1 and now.recent == []
