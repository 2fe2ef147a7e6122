"""Gomoku's board for alpha-beta: kept up as if made anew, and its search of fours with what could stop a win."""

from __future__ import annotations

import random

import _tengen_units as units
import pytest
from gomoku_boards import RULES, board, cell, promising, scattered, wandering
from whole_sets import portion

from tengen.engine._core import GomokuState

FOUR = 3
"""The least of GomokuState.threats by which a stone makes a four (a suspect cell of renju may)."""


@pytest.mark.parametrize("size", [7, 15, 20, 25])
@pytest.mark.parametrize("rule", RULES)
def test_moves_undone_leave_no_trace(rule: str, size: int) -> None:
    """After every play and every undo, also where somebody has won."""
    choose = random.Random(size)
    for number in range(6):
        stones = scattered(choose, size, min(60, size * size // 2))
        moves = wandering(choose, size, 30, [cell for cell, stone in enumerate(stones) if not stone])
        assert units.line_board_fault(size, size, RULES.index(rule), stones, number % 2, moves) == ""


def test_a_small_oblong_board() -> None:
    """Edges near one another, every cell played."""
    choose = random.Random(2)
    for rule in range(len(RULES)):
        moves = choose.sample(range(5 * 17), 5 * 17)
        assert units.line_board_fault(17, 5, rule, bytes(5 * 17), 0, moves) == ""


@pytest.mark.parametrize("rule", RULES)
def test_it_wins_where_the_plain_search_does(rule: str) -> None:
    """With enough positions for both, and in as many plies as it says at most."""
    choose = random.Random(7)
    positions = units.FourPositions(15, 15)
    found = []
    for _ in range(portion(120)):
        stones, to_move = promising(choose, 15, rule), choose.randrange(2)
        positions.add(15, 15, RULES.index(rule), stones, to_move)
        found.append(units.vcf(15, 15, RULES.index(rule), stones, to_move, 5_000)[0])
    plain = [move for move, _ in positions.search(True, 5_000)]
    assert [move >= 0 for move, _ in found] == [move >= 0 for move in plain]
    assert {plies % 2 for move, plies in found if move >= 0} == {1}
    assert all((plies > 0) == (move >= 0) for move, plies in found)


@pytest.mark.parametrize("rule", RULES)
def test_only_refutations_stop_a_win(rule: str) -> None:
    """A stone of the enemy on any other cell, that makes no four, leaves the win."""
    choose = random.Random(11)
    tried = stopped = wins = 0
    for _ in range(portion(150)):
        stones, attacker = promising(choose, 15, rule), choose.randrange(2)
        state = GomokuState(15, 15, rule)
        state.setup(stones, 1 - attacker)
        if state.winning_moves(1 - attacker):
            continue
        (move, _), cells = units.vcf(15, 15, RULES.index(rule), stones, attacker, 2000)
        if move < 0 or cells is None:
            continue
        wins += 1
        threats = state.threats(1 - attacker)
        for reply in choose.sample(state.legal_moves(), 25):
            if threats[reply] >= FOUR:
                continue
            after = bytearray(stones)
            after[reply] = 2 - attacker
            holds = units.vcf(15, 15, RULES.index(rule), bytes(after), attacker, 5_000)[0][0] >= 0
            assert holds or reply in cells, f"{rule} {reply}"
            tried += reply not in cells
            stopped += not holds
    assert wins > portion(10) and tried > portion(200) and stopped > portion(3)


def test_the_patterns_of_a_row() -> None:
    """By hand: a window's bit 5 is the cell; a cell beyond the edge is in both masks."""
    none, one, open_one, _, open_two, *_ = range(15)
    assert units.line_patterns(0, 0, 0) == (open_one, open_one)
    assert units.line_patterns(0, 0b00000010000, 0b00000001000)[0] < open_two
    assert units.line_patterns(0, 0b01000100000 & ~0b100000, 0b01000100000 & ~0b100000)[0] >= none
    assert units.line_patterns(0, 0, 0b00001010000) == (none, units.line_patterns(0, 0b00001010000, 0)[0])
    assert units.line_patterns(0, 0b00000011110, 0)[0] == 13
    assert units.line_patterns(1, 0b00000111110 & ~0b100000 | 0b1000000, 0)[0] == 14
    assert one == 1


def test_a_forced_stop_comes_first() -> None:
    """The side to move has a four to make, but the enemy's five has to be stopped, and not by a four."""
    state = board(
        """
        ...............
        ..XXX..........
        ...............
        ...............
        .....OOOO......
        ...............
        ...............
        ...............
        ..............."""
    )
    stones = state.stones()
    assert units.vcf(15, 9, 0, stones, 0, 1000)[0] == (-1, 0)
    (move, plies), _ = units.vcf(15, 9, 0, stones, 1, 1000)
    assert plies == 1 and move in (cell(state, "e5"), cell(state, "k5"))
