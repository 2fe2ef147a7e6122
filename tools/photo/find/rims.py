"""Rims that were taken for lines: the edge of the wood or of a frame, which the board's lines do not reach.

The lines that cross a board end at its outermost line. Where the outermost line of a grid is a rim, they end before it.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from tengen.tools.photo.find.rectangles import Grid
from tengen.tools.photo.geometry import Floats, Image, Lattice, apply, translation

_ALONG = (0.62, 0.7, 0.78, 0.86)
"""Places between two lines, the second at 1, where one that crosses them is looked for."""
_BESIDE = (0.16, 0.22, 0.28)
"""Cells beside it where there is ground."""
_ON = (-0.05, -0.025, 0.0, 0.025, 0.05)
_FAINTEST = 10.0
"""Grey levels of a line that can be told from ground."""
_REACHED = 0.3
"""Of the clearness of a line further in: where it goes on to the outermost one it has more."""
_SMALLEST = 6


def rimless(image: Image, grid: Grid) -> Grid:
    """The grid in a picture (h, w, 3) without the sides that are rims."""
    for side in rims(image, grid):
        if min(grid.columns, grid.rows) < _SMALLEST:
            break
        left, top = int(side == 0), int(side == 1)
        wide, tall = int(side in (0, 2)), int(side in (1, 3))
        homography = grid.homography @ translation(left, top)
        grid = replace(grid, columns=grid.columns - wide, rows=grid.rows - tall, homography=homography)
    return grid


def without_rim(image: Image, lattice: Lattice, sizes: tuple[int, ...]) -> Lattice:
    """The lattice, without its outermost lines where all are rims and a board of two lines less is asked for."""
    size = lattice.size
    if lattice.cells or size - 2 not in sizes or len(rims(image, Grid(size, size, lattice.homography))) < 4:
        return lattice
    return Lattice(size - 2, lattice.homography @ translation(1, 1))


def rims(image: Image, grid: Grid) -> list[int]:
    """The sides (0 left, 1 top, 2 right, 3 bottom) of a grid that crossing lines do not reach, but the line before."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return [side for side in range(4) if _is_rim(grey, grid, side)]


def _is_rim(grey: NDArray[np.float32], grid: Grid, side: int) -> bool:
    """Whether most lines that cross the second line from a side end before the outermost one."""
    last, inner = _clearness(grey, grid, side, 0), _clearness(grey, grid, side, 1)
    usual = float(np.median(inner))
    if abs(usual) < _FAINTEST:
        return False
    return float(np.median(last / usual)) < _REACHED and float(np.mean(inner / usual > 0.5)) > 0.6


def _clearness(grey: NDArray[np.float32], grid: Grid, side: int, depth: int) -> NDArray[np.float32]:
    """Of every line that crosses a side: grey levels of the ground beside it less its own, `depth` cells further in."""
    count = grid.rows if side in (0, 2) else grid.columns
    last = grid.columns - 1 if side == 2 else grid.rows - 1
    values = np.zeros((count - 2, len(_ALONG)), np.float32)
    for number, along in enumerate(_ALONG):
        at = 1 + depth - along
        across = np.arange(1, count - 1, dtype=float)[:, None]
        beside = [_taken(grey, grid, side, at, last, across + sign * np.array(_BESIDE)) for sign in (-1, 1)]
        ground = np.concatenate(beside, axis=1)
        line = _taken(grey, grid, side, at, last, across + np.array(_ON))
        middle = np.median(ground, axis=1)
        dark, light = middle - line.min(1), middle - line.max(1)
        values[:, number] = np.where(np.abs(dark) >= np.abs(light), dark, light)
    return np.asarray(np.median(values, axis=1), np.float32)


def _taken(
    grey: NDArray[np.float32], grid: Grid, side: int, at: float, last: int, across: Floats
) -> NDArray[np.float32]:
    """Grey levels (n, k) of places `at` cells in from a side and `across` (n, k) along it."""
    depth = np.full(across.shape, at if side in (0, 1) else last - at)
    places = apply(grid.homography, np.stack([depth, across] if side in (0, 2) else [across, depth], -1))
    taken = cv2.remap(
        grey, places[..., 0].astype(np.float32), places[..., 1].astype(np.float32), cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    return np.asarray(taken, np.float32)
