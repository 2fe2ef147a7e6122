"""A lattice on the lines of a board: two pencils of line segments, and in each of them equal spacing.

Segments meet in vanishing points. Two of those make the picture upright up to scale: what is a board is then two sets
of parallel lines at equal distances, found as combs in the histograms of the segments. What remains is where the board
ends: `extents` looks at that in the picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from tengen.tools.photo.find.extents import distinct, settle
from tengen.tools.photo.geometry import Floats, Image, Lattice, apply, translation
from tengen.tools.photo.results import Hypothesis

_WORKING = 640
_PENCILS = 4
_CLOSE = np.deg2rad(2.0)
_SAMPLES = 400
_KEPT = 5


@dataclass(frozen=True)
class Segments:
    """Line segments: `ends` (k, 2, 2) in pixels, `lines` (k, 3) homogeneous, `lengths` (k)."""

    ends: Floats
    lines: Floats
    lengths: Floats

    @classmethod
    def of(cls, ends: Floats) -> Segments:
        lifted = np.concatenate([ends, np.ones((len(ends), 2, 1))], -1)
        lines = np.cross(lifted[:, 0], lifted[:, 1])
        return cls(ends, lines, np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1))

    def chosen(self, mask: NDArray[np.bool_]) -> Segments:
        return Segments(self.ends[mask], self.lines[mask], self.lengths[mask])

    @property
    def middles(self) -> Floats:
        return np.asarray(self.ends.mean(1), np.float64)


def find(image: Image, sizes: Sequence[int]) -> list[Hypothesis]:
    """Lattices on the lines of a picture, best first, at most five; boards of squares (size 8) are not looked for."""
    factor = min(1.0, _WORKING / max(image.shape[:2]))
    small = image
    if factor < 1:
        small = np.asarray(cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)
    segments = detect(small)
    if len(segments.lengths) < 8:
        return []
    rng = np.random.default_rng(1)
    found: list[Hypothesis] = []
    for lattice in seeds(segments, small.shape, rng)[:3]:
        settled = settle(small, lattice, sizes, "lines")
        found.extend(settled)
        if any(hypothesis.score > 1.75 for hypothesis in settled):
            break
    return [
        Hypothesis(one.lattice.scaled(1 / factor).oriented(), one.score, one.source) for one in distinct(found)[:_KEPT]
    ]


def detect(image: Image) -> Segments:
    """The line segments (LSD) of a picture that are longer than a fiftieth of it."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    raw = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD, 1.0).detect(grey)[0]
    if raw is None:
        return Segments.of(np.zeros((0, 2, 2)))
    ends = np.asarray(raw, np.float64).reshape(-1, 2, 2)
    segments = Segments.of(ends)
    segments = segments.chosen(segments.lengths > 0.015 * max(grey.shape))
    longest = np.argsort(-segments.lengths)[:1500]
    return Segments(segments.ends[longest], segments.lines[longest], segments.lengths[longest])


def misfits(segments: Segments, points: Floats) -> Floats:
    """Angles (p, k) between segments and the directions from their middles to homogeneous points (p, 3)."""
    middles = segments.middles
    toward = points[:, None, :2] - points[:, None, 2:] * middles[None]
    along = segments.ends[:, 1] - segments.ends[:, 0]
    cross = np.abs(toward[..., 0] * along[None, :, 1] - toward[..., 1] * along[None, :, 0])
    size = np.linalg.norm(toward, axis=-1) * segments.lengths[None] + 1e-12
    return np.asarray(np.arcsin(np.clip(cross / size, 0, 1)), np.float64)


def pencils(segments: Segments, rng: np.random.Generator) -> list[tuple[Floats, NDArray[np.bool_]]]:
    """Vanishing points (3,) with the segments that aim at them, by RANSAC, the strongest first."""
    free = np.ones(len(segments.lengths), bool)
    found = []
    for _ in range(_PENCILS):
        index = np.flatnonzero(free)
        if len(index) < 6:
            break
        rest = segments.chosen(free)
        chance = rest.lengths / rest.lengths.sum()
        pairs = rng.choice(len(index), (_SAMPLES, 2), p=chance)
        points = np.cross(rest.lines[pairs[:, 0]], rest.lines[pairs[:, 1]])
        norms = np.linalg.norm(points, axis=1)
        points = points[norms > 1e-9] / norms[norms > 1e-9, None]
        if not len(points):
            break
        close = misfits(rest, points) < _CLOSE
        # the square root: many lines of a board against one long edge
        worth = (close * np.sqrt(rest.lengths)[None]).sum(1)
        point = points[int(worth.argmax())]
        for _ in range(2):
            mask = misfits(rest, point[None])[0] < _CLOSE
            point = vanishing_point(rest.chosen(mask), point)
        mask = misfits(rest, point[None])[0] < _CLOSE
        members = np.zeros(len(free), bool)
        members[index[mask]] = True
        found.append((point, members))
        free &= ~members
    return found


def vanishing_point(segments: Segments, guess: Floats) -> Floats:
    """The homogeneous point (3,) that lies on most of the segments' lines, least squares in normal directions."""
    if len(segments.lengths) < 3:
        return guess
    middle = segments.middles.mean(0)
    scale = 300.0
    shift = np.diag([1 / scale, 1 / scale, 1.0]) @ translation(-middle[0], -middle[1])
    ends = apply(shift, segments.ends)
    moved = Segments.of(ends)
    rows = moved.lines / np.linalg.norm(moved.lines[:, :2], axis=1)[:, None]
    rows *= np.sqrt(segments.lengths)[:, None]
    _, _, axes = np.linalg.svd(rows, full_matrices=False)
    point = np.linalg.inv(shift) @ axes[-1]
    return np.asarray(point / np.linalg.norm(point), np.float64)


def seeds(segments: Segments, shape: tuple[int, ...], rng: np.random.Generator) -> list[Lattice]:
    """Patches of lattice where two pencils cross, best first."""
    found = []
    fans = pencils(segments, rng)
    for (one, first), (other, second) in combinations(fans, 2):
        upright = straightener(one, other, shape)
        if upright is None:
            continue
        across = comb(apply(upright, segments.chosen(first).ends), segments.lengths[first], 0)
        down = comb(apply(upright, segments.chosen(second).ends), segments.lengths[second], 1)
        back = np.linalg.inv(upright)
        for (worth, x, right), (worth_too, y, below) in ((a, b) for a in across for b in down):
            homography = back @ translation(x, y) @ np.diag([right, below, 1.0])
            patch = patch_of(homography, segments.chosen(first | second), shape)
            if patch is not None:
                found.append((worth * worth_too, patch))
    found.sort(key=lambda pair: -pair[0])
    return [patch for _, patch in found]


def straightener(one: Floats, other: Floats, shape: tuple[int, ...]) -> Floats | None:
    """The homography that sends two vanishing points to infinity, the first along y; None if they are too alike."""
    height, width = shape[:2]
    middle = np.array([width / 2, height / 2, 1.0])
    toward = [point[:2] - point[2] * middle[:2] for point in (one, other)]
    units = [step / (np.linalg.norm(step) + 1e-12) for step in toward]
    if abs(units[0][0] * units[1][1] - units[0][1] * units[1][0]) < 0.35:
        return None
    horizon = np.cross(one, other)
    if abs(horizon @ middle) < 1e-12:
        return None
    horizon = horizon / (horizon @ middle)
    corners = np.array([[0, 0, 1], [width, 0, 1], [0, height, 1], [width, height, 1.0]])
    if (corners @ horizon < 0.12).sum() > 2:
        return None
    projective = np.array([[1.0, 0, 0], [0, 1.0, 0], horizon])
    down, right = (projective @ point for point in (one, other))
    basis = np.column_stack([right[:2] / np.linalg.norm(right[:2]), down[:2] / np.linalg.norm(down[:2])])
    affine = np.eye(3)
    affine[:2, :2] = np.linalg.inv(basis)
    return np.asarray(affine @ projective, np.float64)


def comb(ends: Floats, lengths: Floats, axis: int) -> list[tuple[float, float, float]]:
    """Spacings of the lines of an upright pencil: (worth, offset, spacing), best first, at most three.

    The worth is the strength of that frequency in the histogram of the segments, 0..1; 4 to 45 lines are looked for.
    """
    places = ends[..., axis].mean(1)
    order = np.argsort(places)
    places, weights = places[order], np.minimum(lengths[order], np.percentile(lengths, 90))
    low, high = np.percentile(places, [2, 98])
    span = high - low
    if span < 1e-6 or len(places) < 6:
        return []
    bins = 1024
    histogram, _ = np.histogram(places, bins, (low - 0.05 * span, high + 0.05 * span), weights=weights)
    smooth = cv2.GaussianBlur(histogram.astype(np.float32)[None], (0, 0), 2.0)[0]
    clipped = np.minimum(smooth, np.percentile(smooth[smooth > 0], 90))
    spectrum = np.fft.rfft(clipped - clipped.mean(), 8192)
    frequencies = np.arange(len(spectrum)) / 8192
    power = np.abs(spectrum)
    found = []
    usable = (frequencies > 4 / bins) & (frequencies < 45 / bins)
    total = np.where(usable, power, 0.0)
    peaks = np.flatnonzero((total[1:-1] >= total[:-2]) & (total[1:-1] > total[2:])) + 1
    for peak in peaks[np.argsort(-total[peaks])][:3]:
        spacing = 1 / frequencies[peak]
        phase = -np.angle(spectrum[peak]) / (2 * np.pi) * spacing
        unit = 1.1 * span / bins
        offset = low - 0.05 * span + (phase + 0.5) * unit
        found.append((float(total[peak] / (clipped.sum() + 1e-9)), float(offset), float(spacing * unit)))
    return found


def patch_of(homography: Floats, segments: Segments, shape: tuple[int, ...]) -> Lattice | None:
    """The nine by nine points of a lattice where most segments are; None where it is degenerate."""
    lattice = Lattice(9, homography)
    places = lattice.locate(segments.middles)
    usual = np.isfinite(places).all(1) & (np.abs(places) < 200).all(1)
    if usual.sum() < 8:
        return None
    middle = np.average(np.clip(places[usual], *np.percentile(places[usual], [10, 90], axis=0)), axis=0)
    corner = np.rint(middle - 4)
    patch = lattice.shifted(int(corner[0]), int(corner[1]))
    corners = patch.corners()
    height, width = shape[:2]
    if not np.isfinite(corners).all() or (corners < -width).any() or (corners > 2 * max(width, height)).any():
        return None
    cell = patch.cell()
    return patch if 5 < cell < 0.2 * max(width, height) else None
