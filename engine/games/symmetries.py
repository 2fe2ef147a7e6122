"""The images of a board: rotations and mirror images, as orders of its cells."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache


@lru_cache(maxsize=16)
def symmetries(width: int, height: int) -> Sequence[tuple[int, ...]]:
    """The orders in which the cells of a board can be read so that an image of the same shape comes out: eight of a
    square board, else four. The first is the board itself."""
    found = []
    for turn in range(8 if width == height else 4):
        cells = []
        for row in range(height):
            for column in range(width):
                y, x = (row, column) if turn < 4 else (column, row)
                cells.append((height - 1 - y if turn & 1 else y) * width + (width - 1 - x if turn & 2 else x))
        found.append(tuple(cells))
    return tuple(found)
