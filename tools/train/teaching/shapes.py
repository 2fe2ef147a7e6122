"""Makers of local fights: ladders, races to capture, seki, eye spaces, bent fours in the corner.

Each maker draws the stones of one fight in the upper left of a board, as a dict from points to colours; the board turns
them (`board.put`). A maker does not say who wins: the teacher judges.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Set

from tengen.tools.train.teaching.board import BLACK, EMPTY, WHITE, Point, beside, drawn, other

Stones = dict[Point, int]
BENT_FOUR: frozenset[Point] = frozenset({(0, 0), (0, 1), (0, 2), (1, 0)})
LEAST = 7
"""Side of the smallest board that has room for them."""


def ladder(size: int, source: random.Random) -> Stones:
    """Draw a stone with two liberties, some steps of its chase to the far corner, and perhaps a stone in the way."""
    hunted = source.choice((BLACK, WHITE))
    hunter = other(hunted)
    row, column = source.randint(1, size // 2 - 1), source.randint(1, size // 2 - 1)
    stones = {(row, column): hunted} | dict.fromkeys(
        ((row - 1, column), (row, column - 1), (row + 1, column - 1)), hunter
    )
    for step in range(source.choice((0, 0, 0, 1, 2, 4, 8))):
        right, down = (row, column + 1), (row + 1, column)
        closed, fled = (down, right) if step % 2 else (right, down)
        if max(*closed, *fled) >= size - 1:
            break
        stones[closed], stones[fled] = hunter, hunted
        row, column = fled
    distance = source.randint(2, size)
    ahead = row + distance, column + distance + source.randint(-2, 2)
    if source.random() < 0.6 and 0 <= min(ahead) and max(ahead) < size:
        stones.setdefault(ahead, source.choice((hunted, hunted, hunter)))
    return stones


def race(size: int, source: random.Random) -> Stones:
    """Draw two chains at an edge, each walled in by the other side, with few liberties of their own and in common."""
    return _race(size, source, open_share=source.uniform(0.0, 0.5), common=source.choice((0, 1, 1, 2)))


def seki(size: int, source: random.Random) -> Stones:
    """Draw two such chains with two common liberties, none of their own, and perhaps an eye each: mostly a seki."""
    return _race(size, source, open_share=0.0, common=2, has_eyes=source.random() < 0.4)


def _race(size: int, source: random.Random, *, open_share: float, common: int, has_eyes: bool = False) -> Stones:
    left, height = source.choice((BLACK, WHITE)), source.choice((2, 2, 3))
    widths = [source.randint(1, max(1, (size - 4) // 2)) for _ in range(2)]
    begin = source.choice((0, 1)) if sum(widths) + 3 < size else 0
    middle, end = begin + widths[0], begin + sum(widths) + 1
    stones: Stones = {}
    for row in range(height + 1):
        for column in range(begin - 1, min(end + 1, size)):
            side = left if column <= middle - (row == height) else other(left)
            is_wall = row == height or column in (begin - 1, end)
            if column >= 0:
                stones[row, column] = other(side) if is_wall else side
    for row in range(height):  # the column between the chains
        stones[row, middle] = EMPTY if row < common else source.choice((BLACK, WHITE))
    for column, side in ((begin, left), (end - 1, other(left))):
        if has_eyes and stones.get((0, column)) == side:
            stones[0, column] = EMPTY
    for point, colour in list(stones.items()):
        row, column = point
        if colour != EMPTY and (row == height or column in (begin - 1, end)) and source.random() < open_share:
            stones[point] = EMPTY
    return _backed(stones, size, source)


def eyes(size: int, source: random.Random) -> Stones:
    """Draw a group around an eye space of two to seven points, at a corner, a side or in the middle, with stones of the
    other side inside and around."""
    row, column = (source.choice((0, 0, 1, 2, size // 2 - 1)) for _ in range(2))
    space, wanted = {(row, column)}, source.randint(2, 7)
    while len(space) < wanted:
        near = [point for one in sorted(space) for point in beside(one, size) if max(point) < size - 2]
        space.add(source.choice([point for point in near if point not in space] or [(row, column)]))
        if all(point in space for point in near):
            break
    return _enclosed(space, size, source, within=source.uniform(0.0, 0.6))


def bent_four(size: int, source: random.Random) -> Stones:
    """Draw a bent four in the corner: three of its four points belong to the side that surrounds the group."""
    return _enclosed(BENT_FOUR, size, source, within=1.0, missing=0.0)


def _enclosed(space: Set[Point], size: int, source: random.Random, *, within: float, missing: float = 0.1) -> Stones:
    """Draw a wall around a space, and the other side around the wall. missing: the share of the wall's diagonal stones
    that are left out, so that eyes may be false."""
    inner = source.choice((BLACK, WHITE))
    outer = other(inner)
    sides = {point for one in space for point in beside(one, size)} - space
    around = {(r + i, c + j) for r, c in space for i in (-1, 1) for j in (-1, 1)} - space - sides
    corners = {point for point in sorted(around) if min(point) >= 0 and max(point) < size}
    wall = sides | {point for point in sorted(corners) if source.random() >= missing}
    stones = {point: drawn(source, ((outer, within),)) for point in sorted(space)}
    stones[source.choice(sorted(space))] = EMPTY
    stones |= dict.fromkeys(sorted(wall), inner)
    open_share = source.choice((0.0, 0.0, 0.1, 0.3))
    behind = sorted({point for one in wall for point in beside(one, size)} - wall - space)
    stones |= {point: EMPTY if source.random() < open_share else outer for point in behind}
    return _backed(stones, size, source)


def _backed(stones: Stones, size: int, source: random.Random) -> Stones:
    """Add stones of the same colour behind stones at the rim, so that walls mostly live."""
    added: Stones = {}
    for point, colour in sorted(stones.items()):
        for near in beside(point, size):
            if colour != EMPTY and near not in stones and source.random() < 0.35:
                added[near] = colour
    return stones | added


SHAPES: tuple[tuple[Callable[[int, random.Random], Stones], float], ...] = (
    (eyes, 0.4), (ladder, 0.2), (race, 0.2), (seki, 0.1), (bent_four, 0.1),
)  # fmt: skip
"""Makers of fights, and the share of each."""


def shape(size: int, source: random.Random) -> Stones:
    """Draw the stones of one fight."""
    makers, shares = zip(*SHAPES, strict=True)
    made: Stones = source.choices(makers, shares)[0](size, source)
    return made
