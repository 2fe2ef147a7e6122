"""Further boards of a picture: what the finder takes for board beyond those found, and two that it takes for one."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from tengen.tools.photo.find.heat import Map
from tengen.tools.photo.find.network import Glance, outlines
from tengen.tools.photo.geometry import Floats, Lattice, apply, inverse

_SHARE = 0.3
"""Of the largest board found: what is left over and smaller is no board."""
_LONG = 1.4
"""The sides' ratio of a quadrilateral that may be two boards."""
_AROUND = 1.2
"""Cells around a board that belong to it."""


def further(glance: Glance, found: Sequence[Lattice]) -> list[Floats]:
    """Quadrilaterals (4, 2) in pixels that may be boards besides those found."""
    quads = outlines(_left(glance, found))
    if found:
        least = _SHARE * max(_area(_in_map(glance, lattice.corners())) for lattice in found)
        quads = [quad for quad in quads if _area(quad) > least]
    parts = [half for quad in quads for half in halves(quad)]
    return [apply(glance.to_pixels, quad) for quad in (*(quads if found else ()), *parts)]


def halves(quad: Floats) -> list[Floats]:
    """Both halves of a long quadrilateral, as two boards side by side make it; none of any other."""
    sides = np.linalg.norm(np.roll(quad, -1, 0) - quad, axis=1)
    if sides[0] + sides[2] < sides[1] + sides[3]:
        quad, sides = np.roll(quad, -1, 0), np.roll(sides, -1)
    if sides[0] + sides[2] < _LONG * (sides[1] + sides[3]):
        return []
    above, below = (quad[0] + quad[1]) / 2, (quad[2] + quad[3]) / 2
    return [np.array([quad[0], above, below, quad[3]]), np.array([above, quad[1], quad[2], below])]


def _left(glance: Glance, found: Sequence[Lattice]) -> Map:
    """The map of what is board without the boards found."""
    left = glance.board.copy()
    for lattice in found:
        low, high = -_AROUND, lattice.size - 1 + _AROUND
        body = lattice.project(np.array([[low, low], [high, low], [high, high], [low, high]]))
        cv2.fillConvexPoly(left, np.round(_in_map(glance, body) * 16).astype(np.int32), 0.0, cv2.LINE_8, 4)
    return np.asarray(cv2.morphologyEx(left, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.float32)


def _in_map(glance: Glance, quad: Floats) -> Floats:
    return apply(inverse(glance.to_pixels), quad)


def _area(quad: Floats) -> float:
    return float(cv2.contourArea(quad.astype(np.float32)))
