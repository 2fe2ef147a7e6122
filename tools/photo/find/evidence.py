"""Evidence for a lattice in a rectified board: line segments, stones and star points, measured at a given lattice.

A picture is rectified once (`flatten`) at PITCH pixels a cell; everything is measured there, where the lines are
upright and evenly spaced. A line is a ridge: darker (or lighter) than BOTH sides of it, so that the edge of a stone,
a step, gives no response.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tengen.tools.photo.geometry import Floats, Image, Lattice, translation

PITCH = 20
"""Pixels a cell of a rectified board."""
MARGIN = 2
"""Cells around the outermost points of a rectified board."""

Plane = NDArray[np.float32]


@dataclass(frozen=True)
class Flat:
    """A rectified board in shades of grey.

    `light` (side, side) is the logarithm of brightness, `inside` (side, side) tells which pixels the picture has, and
    point (column, row) is at ((column + MARGIN) * PITCH, (row + MARGIN) * PITCH).
    """

    size: int
    light: Plane
    inside: NDArray[np.bool_]


@dataclass(frozen=True)
class View:
    """A picture made as small as its lattice allows, so that it can be rectified again and again at little cost."""

    light: Plane
    factor: float

    @classmethod
    def of(cls, image: Image, lattice: Lattice) -> View:
        """Raises ValueError unless the picture has pixels."""
        if image.ndim != 3 or 0 in image.shape:
            raise ValueError("a picture of colour is needed")
        factor = 1.0
        while lattice.cell() * factor > 2.2 * PITCH and min(image.shape[:2]) > 64:
            image = np.asarray(cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
            factor *= 0.5
        return cls(brightness(image), factor)

    def flatten(self, lattice: Lattice) -> Flat:
        """The board rectified by a lattice of the picture in its first size."""
        side = round((lattice.size - 1 + 2 * MARGIN) * PITCH) + 1
        scaled = lattice.scaled(self.factor).homography
        target = scaled @ translation(-MARGIN, -MARGIN) @ np.diag([1 / PITCH, 1 / PITCH, 1.0])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        light = cv2.warpPerspective(self.light, target, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
        height, width = self.light.shape
        axis = np.arange(side, dtype=float)
        depth = target[2, 0] * axis[None, :] + target[2, 1] * axis[:, None] + target[2, 2]
        x = (target[0, 0] * axis[None, :] + target[0, 1] * axis[:, None] + target[0, 2]) / depth
        y = (target[1, 0] * axis[None, :] + target[1, 1] * axis[:, None] + target[1, 2]) / depth
        inside = (x > 0.5) & (y > 0.5) & (x < width - 1.5) & (y < height - 1.5)
        return Flat(lattice.size, np.asarray(light, np.float32), inside)


def brightness(image: Image) -> Plane:
    """The logarithm of brightness (height, width), levelled off where it is an eighth of the brightest and below."""
    grey = image.astype(np.float32).mean(2)
    return np.asarray(np.log(grey + 0.12 * float(np.percentile(grey[::4, ::4], 97)) + 1), np.float32)


def ridges(light: Plane, polarity: int) -> Plane:
    """Response (side, side) to upright lines, 0..1: 1 for dark lines (polarity 1) or light ones (-1).

    The response is the lesser of the contrasts with the two sides, and is clipped where the strongest twentieth of
    the board begins: beyond that a stronger contrast is no surer a line.
    """
    reach = max(2, PITCH // 7)
    along = cv2.blur(light * np.float32(polarity), (1, PITCH // 4), borderType=cv2.BORDER_REPLICATE)
    along = cv2.GaussianBlur(along, (3, 1), 0.7, borderType=cv2.BORDER_REPLICATE)
    response = np.zeros_like(light)
    middle = along[:, reach:-reach]
    np.minimum(along[:, : -2 * reach] - middle, along[:, 2 * reach :] - middle, out=response[:, reach:-reach])
    np.maximum(response, 0, out=response)
    edge = MARGIN * PITCH
    strong = float(np.percentile(response[edge:-edge:2, edge:-edge], 95))
    return np.asarray(np.minimum(response / max(strong, 0.01), 1), np.float32)


def profiles(response: Plane, size: int, reach: int, beyond: int = 0, part: tuple[int, int] = (2, PITCH - 1)) -> Plane:
    """Response near every segment of the columns: (rows, columns, 2 * reach + 1), mean over a part of its length.

    Segment [r, c] runs from point (c, r) to (c, r + 1); `beyond` adds as many lines and segments outside every side.
    `part` is the first pixel of the part and the one after its last.
    """
    start = (MARGIN - beyond) * PITCH
    segments = size - 1 + 2 * beyond
    rows = response[start : start + segments * PITCH].reshape(segments, PITCH, -1)
    means = rows[:, part[0] : part[1]].mean(1)
    columns = start + PITCH * np.arange(size + 2 * beyond)
    return np.asarray(means[:, columns[:, None] + np.arange(-reach, reach + 1)], np.float32)


def hide(response: Plane, places: Floats, radius: float = 0.57) -> Plane:
    """The response, 0 within `radius` cells of board places (k, 2): what stones cover shows no lines, only edges."""
    shown = response.copy()
    near = np.abs(places).max(1) < response.shape[0] if len(places) else np.zeros(0, bool)
    for x, y in np.rint((places[near] + MARGIN) * PITCH).astype(int):
        cv2.circle(shown, (int(x), int(y)), round(radius * PITCH), 0.0, -1)
    return shown
