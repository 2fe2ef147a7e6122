"""A lattice fitted on the middles of stones.

A pair of steps between neighbours starts a local lattice; it grows by the nearest stones, a homography is refitted as
it grows, and the start that explains most stones wins. Where the board ends is not known from stones: `fit` returns
every offset and size that is possible, `find` lets the picture decide among them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from tengen.tools.photo.find import discs
from tengen.tools.photo.find.evidence import brightness
from tengen.tools.photo.find.extents import distinct, is_seen, settle
from tengen.tools.photo.geometry import Floats, Image, Lattice, apply, homography_of, translation
from tengen.tools.photo.results import Hypothesis

_NEAR = 0.3
"""How far from its point a stone may lie, in cells."""
_STARTS = 14
_FEWEST = 6
_WORKING = 640
_SCALES = (200, 270, 360, 480, 640, 850)
_RADIUS = 8.5
_SURE = 0.4
_CLEAR = 1.7
_KEPT = 5


def fit(points: Floats, sizes: Sequence[int], image_shape: tuple[int, ...]) -> list[Hypothesis]:
    """Lattices that hold these stones (k, 2), pixels as (x, y); the score is the share that is explained.

    Every size and offset whose points hold all the explained stones is returned, those that leave the picture by more
    than half a cell last, with a score lessened by how far they do. Empty where fewer than six stones agree.
    """
    grown = grow(np.asarray(points, np.float64))
    if grown is None:
        return []
    homography, places, share = grown
    low, high = places.min(0), places.max(0)
    found = []
    for size in sizes:
        spare = size - 1 - (high - low)
        if size == 8 or (spare < 0).any():
            continue
        for column in range(int(low[0] - spare[0]), int(low[0]) + 1):
            for row in range(int(low[1] - spare[1]), int(low[1]) + 1):
                lattice = Lattice(size, homography @ translation(column, row))
                overhang = outside(lattice, image_shape)
                if overhang is not None and overhang < 1.6:
                    found.append(Hypothesis(lattice.oriented(), share - 0.2 * overhang, "stones"))
    return sorted(found, key=lambda hypothesis: -hypothesis.score)


def outside(lattice: Lattice, image_shape: tuple[int, ...]) -> float | None:
    """How far the farthest corner lies outside of the picture, in cells; None if the lattice crosses its horizon."""
    grid = np.array([[0.0, 0], [lattice.size - 1, 0], [lattice.size - 1, lattice.size - 1], [0, lattice.size - 1]])
    depth = grid @ lattice.homography[2, :2] + lattice.homography[2, 2]
    if not ((depth > 0).all() or (depth < 0).all()):
        return None
    corners = lattice.corners()
    height, width = image_shape[:2]
    beyond = np.maximum(-corners, corners - (width - 1, height - 1))
    return float(max(0.0, beyond.max()) / max(lattice.cell(), 1e-6))


def grow(points: Floats) -> tuple[Floats, Floats, float] | None:
    """The homography from integer places to points, the places (m, 2) of the stones explained, and their share.

    None where fewer than six stones agree.
    """
    count = len(points)
    if count < _FEWEST:
        return None
    distances = np.linalg.norm(points[:, None] - points[None], axis=2) + np.eye(count) * 1e9
    order = np.argsort(distances, axis=1)
    rng = np.random.default_rng(count)
    best: tuple[Floats, Floats, float] | None = None
    central = np.argsort(np.sort(distances, axis=1)[:, min(3, count - 2)])
    for start in rng.permutation(central[: max(_STARTS, count // 2)])[:_STARTS]:
        for first, second in steps_around(points, int(start), order[start], distances[start]):
            affine = np.array([[*first, 0.0], [*second, 0.0], [*points[start], 1.0]]).T
            grown = expand(points, affine)
            if grown is not None and (best is None or grown[2] > best[2] + 1e-9):
                best = grown
        if best is not None and best[2] > 0.9:
            break
    return best


def steps_around(
    points: Floats, start: int, order: NDArray[np.int64], distances: Floats
) -> list[tuple[Floats, Floats]]:
    """Pairs of steps (2,) from a stone to two neighbours that may be the steps of the lattice."""
    found = []
    nearest = distances[order[0]]
    around = [int(index) for index in order[:8] if distances[index] < 2.3 * nearest]
    for place, one in enumerate(around):
        for other in around[place + 1 :]:
            first, second = points[one] - points[start], points[other] - points[start]
            lengths = np.linalg.norm(first), np.linalg.norm(second)
            cross = abs(first[0] * second[1] - first[1] * second[0]) / (lengths[0] * lengths[1])
            if cross > 0.6 and max(lengths) < 1.9 * min(lengths):
                found.append((first, second))
    return found[:4]


def expand(points: Floats, homography: Floats) -> tuple[Floats, Floats, float] | None:
    """A local lattice grown over the stones: those near its points join, nearest first, and it is fitted again."""
    reach = 1.6
    chosen = np.zeros(len(points), bool)
    places = np.zeros_like(points)
    for _ in range(14):
        places = np.asarray(cv2.perspectiveTransform(points[None], np.linalg.inv(homography))[0], np.float64)
        nearest = np.rint(places)
        near = np.abs(places - nearest).max(1) < _NEAR
        grown = near & (np.abs(places).max(1) < reach)
        if grown.sum() < min(4, 3 + int(reach > 3)):
            return None
        everything = np.abs(places).max() < reach
        if everything and (grown == chosen).all():
            break
        chosen = grown
        fitted = fitted_on(nearest[chosen], points[chosen], homography)
        if fitted is None:
            return None
        homography = fitted
        reach *= 1.5
    places = np.rint(apply(np.asarray(np.linalg.inv(homography), np.float64), points))
    for axis in (0, 1):
        chosen &= fullest(places[:, axis], chosen)
    if chosen.sum() < _FEWEST or np.ptp(places[chosen], axis=0).min() < 1:
        return None
    taken, counts = np.unique(places[chosen], axis=0, return_counts=True)
    share = (len(taken) - float((counts - 1).sum())) / len(points)
    return homography, taken, share


def fullest(places: Floats, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which places (k) lie on the nineteen neighbouring lines that hold most of the chosen.

    Stones that lie beside a board do not make it larger.
    """
    if not chosen.any():
        return chosen
    starts = np.unique(places[chosen])
    held = [int((chosen & (places >= start) & (places < start + 19)).sum()) for start in starts]
    first = starts[int(np.argmax(held))]
    return np.asarray((places >= first) & (places < first + 19), np.bool_)


def fitted_on(places: Floats, points: Floats, homography: Floats) -> Floats | None:
    """The homography from places to points: affine while few or narrow, else projective."""
    spread = np.ptp(places, axis=0)
    if len(places) < 8 or spread.min() < 3:
        if len(places) < 3 or spread.min() < 1:
            return None if len(places) < 3 else homography
        design = np.column_stack([places, np.ones(len(places))])
        solved, _, rank, _ = np.linalg.lstsq(design, points, rcond=None)
        if rank < 3:
            return None
        return np.vstack([solved.T, [0.0, 0.0, 1.0]])
    try:
        fitted = homography_of(places, points)
    except (ValueError, cv2.error):
        return None
    if not np.isfinite(fitted).all() or abs(np.linalg.det(fitted)) < 1e-12:
        return None
    return fitted


def blobs(image: Image) -> list[Floats]:
    """Stones (k, 2) of a picture at each of some scales, those first where most is seen."""
    grey = brightness(image)
    found = []
    for side in _SCALES:
        factor = side / max(grey.shape)
        if factor > 1.6:
            continue
        small = np.asarray(cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.float32)
        discovered = discs.detect(small, _RADIUS, threshold=_SURE)
        found.append((float((discovered.strength**2).sum()), (discovered.middles + 0.5) / factor - 0.5))
    return [points for _, points in sorted(found, key=lambda pair: -pair[0])]


def find(image: Image, sizes: Sequence[int]) -> list[Hypothesis]:
    """Lattices on the stones of a picture, best first; empty where fewer than six stones make a lattice."""
    factor = min(1.0, _WORKING / max(image.shape[:2]))
    small = image
    if factor < 1:
        small = np.asarray(cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)
    grown = [(start, len(start[1]) * start[2] ** 2) for start in map(grow, blobs(small)) if start is not None]
    found: list[Hypothesis] = []
    for (homography, places, _), _ in sorted(grown, key=lambda pair: -pair[1])[:2]:
        patch = core(homography, places)
        if is_seen(patch):
            found.extend(settle(small, patch, sizes, "stones"))
        if any(hypothesis.score > _CLEAR for hypothesis in found):
            break
    return [replace(one, lattice=one.lattice.scaled(1 / factor).oriented()) for one in distinct(found)[:_KEPT]]


def core(homography: Floats, places: Floats) -> Lattice:
    """A square of lattice about the middle of the stones, as large as they reach but of five to nineteen lines."""
    low, high = places.min(0), places.max(0)
    size = int(np.clip((high - low).max() + 1, 5, 19))
    corner = np.rint((low + high) / 2 - (size - 1) / 2)
    return Lattice(size, homography @ translation(float(corner[0]), float(corner[1])))
