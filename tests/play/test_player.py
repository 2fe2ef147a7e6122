"""Player: the game it keeps, the decisions it makes, and the threads that must end."""

from __future__ import annotations

import pytest
from go_players import at, name, player

from tengen.engine.games.base import IllegalMove
from tengen.engine.games.go.game import GO
from tengen.engine.play.request import MoveRequest

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


# Moves of either side -> White's bonus under rules that give a point a stone.
PLAYED = [
    ("b0 b8", 2),
    ("b0 b8 w40", 2),
    ("b0 b8 b72 w40 b1", 3),
    ("b0 w40", 0),
    ("b0 w81 b8", 2),
    ("b0 b8 w40 w41", 0),
]


@pytest.mark.parametrize(("moves", "bonus"), PLAYED)
def test_handicap_that_is_played_gives_the_bonus(moves: str, bonus: int) -> None:
    """As servers send it, and as KataGo counts it."""
    live = player(9, rules="chinese")
    live.set_komi(0.5)
    live.play_sequence([("bw".index(word[0]), int(word[1:])) for word in moves.split()])
    assert live.handicap == bonus and live.state.komi == 0.5 + bonus  # type: ignore[attr-defined]
    live.undo(len(moves.split()))
    assert live.handicap == 0 and live.state.komi == 0.5  # type: ignore[attr-defined]


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


def test_visits_count_those_of_earlier_searches() -> None:
    live = player(7, playouts=None, visits=300)
    first = live.genmove(MoveRequest(0, resign=False)).info
    assert first.visits == first.playouts == 300
    reply = first.lines[0].pv[1]
    live.play(1, reply)
    second = live.genmove(MoveRequest(0, resign=False)).info
    assert second.visits == 300 and 0 < second.playouts < 300


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
