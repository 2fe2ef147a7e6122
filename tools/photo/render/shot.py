"""A picture of a board on its way from the drawing to the labelled scene."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tengen.tools.photo.geometry import Lattice, homography_of
from tengen.tools.photo.reading import Point
from tengen.tools.photo.render.camera import Floats
from tengen.tools.photo.render.clutter import Mask
from tengen.tools.photo.render.textures import Image

OUTSIDE = 0.1
"""A point this many cells outside the picture or less still counts as in it: more than a third of its stone shows."""


@dataclass(frozen=True)
class Scene:
    """`image` with the board at `lattice`, oriented, and `labels` (size, size) int8 of Point, [row, column]."""

    image: Image
    lattice: Lattice
    labels: NDArray[np.int8]
    style: str


@dataclass(frozen=True)
class Shot:
    """A picture on its way: where each point (size, size, 2) is, what is there and which points are covered."""

    image: Image
    points: Floats
    stones: NDArray[np.int8]
    hidden: NDArray[np.bool_]
    style: str


def labelled(shot: Shot) -> Scene:
    """The scene: the lattice that fits the points best, numbered as people see it, and what its points hold."""
    size = len(shot.points)
    board = np.stack(np.meshgrid(np.arange(size, dtype=float), np.arange(size, dtype=float)), -1)
    fitted = Lattice(size, homography_of(board.reshape(-1, 2), shot.points.reshape(-1, 2)), size == 8)
    lattice = fitted.oriented()
    height, width = shot.image.shape[:2]
    reach = OUTSIDE * fitted.cell()
    outside = ((shot.points < -reach) | (shot.points > np.array([width, height]) - 1 + reach)).any(-1)
    labels = np.where(shot.hidden | outside, Point.HIDDEN, shot.stones).astype(np.int8)
    at = np.round(fitted.locate(lattice.points())).astype(int)
    return Scene(shot.image, lattice, labels[at[..., 1], at[..., 0]], shot.style)


def under(cover: Mask, points: Floats, cell: float) -> NDArray[np.bool_]:
    """Which points (size, size) lie under the mask."""
    if not cover.any():
        return np.zeros(points.shape[:2], np.bool_)
    reach = max(1, round(cell * 0.3))
    share = np.asarray(cv2.blur(cover, (2 * reach + 1,) * 2), np.uint8)
    x = np.clip(np.round(points[..., 0]), 0, cover.shape[1] - 1).astype(int)
    y = np.clip(np.round(points[..., 1]), 0, cover.shape[0] - 1).astype(int)
    return np.asarray(share[y, x] > 140)
