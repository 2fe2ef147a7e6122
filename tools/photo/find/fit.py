"""Fitting a lattice to the heat maps of a rectified board: its size, its offset, and where its points are.

Every size and every shift by a few lines is compared by the normalised cross-correlation of the points' map with the
map that the lattice would give: points that are missing, and heat that no point explains, count alike, so that a
smaller board inside a larger one loses, and so does a larger one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tengen.tools.photo.find.views import REFINER
from tengen.tools.photo.geometry import SIZES, Floats, Lattice, is_convex, translation

Map = NDArray[np.float32]
_SIDE = REFINER.side // REFINER.stride
_STRIDE = REFINER.stride
TO_VIEW = translation((_STRIDE - 1) / 2, (_STRIDE - 1) / 2) @ np.diag([_STRIDE, _STRIDE, 1.0])
"""The homography from a heat map to the refiner's input."""
_SIGMA = 1.0
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
        best = max((best, *moves(points, corners, kinds, best.lattice, sizes)), key=lambda choice: choice.score)
    return best


def moves(points: Map, corners: Map, kinds: Map, lattice: Lattice, sizes: Sequence[int]) -> list[Fit]:
    """The lattice moved to the heat around its points, and the likeliest with lines added, removed or shifted."""
    moved = snapped(points, lattice)
    found = [explain(points, corners, kinds, moved)]
    others = sorted(shifts(points, moved, sizes), reverse=True)
    for _, size, right, down in others[:_TRIED]:
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
        for top in near:
            for left in near:
                if (size, left, top) != (lattice.size, spare, spare):
                    lower, upper = sums[top + size], sums[top]
                    inside = lower[left + size] - lower[left] - upper[left + size] + upper[left]
                    found.append((float(inside) / size, size, left - spare, top - spare))
    return found


def explain(points: Map, corners: Map, kinds: Map, lattice: Lattice) -> Fit:
    """The score of one lattice."""
    ends = float(sample(corners, lattice.corners()).mean())
    kind = float(np.log(kinds[SIZES.index(lattice.size)] + 1e-3)) / 3
    score = likeness(points, lattice.points().reshape(-1, 2)) + _WEIGHT_OF_CORNERS * ends + _WEIGHT_OF_KIND * kind
    return Fit(lattice, score + _WEIGHT_OF_EDGES * edges(points, lattice))


def edges(points: Map, lattice: Lattice) -> float:
    """How much more heat lies on the outermost lines than one line further out: about 1 for the right offset."""
    line = np.arange(lattice.size, dtype=float)
    low, high = np.zeros_like(line), np.full_like(line, lattice.size - 1)
    inner = ((line, low), (line, high), (low, line), (high, line))
    outer = ((line, low - 1), (line, high + 1), (low - 1, line), (high + 1, line))
    usual = float(sample(points, lattice.points().reshape(-1, 2)).mean()) + 0.05
    heat = [
        np.mean([min(1.0, sample(points, lattice.project(np.stack(side, -1))).mean() / usual) for side in sides])
        for sides in (inner, outer)
    ]
    return float(heat[0] - heat[1])


def snapped(points: Map, lattice: Lattice) -> Lattice:
    """The lattice moved to the middles of the heat around its points, weighted by that heat."""
    for _ in range(2):
        places = lattice.points().reshape(-1, 2)
        reach = int(np.clip(round(0.4 * lattice.cell()), 2, 8))
        offsets = np.stack(np.meshgrid(np.arange(-reach, reach + 1), np.arange(-reach, reach + 1)), -1).reshape(-1, 2)
        around = places[:, None] + offsets
        heat = np.maximum(sample(points, around.reshape(-1, 2)).reshape(around.shape[:2]) - 0.05, 0)
        weight = heat.sum(1)
        strong = weight > 0.6
        if strong.sum() < 8:
            return lattice
        middles = places + (heat[..., None] * offsets).sum(1) / np.maximum(weight, 1e-6)[:, None]
        grid = np.stack(np.meshgrid(np.arange(lattice.size), np.arange(lattice.size)), -1).reshape(-1, 2).astype(float)
        homography, _ = cv2.findHomography(grid[strong], middles[strong], cv2.RANSAC, 0.3 * lattice.cell())
        if homography is None:
            return lattice
        moved = Lattice(lattice.size, np.asarray(homography, float), lattice.cells)
        if not is_convex(moved.corners()) or np.abs(moved.corners() - lattice.corners()).max() > _SIDE / 6:
            return lattice
        lattice = moved
    return lattice


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
    rows, columns, values = gaussians(places, _SIGMA)
    pad = 8
    inside = (rows >= -pad) & (columns >= -pad) & (rows < _SIDE + pad) & (columns < _SIDE + pad)
    padded = np.pad(heat, pad)
    both = float((padded[rows[inside] + pad, columns[inside] + pad] * values[inside]).sum())
    return both / float(np.sqrt((heat**2).sum() * (values**2).sum() + 1e-6))


def gaussians(places: Floats, sigma: float) -> tuple[NDArray[np.int64], NDArray[np.int64], Map]:
    """Rows, columns and values (k, 9, 9) of Gaussians of height 1 around places (k, 2)."""
    reach = np.arange(-4, 5)
    middle = np.round(places).astype(np.int64)
    x = middle[:, None, 0] + reach
    y = middle[:, None, 1] + reach
    across = np.exp(-((x - places[:, None, 0]) ** 2) / (2 * sigma**2))
    down = np.exp(-((y - places[:, None, 1]) ** 2) / (2 * sigma**2))
    values = (down[:, :, None] * across[:, None, :]).astype(np.float32)
    return np.broadcast_to(y[:, :, None], values.shape), np.broadcast_to(x[:, None, :], values.shape), values


def sample(heat: Map, places: Floats) -> NDArray[np.float64]:
    """The values (k,) of a map at places (k, 2), linear between its cells, 0 outside."""
    flat = cv2.remap(
        heat, places[None, :, 0].astype(np.float32), places[None, :, 1].astype(np.float32), cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT, borderValue=0,
    )  # fmt: skip
    return np.asarray(flat[0], np.float64)


