"""Local fights to begin a lesson with, made by rules of our own: shapes with a name, and random walls at an edge.

They resemble problems of life and death, and copy none. Only the teacher judges them.
"""

from __future__ import annotations

import random

from tengen.tools.train.teaching.board import (
    BLACK,
    EMPTY,
    WHITE,
    Board,
    Point,
    drawn,
    other,
    put,
    remove_dead,
    scatter,
)
from tengen.tools.train.teaching.shapes import LEAST, shape

NAMED = 0.5
"""Share of the fights that are shapes with a name."""


def fight(size: int, source: random.Random) -> Board:
    """Return a board with one or two fights and a few stones elsewhere; every group has a liberty."""
    board = [EMPTY] * (size * size)
    for _ in range(source.choice((1, 1, 2)) if size > 9 else 1):
        is_named = size >= LEAST and source.random() < NAMED
        put(board, shape(size, source) if is_named else _walls(size, source), size, source)
    scatter(board, size, source, source.uniform(0.0, 0.15))
    remove_dead(board, size)
    return board


def _walls(size: int, source: random.Random) -> dict[Point, int]:
    """A region at the edge: a wall of one colour around it, stones of both within."""
    outer = source.choice((BLACK, WHITE))
    inner = other(outer)
    width = min(size, source.randint(3, 8))
    height = min(size, source.randint(2, 5))
    left = 0 if source.random() < 0.6 else source.randint(0, size - width)
    inside, outside = source.uniform(0.2, 0.6), source.uniform(0.05, 0.3)
    chances = {0: (inside, outside), 1: (0.08, 0.85), 2: (0.05, 0.25)}
    stones: dict[Point, int] = {}
    for row in range(min(size, height + 2)):
        for column in range(max(0, left - 2), min(size, left + width + 2)):
            distance = max(left - column, column - (left + width - 1), row - (height - 1), 0)
            chance = chances[distance]
            stones[row, column] = drawn(source, ((inner, chance[0]), (outer, chance[1])))
    return stones
