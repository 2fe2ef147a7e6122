"""Gomoku's search of wins by threes and fours: it finds them, each holds when it is replayed, and it stops when told."""

from __future__ import annotations

import random

import _tengen_units as units
import pytest
from gomoku_boards import RULES, board, cell, promising
from whole_sets import portion

from tengen.engine._core import GomokuAlphaBeta, GomokuState

ALL = 1_000_000
"""More positions than any of these searches takes."""

TWO_CORNERS = """
    ...............
    ...............
    ...............
    ......X........
    ......X........
    ...............
    ....XX.........
    ...............
    ...............
    ..........OO...
    ...........O...
    ...............
    ...............
    ...............
    ..............."""


@pytest.mark.parametrize("rule", ["freestyle", "standard", "caro", "exact-caro"])
def test_two_threes_win(rule: str) -> None:
    """By the stone on which both threes meet; renju's Black may not play it."""
    state = board(TWO_CORNERS, rule)
    (move, plies), (holds, _) = units.vct(15, 15, RULES.index(rule), state.stones(), 0, 3000, ALL)
    assert move == cell(state, "g9") and plies >= 5 and holds


def test_nothing_is_won_without_threats() -> None:
    state = GomokuState(15, 15, "freestyle")
    state.play(cell(state, "h8"))
    state.play(cell(state, "j9"))
    assert units.vct(15, 15, 0, state.stones(), 0, 3000, ALL)[0] == (-1, 0)


@pytest.mark.parametrize("rule", RULES)
def test_every_win_holds_when_it_is_replayed(rule: str) -> None:
    """Against every legal reply, also to cells that the search left out; the search leaves the board as it was."""
    choose = random.Random(5)
    wins = by_threes = 0
    for _ in range(portion(120)):
        stones, attacker = promising(choose, 15, rule), choose.randrange(2)
        state = GomokuState(15, 15, rule)
        state.setup(stones, attacker)
        if state.winning_moves(1 - attacker):
            continue
        (move, plies), (holds, _) = units.vct(15, 15, RULES.index(rule), stones, attacker, 500, ALL)
        assert plies >= 0
        if move >= 0:
            assert holds, f"{rule} {move} {plies}"
            wins += 1
            by_threes += units.vcf(15, 15, RULES.index(rule), stones, attacker, 5000)[0][0] < 0
    assert wins > portion(20) and by_threes > portion(3)


def test_it_stops_when_it_is_told() -> None:
    """Within some positions, and claims nothing then."""
    choose = random.Random(3)
    for _ in range(40):
        stones = promising(choose, 15, "freestyle")
        found, (_, seen) = units.vct(15, 15, 0, stones, 0, ALL, 300)
        assert seen < 1500 and (found[0] >= 0 or found == (-1, 0))


def test_the_search_tells_a_win_by_threes() -> None:
    state = board(TWO_CORNERS)
    search = GomokuAlphaBeta("lines")
    search.set("memory_mb", 8.0)
    search.run(state, playouts=20_000, early_stop=True)
    best = search.info(1).lines[0]
    assert best.proof == 1 and best.move == cell(state, "g9")
