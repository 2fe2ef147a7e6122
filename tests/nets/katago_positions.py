"""Positions of KataGo's raw answers as input features V7, as far as that takes no engine: no captures, no ladders.

Written for tests only, from the description of the features; what the core encodes is tested elsewhere.
"""

from __future__ import annotations

import json
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
    size, own = position["size"], position["to_play"]
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
    facts = json.loads(position["rules_json"])
    if facts["scoring"] == "AREA":
        for colour, points in areas(board, size).items():
            for point in points:
                planes[18 if colour == own else 19][point] = 1
    fill_globals(numbers, position, facts)
    return planes, numbers


def areas(board: Mapping[Point, str], size: int) -> dict[str, set[Point]]:
    """Stones, and empty regions that touch one colour only."""
    found: dict[str, set[Point]] = {"b": set(), "w": set()}
    for point, colour in board.items():
        found[colour].add(point)
    left = {(y, x) for y in range(size) for x in range(size)} - set(board)
    while left:
        todo, region, touched = [left.pop()], set[Point](), set[str]()
        while todo:
            region.add(point := todo.pop())
            for other in around(point, size):
                if other in board:
                    touched.add(board[other])
                elif other in left:
                    left.remove(other)
                    todo.append(other)
        if len(touched) == 1:
            found[touched.pop()] |= region
    return found


def fill_globals(numbers: NDArray[np.float32], position: Mapping[str, Any], facts: Mapping[str, Any]) -> None:
    size, komi = position["size"], position["komi"]
    if facts["scoring"] == "TERRITORY":  # every stone costs its player a point, so that the score is that of area
        komi += sum(1 if colour == "b" else -1 for colour, _ in position["moves"])
    if position["to_play"] == "b":
        komi = -komi
    numbers[5] = komi / 20
    numbers[6], numbers[7] = {"SIMPLE": (0, 0), "POSITIONAL": (1, 0.5), "SITUATIONAL": (1, -0.5)}[facts["ko"]]
    numbers[8] = facts["suicide"]
    numbers[9] = facts["scoring"] == "TERRITORY"
    numbers[10], numbers[11] = facts["tax"] != "NONE", facts["tax"] == "ALL"
    if not numbers[9]:
        floor = (komi - size % 2) // 2 * 2 + size % 2
        delta = komi - floor
        numbers[18] = delta if delta < 0.5 else 1 - delta if delta < 1.5 else delta - 2
