"""A lattice that is nearly right made exactly right by the lines of the board.

A start may be off by some 0.4 cell; a size or an offset that is wrong is not mended here but judged, see `support`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tengen.tools.photo.find.evidence import PITCH, Flat, Plane, View, profiles, ridges
from tengen.tools.photo.geometry import Floats, Image, Lattice, translation

WINDOWS = ((0.3, 0.15), (0.2, 0.08), (0.15, 0.06))
"""How far from a line its segments are looked for, and the scale of the robust fit, of every round, in cells."""
HALF = PITCH // 2


@dataclass(frozen=True)
class Offsets:
    """Measured displacements, in cells, along x (`axis` 0) or y (1) at normalised board places (k, 2) in -1..1."""

    places: Floats
    axes: Floats
    values: Floats
    weights: Floats


def refine(image: Image, lattice: Lattice, rounds: int = len(WINDOWS)) -> Lattice:
    """The lattice moved onto the lines of the picture; the start itself where that does not raise `line_score`."""
    view = View.of(image, lattice)
    flat = view.flatten(lattice)
    polarity = choose_polarity(flat)
    best, best_score = lattice, line_score(flat, polarity)
    current = moved(lattice, solve(blocks(flat, polarity), 0.2))
    for window, scale in WINDOWS[:rounds]:
        flat = view.flatten(current)
        score = line_score(flat, polarity)
        if score > best_score:
            best, best_score = current, score
        current = moved(current, solve(segments(flat, polarity, window), scale))
    return current if line_score(view.flatten(current), polarity) > best_score else best


def both(flat: Flat, polarity: int, reach: int, beyond: int = 0) -> tuple[Plane, Plane]:
    """Profiles of the columns' segments and of the rows', see `evidence.profiles`."""
    columns = profiles(ridges(flat.light, polarity), flat.size, reach, beyond)
    rows = profiles(ridges(np.ascontiguousarray(flat.light.T), polarity), flat.size, reach, beyond)
    return columns, rows


def choose_polarity(flat: Flat) -> int:
    """1 where the lines are darker than the board, -1 where they are lighter."""
    peaks = []
    for polarity in (1, -1):
        combs = [profile.reshape(-1, 2 * HALF + 1).mean(0) for profile in both(flat, polarity, HALF)]
        peaks.append(sum(float(comb.max() - np.median(comb)) for comb in combs))
    return 1 if peaks[0] >= peaks[1] else -1


def line_score(flat: Flat, polarity: int) -> float:
    """How much more the response is on the lines than midway between them, -1..1; a perfect empty board has about 0.9."""
    total = 0.0
    for profile in both(flat, polarity, HALF):
        on = profile[..., HALF - 1 : HALF + 2].max(-1)
        off = np.concatenate([profile[..., :3], profile[..., -3:]], -1).max(-1)
        total += float((on - off).mean()) / 2
    return total


def blocks(flat: Flat, polarity: int) -> Offsets:
    """Offsets of thirds of the board, each from the sum of the profiles of all its lines: sure, but coarse."""
    found = []
    parts = np.array_split(np.arange(flat.size), 3)
    spans = [(part[0], part[-1]) for part in parts]
    for axis, profile in enumerate(both(flat, polarity, HALF)):
        for first, last in spans:
            for low, high in spans:
                comb = profile[low : high + 1, first : last + 1].mean((0, 1))
                peaked = comb * (1 - 0.4 * (np.arange(-HALF, HALF + 1) / HALF) ** 2)
                at = int(peaked.argmax())
                contrast = float(comb[at] - np.median(comb))
                place = ((first + last) / 2, min((low + high + 1) / 2, flat.size - 1))
                found.append((axis, place, (at - HALF + sub_pixel(comb, at)) / PITCH, max(contrast, 0.0)))
    places = np.array([place if axis == 0 else place[::-1] for axis, place, _, _ in found])
    middle = (flat.size - 1) / 2
    return Offsets(
        places / middle - 1,
        np.array([axis for axis, _, _, _ in found]),
        np.array([value for _, _, value, _ in found]),
        np.array([weight for _, _, _, weight in found]),
    )


def sub_pixel(comb: Plane, at: int) -> float:
    """The place of a peak between samples, -0.5..0.5, by the parabola through three of them."""
    if not 0 < at < len(comb) - 1:
        return 0.0
    left, top, right = (float(value) for value in comb[at - 1 : at + 2])
    bend = left - 2 * top + right
    return float(np.clip(0.5 * (left - right) / bend, -0.5, 0.5)) if bend < -1e-9 else 0.0


def segments(flat: Flat, polarity: int, window: float) -> Offsets:
    """Offsets of all line segments from one point to the next that show a line within `window` cells."""
    reach = max(3, round(window * PITCH))
    middle = (flat.size - 1) / 2
    lines, along = np.meshgrid(np.arange(flat.size), np.arange(flat.size - 1) + 0.5)
    result = []
    for axis, profile in enumerate(both(flat, polarity, reach + 1)):
        steps = np.arange(-reach, reach + 1)
        near = profile[..., 1:-1] * np.exp(-0.5 * (steps / (0.8 * reach)) ** 2).astype(np.float32)
        at = near.argmax(-1)[..., None] + 1
        left, top, right = (np.take_along_axis(profile, at + step, -1)[..., 0] for step in (-1, 0, 1))
        bend = np.minimum(left - 2 * top + right, -1e-6)
        values = (at[..., 0] - 1 - reach + np.clip(0.5 * (left - right) / bend, -0.5, 0.5)) / PITCH
        contrast = np.maximum(top - np.median(profile, -1), 0)
        places = np.stack([lines, along] if axis == 0 else [along, lines], -1) / middle - 1
        result.append((places.reshape(-1, 2), np.full(lines.size, axis), values.ravel(), contrast.ravel() ** 2))
    places, axes, values, weights = (np.concatenate(part) for part in zip(*result, strict=True))
    return Offsets(places.astype(np.float64), axes, values.astype(np.float64), weights.astype(np.float64))


def solve(offsets: Offsets, scale: float) -> Floats:
    """The eight numbers of the small homography that explains most offsets: Tukey's weights, `scale` in cells.

    With normalised places (u, v): dx = a + b u + c v + u (g u + h v) and dy = d + e u + f v + v (g u + h v). A weak
    prior keeps what is not measured at rest.
    """
    u, v = offsets.places.T
    one, none = np.ones_like(u), np.zeros_like(u)
    across = np.stack([one, u, v, none, none, none, u * u, u * v], 1)
    down = np.stack([none, none, none, one, u, v, u * v, v * v], 1)
    design = np.where(offsets.axes[:, None] == 0, across, down)
    prior = np.diag([1.0, 1, 1, 1, 1, 1, 3, 3]) * 0.01 * max(float(offsets.weights.sum()), 1e-9)
    weights = offsets.weights
    answer = np.zeros(8)
    for step in range(8):
        weighted = design * weights[:, None]
        answer = np.linalg.solve(weighted.T @ design + prior, weighted.T @ offsets.values)
        spread = scale * (3.0, 2.0, 1.5)[min(step, 2)] * 2
        misfit = (offsets.values - design @ answer) / spread
        weights = offsets.weights * np.maximum(1 - misfit**2, 0) ** 2
    return np.asarray(answer, np.float64)


def moved(lattice: Lattice, answer: Floats) -> Lattice:
    """The lattice displaced by the small homography of `solve`."""
    middle = (lattice.size - 1) / 2
    a, b, c, d, e, f, g, h = answer / middle
    update = np.array([[1 + b, c, a], [e, 1 + f, d], [-g, -h, 1.0]])
    normalise = np.diag([1 / middle, 1 / middle, 1.0]) @ translation(-middle, -middle)
    return replace(lattice, homography=lattice.homography @ np.linalg.inv(normalise) @ update @ normalise)
