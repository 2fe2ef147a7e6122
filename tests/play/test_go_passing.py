"""When Go passes, by which rule, and what is judged dead at the end."""

from __future__ import annotations

import pytest
from go_boards import cell
from go_endings import DEAD_STONE, SETTLED
from go_players import at, name, names, player

from tengen.engine._core import StopToken
from tengen.engine.games.go.passing import PassRule
from tengen.engine.play.request import MoveRequest

ONLY_EYES = """
X X X X O O O
X . X X O . O
X X X X O O O
X X X X O O O
X X X X O O O
X . X X O . O
X X X X O O O
"""
SEKI = """
. . O X . O
. O O X . O
. O X O O O
. O X X X X
. O X . X .
. O X . X .
"""
TEN_IN_ATARI = """
. X . X O . . O .
X X X X O O O O O
. X . X O O O O O
X X X O O O O O O
. X X . X X X X X
X X X O X X X X X
. X X O O O O O O
X X X X O . O . O
. X . X O O O O O
"""
"""D5 joins black's ten stones in atari to those that live."""
TWO_FOR_FOUR = """
. X X O . . O . .
. X O O . . O O O
. X O O . . O X X
. . X O . O . O .
. X X X O O O O .
. . X X X X O . .
. . X X O O X O O
X X X . X O X X X
. . X X X O . X .
"""
"""Of a game: white can take two stones (J6), black four (G1). White is a point behind as it stands."""
OUT_AT_THE_SIDE = """
. O . . . . . O O
. . O . O O . O X
. . O O X . O O X
. O O X . X X X .
O X X X . O O X X
O X O O O O O X .
. O O O O . O X .
O O . O O O X X .
O . O . O O O X .
"""
"""Of a game: black loses by far whatever happens; the two stones in the corner escape at J6."""


@pytest.mark.parametrize(
    ("diagram", "colour", "komi", "rules", "passed", "passes"),
    [
        # The dead stone would cost black the game as the board stands: 23 - 22 - 5 < 0 < 28 - 21 - 5.
        (DEAD_STONE, 0, 5, "chinese", True, True),
        (DEAD_STONE, 0, 5, "chinese", False, True),
        (DEAD_STONE, 0, 5, "japanese", True, True),
        (DEAD_STONE, 0, 5, "tromp-taylor", True, False),
        (DEAD_STONE, 0, 5, "tromp-taylor", False, False),
        # Nothing is left to gain.
        (SETTLED, 0, 5, "tromp-taylor", True, True),
        (SETTLED, 0, 5, "tromp-taylor", False, True),
        (SETTLED, 1, 5, "tromp-taylor", True, True),
        (SETTLED, 1, 5, "chinese", True, True),
        (SETTLED, 1, 9, "japanese", False, True),
        # Enough as it stands.
        (DEAD_STONE, 0, 0, "tromp-taylor", True, True),
    ],
)
def test_passing(diagram: str, colour: int, komi: float, rules: str, passed: bool, passes: bool) -> None:
    live = at(diagram, colour, komi, passed, rules=rules)
    move = live.genmove(MoveRequest(colour, resign=False)).move
    assert (move == live.state.pass_move) == passes, name(live, move)


def test_a_rescue_that_may_not_be_played_is_none() -> None:
    live = at(TEN_IN_ATARI, 0, 60, rules="tromp-taylor", playouts=60)
    moves = [
        live.genmove(MoveRequest(0, resign=False, play=False, **words)).move
        for words in ({"avoid": [cell(live.state, "d5")]}, {"allow": [cell(live.state, "g9")]})
    ]
    assert name(live, moves[0]) != "D5" and name(live, moves[1]) == "G9"


@pytest.mark.parametrize("playouts", [60, 800])
@pytest.mark.parametrize(
    ("diagram", "colour", "komi", "rules", "passed", "move"),
    [
        # In a lost game every move loses, and the ownership of a search says nothing.
        *((TEN_IN_ATARI, 0, komi, rules, passed, "D5")
          for komi in (7, 30, 60) for rules in ("tromp-taylor", "chinese", "japanese") for passed in (False, True)),
        # In a won one the stones count too, unless the pass ends the game.
        (TEN_IN_ATARI, 0, -60, "tromp-taylor", False, "D5"),
        (TEN_IN_ATARI, 0, -60, "tromp-taylor", True, "pass"),
        # As it stands the two stones are black's; by agreement they are dead.
        (TWO_FOR_FOUR, 1, 7, "tromp-taylor", False, "J6"),
        (TWO_FOR_FOUR, 1, 7, "tromp-taylor", True, "J6"),
        (TWO_FOR_FOUR, 1, 7, "chinese", False, "pass"),
        (OUT_AT_THE_SIDE, 0, 7, "tromp-taylor", False, "J6"),
    ],
)  # fmt: skip
def test_what_a_move_saves_or_captures_is_not_passed(
    diagram: str, colour: int, komi: float, rules: str, passed: bool, move: str, playouts: int
) -> None:
    live = at(diagram, colour, komi, passed, rules=rules, playouts=playouts)
    assert name(live, live.genmove(MoveRequest(colour, resign=False, play=False)).move) == move


@pytest.mark.parametrize(
    ("diagram", "colour", "komi", "rules", "passed", "note"),
    [
        (SETTLED, 0, 5, "tromp-taylor", True, PassRule.ENDS_WON),
        (DEAD_STONE, 0, 5, "japanese", True, PassRule.ENDS_WON),
        (SETTLED, 0, 5, "tromp-taylor", False, PassRule.STAYS_WON),
        (SETTLED, 1, 5, "tromp-taylor", False, PassRule.STAYS_LOST),
        (ONLY_EYES, 0, 5, "tromp-taylor", False, PassRule.ONLY_EYES),
    ],
)
def test_a_pass_names_its_rule(
    diagram: str, colour: int, komi: float, rules: str, passed: bool, note: PassRule
) -> None:
    live = at(diagram, colour, komi, passed, rules=rules)
    decision = live.genmove(MoveRequest(colour, resign=False))
    assert (decision.move, decision.info.note) == (live.state.pass_move, note.value)


def test_a_game_that_goes_on_and_on_is_ended() -> None:
    live = at(DEAD_STONE, 0, 9, rules="tromp-taylor")
    state = live.state
    live.play_sequence([(number % 2, state.pass_move) for number in range(4 * state.pass_move + 2)])
    assert live.genmove(MoveRequest(0, resign=False)).info.note == PassRule.ENDLESS.value


@pytest.mark.parametrize("rules", ["tromp-taylor", "chinese"])
def test_a_dead_stone_is_captured_where_it_must_be(rules: str) -> None:
    """Under Tromp-Taylor, and in clean-up, black takes the dead stone in a few moves and wins."""
    live = at(DEAD_STONE, 0, 5, True, rules=rules)
    for _ in range(8):
        move = live.genmove(MoveRequest(0, resign=False, cleanup=rules == "chinese")).move
        live.play(1, live.state.pass_move)
        if move == live.state.pass_move:
            break
    assert live.state.stones()[15] != 2 and live.state.result() > 0


def test_nobody_passes_at_once_when_the_game_begins() -> None:
    live = player(9)
    live.play(0, live.state.pass_move)
    assert live.genmove(MoveRequest(1, resign=False)).move != live.state.pass_move


def test_a_seki_is_left_alone() -> None:
    live = at(SEKI, 1, 0.5, True, rules="chinese")
    moves = {live.genmove(MoveRequest(colour, resign=False, play=False)).move for colour in (0, 1)}
    assert not {name(live, move) for move in moves} & {"E6", "E5"}


def test_final_status() -> None:
    live = at(DEAD_STONE, 0, 5)
    status = live.final_status()
    assert names(live, status.dead) == {"B5"} and status.score == 2 and not status.seki
    assert status.ownership[0] == 1 and status.ownership[6] == -1 and len(status.ownership) == 49
    live.set_komi(8)
    assert live.final_status().score == -1


def test_final_status_as_it_stands() -> None:
    status = at(DEAD_STONE, 0, 5, rules="tromp-taylor").final_status()
    assert not status.dead and status.score == 23 - 22 - 5


def test_final_status_agrees_with_the_last_pass() -> None:
    live = at(DEAD_STONE, 0, 5, True, rules="japanese")
    assert live.genmove(MoveRequest(0)).move == live.state.pass_move
    status = live.final_status()
    assert names(live, status.dead) == {"B5"} and status.score > 0 and live.final_status() is status


@pytest.mark.parametrize("is_asked", [True, False], ids=["a question", "a move"])
def test_a_judgement_that_was_cut_short_is_not_kept(is_asked: bool) -> None:
    live, stop = at(DEAD_STONE, 0, 5, True, rules="japanese"), StopToken()
    stop.stop()
    if is_asked:
        assert not live.final_status(stop).dead, "nobody looked: all live"
    else:
        live.genmove(MoveRequest(0, play=False, stop=stop))
    assert names(live, live.final_status().dead) == {"B5"}
