"""Fights to begin lessons with: legal boards of every kind, and that each kind is what its name says."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest

from tengen.engine.games import get_game
from tengen.engine.games.go.rules import RULE_SETS
from tengen.engine.history import History
from tengen.engine.play.go import katago_inputs
from tengen.tools.train.data.setting_up import set_up
from tengen.tools.train.settings.config import RunConfig, merge
from tengen.tools.train.teaching.board import BLACK, EMPTY, WHITE, Board, balanced, neighbours, put, remove_dead
from tengen.tools.train.teaching.fights import fight
from tengen.tools.train.teaching.lessons import Lessons
from tengen.tools.train.teaching.shapes import BENT_FOUR, SHAPES, Stones, bent_four, ladder, race, seki

GO = get_game("go")
Maker = Callable[[int, random.Random], Stones]


def board_of(maker: Maker, size: int, seed: int) -> Board:
    source = random.Random(seed)
    board = [EMPTY] * (size * size)
    put(board, maker(size, source), size, source)
    return board


def history_of(board: Board, size: int, seed: int) -> History:
    history = History(GO.new_state(size, size, RULE_SETS["chinese"], 7.0))
    for move in set_up(board, size * size, random.Random(seed)):
        history.play(history.state.to_move, move, "none")
    return history


def chains(board: Board, size: int) -> list[tuple[int, set[int], set[int]]]:
    """Colour, stones and liberties of each."""
    found, seen = [], set[int]()
    for cell, colour in enumerate(board):
        if colour == EMPTY or cell in seen:
            continue
        group, open_, free = {cell}, [cell], set[int]()
        while open_:
            for near in neighbours(open_.pop(), size):
                if board[near] == EMPTY:
                    free.add(near)
                elif board[near] == colour and near not in group:
                    group.add(near)
                    open_.append(near)
        seen |= group
        found.append((colour, group, free))
    return found


@pytest.mark.parametrize("maker", [maker for maker, _ in SHAPES], ids=lambda maker: maker.__name__)
@pytest.mark.parametrize("size", [7, 9, 13, 19])
def test_every_shape_is_a_board(maker: Maker, size: int) -> None:
    """Of both colours for either side, hardly a stone without a liberty, set up by legal moves."""
    sides, lost, stones = set(), 0, 0
    for seed in range(30):
        board = board_of(maker, size, seed)
        before = sum(cell != EMPTY for cell in board)
        remove_dead(board, size)
        lost, stones = lost + before - sum(cell != EMPTY for cell in board), stones + before
        sides.add(board.count(BLACK) > board.count(WHITE))
        assert list(history_of(board, size, seed).state.stones()) == board
    assert lost < 0.05 * stones and sides == {True, False}


def test_ladders_are_ladders() -> None:
    """As KataGo's inputs have them: a chain that is laddered, or a move that begins a ladder, in most boards; and with a
    stone in the way some do not work."""
    found = 0
    for seed in range(60):
        history = history_of(board_of(ladder, 13, seed), 13, seed)
        planes, _ = katago_inputs.encode(history, RULE_SETS["chinese"])
        found += bool(planes[14].any() or planes[17].any())
    assert 35 <= found < 60, found


def test_sekis_have_only_liberties_in_common() -> None:
    """Without eyes, two chains of both sides have the same two liberties and no others."""
    shared = 0
    for seed in range(60):
        board = board_of(seki, 13, seed)
        remove_dead(board, 13)
        known = chains(board, 13)
        pairs = [
            (one, two) for one in known for two in known if one[0] < two[0] and one[2] == two[2] and len(one[2]) == 2
        ]
        shared += bool(pairs)
    assert shared > 20, shared


def test_races_are_short() -> None:
    """Two chains of both sides with few liberties touch."""
    short = 0
    for seed in range(60):
        board = board_of(race, 13, seed)
        remove_dead(board, 13)
        known = [one for one in chains(board, 13) if len(one[2]) <= 6 and len(one[1]) > 1]
        touching = {
            (one[0], two[0]) for one in known for two in known
            if any(near in two[1] for stone in one[1] for near in neighbours(stone, 13))
        }  # fmt: skip
        short += (BLACK, WHITE) in touching
    assert short > 40, short


def test_the_bent_four_is_in_the_corner() -> None:
    """Three of its points are taken by one side, and the chain around them is the other's, without another liberty
    inside."""
    for seed in range(30):
        stones = bent_four(9, random.Random(seed))
        taken = [stones[point] for point in sorted(BENT_FOUR) if stones[point] != EMPTY]
        assert len(taken) == 3 and len(set(taken)) == 1
        wall = {stones[point] for point in ((0, 3), (1, 1), (1, 2), (2, 0))}
        assert wall == {BLACK + WHITE - taken[0]}


def test_boards_that_no_pass_may_set_up_are_balanced() -> None:
    """Black has as many stones as White, or one more, so that either side is to move."""
    surplus = set()
    for seed in range(40):
        board = fight(13, random.Random(seed))
        before = list(board)
        if balanced(board, 13, random.Random(seed)):
            surplus.add(board.count(BLACK) - board.count(WHITE))
            assert all(now == then for now, then in zip(board, before, strict=True) if then != EMPTY)
            assert 13 * 13 not in set_up(board, 13 * 13, random.Random(seed))
    assert surplus == {0, 1}


def test_lessons_with_a_button_begin_with_fights_too() -> None:
    """None of their moves is a pass, which would take it."""
    made = merge(RunConfig(), {"board.rules": "aga-button", "teacher.fights": 1.0})
    lessons, source = Lessons(made.board, made.teacher, 13), random.Random(1)
    drawn = [lessons.draw(source) for _ in range(40)]
    assert sum(bool(lesson.prefix) for lesson in drawn) > 30
    assert not any(169 in lesson.prefix for lesson in drawn)
    assert np.mean([lesson.is_set_up for lesson in drawn]) > 0.7
