"""A lattice that is nearly right made exactly right by the lines of the board.

A start may be off by some 0.4 cell; a size or an offset that is wrong is not mended here but judged, see `support`.
Where stones hide the lines their middles help: with little weight, and less a common shift, because what is seen of a
stone lies above the board.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from tengen.tools.photo.find import discs
from tengen.tools.photo.find.evidence import MARGIN, PITCH, Flat, Plane, View, hide, profiles, ridges
from tengen.tools.photo.geometry import Floats, Image, Lattice, translation

WINDOWS = ((0.3, 0.15), (0.2, 0.08), (0.15, 0.06))
"""How far from a line its segments are looked for, and the scale of the robust fit, of every round, in cells."""
HALF = PITCH // 2


STONE = 0.46
"""The usual radius of a stone, in cells."""
_WEIGHT_OF_STONES = 0.1
_WORTH_OF_STONES = 0.2
_COMMON_SHIFT = 0.15
_FARTHEST = 0.8


@dataclass(frozen=True)
class Offsets:
    """Measured displacements, in cells, along x (`axis` 0) or y (1) at normalised board places (k, 2) in -1..1.

    `stones` (k) tells which were measured at stones.
    """

    places: Floats
    axes: Floats
    values: Floats
    weights: Floats
    stones: NDArray[np.bool_]

    @classmethod
    def join(cls, parts: list[Offsets]) -> Offsets:
        names = ("places", "axes", "values", "weights", "stones")
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


@dataclass(frozen=True)
class Scene:
    """The constant facts while a lattice moves: the picture, the colour of its lines, and its stones in pixels."""

    view: View
    polarity: int
    stones: Floats
    strength: Floats

    @classmethod
    def of(cls, image: Image, lattice: Lattice, polarity: int | None = None) -> Scene:
        """The scene around a lattice; the polarity of its lines is found out unless given."""
        view = View.of(image, lattice)
        flat = view.flatten(lattice)
        likely = polarity or choose_polarity(flat)
        found = discs.detect(flat.light, STONE * PITCH, likely)
        scene = cls(view, likely, lattice.project(found.middles / PITCH - MARGIN), found.strength)
        if polarity or not len(found.middles):
            return scene
        # the gaps between stones look like lines of the other colour
        hidden = hide(np.ones_like(flat.light), found.middles / PITCH - MARGIN) > 0
        return replace(scene, polarity=choose_polarity(flat, hidden))

    def responses(self, lattice: Lattice) -> tuple[Plane, Plane]:
        """The response to columns, and the response to rows, transposed, both blind where stones are."""
        flat = self.view.flatten(lattice)
        places = lattice.locate(self.stones)
        upright = ridges(flat.light, self.polarity) * flat.inside
        level = ridges(np.ascontiguousarray(flat.light.T), self.polarity) * flat.inside.T
        return hide(upright, places), hide(level, places[:, ::-1])


def refine(image: Image, lattice: Lattice, rounds: int = len(WINDOWS)) -> Lattice:
    """The lattice moved onto the lines of the picture; the start itself where that is no better by its scores.

    No corner moves more than 0.8 cell.
    """
    if lattice.cells:
        lines = refine(image, as_lines(lattice), rounds)
        return Lattice(lattice.size, lines.homography @ translation(0.5, 0.5), cells=True)
    start = lattice.corners()
    scene = Scene.of(image, lattice)
    planes = scene.responses(lattice)
    best, best_score = lattice, line_score(planes, lattice.size) + stone_score(scene, lattice)
    found = [blocks(planes, lattice.size), stone_blocks(scene, lattice)]
    current = moved(lattice, solve(Offsets.join(found), 0.2))
    for window, scale in WINDOWS[:rounds]:
        if np.linalg.norm(current.corners() - start, axis=1).max() > _FARTHEST * lattice.cell():
            return best
        planes = scene.responses(current)
        score = line_score(planes, current.size) + stone_score(scene, current)
        if score > best_score:
            best, best_score = current, score
        found = [segments(planes, current.size, window), stone_offsets(scene, current)]
        current = moved(current, solve(Offsets.join(found), scale))
    score = line_score(scene.responses(current), current.size) + stone_score(scene, current)
    return current if score > best_score else best


def as_lines(lattice: Lattice) -> Lattice:
    """The lines around the squares of a board of squares, as a lattice of one more line."""
    return Lattice(lattice.size + 1, lattice.homography @ translation(-0.5, -0.5))


def choose_polarity(flat: Flat, shown: NDArray[np.bool_] | None = None) -> int:
    """1 where the lines are darker than the board, -1 where they are lighter, by what is `shown` (side, side) of it."""
    seen = flat.inside if shown is None else flat.inside & shown
    peaks = []
    for polarity in (1, -1):
        total = 0.0
        for light, mask in ((flat.light, seen), (np.ascontiguousarray(flat.light.T), seen.T)):
            comb = profiles(ridges(light, polarity) * mask, flat.size, HALF).mean((0, 1))
            total += float(comb.max() - np.median(comb))
        peaks.append(total)
    return 1 if peaks[0] >= peaks[1] else -1


def line_score(planes: tuple[Plane, Plane], size: int) -> float:
    """How much more the response is on the lines than midway between them, -1..1; a clear empty board has 0.9."""
    total = 0.0
    for plane in planes:
        profile = profiles(plane, size, HALF)
        on = profile[..., HALF - 1 : HALF + 2].max(-1)
        off = np.concatenate([profile[..., :3], profile[..., -3:]], -1).max(-1)
        total += float((on - off).mean()) / 2
    return total


def stone_score(scene: Scene, lattice: Lattice) -> float:
    """A little more where stones are near points, a little less where they are between: -0.2..0.2, 0 without stones."""
    single = stone_offsets(scene, lattice)
    phase = np.cos(2 * np.pi * single.values)
    return float(_WORTH_OF_STONES * phase.sum() / max(len(phase), 40))


def blocks(planes: tuple[Plane, Plane], size: int) -> Offsets:
    """Offsets of thirds of the board, each from the sum of the profiles of all its lines: sure, but coarse."""
    places, axes, values, weights = [], [], [], []
    steps = np.arange(-HALF, HALF + 1) / HALF
    spans = [(int(part[0]), int(part[-1])) for part in np.array_split(np.arange(size), 3) if len(part)]
    for axis, plane in enumerate(planes):
        profile = profiles(plane, size, HALF)
        for (first, last), (low, high) in product(spans, spans):
            if low == size - 1:  # no segment begins there
                continue
            comb = profile[low : high + 1, first : last + 1].mean((0, 1))
            at = int((comb * (1 - 0.4 * steps**2)).argmax())
            place = ((first + last) / 2, min((low + high + 1) / 2, size - 1))
            places.append(place[:: 1 - 2 * axis])
            axes.append(axis)
            values.append((at - HALF + sub_pixel(comb, at)) / PITCH)
            weights.append(max(float(comb[at] - np.median(comb)), 0.0))
    around = np.array(places) / ((size - 1) / 2) - 1
    return Offsets(around, np.array(axes, float), np.array(values), np.array(weights), np.zeros(len(axes), bool))


def stone_offsets(scene: Scene, lattice: Lattice) -> Offsets:
    """Offsets of the stones from their nearest points."""
    seen = lattice.locate(scene.stones)
    nearest = np.rint(seen)
    near = (nearest >= 0).all(1) & (nearest < lattice.size).all(1) & (np.abs(seen - nearest).max(1) < 0.5)
    places = nearest[near] / ((lattice.size - 1) / 2) - 1
    weights = _WEIGHT_OF_STONES * scene.strength[near]
    count = len(places)
    return Offsets(
        np.concatenate([places, places]),
        np.repeat([0.0, 1.0], count),
        (seen - nearest)[near].T.ravel(),
        np.concatenate([weights, weights]),
        np.ones(2 * count, bool),
    )


def stone_blocks(scene: Scene, lattice: Lattice) -> Offsets:
    """Offsets of thirds of the board from the phase of the stones in them: right up to half a cell."""
    single = stone_offsets(scene, lattice)
    phases = np.exp(2j * np.pi * single.values) * single.weights
    thirds = np.clip(((single.places + 1) * 1.5).astype(int), 0, 2)
    places, axes, values, weights = [], [], [], []
    for axis, right, down in product((0, 1), (0, 1, 2), (0, 1, 2)):
        chosen = (single.axes == axis) & (thirds[:, 0] == right) & (thirds[:, 1] == down)
        if chosen.any():
            phase = phases[chosen].sum()
            places.append(single.places[chosen].mean(0))
            axes.append(float(axis))
            values.append(float(np.angle(phase)) / (2 * np.pi))
            weights.append(abs(phase) / max(float(single.weights[chosen].sum()), 2 * _WEIGHT_OF_STONES) * 0.3)
    if not places:
        return single
    return Offsets(np.array(places), np.array(axes), np.array(values), np.array(weights), np.ones(len(axes), bool))


def sub_pixel(comb: Plane, at: int) -> float:
    """The place of a peak between samples, -0.5..0.5, by the parabola through three of them."""
    if not 0 < at < len(comb) - 1:
        return 0.0
    left, top, right = (float(value) for value in comb[at - 1 : at + 2])
    bend = left - 2 * top + right
    return float(np.clip(0.5 * (left - right) / bend, -0.5, 0.5)) if bend < -1e-9 else 0.0


def segments(planes: tuple[Plane, Plane], size: int, window: float) -> Offsets:
    """Offsets of all line segments from one point to the next that show a line within `window` cells."""
    reach = max(3, round(window * PITCH))
    lines, along = np.meshgrid(np.arange(size), np.arange(size - 1) + 0.5)
    parts = []
    for axis, plane in enumerate(planes):
        profile = profiles(plane, size, reach + 1)
        steps = np.arange(-reach, reach + 1)
        near = profile[..., 1:-1] * np.exp(-0.5 * (steps / (0.8 * reach)) ** 2).astype(np.float32)
        at = near.argmax(-1)[..., None] + 1
        left, top, right = (np.take_along_axis(profile, at + step, -1)[..., 0] for step in (-1, 0, 1))
        bend = np.minimum(left - 2 * top + right, -1e-6)
        values = (at[..., 0] - 1 - reach + np.clip(0.5 * (left - right) / bend, -0.5, 0.5)) / PITCH
        contrast = np.maximum(top - np.median(profile, -1), 0)
        places = np.stack([lines, along] if axis == 0 else [along, lines], -1) / ((size - 1) / 2) - 1
        count = lines.size
        weights = contrast.ravel().astype(float) ** 2
        values = values.ravel().astype(float)
        parts.append(
            Offsets(places.reshape(-1, 2), np.full(count, float(axis)), values, weights, np.zeros(count, bool))
        )
    return Offsets.join(parts)


def solve(offsets: Offsets, scale: float) -> Floats:
    """The eight numbers of the small homography that explains most offsets: Tukey's weights, `scale` in cells.

    With normalised places (u, v): dx = a + b u + c v + u (g u + h v) and dy = d + e u + f v + v (g u + h v); stones
    share a shift besides. A weak prior keeps what is not measured at rest.
    """
    u, v = offsets.places.T
    one, none, stone = np.ones_like(u), np.zeros_like(u), offsets.stones.astype(float)
    across = np.stack([one, u, v, none, none, none, u * u, u * v, stone, none], 1)
    down = np.stack([none, none, none, one, u, v, u * v, v * v, none, stone], 1)
    design = np.where(offsets.axes[:, None] == 0, across, down)
    total = max(float(offsets.weights.sum()), 1e-9)
    prior = np.diag([1.0, 1, 1, 1, 1, 1, 3, 3, 0, 0]) * 0.01 * total
    shared = float((offsets.weights * stone).sum())
    prior[8, 8] = prior[9, 9] = 0.05 * shared + 1e-9
    weights = offsets.weights
    answer: Floats = np.zeros(10)
    for step in range(8):
        weighted = design * weights[:, None]
        answer = np.asarray(np.linalg.solve(weighted.T @ design + prior, weighted.T @ offsets.values), np.float64)
        answer[8:] = np.clip(answer[8:], -_COMMON_SHIFT, _COMMON_SHIFT)
        spread = scale * (3.0, 2.0, 1.5)[min(step, 2)] * 2
        misfit = (offsets.values - design @ answer) / spread
        weights = offsets.weights * np.maximum(1 - misfit**2, 0) ** 2
    return np.asarray(answer[:8], np.float64)


def moved(lattice: Lattice, answer: Floats) -> Lattice:
    """The lattice displaced by the small homography of `solve`."""
    middle = (lattice.size - 1) / 2
    a, b, c, d, e, f, g, h = answer / middle
    update = np.array([[1 + b, c, a], [e, 1 + f, d], [-g, -h, 1.0]])
    normalise = np.diag([1 / middle, 1 / middle, 1.0]) @ translation(-middle, -middle)
    return replace(lattice, homography=lattice.homography @ np.linalg.inv(normalise) @ update @ normalise)
