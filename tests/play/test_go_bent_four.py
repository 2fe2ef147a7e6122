"""Bent four in the corner: dead under rules of territory, in every corner, for both colours; other corners are not."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest
from go_boards import stones_of

from tengen.engine.games.go.bent_four import rulings
from tengen.engine.games.go.board import Board
from tengen.engine.games.go.ending import judge
from tengen.engine.games.go.game import GO
from tengen.engine.games.go.rules import RULE_SETS
from tengen.engine.info import Info

BENT_FOUR = """
. . . X O X . O O
. . . X O X X X O
. . . X O O O X .
. . . X O . O X X
. . . X X O O O O
X X X X . X X O .
O O O X X . X O O
. O . O X . X X X
. O . O X . . . .
"""
"""Black's group in the corner encloses three white stones; white's in the other corner has two eyes of a kind."""
FILLED = BENT_FOUR.replace("X O X . O O\n", "X O X O O O\n", 1)
"""White has begun: four stones, one liberty left to each side."""
IN_ROW = """
. . . X O X . . .
. . . X O X X X .
. . . X O O O X O
. . . X O . O X O
. . . X X O O X O
. . . . X O . X .
. . . . X O O X X
. . . . X X O O O
. . . . . X X X X
"""
"""Three stones along the edge that would be a straight four."""
PLAIN_SEKI = """
. . O X . O
. O O X . O
. O X O O O
. O X X X X
. O X . X .
. O X . X .
"""
TWO_STONES = BENT_FOUR.replace("X X X O\n", "X X X .\n", 1)
"""Two stones in the corner: black takes them or lives."""
DAME_OUTSIDE = BENT_FOUR.replace(". . . X O . O X X\n. . . X X O O O O", ". . . X O . O X X\n. . . X X O O O .", 1)
"""An outer liberty more does not save it."""
EYE_ELSEWHERE = BENT_FOUR.replace(
    "O . O X X\n. . . X X O O O O\nX X X X . X X O .\nO O O X X . X O O",
    "O . O X X\n. . . X X O O X .\nX X X X . X O X X\nO O O X X . O O O",
    1,
)
"""The group has an eye besides."""


OBLONG = """
X X . O X . . .
X O O O X . . .
. O X X X . . .
O O X . . . . .
X X X . . . . .
. . . . . . . .
. . . . . . . .
"""
"""The same in a corner of a board that is no square."""


def board_of(diagram: str, rules: str = "japanese") -> Board:
    """All stones alive as far as anybody has looked."""
    width, height, stones = stones_of(diagram)
    state: Any = GO.new_state(width, height, RULE_SETS[rules], 0.0)
    state.setup(stones, 0)
    return Board(state, [(0.0, 0.9, -0.9)[stone] for stone in stones])


def turned(diagram: str, quarters: int, swaps: bool) -> str:
    """The diagram turned to the right, with its colours exchanged or not."""
    rows = [line.split() for line in diagram.strip().splitlines()]
    for _ in range(quarters):
        rows = [list(row) for row in zip(*rows[::-1], strict=True)]
    text = "\n".join(" ".join(row) for row in rows)
    return text.translate(str.maketrans("XO", "OX")) if swaps else text


@pytest.mark.parametrize("swaps", [False, True])
@pytest.mark.parametrize("quarters", range(4))
@pytest.mark.parametrize("diagram", [BENT_FOUR, FILLED, DAME_OUTSIDE], ids=["closed", "filled", "a dame outside"])
def test_a_bent_four_is_dead(diagram: str, quarters: int, swaps: bool) -> None:
    board = board_of(turned(diagram, quarters, swaps))
    (found,) = rulings(board)
    assert found.colour == swaps and len(found.cells) == 7 and len(found.corner) == 5


@pytest.mark.parametrize("swaps", [False, True])
@pytest.mark.parametrize("quarters", range(4))
def test_on_an_oblong_board(quarters: int, swaps: bool) -> None:
    board = board_of(turned(OBLONG, quarters, swaps))
    (found,) = rulings(board)
    assert found.colour == 1 - swaps
    dead = bytes(cell in found.cells for cell in range(56))
    assert sorted(board.state.score(dead)) == [0, 51]


def test_random_boards_are_read_in_time() -> None:
    dice, seen = random.Random(1), 0
    while seen < 60:
        state: Any = GO.new_state(7, 7, RULE_SETS["japanese"], 0.0)
        try:
            state.setup(bytes(dice.choice((0, 1, 2)) for _ in range(49)), 0)
        except ValueError:  # without liberties
            continue
        started = time.process_time()
        list(rulings(Board(state, [0.0] * 49)))
        assert time.process_time() - started < 1.0
        seen += 1


@pytest.mark.parametrize("quarters", range(4))
@pytest.mark.parametrize(
    "diagram",
    [IN_ROW, PLAIN_SEKI, TWO_STONES, EYE_ELSEWHERE, ". . .\n. . .\n. . .", ". .\n. ."],
    ids=["straight", "seki", "two stones", "an eye", "empty", "tiny"],
)
def test_what_is_none(diagram: str, quarters: int) -> None:
    assert not list(rulings(board_of(turned(diagram, quarters, False))))


@pytest.mark.parametrize(("rules", "score", "dead", "seki"), [
    ("japanese", 0.0, 7, 0), ("korean", 0.0, 7, 0), ("chinese", 19.0, 0, 0), ("aga", 19.0, 0, 0),
])  # fmt: skip
def test_the_count(rules: str, score: float, dead: int, seki: int) -> None:
    """The searches believe that all live."""
    board = board_of(BENT_FOUR, rules)
    cells = [0.9 if stone == 1 else -0.9 if stone == 2 else 0.0 for stone in board.stones]

    def explore(state: Any) -> Info:
        return Info(
            to_move=state.to_move, visits=1, ownership=tuple(cells if state.to_move == 0 else [-c for c in cells])
        )

    status = judge(board.state, RULE_SETS[rules], explore)
    assert (status.score, sum(map(len, status.dead)), sum(map(len, status.seki))) == (score, dead, seki)
