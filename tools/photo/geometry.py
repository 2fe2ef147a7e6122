"""The lattice of a board in a picture: which pixel each point of the board is at.

Board coordinates are (column, row) with (0, 0) the upper left point and (size - 1, size - 1) the lower right one; pixel
coordinates are (x, y) of pixel middles, so that (0, 0) is the middle of the upper left pixel. A board of squares
(Reversi) has its points in the middles of the squares: its outer corners lie at -0.5 and size - 0.5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]
"""(height, width, 3), blue-green-red as OpenCV has it."""
SIZES = (8, 9, 13, 15, 17, 19)
"""Points a side of the boards that are looked for; 8 is a board of squares."""


class Window(NamedTuple):
    """The part of a board that shows: its outermost columns and rows, counted from 0 at the upper left."""

    left: int
    top: int
    right: int
    bottom: int

    @classmethod
    def whole(cls, size: int) -> Window:
        """All of a board."""
        return cls(0, 0, size - 1, size - 1)

    @classmethod
    def around(cls, shown: NDArray[np.bool_]) -> Window | None:
        """The smallest with every point that is `shown` [row, column]; None where none is."""
        rows, columns = np.nonzero(shown)
        if len(rows) == 0:
            return None
        return cls(int(columns.min()), int(rows.min()), int(columns.max()), int(rows.max()))

    def is_whole(self, size: int) -> bool:
        """Whether nothing of a board of this size is left out."""
        return self == Window.whole(size)

    def open_sides(self, size: int) -> tuple[bool, bool, bool, bool]:
        """Beyond which sides (left, top, right, bottom) a board of this size goes on."""
        return self.left > 0, self.top > 0, self.right < size - 1, self.bottom < size - 1

    def holds(self, column: int, row: int) -> bool:
        """Whether a point lies in it."""
        return self.left <= column <= self.right and self.top <= row <= self.bottom

    def mask(self, size: int) -> NDArray[np.bool_]:
        """Which points [row, column] of a board of this size lie in it."""
        inside = np.zeros((size, size), np.bool_)
        inside[self.top : self.bottom + 1, self.left : self.right + 1] = True
        return inside

    def only(self, stones: NDArray[np.int8]) -> NDArray[np.int8]:
        """The stones (size, size) that lie in it; 0 elsewhere."""
        return np.where(self.mask(len(stones)), stones, 0).astype(np.int8)


@dataclass(frozen=True)
class Lattice:
    """`size` x `size` points and the homography (3, 3) from board to pixel coordinates."""

    size: int
    homography: Floats
    cells: bool = False

    @classmethod
    def from_corners(cls, corners: Sequence[Sequence[float]] | Floats, size: int) -> Lattice:
        """The lattice with these four corners (4, 2): upper left, upper right, lower right, lower left of the board.

        The corners are the outermost points, or of a board of squares (size 8) the outer corners of its field.
        Raises ValueError unless they make a convex quadrilateral.
        """
        quad = np.asarray(corners, np.float64)
        if quad.shape != (4, 2) or not np.isfinite(quad).all():
            raise ValueError("a board has four corners of two coordinates each")
        if not is_convex(quad):
            raise ValueError("the four corners do not make a convex quadrilateral")
        cells = size == 8
        return cls(size, homography_of(corner_points(size, cells), quad), cells)

    def project(self, points: Floats) -> Floats:
        """Pixel coordinates (..., 2) of board coordinates (..., 2)."""
        return apply(self.homography, points)

    def locate(self, pixels: Floats) -> Floats:
        """Board coordinates (..., 2) of pixel coordinates (..., 2)."""
        return apply(inverse(self.homography), pixels)

    def points(self) -> Floats:
        """Pixel coordinates (size, size, 2) of every point, indexed [row, column]."""
        return self.project(counting(self.size, self.size))

    def corners(self) -> Floats:
        """Pixel coordinates (4, 2) of the corners, as `from_corners` takes them."""
        return self.project(corner_points(self.size, self.cells))

    def cell(self) -> float:
        """The mean distance of neighbouring points along the sides, in pixels."""
        quad = self.corners()
        steps = self.size if self.cells else self.size - 1
        return float(np.linalg.norm(np.roll(quad, -1, 0) - quad, axis=1).mean() / steps)

    def shifted(self, columns: int, rows: int) -> Lattice:
        """The lattice whose point (0, 0) is this one's point (columns, rows)."""
        return replace(self, homography=self.homography @ translation(columns, rows))

    def resized(self, size: int) -> Lattice:
        """A lattice of another size between the same corners."""
        return Lattice.from_corners(self.corners(), size)

    def oriented(self) -> Lattice:
        """The same points, numbered so that rows run as nearly to the right, and columns down, as they can."""
        quad = self.corners()
        (ax, ay), (bx, by) = quad[1] - quad[0], quad[2] - quad[1]
        if ax * by - ay * bx < 0:
            quad = quad[::-1]
        tilts = []
        for turn in range(4):
            turned = np.roll(quad, -turn, 0)
            along = (turned[1] - turned[0]) + (turned[2] - turned[3])
            tilts.append(abs(np.arctan2(along[1], along[0])))
        return Lattice.from_corners(np.roll(quad, -int(np.argmin(tilts)), 0), self.size)

    def scaled(self, factor: float) -> Lattice:
        """The lattice in the picture made `factor` times as large."""
        return replace(self, homography=scaling(factor) @ self.homography)

    def rectify(self, image: Image, pitch: int, margin: float) -> Image:
        """The board seen from above: `pitch` pixels a cell and `margin` cells around the outermost points.

        Point (column, row) is at ((column + margin) * pitch, (row + margin) * pitch). What lies outside of the picture
        repeats its edge.
        """
        side = round((self.size - 1 + 2 * margin) * pitch) + 1
        target = self.homography @ translation(-margin, -margin) @ np.diag([1 / pitch, 1 / pitch, 1.0])
        return warp(image, target, (side, side), self.cell() / pitch, cv2.BORDER_REPLICATE)


@lru_cache(maxsize=512)
def counting(columns: int, rows: int) -> Floats:
    """Board coordinates (rows, columns, 2) of points, read-only: what `Lattice.project` takes."""
    points = np.stack(np.meshgrid(np.arange(columns, dtype=float), np.arange(rows, dtype=float)), -1)
    points.flags.writeable = False
    return points


def warp(image: Image, source: Floats, shape: tuple[int, int], shrink: float, border: int) -> Image:
    """The picture of `shape` (height, width) whose pixel p shows the image at `source` (3, 3) applied to p.

    `shrink` is about how many pixels of the image make one of the result: where it is over 2 the image is made smaller
    first, so that nothing aliases. `border` is OpenCV's constant for what lies outside; BORDER_CONSTANT is grey.
    """
    while shrink > 2.0 and min(image.shape[:2]) > 64:
        image = np.asarray(cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
        source = scaling(0.5) @ source
        shrink /= 2
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    grey = (114, 114, 114)
    size = (shape[1], shape[0])
    view = cv2.warpPerspective(image, source, size, flags=flags, borderMode=border, borderValue=grey)
    return np.asarray(view, np.uint8)


def scaling(factor: float) -> Floats:
    """The homography from pixels of a picture to those of the picture made `factor` times as large."""
    return translation(-0.5, -0.5) @ np.diag([factor, factor, 1.0]) @ translation(0.5, 0.5)


def is_convex(quad: Floats) -> bool:
    """Whether four finite points (4, 2), in this order or the other way round, surround a convex area."""
    sides = np.roll(quad, -1, 0) - quad
    turns = sides[:, 0] * np.roll(sides[:, 1], -1) - sides[:, 1] * np.roll(sides[:, 0], -1)
    return bool(np.isfinite(quad).all() and ((turns > 1e-6).all() or (turns < -1e-6).all()))


def corner_points(size: int, cells: bool) -> Floats:
    """Board coordinates (4, 2) of the corners."""
    low, high = (-0.5, size - 0.5) if cells else (0.0, size - 1.0)
    return np.array([[low, low], [high, low], [high, high], [low, high]])


def homography_of(source: Floats, target: Floats) -> Floats:
    """The homography (3, 3) that takes points (n >= 4, 2) to others, least squares of their distances for n > 4."""
    if len(source) == 4:
        exact = cv2.getPerspectiveTransform(source.astype(np.float32), target.astype(np.float32))
        if len(np.unique(target, axis=0)) == 4:
            return np.asarray(exact, np.float64)
    fitted, _ = cv2.findHomography(source, target)
    if fitted is None:
        raise ValueError("the points fit no homography")
    return np.asarray(fitted, np.float64)


def apply(homography: Floats, points: Floats) -> Floats:
    """Points (..., 2) under a homography."""
    lifted = np.asarray(points, np.float64) @ homography[:, :2].T + homography[:, 2]
    return np.asarray(lifted[..., :2] / lifted[..., 2:], np.float64)


def inverse(homography: Floats) -> Floats:
    """The homography back."""
    return np.asarray(np.linalg.inv(homography), np.float64)


def translation(x: float, y: float) -> Floats:
    """The homography that adds (x, y)."""
    return np.array([[1.0, 0.0, x], [0.0, 1.0, y], [0.0, 0.0, 1.0]])
