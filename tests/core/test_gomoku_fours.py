"""The search of continuous fours plays and undoes on one board: as good as new, and finds what copying finds."""

from __future__ import annotations

import random

import _tengen_units as units
import pytest
from gomoku_boards import RULES, board, promising, scattered, wandering
from whole_sets import portion


@pytest.mark.parametrize("size", [7, 15, 20, 25])
@pytest.mark.parametrize("rule", RULES)
def test_moves_undone_leave_no_trace(rule: str, size: int) -> None:
    """After every play and every undo the board equals one made of the stones alone, also where somebody has won."""
    choose = random.Random(size)
    for number in range(portion(40)):
        stones = scattered(choose, size, min(60, size * size // 2))
        moves = wandering(choose, size, 30, [cell for cell, stone in enumerate(stones) if not stone])
        to_move, attacker = number % 2, number // 2 % 2
        assert moves
        assert units.four_board_fault(size, size, RULES.index(rule), stones, to_move, attacker, moves) == ""


def test_an_undo_on_a_small_oblong_board() -> None:
    """Edges near one another, every cell played."""
    choose = random.Random(2)
    for rule in range(len(RULES)):
        moves = choose.sample(range(5 * 17), 5 * 17)
        assert units.four_board_fault(17, 5, rule, bytes(5 * 17), 0, rule % 2, moves) == ""


@pytest.mark.parametrize(("size", "count"), [(15, portion(100)), (20, portion(100))])
@pytest.mark.parametrize("rule", RULES)
def test_it_finds_what_copying_finds(rule: str, size: int, count: int) -> None:
    """The same first moves with the same number of positions left, under a small bound and a large one."""
    choose = random.Random(count)
    positions = units.FourPositions(size, size)
    for _ in range(count):
        positions.add(size, size, RULES.index(rule), promising(choose, size, rule), choose.randrange(2))
    for bound in (7, 2000):
        found = positions.search(False, bound)
        assert found == positions.search(True, bound)
        searched = [move for move, left in found if left < bound]
        assert len(searched) > count // 2, "too few positions say anything"
        assert {move < 0 for move in searched} == {False, True}
    assert min(left for _, left in found) < 2000 - 20, "no search went deep"


FOURS = """
    .........
    ....X....
    ....X....
    .........
    OXXX..O..
    .........
    .........
    ..OO.....
    ........."""


def test_a_known_win() -> None:
    """Four and open three: the four first, then one of the three's."""
    state = board(FOURS)
    positions = units.FourPositions(9, 9)
    for to_move in (0, 1):
        positions.add(9, 9, 0, state.stones(), to_move)
    (move, left), (none, unused) = positions.search(False, 100)
    assert move == 4 * 9 + 4 and left < 100
    assert none == -1 and unused == 100
