"""How well a picture supports exactly this size and offset of a lattice.

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
"""Where the boards of each size have star points, (column, row) from 0."""
_CENTRED = 0.36
_CLEAR = 0.45
_WEIGHT_OF_HOSHI = 0.25
_WEIGHT_OF_STRAYS = 0.5


@dataclass(frozen=True)
class Support:
    """`score` is about 1.5 for a board that is right and clear, and 0 for none; larger is better.

    `inside` is the share of the segments that show a line or end at a stone. `border` and `outside` (4) are the same for
    the outermost line of every side, left, right, top, bottom, and for the lines one cell beyond it; `seen` (4) is how
    much of that the picture has. `hoshi` is positive where dots are at the star points of the size, 0 unknown.
    `strays` is the share of stones on no point.
    """

    score: float
    inside: float
    border: Floats
    outside: Floats
    seen: Floats
    hoshi: float
    strays: float


def support(image: Image, lattice: Lattice) -> Support:
    """The evidence for a lattice, best after `refine`."""
    if lattice.cells:
        lattice = as_lines(lattice)
    scene = Scene.of(image, lattice)
    return weigh(scene, lattice)


def weigh(scene: Scene, lattice: Lattice) -> Support:
    """`support` on a scene that is known."""
    size = lattice.size
    flat = scene.view.flatten(lattice)
    stones, strays = occupied(scene, lattice)
    across, down = scene.responses(lattice)
    columns = clearness(across, size)
    rows = clearness(down, size)
    inside = float((covered(columns, stones)[1:-1, 1:-1].mean() + covered(rows, stones.T)[1:-1, 1:-1].mean()) / 2)
    border, outside, seen = np.zeros(4), np.zeros(4), np.zeros(4)
    known = visible(flat)
    sides = ((columns, rows, stones, known), (rows, columns, stones.T, known.T))
    for axis, (along, across_it, stone, shown) in enumerate(sides):
        for end in (0, 1):
            flip = slice(None, None, 1 - 2 * end)
            at = 2 * axis + end
            border[at], outside[at], seen[at] = side(
                along[:, flip], across_it[flip], stone[:, flip], shown[:, flip]
            )
    hoshi = star_points(flat, scene.polarity, stones[1:-1, 1:-1], lattice.size)
    score = inside + float((np.minimum(border, inside + 0.1) - outside).mean())
    score += _WEIGHT_OF_HOSHI * hoshi - _WEIGHT_OF_STRAYS * strays
    return Support(score, inside, border, outside, seen, hoshi, strays)


def clearness(response: Plane, size: int) -> Floats:
    """How clearly each segment of the columns is drawn, -1..1: (size + 1, size + 2), one line beyond every side.

    The response on the line less that midway to its neighbours, 1 from a response of half of that of a strong line.
    """
    half = PITCH // 2
    profile = profiles(response, size, half, 1)
    on = profile[..., half - 2 : half + 3].max(-1)
    off = (profile[..., :4].max(-1) + profile[..., -4:].max(-1)) / 2
    return np.asarray(np.clip((on - off) / _CLEAR, -1, 1), np.float64)


def occupied(scene: Scene, lattice: Lattice) -> tuple[NDArray[np.bool_], float]:
    """Points that hold a stone, (size + 2, size + 2) [row, column] with one line beyond; the share that is on none."""
    size = lattice.size
    held = np.zeros((size + 2, size + 2), bool)
    if not len(scene.stones):
        return held, 0.0
    places = lattice.locate(scene.stones)
    nearest = np.rint(places).astype(int)
    centred = np.abs(places - nearest).max(1) < _CENTRED
    within = (places > -0.5).all(1) & (places < size - 0.5).all(1)
    near = centred & (nearest >= -1).all(1) & (nearest <= size).all(1)
    held[nearest[near, 1] + 1, nearest[near, 0] + 1] = True
    return held, float((within & ~centred).sum() / max(1, within.sum() + 4))


def covered(clear: Floats, stones: NDArray[np.bool_]) -> Floats:
    """The clearness of the columns' segments, 1 where a stone at either end hides a part of it."""
    return np.where(stones[:-1] | stones[1:], np.maximum(clear, 1), clear)


def side(
    along: Floats, across: Floats, stones: NDArray[np.bool_], shown: NDArray[np.bool_]
) -> tuple[float, float, float]:
    """Evidence for the left side, of the columns' segments (size + 1, size + 2) and the rows' (size + 1, size + 2).

    Of `across` index 0 is the segments from one cell beyond to the border, index 1 the first ones on the board; its
    second index is the row. Returns border, outside and seen of `Support`.
    """
    line = covered(along, stones)[1:-1, 1].mean()
    first = covered(across, stones.T)[1, 1:-1].mean()
    stubs = across[0, 1:-1]
    beyond = np.where(stones[1:-1, 0], 1.0, np.maximum(stubs, 0))
    weight = np.where(shown[1:-1, 0], np.where(stones[1:-1, 1] & ~stones[1:-1, 0], 0.5, 1.0), 0.0)
    seen = float(shown[1:-1, 0].mean())
    outside = float((beyond * weight).sum() / max(float(weight.sum()), len(weight) / 3))
    return float((line + first) / 2), outside, seen


def visible(flat: Flat) -> NDArray[np.bool_]:
    """Whether the picture has the points of the board and those one line beyond: (size + 2, size + 2)."""
    at = (MARGIN - 1 + np.arange(flat.size + 2)) * PITCH
    return np.asarray(flat.inside[at[:, None], at[None, :]])


def star_points(flat: Flat, polarity: int, stones: NDArray[np.bool_], size: int) -> float:
    """How much more often dots are at the empty star points than at other empty points, -1..1; 0 if none is empty."""
    expected = np.zeros((size, size), bool)
    for column, row in HOSHI.get(size, ()):
        expected[row, column] = True
    free = ~stones
    if not (expected & free).any() or not (~expected & free).any():
        return 0.0
    dots = dottedness(flat, polarity)
    return float(dots[expected & free].mean() - dots[~expected & free].mean())


def dottedness(flat: Flat, polarity: int) -> Floats:
    """Whether each point (size, size) bears a dot, 0..1: the four places beside the crossing are as dark as the line."""
    near, far = max(2, round(0.1 * PITCH)), round(0.3 * PITCH)
    at = (MARGIN + np.arange(flat.size)) * PITCH
    light = flat.light * np.float32(polarity)

    def diagonal(distance: int) -> NDArray[np.float32]:
        signs = ((-1, -1), (-1, 1), (1, -1), (1, 1))
        return np.stack([light[np.ix_(at + distance * down, at + distance * right)] for down, right in signs])

    ground = np.median(diagonal(far), 0)
    dark = ground - diagonal(near).max(0)
    crossing = ground - light[np.ix_(at, at)]
    usual = max(float(np.median(crossing)), 0.04)
    return np.asarray(np.clip(dark / (0.6 * usual), 0, 1), np.float64)
