"""Local fights to begin a lesson with: walls around a corner or a side, stones within, made by rules of our own.

They are of the kind that problems of life and death are made of, and no copies of any. What they are worth nobody
knows but the teacher, which is asked.
"""

from __future__ import annotations

import random

EMPTY, BLACK, WHITE = 0, 1, 2
Board = list[int]
"""size x size cells, row by row from the top: EMPTY, BLACK or WHITE."""


def fight(size: int, source: random.Random) -> Board:
    """Return a board with one or two fights and a few stones elsewhere; every group has a liberty."""
    board = [EMPTY] * (size * size)
    for _ in range(source.choice((1, 1, 2)) if size > 9 else 1):
        _enclose(board, size, source)
    _scatter(board, size, source, source.uniform(0.0, 0.15))
    remove_dead(board, size)
    return board


def _enclose(board: Board, size: int, source: random.Random) -> None:
    """A region at the edge: a wall of one colour around it, stones of both within."""
    outer = source.choice((BLACK, WHITE))
    inner = BLACK + WHITE - outer
    width = min(size, source.randint(3, 8))
    height = min(size, source.randint(2, 5))
    left = 0 if source.random() < 0.6 else source.randint(0, size - width)
    if source.random() < 0.5:
        left = size - width - left
    turned, below = source.random() < 0.5, source.random() < 0.5
    inside, outside = source.uniform(0.2, 0.6), source.uniform(0.05, 0.3)
    for row in range(height + 2):
        for column in range(left - 2, left + width + 2):
            distance = max(left - column, column - (left + width - 1), row - (height - 1), 0)
            chances = {0: (inside, outside), 1: (0.08, 0.85), 2: (0.05, 0.25)}[distance]
            where = _place(row, column, size, turned, below)
            if where is not None:
                board[where] = _drawn(source, ((inner, chances[0]), (outer, chances[1])))


def _place(row: int, column: int, size: int, turned: bool, below: bool) -> int | None:
    """The cell of a row and a column from an edge; None off the board."""
    if not (0 <= row < size and 0 <= column < size):
        return None
    row = size - 1 - row if below else row
    return column * size + row if turned else row * size + column


def _drawn(source: random.Random, chances: tuple[tuple[int, float], ...]) -> int:
    at = source.random()
    for colour, chance in chances:
        if at < chance:
            return colour
        at -= chance
    return EMPTY


def _scatter(board: Board, size: int, source: random.Random, density: float) -> None:
    """Stones of both colours where nothing is near."""
    for cell in range(size * size):
        if board[cell] == EMPTY and all(board[near] == EMPTY for near in neighbours(cell, size)):
            board[cell] = _drawn(source, ((BLACK, density / 2), (WHITE, density / 2)))


def neighbours(cell: int, size: int) -> list[int]:
    """The two to four cells beside one."""
    row, column = divmod(cell, size)
    near = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return [r * size + c for r, c in near if 0 <= r < size and 0 <= c < size]


def remove_dead(board: Board, size: int) -> None:
    """Take every group without a liberty off, until there is none."""
    is_new = True
    while is_new:
        is_new, seen = False, set[int]()
        for cell in range(size * size):
            if board[cell] != EMPTY and cell not in seen:
                group, lives = _group(board, size, cell)
                seen |= group
                if not lives:
                    is_new = True
                    for stone in group:
                        board[stone] = EMPTY


def _group(board: Board, size: int, first: int) -> tuple[set[int], bool]:
    """The stones that hang together with one, and whether they have a liberty."""
    group, open_, lives = {first}, [first], False
    while open_:
        for near in neighbours(open_.pop(), size):
            if board[near] == EMPTY:
                lives = True
            elif board[near] == board[first] and near not in group:
                group.add(near)
                open_.append(near)
    return group, lives
