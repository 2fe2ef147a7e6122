"""The network finder: corners from heat maps of the whole picture, then the lattice from those of the rectified board.

Two networks (`tengen.nets.photo.LatticeNet`). The first sees the picture at 320 pixels and answers where corners of
boards and boards are; quadrilaterals of corners that agree with the board are proposed. The second sees a proposal
rectified and answers where its points are, which fixes size, offset and position to a small part of a cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import cv2
import numpy as np

from tengen.tools.photo.find import fit
from tengen.tools.photo.find.heat import Map
from tengen.tools.photo.find.views import FINDER, REFINER, letterbox, look_at
from tengen.tools.photo.geometry import Floats, Image, Lattice, apply, inverse, is_convex, translation, warp
from tengen.tools.photo.networks import run
from tengen.tools.photo.results import Hypothesis

_PEAKS = 12
_FAINTEST = 0.06
_QUADS = 3
_BOARDS = 4
_FOLLOWED = 4
_MAYBE = 0.25
"""Of the board's map: what may be a board."""
_SPECK = 6
"""Cells of that map that are too few."""
_AROUND = 1.7
"""A part that is looked at again is so many times as large as what may be a board."""
_SMALL = 0.75
"""A part larger than this share of the picture would show nothing new."""
_REMEMBERED = 32
"""Views of about 200 kB whose answers are kept."""
_STEEPEST = 8.0
"""A quadrilateral with a side so many times as long as the one opposite is no board that a camera saw."""
SURE = 1.05
"""A score above which no other lattice has been seen to be right."""


def find(image: Image, sizes: Sequence[int]) -> list[Hypothesis]:
    """Lattices of the boards in a picture, best first; the score is `fit.Fit.score`.

    Where none is sure, what may be a small board in a large picture is looked at from nearer by.
    """
    return at_glance(image, look(image), sizes)


def at_glance(image: Image, glance: Glance, sizes: Sequence[int]) -> list[Hypothesis]:
    """The same of a picture that was looked at."""
    found = among(image, propose(glance), sizes)
    if not found or found[0].score <= SURE:
        for left, top, right, bottom in small_areas(glance):
            nearer = look(np.ascontiguousarray(image[top:bottom, left:right]))
            found += among(image, [quad + (left, top) for quad in propose(nearer)], sizes)
    return sorted(found, key=lambda hypothesis: -hypothesis.score)


def among(image: Image, quads: Sequence[Floats], sizes: Sequence[int]) -> list[Hypothesis]:
    """The lattices near quadrilaterals: each is looked at once, and those that fit best are followed on."""
    first: list[Hypothesis] = []
    for quad in quads:
        if any(hypothesis.score > SURE and covers(hypothesis.lattice, quad) for hypothesis in first):
            continue  # the same board again
        glance = settle(image, quad, sizes, rounds=1)
        if glance is not None:
            first.append(Hypothesis(glance.lattice, glance.score, "network"))
    first.sort(key=lambda hypothesis: -hypothesis.score)
    found: list[Hypothesis] = []
    for hypothesis in first[:_FOLLOWED]:
        corners = hypothesis.lattice.corners()
        if any(other.score > SURE and covers(other.lattice, corners) for other in found):
            continue
        best = settle(image, corners, sizes, rounds=3)
        score = max(hypothesis.score, best.score if best else hypothesis.score)
        lattice = best.lattice if best and best.score >= hypothesis.score else hypothesis.lattice
        found.append(Hypothesis(lattice.oriented(), score, "network"))
    return sorted(found, key=lambda hypothesis: -hypothesis.score)


@dataclass(frozen=True)
class Glance:
    """The finder's answer for a picture of `width` x `height` pixels.

    corners, board: its maps (80, 80), 0 to 1. to_pixels: the homography from their cells to the picture.
    """

    width: int
    height: int
    corners: Map
    board: Map
    to_pixels: Floats


def look(image: Image) -> Glance:
    """The whole picture as the finder sees it."""
    height, width = image.shape[:2]
    box = letterbox(width, height)
    view = warp(image, inverse(box), (FINDER.side, FINDER.side), 1 / box[0, 0], cv2.BORDER_CONSTANT)
    _, corners, board = sigmoid(run("finder", inputs(view))["heat"][0])
    middle = (FINDER.stride - 1) / 2
    to_view = translation(middle, middle) @ np.diag([FINDER.stride, FINDER.stride, 1.0])
    return Glance(width, height, corners, board, inverse(box) @ to_view)


def small_areas(glance: Glance) -> list[tuple[int, int, int, int]]:
    """Left, top, right, bottom of parts of a picture around what may be boards much smaller than it, largest first."""
    height, width, scale = glance.height, glance.width, glance.to_pixels[0, 0]
    _, _, boxes, middles = cv2.connectedComponentsWithStats((glance.board > _MAYBE).astype(np.uint8))
    found = []
    parts = sorted(zip(boxes[1:].tolist(), middles[1:], strict=True), key=lambda part: -part[0][4])
    for (_, _, wide, tall, area), middle in parts:
        reach = 0.5 * _AROUND * max(wide, tall) * scale
        if area < _SPECK or 2 * reach > _SMALL * max(height, width):
            continue
        x, y = apply(glance.to_pixels, middle)
        left, top = max(0, int(x - reach)), max(0, int(y - reach))
        right, bottom = min(width, int(x + reach) + 1), min(height, int(y + reach) + 1)
        if min(right - left, bottom - top) > FINDER.stride:
            found.append((left, top, right, bottom))
    return found[:_BOARDS]


def covers(lattice: Lattice, quad: Floats) -> bool:
    """Whether the middle of a quadrilateral lies on a board."""
    place = lattice.locate(quad.mean(0))
    return bool((place > -0.5).all() and (place < lattice.size - 0.5).all())


def propose(glance: Glance) -> list[Floats]:
    """Up to a few quadrilaterals (4, 2) in pixels that may be boards, likeliest first."""
    peaks, heights = maxima(glance.corners)
    scored = [(score, quad) for quad, score in quads(peaks, heights, glance.board)]
    scored += [(0.0, quad) for quad in outlines(glance.board)]
    scored.sort(key=lambda item: -item[0])
    places: list[list[Floats]] = []
    for _, quad in scored:
        place = next((place for place in places if overlap(quad, place[0]) > 0.5), None)
        if place is None and len(places) < _BOARDS:
            places.append([quad])
        elif place is not None and len(place) < _QUADS and all(np.abs(quad - other).max() > 1.5 for other in place):
            place.append(quad)
    return [apply(glance.to_pixels, quad) for place in places for quad in place]


def quads(peaks: Floats, heights: Floats, board: Map) -> list[tuple[Floats, float]]:
    """Convex quadrilaterals of peaks, each scored by their heights and its agreement with a part of the board's map."""
    found = []
    count, parts = cv2.connectedComponents((board > 0.85).astype(np.uint8))
    areas = [board * (parts == part) for part in range(1, min(count, 8)) if (parts == part).sum() > 30]
    areas = [board, *(areas if len(areas) > 1 else [])]
    totals = [float(area.sum()) + 1e-6 for area in areas]
    for chosen in combinations(range(len(peaks)), 4):
        quad = around(peaks[list(chosen)])
        if not is_convex(quad) or steepness(quad) > _STEEPEST:
            continue
        inside = np.zeros(board.shape, np.float32)
        cv2.fillConvexPoly(inside, np.round(quad * 16).astype(np.int32), 1.0, cv2.LINE_8, 4)
        both = np.array([float((inside * area).sum()) for area in areas])
        agreement = float((both / (float(inside.sum()) + np.array(totals) - both + 1e-6)).max())
        if agreement > 0.3:
            found.append((quad, 4 * agreement + float(np.log(heights[list(chosen)] + 1e-3).mean())))
    return found


def steepness(quad: Floats) -> float:
    """How many times as long as the side opposite a side of a quadrilateral (4, 2) is, at most."""
    sides = np.linalg.norm(np.roll(quad, -1, 0) - quad, axis=1)
    ratio = sides[:2] / np.maximum(sides[2:], 1e-6)
    return float(np.maximum(ratio, 1 / np.maximum(ratio, 1e-6)).max())


def overlap(one: Floats, other: Floats) -> float:
    """The common area of two convex quadrilaterals as a share of their union."""
    areas = [cv2.contourArea(quad.astype(np.float32)) for quad in (one, other)]
    both, _ = cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))
    return float(both / max(sum(areas) - both, 1e-6))


def outlines(board: Map) -> list[Floats]:
    """Return quadrilaterals around likely boards, largest first, for boards whose corners do not show."""
    contours, _ = cv2.findContours((board > 0.5).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    found = []
    for contour in sorted(contours, key=cv2.contourArea, reverse=True)[:_BOARDS]:
        if cv2.contourArea(contour) < 60:
            continue
        hull = cv2.convexHull(contour)
        for loose in np.linspace(0.02, 0.15, 14):
            shape = cv2.approxPolyDP(hull, loose * cv2.arcLength(hull, True), True)
            if len(shape) == 4:
                found.append(around(shape[:, 0].astype(float)))
                break
        else:
            found.append(around(np.asarray(cv2.boxPoints(cv2.minAreaRect(hull)), float)))
    return found


def settle(image: Image, quad: Floats, sizes: Sequence[int], rounds: int = 4) -> fit.Fit | None:
    """The lattice near a quadrilateral: looked at, moved to where its points are, and looked at again."""
    best: fit.Fit | None = None
    if not is_convex(quad):
        return None
    lattice = Lattice.from_corners(quad, 19)
    for _ in range(rounds):
        maps, kinds, forward = examine(image, lattice)
        fitted = fit.fit(maps[0], maps[1], kinds, sizes)
        if fitted is None:
            break
        back = inverse(forward) @ fit.TO_VIEW
        moved = Lattice(fitted.lattice.size, back @ fitted.lattice.homography, fitted.lattice.cells)
        if not is_convex(moved.corners()):
            break
        step = np.abs(moved.corners() - lattice.corners()).max() / moved.cell()
        same = moved.size == lattice.size
        if best is None or fitted.score > best.score:
            best = fit.Fit(moved, fitted.score)
        lattice = moved
        if same and step < 0.15:
            break
    return best


def examine(image: Image, lattice: Lattice) -> tuple[Map, Map, Floats]:
    """The refiner's maps (3, h, w) of a board roughly rectified, its sizes, and the homography to the view of it."""
    forward = look_at(lattice)
    spread = lattice.cell() * (lattice.size - 1 + lattice.cells)
    shape = (REFINER.side, REFINER.side)
    view = warp(image, inverse(forward), shape, spread / REFINER.side, cv2.BORDER_REPLICATE)
    return *refined(view.tobytes()), forward


@lru_cache(maxsize=_REMEMBERED)
def refined(view: bytes) -> tuple[Map, Map]:
    """The refiner's maps and sizes of a view (side, side, 3) of 8 bits: several finders ask about the same places."""
    answer = run("refiner", inputs(np.frombuffer(view, np.uint8).reshape(REFINER.side, REFINER.side, 3)))
    return sigmoid(answer["heat"][0]), softmax(answer["kind"][0])


def maxima(heat: Map) -> tuple[Floats, Floats]:
    """Peaks (k, 2) of a map as (x, y) between its cells, and their heights (k,), highest first."""
    high = (heat == cv2.dilate(heat, np.ones((5, 5), np.uint8))) & (heat > _FAINTEST)
    rows, columns = np.nonzero(high)
    order = np.argsort(-heat[rows, columns])[:_PEAKS]
    padded = np.pad(heat, 2)
    reach = np.arange(-2, 3)
    points = []
    for row, column in zip(rows[order], columns[order], strict=True):
        patch = padded[row : row + 5, column : column + 5]
        weight = patch.sum()
        points.append([column + (patch.sum(0) @ reach) / weight, row + (patch.sum(1) @ reach) / weight])
    return np.array(points, np.float64).reshape(-1, 2), heat[rows[order], columns[order]].astype(np.float64)


def around(quad: Floats) -> Floats:
    """Four points in the order in which they surround their middle."""
    offset = quad - quad.mean(0)
    return np.asarray(quad[np.argsort(np.arctan2(offset[:, 1], offset[:, 0]))], float)


def inputs(view: Image) -> Map:
    """A view (h, w, 3) as the input (1, 3, h, w) of a network."""
    return np.ascontiguousarray(view.transpose(2, 0, 1)[None], np.float32) / np.float32(255)


def sigmoid(x: Map) -> Map:
    return np.asarray(1 / (1 + np.exp(-np.clip(x, -30, 30))), np.float32)


def softmax(x: Map) -> Map:
    high = np.exp(x - x.max())
    return np.asarray(high / high.sum(), np.float32)
