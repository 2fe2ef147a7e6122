"""Draw the grid of a board: lines, star points, frames, as shares of ink on pixels."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from tengen.tools.lab.photo.render.camera import Floats
from tengen.tools.lab.photo.render.textures import Colour, Field, Image, Rng, chance, draw, smooth_noise
from tengen.tools.photo.geometry import Window

REVERSI_STARS = ((2, 2), (2, 6), (6, 2), (6, 6))
"""Where the lines between eight squares, counted from the frame, have dots."""


def line_cover(
    rng: Rng,
    size: int,
    aspect: float,
    pitch: float,
    margin: tuple[float, float],
    shape: tuple[int, int],
    stars: Sequence[tuple[int, int]] | None = None,
    window: Window | None = None,
) -> Field:
    """How much ink (height, width) 0..1 the lines and star points leave on each pixel.

    Of a `window` only its lines are drawn; where it is open they run out beyond its last points.
    """
    window = window or Window.whole(size)
    height, width = shape
    thin = draw(rng, 0.02, 0.06) if chance(rng, 0.8) else draw(rng, 0.06, 0.12)
    thick = thin * (draw(rng, 1.5, 4) if chance(rng, 0.3) else 1.0)
    columns = np.asarray((np.arange(size) + margin[0]) * pitch, np.float64)
    rows = np.asarray((np.arange(size) * aspect + margin[1]) * pitch, np.float64)
    weights = np.full(size, max(thin * pitch, draw(rng, 0.6, 1.0)))
    weights[[0, -1]] = max(thick * pitch, weights[0])
    lines_x, lines_y = slice(window.left, window.right + 1), slice(window.top, window.bottom + 1)
    across = _profile(columns[lines_x], weights[lines_x], width)
    down = _profile(rows[lines_y], weights[lines_y], height)
    stick = np.array(window.open_sides(size)) * (0.0 if window.is_whole(size) else draw(rng, 0.2, 0.7) * pitch)
    out = weights[0] / 2 * (stick == 0) + stick
    within_x = _extent(columns[window.left] - out[0], columns[window.right] + out[2], width)
    within_y = _extent(rows[window.top] - out[1], rows[window.bottom] + out[3], height)
    cover = np.maximum(across[None] * within_y[:, None], down[:, None] * within_x[None])
    if window.is_whole(size) and chance(rng, 0.2):  # a second frame outside
        away, wide = draw(rng, 0.15, 0.45) * pitch, draw(rng, 0.04, 0.15) * pitch
        box = [columns[0] - away, rows[0] - away, columns[-1] + away, rows[-1] + away]
        cover = np.maximum(cover, _frame(box, wide, shape))
    if chance(rng, 0.3):  # worn
        wear = smooth_noise(rng, height, width, pitch * draw(rng, 0.5, 4))
        cover = cover * np.clip(1.1 + wear * np.float32(draw(rng, 0.1, 0.5)), 0, 1)
    radius = int(max(star_radius(rng, thin) * pitch, 0.8) * 16)
    for x, y in star_points(rng, size) if stars is None else stars:
        if stars is None and not window.holds(x, y):
            continue
        spot = (int((x + margin[0]) * pitch * 16), int((y * aspect + margin[1]) * pitch * 16))
        cv2.circle(cover, spot, radius, 1.0, -1, cv2.LINE_AA, 4)
    return np.asarray(cover, np.float32)


def star_radius(rng: Rng, thin: float) -> float:
    """The radius of star points in cells; a little more where the lines are `thin` cells wide, now and then large."""
    return thin + (draw(rng, 0.02, 0.1) if chance(rng, 0.85) else draw(rng, 0.1, 0.2))


def star_points(rng: Rng, size: int) -> list[tuple[int, int]]:
    """The star points that a board of this size may have; now and then none."""
    if chance(rng, 0.15) or size < 9:
        return []
    edge = 2 if size == 9 else 3
    middle = size // 2
    ticks = (edge, middle, size - 1 - edge)
    if size in (17, 19) or (size == 13 and chance(rng, 0.3)):
        return [(x, y) for x in ticks for y in ticks]
    corners = [(x, y) for x in (edge, size - 1 - edge) for y in (edge, size - 1 - edge)]
    return [*corners, (middle, middle)] if chance(rng, 0.85) else corners


def _profile(centres: Floats, widths: Floats, length: int) -> Field:
    """Cover (length,) of strips with these centres and widths, in pixels."""
    pixels = np.arange(length)[:, None]
    low, high = centres - widths / 2, centres + widths / 2
    part = np.minimum(pixels + 0.5, high) - np.maximum(pixels - 0.5, low)
    return np.asarray(np.clip(part, 0, 1).max(1), np.float32)


def _extent(low: float, high: float, length: int) -> Field:
    return _profile(np.array([(low + high) / 2]), np.array([high - low]), length)


def _frame(box: list[float], wide: float, shape: tuple[int, int]) -> Field:
    x0, y0, x1, y1 = box
    outer = [_extent(y0 - wide, y1 + wide, shape[0])[:, None] * _extent(x0 - wide, x1 + wide, shape[1])[None]]
    outer.append(_extent(y0, y1, shape[0])[:, None] * _extent(x0, x1, shape[1])[None])
    return np.asarray(outer[0] - outer[1], np.float32)


def blend(surface: Image, cover: Field, ink: Colour) -> None:
    """Paint with ink where cover (height, width) 0..1 says, in place."""
    at = np.flatnonzero(cover.ravel() > 0.004)
    pixels = surface.reshape(-1, 3)
    under = pixels[at].astype(np.float32)
    mixed = under + (np.asarray(ink, np.float32) - under) * cover.ravel()[at, None]
    pixels[at] = np.clip(mixed, 0, 255).astype(np.uint8)
