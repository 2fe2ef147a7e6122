"""Measure how well a picture supports exactly this size and offset of a lattice.

Lines alone cannot tell a board from a part of it, so this looks at what happens at the border: the outermost line is
drawn, and the lines across it end there. Every quantity is a mean over segments or lines, so that scores of different
sizes compare.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tengen.tools.photo.find.evidence import MARGIN, PITCH, Flat, Plane, profiles
from tengen.tools.photo.find.refine import Scene, as_lines
from tengen.tools.photo.geometry import Floats, Image, Lattice

HOSHI = {
    9: ((2, 2), (6, 2), (2, 6), (6, 6), (4, 4)),
    13: ((3, 3), (9, 3), (3, 9), (9, 9), (6, 6)),
    15: ((3, 3), (11, 3), (3, 11), (11, 11), (7, 7)),
    17: tuple((column, row) for column in (3, 8, 13) for row in (3, 8, 13)),
    19: tuple((column, row) for column in (3, 9, 15) for row in (3, 9, 15)),
}
"""The star points of the boards of each size, (column, row) from 0."""
_CENTRED = 0.36
_CLEAR = 0.45
_THIRDS = ((2, 8), (7, 14), (13, 19))
_WEIGHT_OF_HOSHI = 0.25
_WEIGHT_OF_STRAYS = 0.5
_WEIGHT_OF_SIZE = 0.005
"""A larger board that is explained as well is less likely to be chance."""


@dataclass(frozen=True)
class Support:
    """`score` is about 1.9 for a board that is right and clear, and 0 for none; larger is better.

    `inside` is the share of the segments that show a line or end at a stone. `border` and `outside` (4) are the same
    for the outermost line of every side, left, right, top, bottom, and for what continues one cell beyond it; `seen`
    (4) is how much of that the picture has. `hoshi` is positive where dots are at the star points of the size, 0 if
    unknown. `strays` is the share of stones on no point.
    """

    score: float
    inside: float
    border: Floats
    outside: Floats
    seen: Floats
    hoshi: float
    strays: float


@dataclass(frozen=True)
class Evidence:
    """The evidence for a lattice of `size` lines and for the lines one cell beyond it.

    `columns` and `rows` (size + 1, size + 2) are the clearness of their segments, `unbroken` (2, size + 1, size + 2)
    the least of the clearness of their thirds (a letter beside a board is no line that goes on), `stones` and `shown`
    (size + 2, size + 2) [row, column] whether a stone is on a point and whether the picture has it, `dots` (the same
    shape) whether a point bears a dot, `strays` (k, 2) the board places of stones on no point. Index 1 is the first
    line.
    """

    size: int
    columns: Floats
    rows: Floats
    unbroken: Floats
    stones: NDArray[np.bool_]
    shown: NDArray[np.bool_]
    dots: Floats
    strays: Floats

    @classmethod
    def of(cls, scene: Scene, lattice: Lattice) -> Evidence:
        across, down = scene.responses(lattice)
        flat = scene.view.flatten(lattice)
        stones, strays = occupied(scene, lattice)
        columns, rows = clearness(across, lattice.size), clearness(down, lattice.size)
        thirds = [[clearness(plane, lattice.size, part) for part in _THIRDS] for plane in (across, down)]
        unbroken = np.stack([np.min(parts, axis=0) for parts in thirds])
        # the third beside a stone does not show
        unbroken[0] = np.where(stones[:-1] | stones[1:], columns, unbroken[0])
        unbroken[1] = np.where(stones.T[:-1] | stones.T[1:], rows, unbroken[1])
        dots = dottedness(flat, scene.polarity)
        return cls(lattice.size, columns, rows, unbroken, stones, visible(flat), dots, strays)

    def window(self, column: int, row: int, size: int) -> Evidence:
        """The evidence for the lattice of `size` whose point (0, 0) is this one's (column, row)."""
        right, down = slice(column, column + size + 2), slice(row, row + size + 2)
        return Evidence(
            size,
            self.columns[row : row + size + 1, right],
            self.rows[column : column + size + 1, down],
            np.stack(
                [self.unbroken[0, row : row + size + 1, right], self.unbroken[1, column : column + size + 1, down]]
            ),
            self.stones[down, right],
            self.shown[down, right],
            self.dots[down, right],
            self.strays - (column, row),
        )


def support(image: Image, lattice: Lattice) -> Support:
    """The evidence for a lattice, best after `refine`."""
    if lattice.cells:
        lattice = as_lines(lattice)
    return weigh(Evidence.of(Scene.of(image, lattice), lattice))


def weigh(seen: Evidence) -> Support:
    """The support of one size and offset."""
    columns, rows, stones = seen.columns, seen.rows, seen.stones
    inside = float((covered(columns, stones)[1:-1, 1:-1].mean() + covered(rows, stones.T)[1:-1, 1:-1].mean()) / 2)
    border, outside, share = np.zeros(4), np.zeros(4), np.zeros(4)
    sides = ((columns, rows, stones, seen.shown), (rows, columns, stones.T, seen.shown.T))
    for axis, (along, across, stone, shown) in enumerate(sides):
        further = seen.unbroken[1 - axis]
        for end in (0, 1):
            flip = slice(None, None, 1 - 2 * end)
            at = 2 * axis + end
            border[at], outside[at], share[at] = side(
                along[:, flip], across[flip], further[flip], stone[:, flip], shown[:, flip]
            )
    hoshi = star_points(seen.dots[1:-1, 1:-1], stones[1:-1, 1:-1], seen.size)
    within = (seen.strays > -0.5).all(1) & (seen.strays < seen.size - 0.5).all(1)
    strays = float(within.sum() / max(1, within.sum() + stones[1:-1, 1:-1].sum() + 4))
    score = inside + float((np.minimum(border, inside + 0.1) - outside).mean())
    score += _WEIGHT_OF_HOSHI * hoshi - _WEIGHT_OF_STRAYS * strays + _WEIGHT_OF_SIZE * seen.size
    return Support(score, inside, border, outside, share, hoshi, strays)


def clearness(response: Plane, size: int, part: tuple[int, int] = (2, PITCH - 1)) -> Floats:
    """How clearly each segment of the columns is drawn, -1..1: (size + 1, size + 2), one line beyond every side.

    The response on the line less that midway to its neighbours, 1 from a response of half of that of a strong line.
    """
    half = PITCH // 2
    profile = profiles(response, size, half, 1, part)
    on = profile[..., half - 2 : half + 3].max(-1)
    off = (profile[..., :4].max(-1) + profile[..., -4:].max(-1)) / 2
    return np.asarray(np.clip((on - off) / _CLEAR, -1, 1), np.float64)


def occupied(scene: Scene, lattice: Lattice) -> tuple[NDArray[np.bool_], Floats]:
    """Points that hold a stone, (size + 2, size + 2) [row, column] with one line beyond; places of stones on none."""
    size = lattice.size
    held = np.zeros((size + 2, size + 2), bool)
    places = lattice.locate(scene.stones)
    nearest = np.rint(places).astype(int)
    centred = np.abs(places - nearest).max(1) < _CENTRED
    near = centred & (nearest >= -1).all(1) & (nearest <= size).all(1)
    held[nearest[near, 1] + 1, nearest[near, 0] + 1] = True
    return held, places[~centred]


def covered(clear: Floats, stones: NDArray[np.bool_]) -> Floats:
    """The clearness of the columns' segments, 1 where a stone at either end hides a part of it."""
    return np.where(stones[:-1] | stones[1:], np.maximum(clear, 1), clear)


def side(
    along: Floats, across: Floats, unbroken: Floats, stones: NDArray[np.bool_], shown: NDArray[np.bool_]
) -> tuple[float, float, float]:
    """Evidence for the left side, of the columns' segments (size + 1, size + 2) and the rows' (size + 1, size + 2).

    Of `across` index 0 is the segments from one cell beyond to the border, index 1 the first ones on the board; its
    second index is the row; `unbroken` belongs to `across`. Returns border, outside and seen of `Support`.
    """
    line = covered(along, stones)[1:-1, 1].mean()
    first = covered(across, stones.T)[1, 1:-1].mean()
    beyond = np.where(stones[1:-1, 0], 1.0, np.maximum(unbroken[0, 1:-1], 0))
    weight = np.where(shown[1:-1, 0], np.where(stones[1:-1, 1] & ~stones[1:-1, 0], 0.5, 1.0), 0.0)
    seen = float(shown[1:-1, 0].mean())
    outside = float((beyond * weight).sum() / max(float(weight.sum()), len(weight) / 3))
    return float((line + first) / 2), outside, seen


def visible(flat: Flat) -> NDArray[np.bool_]:
    """Whether the picture has the points of the board and those one line beyond: (size + 2, size + 2)."""
    at = (MARGIN - 1 + np.arange(flat.size + 2)) * PITCH
    return np.asarray(flat.inside[at[:, None], at[None, :]])


def star_points(dots: Floats, stones: NDArray[np.bool_], size: int) -> float:
    """How much more often dots are at the empty star points than at other empty points, -1..1; 0 if none is empty."""
    expected = np.zeros((size, size), bool)
    for column, row in HOSHI.get(size, ()):
        expected[row, column] = True
    free = ~stones
    if not (expected & free).any() or not (~expected & free).any():
        return 0.0
    return float(dots[expected & free].mean() - dots[~expected & free].mean())


def dottedness(flat: Flat, polarity: int) -> Floats:
    """Whether each point bears a dot, 0..1: (size + 2, size + 2), one line beyond every side.

    The four places beside the crossing are nearly as dark there as the lines are.
    """
    near, far = max(2, round(0.1 * PITCH)), round(0.3 * PITCH)
    at = (MARGIN - 1 + np.arange(flat.size + 2)) * PITCH
    light = flat.light * np.float32(polarity)

    def diagonal(distance: int) -> NDArray[np.float32]:
        signs = ((-1, -1), (-1, 1), (1, -1), (1, 1))
        return np.stack([light[np.ix_(at + distance * down, at + distance * right)] for down, right in signs])

    ground = np.median(diagonal(far), 0)
    dark = ground - diagonal(near).max(0)
    crossing = (ground - light[np.ix_(at, at)])[1:-1, 1:-1]
    usual = max(float(np.median(crossing)), 0.04)
    return np.asarray(np.clip(dark / (0.6 * usual), 0, 1), np.float64)
