"""A picture of a board on its way from the drawing to the labelled scene."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tengen.tools.lab.photo.render.camera import Floats
from tengen.tools.lab.photo.render.clutter import Mask
from tengen.tools.lab.photo.render.textures import Image
from tengen.tools.photo.geometry import Lattice, Window, homography_of
from tengen.tools.photo.results import Point

OUTSIDE = 0.1
"""A point this many cells outside the picture or less still counts as in it: more than a third of its stone shows."""


@dataclass(frozen=True)
class Scene:
    """`image` with the board at `lattice`, oriented, and `labels` (size, size) int8 of Point, [row, column].

    `window` is the part of the board that shows where the picture is one of a part; else None. `others` are further
    boards, whose stones are not labelled.
    """

    image: Image
    lattice: Lattice
    labels: NDArray[np.int8]
    style: str
    window: Window | None = None
    others: tuple[Lattice, ...] = ()


@dataclass(frozen=True)
class Shot:
    """A picture on its way: where each point (size, size, 2) is, what is there and which points are covered.

    `cut` tells which points were left out of the picture of a part of a board; None if it is one of the whole.
    `others` are the points of further boards in it.
    """

    image: Image
    points: Floats
    stones: NDArray[np.int8]
    hidden: NDArray[np.bool_]
    style: str
    cut: NDArray[np.bool_] | None = None
    others: tuple[Floats, ...] = ()


def labelled(shot: Shot) -> Scene:
    """The scene: the lattice that fits the points best, numbered as people see it, and what its points hold."""
    fitted = fit(shot.points)
    lattice = fitted.oriented()
    height, width = shot.image.shape[:2]
    beyond = outside(shot.points, width, height)
    at = np.round(fitted.locate(lattice.points())).astype(int)
    columns, rows = at[..., 0], at[..., 1]
    window = None
    if shot.cut is not None:
        beyond |= shot.cut
        window = Window.around(~beyond[rows, columns])
    others = tuple(fit(points).oriented() for points in shot.others)
    labels = np.where(shot.hidden | beyond, Point.HIDDEN, shot.stones).astype(np.int8)
    return Scene(shot.image, lattice, labels[rows, columns], shot.style, window, others)


def fit(points: Floats) -> Lattice:
    """The lattice that fits points (size, size, 2) best."""
    ticks = np.arange(len(points), dtype=float)
    board = np.stack(np.meshgrid(ticks, ticks), -1)
    return Lattice(len(points), homography_of(board.reshape(-1, 2), points.reshape(-1, 2)), len(points) == 8)


def outside(points: Floats, width: int, height: int) -> NDArray[np.bool_]:
    """Which points (size, size) lie clearly outside of a picture of this size."""
    reach = OUTSIDE * fit(points).cell()
    return np.asarray(((points < -reach) | (points > np.array([width, height]) - 1 + reach)).any(-1), np.bool_)


def under(cover: Mask, points: Floats, cell: float) -> NDArray[np.bool_]:
    """Which points (size, size) lie under the mask."""
    if not cover.any():
        return np.zeros(points.shape[:2], np.bool_)
    reach = max(1, round(cell * 0.3))
    share = np.asarray(cv2.blur(cover, (2 * reach + 1,) * 2), np.uint8)
    x = np.clip(np.round(points[..., 0]), 0, cover.shape[1] - 1).astype(int)
    y = np.clip(np.round(points[..., 1]), 0, cover.shape[0] - 1).astype(int)
    return np.asarray(share[y, x] > 140)
