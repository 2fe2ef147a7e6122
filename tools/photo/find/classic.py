"""The classic finder, `--detector classic`: the baseline that the others are measured against.

The pipeline that most programs for reading boards use: grey, blur, Canny's edges, Hough's lines, the two directions of
the lines, their intersections, intersections that lie close together made one, the outermost of them as the corners,
a lattice between these. Every threshold is fixed, for pictures whose longer side is `SIDE` pixels.

It leaves out what makes such a pipeline fail, and the other finders exist for: a table's edge or a book in the picture
gives lines too, and then the outermost intersection is not a corner; a line under many stones gets few votes, and so
does one between the directions that are counted; one missing line at the side moves two corners by a cell; soft focus
or dim light gives no edges at this threshold; nothing checks that the lines are equally far apart. The size is a guess
from the number of intersections. Of photos taken by others such pipelines find all corners in 5 to 14 of 100.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from tengen.tools.photo.geometry import Floats, Image, Lattice
from tengen.tools.photo.results import Hypothesis

SIDE = 800
BLUR = 5
EDGES = (50, 150)
VOTES = 200
"""Of 80, 100, 120, 150, 200 and 250 the one that finds most boards of the validation set: 7 of 54 photos."""
STRONGEST = 300
"""Lines at most: Hough's answer is ordered by votes."""
JOIN = 8
"""Intersections that are nearer than this are one, pixels."""
CROSSING = np.pi / 6
"""The least angle between lines whose intersection counts."""
NEAR = 0.25
"""Cells from a point of the lattice within which an intersection speaks for it."""


def find(image: Image, sizes: Sequence[int]) -> list[Hypothesis]:
    """One lattice or none. The score is the share of its points that lie on an intersection, 0 to 1."""
    scale = min(1.0, SIDE / max(image.shape[:2]))
    small = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    first, second = directions(lines(small))
    crossings = clusters(intersections(first, second), small.shape[0], small.shape[1])
    if len(crossings) < 4:
        return []
    try:
        lattice = Lattice.from_corners(outermost(crossings), nearest_size(len(crossings), sizes))
    except ValueError:
        return []
    return [Hypothesis(lattice.scaled(1 / scale), agreement(lattice, crossings), "classic")]


def lines(image: Image) -> Floats:
    """Hough's lines (n, 2) of a picture, most votes first: distance from the origin in pixels, angle of the normal."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    edges = cv2.Canny(cv2.GaussianBlur(grey, (BLUR, BLUR), 0), *EDGES)
    found = cv2.HoughLines(edges, 1, np.pi / 180, VOTES)
    return np.zeros((0, 2)) if found is None else np.asarray(found, np.float64).reshape(-1, 2)[:STRONGEST]


def directions(found: Floats) -> tuple[Floats, Floats]:
    """The lines of the two main directions: 2-means of the normals, doubled so that opposite ones are alike."""
    if len(found) < 4:
        return found, found[:0]
    normals = np.stack([np.cos(2 * found[:, 1]), np.sin(2 * found[:, 1])], 1).astype(np.float32)
    middles = normals[[0, int(((normals - normals[0]) ** 2).sum(1).argmax())]]
    near_second = np.zeros(len(found), bool)
    for _ in range(10):
        distances = ((normals[:, None] - middles[None]) ** 2).sum(-1)
        near_second = distances[:, 1] < distances[:, 0]
        if not 0 < near_second.sum() < len(found):
            break
        middles = np.stack([normals[~near_second].mean(0), normals[near_second].mean(0)])
    return found[~near_second], found[near_second]


def intersections(first: Floats, second: Floats) -> Floats:
    """Where lines (n, 2) and (m, 2) meet at no small angle: points (k, 2), k <= n m."""
    rho, theta = first[:, None, 0], first[:, None, 1]
    other_rho, other_theta = second[None, :, 0], second[None, :, 1]
    sine = np.sin(other_theta - theta)
    steep = np.abs(sine) > np.sin(CROSSING)
    sine = np.where(steep, sine, 1.0)
    x = (rho * np.sin(other_theta) - other_rho * np.sin(theta)) / sine
    y = (other_rho * np.cos(theta) - rho * np.cos(other_theta)) / sine
    return np.asarray(np.stack([x, y], -1)[steep], np.float64)


def clusters(points: Floats, height: int, width: int) -> Floats:
    """The middles (k, 2) of groups of points inside the picture of which each is nearer than JOIN to another."""
    inside = (points >= 0).all(1) & (points[:, 0] < width) & (points[:, 1] < height)
    mask = np.zeros((height, width), np.uint8)
    for x, y in np.rint(points[inside]).astype(int).tolist():
        cv2.circle(mask, (x, y), JOIN // 2, 255, -1)
    _, _, _, middles = cv2.connectedComponentsWithStats(mask)
    return np.asarray(middles[1:], np.float64)


def outermost(points: Floats) -> Floats:
    """The corners (4, 2) by the largest and smallest sum and difference of the coordinates, upper left first."""
    total, difference = points.sum(1), points[:, 0] - points[:, 1]
    return points[[total.argmin(), difference.argmax(), total.argmax(), difference.argmin()]]


def nearest_size(count: int, sizes: Sequence[int]) -> int:
    """The size whose board has about this many points.

    A board of squares has one line more a side, so that its lines look like those of 9x9: it is taken for that one
    where both are looked for.
    """
    return min(sizes, key=lambda size: (abs(np.sqrt(count) - (size + 1 if size == 8 else size)), -size))


def agreement(lattice: Lattice, crossings: Floats) -> float:
    """The share of the lattice's points that have an intersection within NEAR cells.

    Of a board of squares these are the corners of the squares.
    """
    low, side = (-0.5, lattice.size + 1) if lattice.cells else (0.0, lattice.size)
    located = lattice.locate(crossings) - low
    nearest = np.rint(located)
    near = (np.abs(located - nearest) < NEAR).all(1) & (nearest >= 0).all(1) & (nearest < side).all(1)
    return len(np.unique(nearest[near], axis=0)) / side**2
