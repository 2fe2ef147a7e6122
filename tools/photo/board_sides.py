"""Classify the sides of a lattice: the board's edge, more of the board, or a cut through it.

A strip along the outermost line is rectified, outside at the top: three cells of the board and three beyond it. A small
network (`tengen.nets.photo_sides.SideNet`) says what it shows; `grown_lattice.py` makes a part of a board of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from tengen.tools.photo.geometry import Floats, Image, Lattice, Window, apply, translation, warp
from tengen.tools.photo.networks import run

PITCH = 12
"""Pixels a cell of a strip."""
REACH = 3
"""Cells of a strip on either side of the outermost line."""
ENDS = 1
"""Cells of a strip beyond the ends of that line."""
POINTS = 6
"""Points along a strip."""

Plane = NDArray[np.float32]


class Side(IntEnum):
    """The kinds of a side; the numbers are the channels of the network's answer.

    EDGE: the line is the board's edge. MORE: the next line is in the picture. CUT: the board goes on, the picture or
    the diagram does not. ASTRAY: the line is none of the board's.
    """

    EDGE = 0
    MORE = 1
    CUT = 2
    ASTRAY = 3


def lined(lattice: Lattice) -> Lattice:
    """The lattice of the lines: of a board of squares those around them, which are one more."""
    if not lattice.cells:
        return lattice
    return Lattice(lattice.size + 1, lattice.homography @ translation(-0.5, -0.5))


def frame(part: Window, side: int) -> tuple[Floats, int]:
    """The homography from the pixels of a side's strip to board coordinates, and the strip's width in pixels.

    The outermost line runs along the strip's middle, clockwise around the part for one who looks outward.
    """
    corners = np.array(
        [[part.left, part.bottom], [part.left, part.top], [part.right, part.top], [part.right, part.bottom]], float
    )
    start, end = corners[side], corners[(side + 1) % 4]
    length = float(np.abs(end - start).sum())
    along = (end - start) / max(length, 1e-9)
    inward = np.array([-along[1], along[0]])
    origin = start - ENDS * along - REACH * inward
    homography = np.eye(3)
    homography[:2, 0], homography[:2, 1], homography[:2, 2] = along / PITCH, inward / PITCH, origin
    return homography, round((length + 2 * ENDS) * PITCH) + 1


def cut_out(image: Image, to_image: Floats, width: int, cell: float) -> tuple[Image, NDArray[np.bool_]]:
    """A strip (h, width, 3) by the homography from its pixels to the picture's, and which of it the picture has."""
    height = 2 * REACH * PITCH + 1
    view = warp(image, to_image, (height, width), cell / PITCH, cv2.BORDER_CONSTANT)
    x, y = np.meshgrid(np.arange(width, dtype=float), np.arange(height, dtype=float))
    at = apply(to_image, np.stack([x, y], -1))
    limit = np.array([image.shape[1], image.shape[0]]) - 0.5
    return view, np.asarray(((at > -0.5) & (at < limit)).all(-1))


def planes(view: Image, inside: NDArray[np.bool_]) -> Plane:
    """The input (4, h, w) of the network: colours stretched against the strip's own, and where there is a picture."""
    shown = view[inside]
    if len(shown) < 16:
        return np.zeros((4, *inside.shape), np.float32)
    low, high = np.percentile(shown[::3].astype(np.float32), [1, 99], axis=0).astype(np.float32)
    stretched = (view.astype(np.float32) - low) / np.maximum(high - low, 12)
    stretched = np.where(inside[..., None], np.clip(stretched, -0.3, 1.3), np.float32(0.5))
    return np.concatenate([stretched.transpose(2, 0, 1), inside[None].astype(np.float32)])


def stretches(part: Window, side: int) -> list[Window]:
    """Stretches of POINTS points that together cover a side of a part, so that every strip is of one width."""
    first, last = (1, 3) if side in (0, 2) else (0, 2)
    low, spare = part[first], part[last] - part[first] + 1 - POINTS
    count = 1 + max(0, -(-spare // (POINTS - 1)))
    found = []
    for start in np.rint(np.linspace(low, low + max(spare, 0), count)).astype(int).tolist():
        edges = list(part)
        edges[first], edges[last] = start, start + POINTS - 1
        found.append(Window(*edges))
    return found


def look(image: Image, lattice: Lattice, part: Window, sides: Sequence[int] = range(4)) -> NDArray[np.float64]:
    """Probabilities (sides, 4) of `Side` at the sides (0 left, 1 top, 2 right, 3 bottom) of a part of a lattice."""
    owners, strips = list[int](), list[Plane]()
    for number, side in enumerate(sides):
        for stretch in stretches(part, side):
            homography, width = frame(stretch, side)
            strips.append(planes(*cut_out(image, lattice.homography @ homography, width, lattice.cell())))
            owners.append(number)
    logits = run("sides", np.ascontiguousarray(np.stack(strips)))["side"].astype(float)
    means = np.array([logits[np.array(owners) == number].mean(0) for number in range(len(sides))])
    shares = np.exp(means - means.max(1, keepdims=True))
    return np.asarray(shares / shares.sum(1, keepdims=True), np.float64)
