"""Handicap: the fixed table of the GTP 2 draft (section 4.1.1), free placement by the engine, and what a game had."""

from __future__ import annotations

from collections.abc import Sequence

from tengen.engine.games.base import State

BLACK, WHITE = 1, 2
"""Stones, as `State.stones` has them."""

_REFUSED = "invalid number of stones"


def fixed(width: int, height: int, count: int) -> list[int]:
    """Cells of the fixed handicap, row-major from the top. Raises ValueError when the board has no such handicap.

    Boards need 7 points each way; 5 and more stones need odd sides of at least 9.
    """
    if not 2 <= count <= _most(width, height):
        raise ValueError(_REFUSED)
    left, right = _lines(width)
    top, bottom = _lines(height)
    column, row = width // 2, height // 2
    corners = [(bottom, left), (top, right), (top, left), (bottom, right)]
    points = corners[:count]
    if count in (5, 7, 9):
        points.append((row, column))
    if count >= 6:
        points += [(row, left), (row, right)]
    if count >= 8:
        points += [(top, column), (bottom, column)]
    return sorted(row * width + column for row, column in points)


def free(width: int, height: int, count: int) -> list[int]:
    """Cells the engine chooses: the fixed ones while they last, then the emptiest good points.

    Fewer than `count` on boards too small for them (GTP 2 allows that), at least 2. Raises ValueError.
    """
    cells = width * height
    if count < 2 or cells < 4 or count >= cells:
        raise ValueError(_REFUSED)
    most = _most(width, height)
    chosen = fixed(width, height, min(count, most)) if most >= 2 else []
    if count > most and most in (5, 7):
        chosen = fixed(width, height, most)
    target = min(count, max(2, cells // 3))
    while len(chosen) < target:
        chosen.append(max(range(cells), key=lambda cell: _appeal(cell, chosen, width, height)))
    return sorted(chosen)


def _most(width: int, height: int) -> int:
    """Largest fixed handicap of a board."""
    small, large = min(width, height), max(width, height)
    if small < 7 or large > 25:
        return 0
    return 9 if small >= 9 and width % 2 and height % 2 else 4


def _lines(side: int) -> tuple[int, int]:
    """The two lines with corner points: the fourth from size 13 on, else the third."""
    inset = 3 if side >= 13 else 2
    return inset, side - 1 - inset


def _appeal(cell: int, chosen: list[int], width: int, height: int) -> float:
    """Distance from the stones already chosen, lower on the first two lines and for taken points."""
    if cell in chosen:
        return -1e9
    row, column = divmod(cell, width)
    edge = min(row, column, height - 1 - row, width - 1 - column)
    nearest = min((abs(row - other // width) + abs(column - other % width) for other in chosen), default=9)
    return min(nearest, 6) + {0: -4.0, 1: -1.5, 2: 0.5, 3: 0.7}.get(edge, 0.0) - 1e-4 * cell


def given(start: State, moves: Sequence[tuple[int, int]]) -> int:
    """Count Black's handicap stones: those of an all black set-up and those of the first moves, which are none when
    they are fewer than two in all. White's passes among them do not count, and two moves of White's in a row after them
    make a problem of it, not a handicap.
    """
    stones, played = start.stones(), 0
    if WHITE in stones:
        return 0
    for ply, (colour, move) in enumerate(moves):
        if colour == 1:
            if ply + 1 < len(moves) and moves[ply + 1][0] == 1:
                played = 0
                break
            if move != start.pass_move:
                break
        else:
            played += move != start.pass_move
    count = stones.count(BLACK) + played
    return count if count > 1 else 0
