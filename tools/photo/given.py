"""A board whose corners the user gave: moved to the lines near them, or kept as given where those disagree."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tengen.tools.photo.find import network
from tengen.tools.photo.geometry import Floats, Image, Lattice, corner_points
from tengen.tools.photo.results import Hypothesis, PhotoError
from tengen.tools.photo.warnings import Warned, warning

SAME = 0.1
"""Cells: corners this near to the lines are right as they were given."""
NEAR = 0.8
"""Cells: lines this near to the given corners are what a hand meant."""
FAR = 1.6
"""Cells: sure lines up to here are taken with a warning (the corners of the wood, a line missed); others are not."""
CLEAR = 0.9
"""The score of a fit below which lines are too doubtful to move what the user gave."""


def given(image: Image, corners: Floats, sizes: Sequence[int]) -> list[Hypothesis]:
    """The lattice at corners (4, 2) that the user gave, the first one the upper left of the board, as it stays.

    Of the sizes the one that fits best. Raises PhotoError unless the corners make a convex quadrilateral.
    """
    corners = np.asarray(corners, float)
    try:
        literal = Lattice.from_corners(corners, sizes[-1])
        found = network.settle(image, corners, sizes)
        if found is None:
            return [_warned(literal, warning("corners-without-lines"))]
        literal = Lattice.from_corners(corners, found.lattice.size)
    except ValueError as error:
        raise PhotoError(str(error)) from None
    places = corner_points(found.lattice.size, found.lattice.cells)
    gap = float(np.linalg.norm(found.lattice.locate(corners) - places, axis=1).max())
    if gap <= SAME:
        return [Hypothesis(literal, np.inf, "given")]
    if gap <= NEAR and found.score >= CLEAR:
        return [Hypothesis(found.lattice, np.inf, "given")]
    if gap <= FAR and found.score > network.SURE:
        return [_warned(found.lattice, warning("corners-moved", gap=gap))]
    if gap <= NEAR:
        return [_warned(literal, warning("corners-unclear"))]
    return [_warned(literal, warning("corners-far", gap=gap))]


def held(image: Image, corners: Floats, sizes: Sequence[int]) -> list[Hypothesis]:
    """The lattice at corners that are known, the size that fits best. Raises PhotoError."""
    try:
        found = network.settle(image, np.asarray(corners, float), sizes, rounds=1) if len(sizes) > 1 else None
        return [Hypothesis(Lattice.from_corners(corners, found.lattice.size if found else sizes[-1]), np.inf, "given")]
    except ValueError as error:
        raise PhotoError(str(error)) from None


def of_part(image: Image, corners: Floats, sizes: Sequence[int]) -> list[Hypothesis]:
    """The corners of the part of a board that shows, whose lines are counted later. Raises PhotoError."""
    try:
        return [Hypothesis(Lattice.from_corners(corners, max(sizes)), np.inf, "given")]
    except ValueError as error:
        raise PhotoError(str(error)) from None


def _warned(lattice: Lattice, told: Warned) -> Hypothesis:
    return Hypothesis(lattice, np.inf, "given", (told,))
