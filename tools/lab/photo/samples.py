"""Training samples of the networks: labelled pictures turned into inputs and targets, shaken and recoloured each
time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from tengen.tools.photo.find.views import FINDER, REFINER, letterbox, look_at
from tengen.tools.photo.geometry import (
    SIZES,
    Floats,
    Image,
    Lattice,
    apply,
    corner_points,
    homography_of,
    inverse,
    translation,
    warp,
)  # fmt: skip
from tengen.tools.photo.stone_reader import PITCH, planes

Heat = NDArray[np.float32]


SMALL = 0.4
"""A board whose sides are shorter than this share of the picture's is also shown from nearer by."""


def finder_sample(
    image: Image, lattice: Lattice | None, rng: np.random.Generator, others: Sequence[Lattice] = ()
) -> tuple[Image, Heat, int]:
    """(input, target heat (3, h, w), kind) of a picture turned, cropped, mirrored and recoloured at random.

    `others` are further boards in it; the kind is that of `lattice`.
    """
    if lattice is not None and rng.random() < 0.5 and np.ptp(lattice.corners(), 0).max() < SMALL * max(image.shape[:2]):
        left, top, right, bottom = _part_around(image, lattice, rng)
        image = image[top:bottom, left:right]
        lattice, *others = (_moved(one, -left, -top) for one in (lattice, *others))
    height, width = image.shape[:2]
    box = letterbox(width, height)
    side = FINDER.side
    turn = rng.normal(0, 8) if rng.random() < 0.8 else rng.uniform(-180, 180)
    zoom = np.exp(rng.normal(0, 0.15))
    move = np.vstack([cv2.getRotationMatrix2D((side / 2, side / 2), turn, zoom), [0, 0, 1]])
    shake = side * rng.normal(0, 0.02, (4, 2)) + side * rng.normal(0, 0.03, 2)
    frame = np.array([[0, 0], [side, 0], [side, side], [0, side]], float)
    forward = homography_of(frame, frame + shake) @ move @ box
    if rng.random() < 0.5:
        forward = np.array([[-1.0, 0, side - 1], [0, 1, 0], [0, 0, 1]]) @ forward
    shrink = max(width, height) / (side * zoom)
    view = warp(image, inverse(forward), (side, side), shrink, cv2.BORDER_CONSTANT)
    if lattice is None:
        return recolour(view, rng), np.zeros((3, side // FINDER.stride, side // FINDER.stride), np.float32), len(SIZES)
    target = np.maximum.reduce([heat(one, forward, side, FINDER.stride) for one in (lattice, *others)])
    return recolour(view, rng), target, SIZES.index(lattice.size)


def _part_around(image: Image, lattice: Lattice, rng: np.random.Generator) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of a part of a picture around a board, as the finder looks at it again."""
    quad = lattice.corners()
    reach = 0.5 * float(np.ptp(quad, 0).max()) * rng.uniform(1.2, 2.6)
    x, y = (quad.min(0) + quad.max(0)) / 2 + rng.normal(0, 0.12, 2) * reach
    height, width = image.shape[:2]
    left, top = int(np.clip(x - reach, 0, width - 8)), int(np.clip(y - reach, 0, height - 8))
    return left, top, int(np.clip(x + reach, left + 8, width)), int(np.clip(y + reach, top + 8, height))


def _moved(lattice: Lattice, x: float, y: float) -> Lattice:
    """The lattice in a picture whose pixels are counted from elsewhere."""
    return replace(lattice, homography=translation(x, y) @ lattice.homography)


def refiner_sample(image: Image, lattice: Lattice, rng: np.random.Generator) -> tuple[Image, Heat, int]:
    """(input, target heat, kind) of a board roughly rectified: its corners off by up to a cell or more."""
    side = REFINER.side
    quad = lattice.corners()
    spread = float(np.linalg.norm(np.roll(quad, -1, 0) - quad, axis=1).mean())
    off = rng.normal(0, 0.02 if rng.random() < 0.6 else 0.045, (4, 2)) + rng.normal(0, 0.015, 2)
    guess = Lattice.from_corners(turned(quad, rng) + spread * np.clip(off, -0.12, 0.12), lattice.size)
    forward = look_at(guess)
    view = warp(image, inverse(forward), (side, side), spread / side, cv2.BORDER_REPLICATE)
    return recolour(view, rng), heat(lattice, forward, side, REFINER.stride), SIZES.index(lattice.size)


def turned(quad: Floats, rng: np.random.Generator) -> Floats:
    """The corners from a random one on, mirrored half of the time."""
    quad = np.roll(quad, int(rng.integers(4)), 0)
    return quad[::-1] if rng.random() < 0.5 else quad


def reader_sample(
    image: Image, lattice: Lattice, labels: NDArray[np.int8], rng: np.random.Generator, off: float = 0.13
) -> tuple[Heat, NDArray[np.int64]]:
    """(input (6, h, w), labels (n, n)) of a rectified board, corners off by about `off` cells."""
    size = lattice.size
    corners = corner_points(size, lattice.cells)
    shaken = corners + np.clip(rng.normal(0, off, (4, 2)) * 0.7 + rng.normal(0, off * 0.5, 2), -2.5 * off, 2.5 * off)
    moved = Lattice(size, lattice.homography @ homography_of(corners, shaken), lattice.cells)
    flat = recolour(moved.rectify(image, PITCH, 1.0), rng, strength=0.7)
    turn, mirror = int(rng.integers(4)), rng.random() < 0.5
    flat, marks = np.rot90(flat, turn), np.rot90(labels, turn)
    if mirror:
        flat, marks = flat[:, ::-1], marks[:, ::-1]
    return planes(np.ascontiguousarray(flat)), np.ascontiguousarray(marks).astype(np.int64)


def heat(lattice: Lattice, forward: Floats, side: int, stride: int) -> Heat:
    """Target maps (3, side / stride, side / stride) of points, corners and board under `forward` (image -> view)."""
    cells = side // stride
    shift = translation(-(stride - 1) / 2 / stride, -(stride - 1) / 2 / stride) @ np.diag([1 / stride, 1 / stride, 1.0])
    to_map = shift @ forward @ lattice.homography
    columns, rows = np.meshgrid(np.arange(lattice.size, dtype=float), np.arange(lattice.size, dtype=float))
    points = apply(to_map, np.stack([columns, rows], -1).reshape(-1, 2))
    corners = apply(to_map, corner_points(lattice.size, lattice.cells))
    maps = np.zeros((3, cells, cells), np.float32)
    splat(maps[0], points, 1.0 if stride == 2 else 0.8)
    splat(maps[1], corners, 1.5 if stride == 2 else 1.3)
    cv2.fillConvexPoly(maps[2], np.round(corners * 16).astype(np.int32), 1.0, cv2.LINE_8, 4)
    return maps


def splat(target: Heat, points: Floats, sigma: float) -> None:
    """Draw a Gaussian of height 1 around each point (k, 2), the largest value where they meet."""
    reach = np.arange(-4, 5)
    middle = np.round(points).astype(int)
    x = middle[:, None, None, 0] + reach[None, None, :]
    y = middle[:, None, None, 1] + reach[None, :, None]
    value = np.exp(-((x - points[:, None, None, 0]) ** 2 + (y - points[:, None, None, 1]) ** 2) / (2 * sigma**2))
    x, y = np.broadcast_arrays(x, y)
    inside = (x >= 0) & (y >= 0) & (x < target.shape[1]) & (y < target.shape[0])
    np.maximum.at(target, (y[inside], x[inside]), value[inside].astype(np.float32))


def recolour(image: Image, rng: np.random.Generator, strength: float = 1.0) -> Image:
    """Brightness, contrast, gamma, colour cast, blur and noise, drawn anew."""
    out = image.astype(np.float32) / 255
    if rng.random() < 0.8 * strength:
        out = out ** np.float32(np.exp(rng.normal(0, 0.25)))
        out *= np.exp(rng.normal(0, 0.12, 3)).astype(np.float32)
        out = (out - 0.5) * np.float32(np.exp(rng.normal(0, 0.2))) + np.float32(0.5 + rng.normal(0, 0.06))
    if rng.random() < 0.2 * strength:  # coloured lamps
        out *= rng.uniform(0.03, 1.4, 3).astype(np.float32)
    if rng.random() < 0.08 * strength:
        out = np.repeat(out.mean(2, keepdims=True), 3, 2)
    if rng.random() < 0.25 * strength:
        out = np.asarray(cv2.GaussianBlur(out, (0, 0), rng.uniform(0.3, 1.3)), np.float32)
    if rng.random() < 0.4 * strength:
        out += rng.normal(0, rng.uniform(0.005, 0.05), out.shape).astype(np.float32)
    return np.asarray(np.clip(out * 255, 0, 255), np.uint8)
