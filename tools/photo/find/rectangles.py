"""Lattices of any number of columns and rows, for parts of boards, in the heat of a board roughly rectified.

The finder's quadrilaterals lie well on the parts of boards too, but it knows whole boards only: how many lines there
are is read off the heat's two profiles, as combs that explain them, and the points move to the heat around them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np

from tengen.tools.photo.find.fit import TO_VIEW, likeness
from tengen.tools.photo.find.heat import Map, sample, snapped
from tengen.tools.photo.find.network import examine
from tengen.tools.photo.find.views import REFINER
from tengen.tools.photo.geometry import (
    Floats,
    Image,
    Lattice,
    apply,
    counting,
    homography_of,
    inverse,
    is_convex,
)

_SIDE = REFINER.side // REFINER.stride
_LOW, _HIGH = REFINER.margin * _SIDE, (1 - REFINER.margin) * _SIDE
_FEWEST, _MOST = 4, 19
_OFF = 8
"""Cells of the map by which a quadrilateral's side may lie beside the outermost line."""
_KEPT = 2
_TRIED = 4
_FAINT = 0.75
"""Of the usual heat of a line: an outermost one with less is none."""
_SAMPLED = 32_000
"""What OpenCV samples at a time."""
EXPLAINED = 0.85
"""A grid that explains the heat of its points this well has the right numbers of lines."""
_HOPEFUL = 0.7
"""One that explains it less has not got there by a second look: of 596 photos and 120 pictures without a board, those
that did began at 0.83 or more."""


@dataclass(frozen=True)
class Grid:
    """`columns` x `rows` points and the homography from (column, row) to pixels; score: how it explains the heat."""

    columns: int
    rows: int
    homography: Floats
    score: float = 0.0

    def corners(self) -> Floats:
        """Pixels (4, 2) of the outermost points, the upper left one first."""
        return self.points()[[0, 0, -1, -1], [0, -1, -1, 0]]

    def points(self) -> Floats:
        """Pixels (rows, columns, 2)."""
        return apply(self.homography, counting(self.columns, self.rows))

    def pitch(self) -> float:
        """The distance of the first two points, in pixels."""
        first = self.points()[0]
        return float(np.linalg.norm(first[1] - first[0]))


def counted(image: Image, quads: Sequence[Floats]) -> Floats | None:
    """The corners of the first grid near some quadrilaterals whose lines can be counted, of a board or a part."""
    for quad in quads[:_TRIED]:
        grid = rectangle(image, quad)
        if grid is not None and grid.score >= EXPLAINED:
            return grid.corners()
    return None


def fitted(image: Image, quad: Floats, columns: int, rows: int, rounds: int = 3) -> Grid | None:
    """The grid of so many lines near a quadrilateral (4, 2), seen with square cells; None where it is no grid."""
    best: Grid | None = None
    if not is_convex(quad):
        return None
    ends = np.array([[0, 0], [columns - 1, 0], [columns - 1, rows - 1], [0, rows - 1]], float)
    grid = Grid(columns, rows, homography_of(ends, quad))
    side = max(columns, rows)
    for _ in range(rounds):
        square = Lattice(side, grid.homography)
        if not is_convex(square.corners()):
            break
        maps, _, forward = examine(image, square)
        to_map = inverse(TO_VIEW) @ forward
        seen = replace(grid, homography=to_map @ grid.homography)
        heat = _within(maps[0], seen)
        moved = explained(heat, snapped(heat, seen, Grid.pitch, samples=_SAMPLED))
        grid = replace(moved, homography=inverse(to_map) @ moved.homography)
        if best is None or grid.score > best.score:
            best = grid
    return best


def _within(heat: Map, grid: Grid) -> Map:
    """The heat of a grid and half a cell around it: what lies beyond is not asked about."""
    low, right, below = -0.5, grid.columns - 0.5, grid.rows - 0.5
    body = apply(grid.homography, np.array([[low, low], [right, low], [right, below], [low, below]]))
    inside = np.zeros(heat.shape, np.float32)
    cv2.fillConvexPoly(inside, np.round(body * 16).astype(np.int32), 1.0, cv2.LINE_8, 4)
    return np.asarray(heat * inside, np.float32)


def rectangle(image: Image, quad: Floats, rounds: int = 2) -> Grid | None:
    """Return the grid near a quadrilateral (4, 2), upper left corner first; None without one."""
    best: Grid | None = None
    for _ in range(rounds):
        if not is_convex(quad):
            break
        maps, _, forward = examine(image, Lattice.from_corners(quad, 19))
        found = [explained(maps[0], snapped(maps[0], grid, Grid.pitch, samples=_SAMPLED)) for grid in combs(maps[0])]
        if not found:
            break
        here = trimmed(maps[0], widened(maps[0], max(found, key=lambda grid: grid.score)))
        moved = replace(here, homography=inverse(forward) @ TO_VIEW @ here.homography)
        if best is None or moved.score > best.score:
            best = moved
        if moved.score < _HOPEFUL:
            break
        quad = moved.corners()
    return best if best is None or best.score >= EXPLAINED else max((best, *squared(image, best)), key=_score)


def squared(image: Image, grid: Grid) -> list[Grid]:
    """The grid with as many columns, or rows, as square cells make between its corners: a long part of a board looks
    otherwise where it is made a square. One look at each count: where it is right, that explains most of it."""
    quad = grid.corners()
    sides = np.linalg.norm(np.roll(quad, -1, 0) - quad, axis=1)
    ratio = float((sides[0] + sides[2]) / max(sides[1] + sides[3], 1e-6))
    across, down = 1 + (grid.rows - 1) * ratio, 1 + (grid.columns - 1) / ratio
    counts = {(round(across), grid.rows), (grid.columns, round(down)), (grid.columns, grid.rows)}
    tried = [(wide, tall) for wide, tall in counts if _FEWEST <= min(wide, tall) and max(wide, tall) <= _MOST]
    return [found for lines in tried if (found := fitted(image, quad, *lines, rounds=1)) is not None]


def _score(grid: Grid) -> float:
    return grid.score


def combs(heat: Map) -> list[Grid]:
    """Grids of the likeliest numbers of columns and rows that the two profiles of a map show."""
    inner = slice(int(_LOW) - 4, int(_HIGH) + 5)
    across, down = spaced(heat[inner].sum(0)), spaced(heat[:, inner].sum(1))
    return [
        Grid(columns, rows, np.array([[step, 0, start], [0, pace, begin], [0, 0, 1.0]]))
        for columns, start, step in across
        for rows, begin, pace in down
    ]


def spaced(profile: Map) -> list[tuple[int, float, float]]:
    """(number of lines, the first, their distance) of combs like a profile, best first."""
    plain = profile / (np.linalg.norm(profile) + 1e-6)
    found = []
    for count in range(_FEWEST, _MOST + 1):
        combed, starts, steps = _combed(count)
        worth = combed @ plain
        best = int(worth.argmax())
        found.append((float(worth[best]), count, float(starts[best]), float(steps[best])))
    found.sort(reverse=True)
    return [(count, start, step) for _, count, start, step in found[:_KEPT]]


@lru_cache(maxsize=_MOST + 1)
def _combed(count: int) -> tuple[Floats, Floats, Floats]:
    """Profiles (k, side) of length 1 that `count` lines would give, their first lines (k,) and distances (k,)."""
    at = np.arange(_SIDE)
    off = np.arange(-_OFF, _OFF + 1, 1.0)
    starts, ends = (plane.ravel() for plane in np.meshgrid(_LOW + off, _HIGH + off))
    steps = (ends - starts) / (count - 1)
    nearest = np.clip(np.rint((at - starts[:, None]) / steps[:, None]), 0, count - 1)
    combed = np.exp(-((at - starts[:, None] - nearest * steps[:, None]) ** 2) / 2)
    return combed / np.linalg.norm(combed, axis=1, keepdims=True), starts, steps


def explained(heat: Map, grid: Grid) -> Grid:
    """The grid with its score: the likeness of the map to the one that it would give."""
    return replace(grid, score=likeness(heat, grid.points().reshape(-1, 2)))


def widened(heat: Map, grid: Grid) -> Grid:
    """The grid with a line more or fewer at a side for as long as it explains the heat better."""
    best = grid
    for _ in range(6):
        others = [
            explained(heat, Grid(best.columns + wide, best.rows + tall, best.homography @ shift))
            for wide, tall, shift in _changes()
            if _FEWEST <= best.columns + wide <= _MOST + 2 and _FEWEST <= best.rows + tall <= _MOST + 2
        ]
        better = max(others, key=lambda other: other.score)
        if better.score <= best.score + 1e-4:
            break
        best = better
    return explained(heat, snapped(heat, best, Grid.pitch, samples=_SAMPLED))


def trimmed(heat: Map, grid: Grid) -> Grid:
    """The grid without outermost lines that are hardly seen: where lines run out there are ends of them, no points."""
    while min(grid.columns, grid.rows) > _FEWEST:
        seen = sample(heat, grid.points().reshape(-1, 2)).reshape(grid.rows, grid.columns)
        down, across = seen.mean(1), seen.mean(0)
        least = _FAINT * float(np.median(seen.mean(1)))
        faint = [float(end) < least for end in (across[-1], down[-1], across[0], down[0])]
        if not any(faint):
            break
        wide, tall, shift = _changes()[4 + faint.index(True)]
        grid = Grid(grid.columns + wide, grid.rows + tall, grid.homography @ shift)
    return explained(heat, grid)


def _changes() -> list[tuple[int, int, Floats]]:
    """A line added or removed at the right, below, at the left and above."""
    found = []
    for by in (1, -1):
        for x, y, before in ((1, 0, 0), (0, 1, 0), (1, 0, 1), (0, 1, 1)):
            shift = np.eye(3)
            shift[:2, 2] = -by * x * before, -by * y * before
            found.append((by * x, by * y, shift))
    return found
