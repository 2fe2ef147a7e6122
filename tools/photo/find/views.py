"""The two views in which networks look for a lattice: the whole picture made small, and a board roughly rectified."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tengen.tools.photo.geometry import Floats, Lattice, homography_of


class View(NamedTuple):
    """A square input of `side` pixels, and `stride` of them to a cell of the heat maps."""

    side: int
    stride: int
    margin: float


FINDER = View(320, 4, 0.05)
"""The picture's longer side fills 1 - 2 margins of the input."""
REFINER = View(288, 2, 0.1)
"""The guessed corners lie `margin` of the side inside the input."""


def letterbox(width: int, height: int) -> Floats:
    """The homography from a picture of this size to the finder's input: scaled as it is, in the middle."""
    scale = FINDER.side * (1 - 2 * FINDER.margin) / max(width, height)
    middle = (FINDER.side - 1) / 2
    left, top = middle - scale * (width - 1) / 2, middle - scale * (height - 1) / 2
    return np.array([[scale, 0, left], [0, scale, top], [0, 0, 1.0]])


def look_at(lattice: Lattice) -> Floats:
    """The homography from a picture to the refiner's input, in which the corners of this lattice make a square."""
    low, high = REFINER.margin * REFINER.side, (1 - REFINER.margin) * REFINER.side
    return homography_of(lattice.corners(), np.array([[low, low], [high, low], [high, high], [low, high]]))
