"""Connected stones of one colour on a Go board that was read, where the rules of play may not hold yet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Spot = tuple[int, int]
"""(row, column)."""


@dataclass(frozen=True)
class Group:
    """Its points, the first from the top left first, and the points beside it that hold something else or nothing."""

    spots: tuple[Spot, ...]
    beside: tuple[Spot, ...]


def groups(stones: NDArray[np.int8]) -> Iterator[Group]:
    """Every group of a position (size, size) of 0 empty, 1 black, 2 white."""
    done: set[Spot] = set()
    for row, column in np.argwhere(stones).tolist():
        if (row, column) not in done:
            group = group_at(stones, (row, column))
            done.update(group.spots)
            yield group


def breathless(stones: NDArray[np.int8]) -> list[Group]:
    """The groups that have no liberty."""
    return [group for group in groups(stones) if all(stones[spot] for spot in group.beside)]


def group_at(stones: NDArray[np.int8], start: Spot) -> Group:
    """The group of the stone at `start`."""
    size = len(stones)
    spots, beside, seen = [start], list[Spot](), {start}
    for row, column in spots:
        for spot in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            if spot not in seen and 0 <= spot[0] < size and 0 <= spot[1] < size:
                seen.add(spot)
                (spots if stones[spot] == stones[start] else beside).append(spot)
    return Group(tuple(spots), tuple(beside))
