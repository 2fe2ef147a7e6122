"""What is played at the end of a game of Go, by searches that say what the test says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from go_boards import cell, stones_of
from go_endings import DEAD_STONE, SETTLED

from tengen.engine.games.go.game import GO
from tengen.engine.games.go.passing import Ending, PassRule
from tengen.engine.games.go.rules import RULE_SETS
from tengen.engine.games.hooks import Choice, FinalStatus, Table, View
from tengen.engine.info import Info, Line

OURS = [1.0 if column < 4 else -1.0 for _ in range(7) for column in range(7)]
"""Of the boards of go_endings: who will own what, the dead stone aside."""


def line(move: int, visits: int, win: float) -> Line:
    return Line(move, (move,), visits, win, 0.0, 1 - win)


class Scripted:
    """A position with Black to move. seen: visits and win probability by move. after: by the stones that are new on
    the board, what Black's chance is then (the opponent's search says the contrary); "pass": nothing is new."""

    def __init__(
        self,
        diagram: str,
        seen: Mapping[str, tuple[int, float]],
        after: Mapping[str, float],
        *,
        rules: str = "tromp-taylor",
        komi: float = 5.0,
        passed: bool = False,
        count: Mapping[str, float] | None = None,
        owners: list[float] = OURS,
        cleanup: bool = False,
    ) -> None:
        width, height, stones = stones_of(diagram)
        state: Any = GO.new_state(width, height, RULE_SETS[rules], komi)
        state.setup(stones, 1 if passed else 0)
        moves = []
        if passed:
            state.play(state.pass_move)
            moves = [(1, state.pass_move)]
        self.state, self.after, self.count = state, dict(after), dict(count or {})
        self.asked: list[str] = []
        lines = tuple(line(cell(state, vertex), visits, win) for vertex, (visits, win) in seen.items())
        info = Info(lines, 0, visits=sum(one.visits for one in lines), expected=lines[0].win, ownership=tuple(owners))
        table = Table(RULE_SETS[rules], komi, 0, moves)
        self.view = View(state, table, info, self.judge, self.explore, state.is_legal, cleanup)
        self.rules = RULE_SETS[rules]

    def judge(self) -> FinalStatus:
        black, white = self.state.score(bytes(49))
        return FinalStatus(score=black - white - self.state.komi, ownership=tuple(OURS))

    def explore(self, state: Any) -> Info:
        new = [
            at for at, (old, now) in enumerate(zip(self.state.stones(), state.stones(), strict=True)) if now and not old
        ]
        name = GO.move_to_text(state, new[0]) if new else "pass"
        self.asked.append(name)
        win = self.after.get(name, 0.0)
        ours = 1 if state.to_move == 0 else -1
        expected = win if state.to_move == 0 else 1 - win
        move = state.pass_move
        return Info((line(move, 9, expected),), state.to_move, visits=9, expected=expected,
                    ownership=tuple(ours * value for value in OURS))  # fmt: skip

    def choice(self) -> Choice:
        best = max(self.view.info.lines, key=lambda one: one.visits)
        return Ending(self.view, self.rules, best).choice()

    def move(self) -> str:
        return GO.move_to_text(self.state, self.choice().move)


CAPTURES = {"A5", "C5", "B4"}
URGENT = {"E5": (7456, 0.982)}


def test_a_capture_that_loses_is_not_played() -> None:
    """The search looked at nothing but the urgent move, by which every point is settled."""
    bad = dict.fromkeys(CAPTURES, 0.03)
    assert Scripted(DEAD_STONE, URGENT, {"pass": 0.98, **bad}).move() == "E5"


def test_a_capture_waits_while_the_opponent_would_gain_by_moving_twice() -> None:
    good = dict.fromkeys(CAPTURES, 0.98)
    assert Scripted(DEAD_STONE, URGENT, {"pass": 0.04, **good}).move() == "E5"


def test_a_capture_that_is_as_good_is_played() -> None:
    good = dict.fromkeys(CAPTURES, 0.98)
    assert Scripted(DEAD_STONE, URGENT, {"pass": 0.98, **good}).move() in CAPTURES


@pytest.mark.parametrize(("visits", "win", "after", "plays"), [
    (5, 0.99, 0.03, False), (9, 0.99, 0.03, False), (1, 0.0, 0.97, True), (10, 0.97, 0.0, True), (10, 0.5, 0.97, False),
])  # fmt: skip
def test_a_few_visits_say_nothing(visits: int, win: float, after: float, plays: bool) -> None:
    seen = {**URGENT, **{vertex: (visits, win) for vertex in CAPTURES}}
    found = Scripted(DEAD_STONE, seen, {"pass": 0.98, **dict.fromkeys(CAPTURES, after)}).move()
    assert found in CAPTURES if plays else found == "E5"


def test_few_moves_are_asked_about() -> None:
    scripted = Scripted(DEAD_STONE.replace("X . X O", ". . X O", 1), URGENT, {"pass": 0.98})
    assert scripted.move() == "E5" and len(scripted.asked) <= 4


def test_clean_up_captures() -> None:
    good = dict.fromkeys(CAPTURES, 0.98)
    found = Scripted(DEAD_STONE, URGENT, {"pass": 0.98, **good}, rules="chinese", cleanup=True).move()
    assert found in CAPTURES


# By territory black has 13 points and white 7.
UNSURE = [0.3 if at in (14, 15) else value for at, value in enumerate(OURS)]


@pytest.mark.parametrize("rules", ["japanese", "korean"])
@pytest.mark.parametrize("passed", [False, True])
def test_a_won_count_is_not_lost_by_a_move(rules: str, passed: bool) -> None:
    """The search does not know that the game is won; its move fills a point of one's own territory."""
    points = Scripted(SETTLED, URGENT, {}, rules=rules, komi=0.0).judge().score
    seen = {"A5": (900, 0.44), "B5": (90, 0.43)}
    won = Scripted(SETTLED, seen, {"pass": 0.3}, rules=rules, komi=points - 0.5, passed=passed, owners=UNSURE)
    assert won.choice() == Choice(49, PassRule.ENDS_WON.value if passed else PassRule.KEEPS_COUNT.value)


def test_a_drawn_count_is_not_lost_by_a_move() -> None:
    points = Scripted(SETTLED, URGENT, {}, rules="japanese", komi=0.0).judge().score
    seen = {"A5": (900, 0.44), "B5": (90, 0.43)}
    drawn = Scripted(SETTLED, seen, {"pass": 0.3}, rules="japanese", komi=points, owners=UNSURE)
    assert drawn.choice().note == PassRule.KEEPS_COUNT.value


def test_other_moves_are_played() -> None:
    points = Scripted(SETTLED, URGENT, {}, rules="japanese", komi=0.0).judge().score
    seen = {"A5": (900, 0.44), "B5": (90, 0.43)}
    for rules, komi in (("japanese", points - 1.5), ("japanese", points + 0.5), ("chinese", 0.5)):
        scripted = Scripted(SETTLED, seen, {"pass": 0.3}, rules=rules, komi=komi, owners=UNSURE)
        assert scripted.move() == "A5", (rules, komi)
