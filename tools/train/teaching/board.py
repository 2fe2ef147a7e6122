"""Boards that lessons begin with, as lists of stones, and what the makers of such boards share."""

from __future__ import annotations

import random
from collections.abc import Iterable

EMPTY, BLACK, WHITE = 0, 1, 2
Board = list[int]
"""size x size cells, row by row from the top: EMPTY, BLACK or WHITE."""
Point = tuple[int, int]
"""Row and column."""


def other(colour: int) -> int:
    """The opponent's colour."""
    return BLACK + WHITE - colour


def drawn(source: random.Random, chances: Iterable[tuple[int, float]]) -> int:
    """A colour by its chance; EMPTY by the rest."""
    at = source.random()
    for colour, chance in chances:
        if at < chance:
            return colour
        at -= chance
    return EMPTY


def neighbours(cell: int, size: int) -> list[int]:
    """The two to four cells beside one."""
    return [row * size + column for row, column in beside(divmod(cell, size), size)]


def beside(point: Point, size: int) -> list[Point]:
    """The same by rows and columns."""
    row, column = point
    near = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return [(r, c) for r, c in near if 0 <= r < size and 0 <= c < size]


def put(board: Board, stones: dict[Point, int], size: int, source: random.Random) -> None:
    """Lay stones on a board, all turned by one of its eight symmetries, EMPTY ones too."""
    down, right, turned = (source.random() < 0.5 for _ in range(3))
    for (row, column), colour in stones.items():
        row = size - 1 - row if down else row
        column = size - 1 - column if right else column
        board[column * size + row if turned else row * size + column] = colour


def scatter(board: Board, size: int, source: random.Random, density: float) -> None:
    """Stones of both colours where nothing is near."""
    for cell in range(size * size):
        if board[cell] == EMPTY and all(board[near] == EMPTY for near in neighbours(cell, size)):
            board[cell] = drawn(source, ((BLACK, density / 2), (WHITE, density / 2)))


def balanced(board: Board, size: int, source: random.Random) -> bool:
    """Add stones where nothing is near until Black has as many as White, or one more. Return whether there was room."""
    cells = [cell for cell, found in enumerate(board) if found == EMPTY]
    source.shuffle(cells)
    wanted = source.randint(0, 1)
    while (surplus := board.count(BLACK) - board.count(WHITE)) != wanted:
        while cells and any(board[near] != EMPTY for near in neighbours(cells[-1], size)):
            cells.pop()
        if not cells:
            return False
        board[cells.pop()] = BLACK if surplus < wanted else WHITE
    return True


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
