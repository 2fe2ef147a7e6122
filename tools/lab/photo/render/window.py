"""Parts of boards: problem diagrams of books, and pictures that show a board not whole."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from tengen.tools.lab.photo.render.positions import Stones
from tengen.tools.lab.photo.render.shot import Shot, outside
from tengen.tools.lab.photo.render.textures import Rng, chance, draw, pick
from tengen.tools.photo.geometry import Window

KINDS = {"book": 4.0, "screen": 3.0, "close": 2.0, "side": 1.5}
"""A diagram of a part; a diagram cut; a photo of which one to four sides are cut off; one that lacks a few lines."""
SMALLEST = 4
"""Points a side of the smallest window, less one."""


def draw_window(rng: Rng, stones: Stones) -> Window:
    """A corner, side or middle part of a board, rather one with stones in it."""
    return max((_any_window(rng, len(stones)) for _ in range(3)), key=lambda w: _crowd(stones, w))


def _crowd(stones: Stones, window: Window) -> float:
    return float(np.mean(window.only(stones) > 0))


def _any_window(rng: Rng, size: int) -> Window:
    kind = pick(rng, {"corner": 6, "side": 2, "half": 2, "middle": 1})
    wide, tall = (int(rng.integers(SMALLEST + 1, size)) for _ in range(2))
    left = 0 if chance(rng, 0.5) else size - wide
    top = 0 if chance(rng, 0.5) else size - tall
    if kind in ("side", "middle"):
        wide = min(wide, size - 2)
        left = int(rng.integers(1, size - wide))
    if kind == "middle":
        tall = min(tall, size - 2)
        top = int(rng.integers(1, size - tall))
    if kind == "half":
        left, wide = 0, size
    window = Window(left, top, left + wide - 1, top + tall - 1)
    return Window(window.top, window.left, window.bottom, window.right) if chance(rng, 0.5) else window


def cut(rng: Rng, shot: Shot, side: int, *, few: bool) -> Shot:
    """The picture cut so that one to four sides of the board are outside; `few` lines of one side only."""
    for _ in range(6):
        left, top, right, bottom = _box(rng, shot, few=few)
        beyond = outside(shot.points - (left, top), right - left, bottom - top)
        part = Window.around(~beyond)
        if part and min(part.right - part.left, part.bottom - part.top) >= SMALLEST:
            break
    image = np.ascontiguousarray(shot.image[top:bottom, left:right])
    points = shot.points - (left, top)
    factor = side / max(image.shape[:2])
    if factor < 1:
        image = np.asarray(cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)
        points = (points + 0.5) * factor - 0.5
    return replace(shot, image=image, points=points, cut=beyond)


def _box(rng: Rng, shot: Shot, *, few: bool) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of what is left of the picture."""
    height, width = shot.image.shape[:2]
    low, high = shot.points.min((0, 1)), shot.points.max((0, 1))
    cell = float((high - low).max()) / (len(shot.points) - 1)
    count = 1 if few else int(rng.integers(1, 5))
    edges = np.array([0.0, 0.0, width, height])
    for at in rng.permutation(4)[:count]:
        extent = float((high - low)[at % 2])
        most = 0.55 if count < 3 else 0.36
        depth = draw(rng, 0.7, 3.5) * cell if few else draw(rng, 0.08, most) * extent
        edges[at] = low[at] + depth if at < 2 else high[at - 2] - depth
    left, top, right, bottom = np.clip(np.round(edges), 0, [width, height] * 2).astype(int).tolist()
    return left, top, right, bottom
