"""Draw the distortions of the whole picture: the lens and the sheet bend it, data sets turn it and set it between
bands."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from tengen.tools.lab.photo.render.camera import Floats
from tengen.tools.lab.photo.render.shot import Shot
from tengen.tools.lab.photo.render.textures import Rng, chance, draw, smooth_noise
from tengen.tools.photo.geometry import apply, homography_of

MISFIT = 0.11
"""How far, in cells, a point may lie from the lattice of a picture whose lens or board bends it."""


def reframed(rng: Rng, shot: Shot, side: int) -> Shot:
    """The picture bent by its lens, or turned or set between bands, as data sets are made larger."""
    if shot.style != "digital" and chance(rng, 0.25):
        shot = _bent(rng, shot)
    if shot.style != "digital" and chance(rng, 0.12):
        shot = waved(rng, shot)
    if chance(rng, 0.06):
        shot = _turned(rng, shot)
    if chance(rng, 0.05):
        shot = _banded(rng, shot, side)
    return shot


def _bent(rng: Rng, shot: Shot) -> Shot:
    """Barrel or pincushion distortion, weak enough that a homography still fits the points."""
    height, width = shot.image.shape[:2]
    middle = np.array([width / 2, height / 2])
    strength = draw(rng, -0.05, 0.05)
    scale = float(np.hypot(*middle))
    for _ in range(4):
        points = middle + _unbend(shot.points - middle, strength, scale)
        if misfit(points) < MISFIT:
            break
        strength /= 2
    else:
        return shot
    x, y = (np.arange(n, dtype=np.float32) - np.float32(n / 2) for n in (width, height))
    gain = 1 + np.float32(strength) * (x[None] ** 2 + y[:, None] ** 2) / np.float32(scale**2)
    map_x, map_y = x[None] * gain + np.float32(middle[0]), y[:, None] * gain + np.float32(middle[1])
    image = cv2.remap(shot.image, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return replace(shot, image=np.asarray(image, np.uint8), points=points)


def waved(rng: Rng, shot: Shot) -> Shot:
    """A sheet of paper or cloth that does not lie flat: what it shows moves by a smooth field."""
    height, width = shot.image.shape[:2]
    cell = float(np.linalg.norm(shot.points[1:] - shot.points[:-1], axis=-1).mean())
    reach = max(height, width) * draw(rng, 0.2, 0.5)
    moves = np.dstack([smooth_noise(rng, height, width, reach) for _ in range(2)]) * np.float32(
        cell * draw(rng, 0.02, 0.08)
    )
    x, y = (np.clip(np.round(shot.points[..., n]), 0, size - 1).astype(int) for n, size in ((0, width), (1, height)))
    points = shot.points - moves[y, x]
    if misfit(points) > MISFIT:
        return shot
    across, down = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    image = cv2.remap(
        shot.image, across + moves[..., 0], down + moves[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return replace(shot, image=np.asarray(image, np.uint8), points=points)


def misfit(points: Floats) -> float:
    """How far, in cells, the worst of the points (size, size, 2) lies from the lattice that fits them best."""
    ticks = np.arange(len(points), dtype=float)
    board = np.stack(np.meshgrid(ticks, ticks), -1)
    fitted = apply(homography_of(board.reshape(-1, 2), points.reshape(-1, 2)), board)
    cell = float(np.linalg.norm(points[1:] - points[:-1], axis=-1).mean())
    return float(np.linalg.norm(fitted - points, axis=-1).max()) / cell


def _unbend(away: Floats, strength: float, scale: float) -> Floats:
    """Where points that were this far from the middle come to lie: `away` = p (1 + strength |p|^2 / scale^2)."""
    bent = away.copy()
    for _ in range(6):
        bent = away / (1 + strength * (bent**2).sum(-1, keepdims=True) / scale**2)
    return bent


def _fill(rng: Rng) -> tuple[float, float, float]:
    level = 0.0 if chance(rng, 0.6) else 255.0 if chance(rng, 0.5) else draw(rng, 90, 130)
    return level, level, level


def _moved(shot: Shot, matrix: Floats, width: int, height: int, mode: int, fill: tuple[float, float, float]) -> Shot:
    image = cv2.warpAffine(
        shot.image, matrix[:2], (width, height), flags=cv2.INTER_LINEAR, borderMode=mode, borderValue=fill
    )
    return replace(shot, image=np.asarray(image, np.uint8), points=apply(matrix, shot.points))


def _turned(rng: Rng, shot: Shot) -> Shot:
    height, width = shot.image.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), draw(rng, -16, 16), draw(rng, 0.85, 1.05))
    mode = cv2.BORDER_REPLICATE if chance(rng, 0.25) else cv2.BORDER_CONSTANT
    return _moved(shot, np.vstack([turn, [0, 0, 1]]), width, height, mode, _fill(rng))


def _banded(rng: Rng, shot: Shot, side: int) -> Shot:
    height, width = shot.image.shape[:2]
    factor = min(side / width, side / height) * draw(rng, 0.75, 1)
    shift = (np.array([side, side]) - np.array([width, height]) * factor) / 2
    matrix = np.array([[factor, 0, shift[0]], [0, factor, shift[1]], [0, 0, 1]])
    return _moved(shot, matrix, side, side, cv2.BORDER_CONSTANT, _fill(rng))
