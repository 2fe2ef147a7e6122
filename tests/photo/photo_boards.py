"""Readings and pictures for the tests of `tengen photo`, made here: nothing is read from a photo."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import numpy as np

from tengen.tools.photo.geometry import Image, Lattice
from tengen.tools.photo.load import Picture
from tengen.tools.photo.results import Reading

GO = """
. . . . . . . . .
. . X . O . . . .
. . . . . . X . .
. . O . . . . . .
. . . . X . . . .
. . . . . . O . .
. . X O . . . . .
. . . . . . . . .
. . . . . . . . X"""
GOMOKU = "\n".join([*[" ".join("." * 15)] * 7, ". . . . . X O X O . . . . . .", *[" ".join("." * 15)] * 7])
REVERSI = """
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . O X . . .
. . . X X . . .
. . . . X . . .
. . . . . . . .
. . . . . . . ."""

FINISHED = """
. . X O . O . . .
. . X O O O . . .
. X X X O . . O .
. . . X O O . . .
. . . X X O X . .
. O . X . X O O .
. . . . X X O . .
. . . . X O O . .
. . . . X O . . ."""
"""Black has 41 points of the board, White 40, with the two stones that are dead."""


def reading(
    diagram: str, game: str, doubts: Sequence[tuple[int, int]] = (), corners: object = None, **more: object
) -> Reading:
    """The reading of a diagram, sure but for the (row, column) of `doubts`, which are what they are by 70 %."""
    rows = ["".join(row.split()) for row in diagram.strip().splitlines()]
    size = len(rows)
    probabilities = np.full((size, size, 4), 0.001, np.float32)
    for row, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            stone = ".XO".index(cell)
            probabilities[row, column] = 0.1 if (row, column) in doubts else 0.001
            probabilities[row, column, stone] = 0.7 if (row, column) in doubts else 0.997
    quad = [[30, 30], [270, 34], [280, 210], [20, 214]] if corners is None else corners
    return Reading(Lattice.from_corners(quad, size), probabilities, 0.97, game, **more)


def picture(scale: float = 1.0, name: str = "board.jpg") -> Picture:
    """A grey picture of 300x240 that was taken on 6 May 2024."""
    return Picture(grey(), name, datetime(2024, 5, 6, 7, 8, 9), scale)


def grey(width: int = 300, height: int = 240) -> Image:
    return np.full((height, width, 3), 128, np.uint8)
