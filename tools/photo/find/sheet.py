"""Sheets of diagrams: pages and screens with several boards, each of which is one figure of connected lines.

The networks see a page at 320 pixels, where twelve diagrams are one texture. Ink that hangs together in figures of
about one size, each full of lines, is a sheet of diagrams; a photo of a board is none.
"""

from __future__ import annotations

import cv2
import numpy as np

from tengen.tools.photo.geometry import Floats, Image, is_convex

FEWEST = 3
"""Figures that make a sheet."""
_SMALLEST = 60
"""Pixels a side of a figure."""
_ALIKE = 0.4
"""Of the median side of the figures: one that differs by more is none of them."""
_LONGEST = 2.6
_INK = (0.04, 0.75)
"""Shares of a figure that its ink covers."""
_LINES = 5
"""Lines that a row or column through a figure crosses, at least."""


def figures(image: Image) -> list[Floats]:
    """Quadrilaterals (4, 2) around the diagrams of a sheet (h, w, 3), in reading order; none where it is no sheet."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    ink = cv2.adaptiveThreshold(grey, 1, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, 41, 7)
    count, labels, boxes, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    found = []
    for number in range(1, count):
        left, top, width, height, area = (int(value) for value in boxes[number])
        if min(width, height) < _SMALLEST or max(width, height) > _LONGEST * min(width, height):
            continue
        own = labels[top : top + height, left : left + width] == number
        if not _INK[0] < area / (width * height) < _INK[1] or not _is_grid(own):
            continue
        quad = _corners(own) + (left, top)
        if is_convex(quad):
            found.append((left, top, width, height, quad))
    if len(found) < FEWEST:
        return []
    usual = np.median([[width, height] for _, _, width, height, _ in found], axis=0)
    alike = [item for item in found if (np.abs(np.array(item[2:4]) / usual - 1) < _ALIKE).all()]
    if len(alike) < FEWEST:
        return []
    alike.sort(key=lambda item: (round(item[1] / usual[1]), item[0]))
    return [quad for *_, quad in alike]


def _is_grid(ink: np.ndarray) -> bool:
    """Whether a figure is full of lines in both directions."""
    for plane in (ink, ink.T):
        starts = (np.diff(plane.astype(np.int8), axis=1) == 1).sum(1)
        if float(np.median(starts)) < _LINES:
            return False
    return True


def _corners(ink: np.ndarray) -> Floats:
    """The points (4, 2) of a figure that lie furthest in its corners, the upper left one first."""
    rows, columns = np.nonzero(ink)
    total, gap = columns + rows, columns - rows
    ends = [int(total.argmin()), int(gap.argmax()), int(total.argmax()), int(gap.argmin())]
    return np.array([[columns[end], rows[end]] for end in ends], float)
