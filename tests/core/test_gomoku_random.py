"""Wins on random boards and in random games, against a slow literal judge of every rule."""

from __future__ import annotations

import random

import pytest
from gomoku_boards import DIRECTIONS, RULES, SIZES, Naive, random_stones
from whole_sets import portion

from tengen.engine._core import GomokuState


@pytest.mark.parametrize("rule", RULES)
def test_fives_on_random_boards(rule: str) -> None:
    choose = random.Random(20)
    winners = 0
    for number in range(portion(90)):
        width, height = SIZES[number % len(SIZES)]
        stones = random_stones(choose, width, height, choose.choice([0.0, 0.9]))
        state, naive = GomokuState(width, height, rule), Naive(width, height, stones, rule)
        state.setup(stones, number % 2)
        won = naive.winner()
        assert state.stones() == stones and state.move_number == width * height - stones.count(0)
        assert {state.winner} == ({-1} if not won else won if len(won) == 1 else {1 - number % 2})
        winners += bool(won)
        if won:
            assert state.legal_moves() == [] and state.winning_moves(0) == [] and state.four_moves(1) == []
            line = {divmod(move, width) for move in state.winning_line()}
            assert any(set(naive.run(min(line), s)[0]) == line and naive.wins_in(min(line), s) for s in DIRECTIONS)
            continue
        empty = [divmod(m, width) for m, stone in enumerate(stones) if stone == 0]
        for colour in (0, 1):
            wins = [r * width + c for r, c in empty if naive.wins_if((r, c), colour)]
            assert state.winning_moves(colour) == wins
            for r, c in choose.sample(empty, min(6, len(empty))):
                naive.grid[r][c] = colour + 1
                more = [p for p in empty if p != (r, c) and naive.wins_if(p, colour)]
                naive.grid[r][c] = 0
                move = r * width + c
                allowed = colour == 1 or state.foul(move) == ""
                assert (move in state.four_moves(colour)) == (allowed and bool(more) and move not in wins)
                if allowed:
                    after = state.copy()
                    after.play_as(colour, move)
                    assert after.winner == (colour if move in wins else -1)
    assert portion(5) < winners < portion(85)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_incremental_wins_in_random_games(rule: str, width: int, height: int) -> None:
    """A game move by move ends exactly when the literal judge sees a five."""
    choose = random.Random(width * 100 + height)
    state = GomokuState(width, height, rule)
    naive = Naive(width, height, state.stones(), rule)
    while not state.is_terminal():
        move = choose.choice(state.legal_moves())
        colour = state.to_move
        state.play(move)
        naive.grid[move // width][move % width] = colour + 1
        assert (state.winner == colour) == naive.wins(divmod(move, width))
    assert state.winner >= 0 or state.stones().count(0) == 0 or (rule == "renju" and state.legal_moves() == [])
