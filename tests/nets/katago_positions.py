"""Positions of KataGo's raw answers as input features V7, as far as that takes no engine: no captures, no ladders.

Written for tests only, from the description of the features; what the core encodes is tested elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

PLANES, GLOBALS = 22, 19
LETTERS = "ABCDEFGHJKLMNOPQRST"
Point = tuple[int, int]


def around(point: Point, size: int) -> Iterator[Point]:
    y, x = point
    for other in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)):
        if 0 <= min(other) and max(other) < size:
            yield other


def liberties(board: Mapping[Point, str], start: Point, size: int) -> int:
    group, free, todo = {start}, set(), [start]
    while todo:
        for other in around(todo.pop(), size):
            if other not in board:
                free.add(other)
            elif board[other] == board[start] and other not in group:
                group.add(other)
                todo.append(other)
    return len(free)


def encoded(position: Mapping[str, Any]) -> tuple[NDArray[np.float32], NDArray[np.float32]] | None:
    """Planes and globals; None where they would take an engine."""
    size, rules, own = position["size"], position["rules"], position["to_play"]
    board: dict[Point, str] = {}
    history: list[tuple[str, Point]] = []
    for colour, vertex in position["moves"]:
        if vertex.lower() == "pass":
            return None
        point = size - int(vertex[1:]), LETTERS.index(vertex[0].upper())
        board[point] = colour
        history.append((colour, point))
        if any(liberties(board, stone, size) < 3 for stone in board):
            return None  # a capture or a ladder may come
    planes, numbers = np.zeros((PLANES, size, size), np.float32), np.zeros(GLOBALS, np.float32)
    planes[0] = 1
    for point, colour in board.items():
        planes[1 if colour == own else 2][point] = 1
        if liberties(board, point, size) == 3:
            planes[5][point] = 1
    expected = "w" if own == "b" else "b"
    for plane, (colour, point) in zip(range(9, 14), reversed(history), strict=False):
        if colour != expected:
            break
        planes[plane][point] = 1
        expected = "w" if expected == "b" else "b"
    fill_globals(numbers, position, rules)
    return planes, numbers


def fill_globals(numbers: NDArray[np.float32], position: Mapping[str, Any], rules: str) -> None:
    import json

    facts = json.loads(position["rules_json"])
    size, komi = position["size"], position["komi"] if position["to_play"] == "w" else -position["komi"]
    numbers[5] = komi / 20
    numbers[6], numbers[7] = {"SIMPLE": (0, 0), "POSITIONAL": (1, 0.5), "SITUATIONAL": (1, -0.5)}[facts["ko"]]
    numbers[8] = facts["suicide"]
    numbers[9] = facts["scoring"] == "TERRITORY"
    numbers[10], numbers[11] = facts["tax"] != "NONE", facts["tax"] == "ALL"
    if not numbers[9]:
        floor = (komi - size % 2) // 2 * 2 + size % 2
        delta = komi - floor
        numbers[18] = delta if delta < 0.5 else 1 - delta if delta < 1.5 else delta - 2
