"""Fitting a lattice to the heat maps of a rectified board: its size, its offset, and where its points are.

Every size and every shift by a few lines is compared by the normalised cross-correlation of the points' map with the
map that the lattice would give: points that are missing, and heat that no point explains, count alike, so that a
smaller board inside a larger one loses, and so does a larger one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nlargest

import numpy as np
from numpy.typing import NDArray

from tengen.tools.photo.find.heat import Map, sample, snapped
from tengen.tools.photo.find.views import REFINER
from tengen.tools.photo.geometry import SIZES, Floats, Lattice, is_convex, translation

_SIDE = REFINER.side // REFINER.stride
_STRIDE = REFINER.stride
FURTHEST = _SIDE / 6
"""The most distance that the heat may draw a corner."""
TO_VIEW = translation((_STRIDE - 1) / 2, (_STRIDE - 1) / 2) @ np.diag([_STRIDE, _STRIDE, 1.0])
"""The homography from a heat map to the refiner's input."""
_SIGMA = 1.0
_REACH = 4
"""Cells around its middle that a Gaussian is drawn to."""
_FURTHER = 6
_TRIED = 5
_WEIGHT_OF_CORNERS = 0.25
_WEIGHT_OF_KIND = 0.04
_WEIGHT_OF_EDGES = 0.3


@dataclass(frozen=True)
class Fit:
    """A lattice, and how well it explains the maps: about -0.3 (nothing) to 1.2 (all)."""

    lattice: Lattice
    score: float


def fit(points: Map, corners: Map, kinds: Map, sizes: Sequence[int]) -> Fit | None:
    """The best lattice, in pixels of the maps (h, w); `kinds` are the probabilities of SIZES. None if nothing fits."""
    quad = corners_near(corners)
    if not is_convex(quad):
        return None
    best: Fit | None = None
    for size in sizes:
        start = Lattice.from_corners(quad, size)
        here = explain(points, corners, kinds, start)
        if best is None or here.score > best.score:
            best = here
    if best is None:
        return None
    for _ in range(3):
        better = max((best, *moves(points, corners, kinds, best.lattice, sizes)), key=lambda choice: choice.score)
        if better is best:
            break  # the next round would do the same again
        best = better
    return best


def moves(points: Map, corners: Map, kinds: Map, lattice: Lattice, sizes: Sequence[int]) -> list[Fit]:
    """The lattice moved to the heat around its points, and the likeliest with lines added, removed or shifted."""
    moved = snapped(points, lattice, Lattice.cell, furthest=FURTHEST)
    found = [explain(points, corners, kinds, moved)]
    for _, size, right, down in nlargest(_TRIED, shifts(points, moved, sizes)):
        other = Lattice(size, moved.shifted(right, down).homography, moved.cells)
        if is_convex(other.corners()):
            found.append(explain(points, corners, kinds, other))
    return found


def shifts(points: Map, lattice: Lattice, sizes: Sequence[int]) -> list[tuple[float, int, int, int]]:
    """(heat, size, columns, rows): boards on the same lines, by the heat at their points over the root of their number.

    All their points lie on one larger lattice, so that the sums are differences of its running sums.
    """
    spare = _FURTHER
    line = np.arange(-spare, lattice.size + spare, dtype=float)
    grid = lattice.project(np.stack(np.meshgrid(line, line), -1))
    heat = sample(points, grid.reshape(-1, 2)).reshape(len(line), len(line))
    sums = np.pad(heat, ((1, 0), (1, 0))).cumsum(0).cumsum(1)
    found = []
    for size in sizes:
        if (size == 8) != lattice.cells or abs(size - lattice.size) > 4:
            continue
        starts = range(max(0, spare - 2 - max(0, size - lattice.size)), len(line) - size + 1)
        ends = lattice.size + spare + 2 + max(0, size - lattice.size)
        near = [start for start in starts if start + size <= ends]
        if not near:
            continue
        low = slice(near[0], near[-1] + 1)
        high = slice(near[0] + size, near[-1] + size + 1)
        inside = (sums[high, high] - sums[high, low] - sums[low, high] + sums[low, low]) / size
        found += [
            (heat, size, left - spare, top - spare)
            for top, row in zip(near, inside.tolist(), strict=True)
            for left, heat in zip(near, row, strict=True)
            if (size, left, top) != (lattice.size, spare, spare)
        ]
    return found


def explain(points: Map, corners: Map, kinds: Map, lattice: Lattice) -> Fit:
    """The score of one lattice."""
    ends = float(sample(corners, lattice.corners()).mean())
    kind = float(np.log(kinds[SIZES.index(lattice.size)] + 1e-3)) / 3
    score = likeness(points, lattice.points().reshape(-1, 2)) + _WEIGHT_OF_CORNERS * ends + _WEIGHT_OF_KIND * kind
    return Fit(lattice, score + _WEIGHT_OF_EDGES * edges(points, lattice))


def edges(points: Map, lattice: Lattice) -> float:
    """How much more heat lies on the outermost lines than one line further out: about 1 for the right offset."""
    line, last = np.arange(lattice.size, dtype=float), lattice.size - 1.0
    rims = (0.0, last, -1.0, last + 1)  # the outermost lines, then those one further out, along either axis
    across = np.concatenate([np.stack([line, np.full_like(line, rim)], -1) for rim in rims])
    places = lattice.project(np.concatenate([across, across[:, ::-1]]))
    usual = float(sample(points, lattice.points().reshape(-1, 2)).mean()) + 0.05
    sides = np.minimum(1.0, sample(points, places).reshape(2, 2, 2, -1).mean(-1) / usual)
    inner, outer = sides.mean((0, 2))
    return float(inner - outer)


def corners_near(corners: Map) -> Floats:
    """The strongest heat around each of the four places where corners are guessed, or the place itself."""
    low, high = REFINER.margin * _SIDE, (1 - REFINER.margin) * _SIDE
    reach = int(0.17 * _SIDE)
    found = []
    for x, y in ((low, low), (high, low), (high, high), (low, high)):
        left, top = max(0, int(x) - reach), max(0, int(y) - reach)
        window = corners[top : int(y) + reach + 1, left : int(x) + reach + 1]
        row, column = np.unravel_index(int(window.argmax()), window.shape)
        found.append((left + column, top + row) if window.max() > 0.1 else (x, y))
    return np.array(found, float)


def likeness(heat: Map, places: Floats) -> float:
    """Normalised cross-correlation (0 to 1) of a map with Gaussians around places (k, 2) further apart than they."""
    middle, down, across = gaussians(places, _SIGMA)
    padded = np.pad(heat, 2 * _REACH + 1)
    # a place beyond the map is taken to where all of its Gaussian lies in the padding
    at = np.clip(middle, -_REACH - 1, np.array(heat.shape[::-1]) + _REACH) + _REACH + 1
    width = padded.shape[1]
    window = (np.arange(2 * _REACH + 1)[:, None] * width + np.arange(2 * _REACH + 1)).ravel()
    around = padded.ravel().take((at[:, 1] * width + at[:, 0])[:, None] + window)
    both = float(np.einsum("kyx,ky,kx", around.reshape(len(at), 2 * _REACH + 1, -1), down, across, optimize=False))
    own = float(((down**2).sum(1) * (across**2).sum(1)).sum())
    return both / float(np.sqrt((heat**2).sum() * own + 1e-6))


def gaussians(places: Floats, sigma: float) -> tuple[NDArray[np.int64], Map, Map]:
    """Return Gaussians of height 1 around places (k, 2): the nearest cell (k, 2), their factors (k, 9) down and
    across."""
    middle = np.round(places).astype(np.int64)
    off = np.arange(-_REACH, _REACH + 1) + (middle - places)[:, :, None]
    across, down = np.exp(-(off**2) / (2 * sigma**2)).astype(np.float32).transpose(1, 0, 2)
    return middle, down, across
