"""The place of the camera. World coordinates are (x, y, height) in cells: x along rows, y down columns, height up."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tengen.tools.lab.photo.render.textures import Rng, chance, draw, pick
from tengen.tools.photo.geometry import apply

Floats = NDArray[np.float64]
ASPECTS = {"1:1": 1.0, "4:3": 4 / 3, "3:4": 3 / 4, "3:2": 3 / 2, "16:9": 16 / 9, "9:16": 9 / 16, "2:3": 2 / 3}


@dataclass(frozen=True)
class Camera:
    """`matrix` (3, 4) from (x, y, height, 1) to pixels; `centre` (3,) where it is; the picture's width and height."""

    matrix: Floats
    centre: Floats
    right: Floats
    down: Floats
    forward: Floats
    width: int
    height: int

    def plane(self, height: float = 0.0) -> Floats:
        """The homography (3, 3) from (x, y) at this height to pixels."""
        matrix = self.matrix[:, [0, 1, 3]].copy()
        matrix[:, 2] += self.matrix[:, 2] * height
        return matrix

    def at(self, offset: Floats, turn: float) -> Camera:
        """The same camera in the coordinates of what lies at `offset` (2,), turned by `turn` radians."""
        c, s = np.cos(turn), np.sin(turn)
        way = np.array([[c, -s, 0, offset[0]], [s, c, 0, offset[1]], [0, 0, 1, 0], [0, 0, 0, 1.0]])
        back = way[:3, :3].T
        right, down, forward = (back @ axis for axis in (self.right, self.down, self.forward))
        centre = back @ (self.centre - [offset[0], offset[1], 0.0])
        return Camera(self.matrix @ way, centre, right, down, forward, self.width, self.height)

    def project(self, points: Floats) -> Floats:
        """Pixels (..., 2) of world points (..., 3)."""
        lifted = points @ self.matrix[:, :3].T + self.matrix[:, 3]
        return np.asarray(lifted[..., :2] / lifted[..., 2:], np.float64)


def _axes(target: Floats, centre: Floats, towards: float, roll: float) -> tuple[Floats, Floats, Floats]:
    """The camera's right, down and forward directions; heights count negative here, which keeps them right-handed."""
    forward = (target - centre) / np.linalg.norm(target - centre)
    right = np.cross([np.cos(towards), np.sin(towards), 0.0], forward)
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    c, s = np.cos(roll), np.sin(roll)
    return right * c + down * s, down * c - right * s, forward


def draw_tilt(rng: Rng) -> float:
    """The angle from straight above, in radians."""
    kind = pick(rng, {"above": 4, "slight": 4, "table": 3, "low": 1})
    low, high = {"above": (0, 8), "slight": (5, 25), "table": (22, 48), "low": (45, 62)}[kind]
    return float(np.deg2rad(draw(rng, low, high)))


def draw_turn(rng: Rng) -> float:
    """How far the board is turned in the picture, in radians."""
    kind = pick(rng, {"straight": 5, "some": 4, "any": 1})
    if kind == "straight":
        return float(np.deg2rad(rng.normal(0, 2.5)))
    return float(np.deg2rad(draw(rng, -18, 18) if kind == "some" else draw(rng, -180, 180)))


def draw_camera(rng: Rng, grid: Floats, body: Floats, side: int) -> Camera:
    """A camera at a board: `grid` (4, 2) its outermost points and `body` (4, 2) its corners, (x, y) in cells."""
    middle = grid.mean(0)
    extent = float(np.linalg.norm(grid - middle, axis=1).max())
    tilt, towards = draw_tilt(rng), np.pi / 2 + draw_turn(rng)
    distance = extent * (draw(rng, 2.2, 5) if chance(rng, 0.8) else draw(rng, 1.7, 2.4 if tilt < 0.6 else 3))
    return _framed(rng, _aimed(rng, middle, extent, tilt, towards, distance), grid, body, side)


def aimed(rng: Rng, grid: Floats, tilt: float, towards: float, distance: float) -> Camera:
    """A camera that looks at a board from `distance` cells, `tilt` from straight above; it has no frame yet."""
    middle = grid.mean(0)
    return _aimed(rng, middle, float(np.linalg.norm(grid - middle, axis=1).max()), tilt, towards, distance)


def _aimed(rng: Rng, middle: Floats, extent: float, tilt: float, towards: float, distance: float) -> Camera:
    lean = np.sin(tilt) * distance
    centre = np.array(
        [middle[0] + np.cos(towards) * lean, middle[1] + np.sin(towards) * lean, -np.cos(tilt) * distance]
    )
    aim = np.append(middle + rng.normal(0, 0.08 * extent, 2), 0.0)
    right, down, forward = _axes(aim, centre, towards, float(np.deg2rad(rng.normal(0, 2.5))))
    turn = np.stack([right, down, forward])
    matrix = np.hstack([turn, -(turn @ centre)[:, None]])
    matrix[:, 2] *= -1
    stretch = draw(rng, 1, 1.4) if chance(rng, 0.3) else 1.0
    matrix = np.diag([1.0, stretch, 1.0] if chance(rng, 0.3) else [stretch, 1.0, 1.0]) @ matrix
    return Camera(matrix, centre * [1, 1, -1], right, down, forward, 0, 0)


def framed(
    rng: Rng, camera: Camera, body: Floats, share: float, aspect: float, side: int,
    pulled: tuple[float, float] = (0.0, 0.0),
) -> Camera:  # fmt: skip
    """The same camera with a frame in which the board's width is this share of the picture's.

    `pulled` moves the board by so many of its widths and heights from its place, to make room beside it.
    """
    whole = apply(camera.plane(), body)
    low, high = whole.min(0), whole.max(0)
    wide, tall = high - low
    frame = np.array([1.0, 1 / aspect]) * max(wide / share, tall * aspect * (1.03 + 2 * abs(pulled[1])))
    slack = frame - (high - low)
    place = np.clip(rng.normal([0.5, 0.6], 0.16), 0.02, 0.98)
    corner = low - slack * place - np.array(pulled) * (high - low)
    width, height = (side, round(side / aspect)) if aspect >= 1 else (round(side * aspect), side)
    gain = np.array([width, height]) / frame
    matrix = np.array([[gain[0], 0, -corner[0] * gain[0] - 0.5], [0, gain[1], -corner[1] * gain[1] - 0.5], [0, 0, 1]])
    return Camera(matrix @ camera.matrix, camera.centre, camera.right, camera.down, camera.forward, width, height)


def _framed(rng: Rng, camera: Camera, grid: Floats, body: Floats, side: int) -> Camera:
    """The same camera with the picture's frame laid around the board."""
    lines = apply(camera.plane(), grid)
    whole = apply(camera.plane(), body)
    kind = pick(rng, {"tight": 3, "board": 4, "room": 4, "far": 1.2})
    inner = lines if kind == "tight" else whole
    low, high = inner.min(0), inner.max(0)
    wide, tall = high - low
    roomy = bool((whole.min(0) < low - 0.1 * (high - low)).all())
    if kind == "tight" and roomy and chance(rng, 0.7):  # within a large sheet
        pads = rng.uniform(0.02, 0.28, 4)
        low = low - pads[:2] * [wide, tall]
        high = high + pads[2:] * [wide, tall]
    elif kind == "tight":
        pads = rng.uniform(-0.012, 0.07, 4) * chance(rng, 0.6) + rng.uniform(-0.01, 0.012, 4)
        low = low - pads[:2] * [wide, tall]
        high = high + pads[2:] * [wide, tall]
    elif kind == "board":
        pads = rng.uniform(-0.02, 0.12, 4)
        low = low - pads[:2] * [wide, tall]
        high = high + pads[2:] * [wide, tall]
    else:
        aspect = ASPECTS[pick(rng, {"1:1": 2, "4:3": 3, "3:4": 4, "3:2": 1, "16:9": 2, "9:16": 2, "2:3": 1})]
        fill = draw(rng, 0.6, 0.97) if kind == "room" else draw(rng, 0.4, 0.65)
        frame = max(wide, tall * aspect) / fill
        size = np.array([frame, frame / aspect])
        slack = size - [wide, tall]
        corner = low - slack * np.clip(rng.normal(0.5, 0.2, 2), -0.02, 1.02)
        low, high = corner, corner + size
    wide, tall = high - low
    width, height = _pixels(rng, wide / tall, side, kind)
    frame_matrix = np.array(
        [[width / wide, 0, -low[0] * width / wide - 0.5], [0, height / tall, -low[1] * height / tall - 0.5], [0, 0, 1]]
    )
    return Camera(frame_matrix @ camera.matrix, camera.centre, camera.right, camera.down, camera.forward, width, height)


def _pixels(rng: Rng, aspect: float, side: int, kind: str) -> tuple[int, int]:
    """Width and height of the picture; some are stretched to a square, as many data sets are."""
    if (kind in ("tight", "board") and chance(rng, 0.5) and 0.65 < aspect < 1.5) or (
        0.6 < aspect < 1.6 and chance(rng, 0.06)
    ):
        return side, side
    aspect = float(np.clip(aspect, 0.4, 2.5))
    return (side, max(64, round(side / aspect))) if aspect >= 1 else (max(64, round(side * aspect)), side)
