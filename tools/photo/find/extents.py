"""Find the ends of a board whose lines are known: the best sizes and offsets of a lattice that is right up to whole
lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tengen.tools.photo.find.evidence import View
from tengen.tools.photo.find.refine import Scene, choose_polarity, refine
from tengen.tools.photo.find.support import Evidence, Support, covered, support, weigh
from tengen.tools.photo.geometry import Floats, Image, Lattice
from tengen.tools.photo.results import Hypothesis

_LARGEST = 40
"""Lines of the widest lattice that is looked at."""
_WEIGHED = 12
_PROMISING = 1.0
"""A patch whose best board has less support is not followed: the lines of right ones have 1.2 and more."""


def extents(
    image: Image, lattice: Lattice, sizes: Sequence[int], keep: int = 3, polarity: int | None = None
) -> list[tuple[Lattice, Support]]:
    """The best lattices of these sizes that have the points of this one, with their support, best first.

    The lattice is continued as far as the picture goes, at most to 40 lines.
    """
    if polarity is None:
        polarity = choose_polarity(View.of(image, lattice).flatten(lattice))
    wide, _ = continued(lattice, image.shape)
    scene = Scene.of(image, wide, polarity)
    seen = Evidence.of(scene, wide)
    found = []
    for size in sizes:
        if size == 8 or size > wide.size:
            continue
        scores = quick_scores(seen, size)
        for flat in np.argsort(-scores, axis=None)[:_WEIGHED]:
            row, column = (int(value) for value in np.unravel_index(flat, scores.shape))
            found.append((weigh(seen.window(column, row, size)), size, column, row))
    found.sort(key=lambda one: -one[0].score)
    lattices = [(replace(wide.shifted(column, row), size=size), worth) for worth, size, column, row in found]
    return [pair for pair in lattices if is_seen(pair[0])][:keep]


def is_seen(lattice: Lattice) -> bool:
    """Whether all of the lattice lies before the viewer, its farthest corner less than eight times as far as the next.

    A homography of noise usually does not.
    """
    if not np.isfinite(lattice.homography).all():
        return False
    grid = np.array([[0.0, 0], [lattice.size - 1, 0], [lattice.size - 1, lattice.size - 1], [0, lattice.size - 1]])
    depth = grid @ lattice.homography[2, :2] + lattice.homography[2, 2]
    depth = depth * np.sign(depth[0])
    if depth.min() < 0.12 * depth.max():
        return False
    sides = np.diff(lattice.project(np.vstack([grid, grid[:2]])), axis=0)
    turns = sides[:-1, 0] * sides[1:, 1] - sides[:-1, 1] * sides[1:, 0]
    return bool((turns > 1e-3).all() or (turns < -1e-3).all())


def continued(lattice: Lattice, image_shape: tuple[int, ...]) -> tuple[Lattice, int]:
    """The lattice continued over the picture, a square of at most 40 lines, and how many come before its own."""
    height, width = image_shape[:2]
    middle = lattice.size // 2
    reach = [0, 0, 0, 0]
    steps = np.arange(1, _LARGEST)
    for side, (right, down) in enumerate(((-1, 0), (1, 0), (0, -1), (0, 1))):
        places = np.stack([middle + right * steps, middle + down * steps], -1).astype(float)
        depth = places @ lattice.homography[2, :2] + lattice.homography[2, 2]
        start = middle * lattice.homography[2, :2].sum() + lattice.homography[2, 2]
        ahead = depth * np.sign(start) > 0.25 * abs(start)
        pixels = lattice.project(places)
        margin = 0.15 * max(height, width)
        inside = ((pixels > -margin) & (pixels < (width + margin, height + margin))).all(1)
        usable = ahead & inside
        reach[side] = int(np.argmin(usable)) if not usable.all() else len(usable)
    before = min(max(reach[0], reach[2], middle), _LARGEST // 2)
    after = min(max(reach[1], reach[3], lattice.size - 1 - middle), _LARGEST // 2 - 1)
    size = before + after + 1
    return replace(lattice.shifted(middle - before, middle - before), size=size), before - middle


def quick_scores(seen: Evidence, size: int) -> Floats:
    """About the score of `weigh` for every offset [row, column] of this size."""
    columns = covered(seen.columns, seen.stones)
    rows = covered(seen.rows, seen.stones.T).T
    count = seen.size - size + 1
    at = np.arange(count)

    def means(plane: Floats, row: int, height: int, column: int, width: int) -> Floats:
        """Means of windows that begin at (row, column) beyond every offset: (count, count)."""
        total = np.pad(plane.cumsum(0).cumsum(1), ((1, 0), (1, 0)))
        top, left = at[:, None] + row, at[None, :] + column
        area = total[top + height, left + width] - total[top, left + width]
        return np.asarray((area - total[top + height, left] + total[top, left]) / (height * width), np.float64)

    inside = (means(columns, 1, size - 1, 1, size) + means(rows, 1, size, 1, size - 1)) / 2
    border = (
        means(columns, 1, size - 1, 1, 1) + means(columns, 1, size - 1, size, 1)
        + means(rows, 1, 1, 1, size - 1) + means(rows, size, 1, 1, size - 1)
    ) / 4  # fmt: skip
    right, down = np.maximum(seen.unbroken[1].T, 0), np.maximum(seen.unbroken[0], 0)
    outside = (
        means(right, 1, size, 0, 1) + means(right, 1, size, size, 1)
        + means(down, 0, 1, 1, size) + means(down, size, 1, 1, size)
    ) / 4  # fmt: skip
    return np.asarray(inside + np.minimum(border, inside + 0.1) - outside, np.float64)


def apart(one: Lattice, other: Lattice) -> bool:
    """Whether two lattices are of other sizes or have corners more than half a cell apart."""
    gaps = np.linalg.norm(one.corners() - other.corners(), axis=1)
    return one.size != other.size or bool(gaps.max() > 0.5 * other.cell())


def settle(image: Image, lattice: Lattice, sizes: Sequence[int], source: str) -> list[Hypothesis]:
    """From a patch of lines to boards: the patch refined, the board's extents, each refined, and once more."""
    patch = refine(image, lattice)
    if not is_seen(patch):
        return []
    found = []
    starts = extents(image, patch, sizes, 2)
    if max((worth.score for _, worth in starts), default=0.0) < _PROMISING:
        return []
    for start, _ in starts:
        refined = refine(image, start)
        found.append((support(image, refined).score, refined))
    score, best = max(found, key=lambda one: one[0])
    if score < _PROMISING:
        return []
    for again, evidence in extents(image, best, sizes, 3):
        if evidence.score > score - 0.6 and apart(again, best):
            refined = refine(image, again)
            found.append((support(image, refined).score, refined))
    return [Hypothesis(one, worth, source) for worth, one in found if is_seen(one)]


def distinct(hypotheses: Sequence[Hypothesis]) -> list[Hypothesis]:
    """The hypotheses best first, without those that are nearly the same as a better one."""
    best: list[Hypothesis] = []
    for hypothesis in sorted(hypotheses, key=lambda one: -one.score):
        if all(apart(hypothesis.lattice, other.lattice) for other in best):
            best.append(hypothesis)
    return best
