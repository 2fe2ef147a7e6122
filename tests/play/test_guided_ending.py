"""The end of a game by a real network: what is dead, when to pass, clean-up, resignation, handicap."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import go_players
import pytest
from checkout import needs_openvino
from go_boards import stones_of
from go_endings import DEAD_STONE, SETTLED
from go_players import names

from tengen.engine.games.go.passing import PassRule
from tengen.engine.play.networks import network_of
from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest

needs_openvino()

WON = """
. . . O X X X X .
. O . O O X O X X
. O . X O O O X .
. X . . O X X X X
. X O X O O X X O
. X . . . . O O O
. O O O . . . . .
. O X X . . . . .
. . . . . . . . .
"""
"""Of a game against GNU Go: black has given up four chains on the left, white owns all but a corner."""
OWN_DEAD = SETTLED.replace("\n. . . X O . .\nX X X X", "\n. . . X O . X\nX X X X", 1)
"""A dead black stone at G5: with it black is two points ahead at komi 8, without it one behind."""


@pytest.fixture
def at(shared: Callable[[str], Path]) -> Iterator[Callable[..., Player]]:
    """`go_players.at` with the small network, 50 playouts a move."""
    made: list[Player] = []

    def make(*words: Any, **settings: Any) -> Player:
        net = str(shared("data/go/katago/g170-b6c96.bin.gz"))
        live = go_players.at(*words, **{"net": net, "playouts": 50, **settings})
        made.append(live)
        loading = network_of(live.config)
        assert loading is not None and loading.get()
        return live

    yield make
    for live in made:
        live.close()


def test_what_is_dead(at: Callable[..., Player]) -> None:
    live = at(WON, 1, 7.5, rules="chinese")
    status = live.final_status()
    assert names(live, status.dead) == {"D7", "B6", "D5", "C2"}
    assert status.score == 16 - 65 - 7.5 and live.state.komi == 7.5  # type: ignore[attr-defined]


# Diagram, mover, komi, rules, the other side has passed -> why we pass; None: we do not.
PASSES = [
    (WON, 1, 7.5, "chinese", True, PassRule.ENDS_WON),
    (SETTLED, 0, 5, "tromp-taylor", True, PassRule.ENDS_WON),
    (SETTLED, 0, 5, "tromp-taylor", False, PassRule.STAYS_WON),
    (SETTLED, 1, 5, "tromp-taylor", False, PassRule.STAYS_LOST),
    (DEAD_STONE, 0, 5, "chinese", True, PassRule.ENDS_WON),
    (DEAD_STONE, 0, 5, "tromp-taylor", True, None),
    (DEAD_STONE, 0, 5, "tromp-taylor", False, None),
    (OWN_DEAD, 0, 8, "tromp-taylor", True, PassRule.ENDS_WON),
    (OWN_DEAD, 0, 8, "chinese", True, PassRule.STAYS_LOST),
]


@pytest.mark.parametrize(("diagram", "colour", "komi", "rules", "passed", "rule"), PASSES)
def test_passing(
    diagram: str, colour: int, komi: float, rules: str, passed: bool, rule: PassRule | None, at: Callable[..., Player]
) -> None:
    live = at(diagram, colour, komi, passed, rules=rules)
    decision = live.genmove(MoveRequest(colour, resign=False))
    assert (decision.info.note if decision.move == live.state.pass_move else None) == (rule and rule.value)


def test_clean_up_captures_what_is_ours_before_it_passes(at: Callable[..., Player]) -> None:
    live = at(WON, 1, 7.5, rules="chinese", playouts=20)
    stones, moves = len([stone for stone in live.state.stones() if stone == 1]), 0
    while live.genmove(MoveRequest(1, resign=False, cleanup=True)).move != live.state.pass_move:
        live.play(0, live.state.pass_move)
        moves += 1
        assert moves < 25
    left = len([stone for stone in live.state.stones() if stone == 1])
    assert stones - left == 7, "seven black stones were dead"
    assert not live.final_status().dead


@pytest.mark.parametrize(("resign", "gives_up"), [(0.05, True), (0.0, False)])
def test_a_lost_game_is_given_up_after_some_moves(resign: float, gives_up: bool, at: Callable[..., Player]) -> None:
    _, _, stones = stones_of(WON)
    live = at(WON, 0, 7.5, resign=resign, playouts=20)
    live.clear()
    played = [(stone - 1, at_) for at_, stone in enumerate(stones) if stone]
    live.play_sequence(played)  # moves, so that it is late enough
    answers = []
    for _ in range(4):
        answers.append(live.genmove(MoveRequest(0)).move)
        if answers[-1] is None:
            break
        live.play(1, next(move for move in live.state.legal_moves() if move not in (live.state.pass_move, answers[-1])))
    assert (answers[-1] is None, len(answers)) == ((True, 3) if gives_up else (False, 4))


def test_a_handicap_is_the_networks_to_judge(at: Callable[..., Player]) -> None:
    """No points are lent, as the search by playouts has them: four stones are worth some thirty points."""
    live = at(SETTLED, 0, 0)
    live.new_game(9)
    live.set_komi(0.5)
    live.handicap_fixed(4)
    info = live.genmove(MoveRequest(1, play=False, resign=False)).info
    assert info.score < -15 and info.expected < 0.1
