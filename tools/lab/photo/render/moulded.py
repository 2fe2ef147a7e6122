"""Boards of squares as most shops sell them: dishes of felt or plastic between bars, a rim, racks of discs on edge."""

from __future__ import annotations

import cv2
import numpy as np

from tengen.tools.lab.photo.render.board import FlatBoard
from tengen.tools.lab.photo.render.lettering import write
from tengen.tools.lab.photo.render.lines import REVERSI_STARS
from tengen.tools.lab.photo.render.textures import Colour, Field, Image, Rng, chance, cloth, draw, jitter, mottled

FELTS: tuple[Colour, ...] = (
    (50, 140, 30), (60, 120, 20), (40, 90, 20), (70, 150, 60), (70, 110, 40), (90, 140, 30), (60, 100, 10),
    (40, 110, 40),
)  # fmt: skip
FRAMES: tuple[Colour, ...] = ((22, 22, 23), (40, 40, 40), (70, 70, 72), (30, 32, 60), (35, 60, 30))


def draw_moulded(rng: Rng, pitch: float) -> FlatBoard:
    """A board of 8 x 8 dishes with about `pitch` pixels a square."""
    ring = draw(rng, 0.03, 0.25) if chance(rng, 0.7) else 0.0
    rim = draw(rng, 0.1, 0.6)
    near = 0.5 + ring + rim
    has_racks, beside = chance(rng, 0.6), chance(rng, 0.5)
    far = near + (draw(rng, 0.8, 1.7) if has_racks else draw(rng, 0.0, 0.4))
    left, top = (far, near) if beside else (near, far)
    aspect = 1.0 if chance(rng, 0.7) else draw(rng, 0.95, 1.06)
    top = max(top, 0.5 * aspect)
    height, width = round((7 * aspect + 2 * top) * pitch), round((7 + 2 * left) * pitch)
    frame = jitter(rng, FRAMES[int(rng.integers(len(FRAMES)))], 0.2)
    surface = mottled(rng, height, width, frame, draw(rng, 0.01, 0.04))
    x0, y0 = round((left - 0.5) * pitch), round((top - 0.5 * aspect) * pitch)
    x1, y1 = min(round((left + 7.5) * pitch), width), min(round((top + 7.5 * aspect) * pitch), height)
    felt = jitter(rng, FELTS[int(rng.integers(len(FELTS)))], 0.15)
    _bevel(surface, (x0, y0, x1, y1), ring * pitch, max(1.0, draw(rng, 0.03, 0.12) * pitch), frame, draw(rng, 0.5, 2.2))
    _fill(rng, surface, (x0, y0, x1, y1), ring * pitch, felt, draw(rng, 0.75, 1.0))
    paint = cloth if chance(rng, 0.4) else mottled
    field = paint(rng, y1 - y0, x1 - x0, felt, draw(rng, 0.01, 0.06)).astype(np.float32)
    field *= relief(rng, y1 - y0, x1 - x0)[..., None]
    surface[y0:y1, x0:x1] = np.clip(field, 0, 255).astype(np.uint8)
    if has_racks:
        for end in (0, 1):
            _rack(rng, surface, (x0, y0, x1, y1), pitch, beside, end, (far - near) * pitch)
    elif chance(rng, 0.3):
        write(surface, "Reversi", (width / 2, (y1 + height) / 2), max(3.0, rim * pitch * 0.4), (225.0, 225.0, 225.0))
    side = (frame[0] * 0.8, frame[1] * 0.8, frame[2] * 0.8)
    margins = (left, top, left, top)
    return FlatBoard(surface, 8, aspect, pitch, margins, draw(rng, 0.2, 0.9), side, (20, 25, 20), True)


def relief(rng: Rng, height: int, width: int) -> Field:
    """Return the light on 8 x 8 dishes (height, width): a factor of about 1, lighter and darker along their edges."""
    v, u = (((np.arange(n, dtype=np.float32) + 0.5) / n * 8) for n in (height, width))
    bar, corner, soft = draw(rng, 0.04, 0.17), draw(rng, 0.02, 0.3), draw(rng, 0.02, 0.07)
    straight = np.float32(0.5 - bar / 2 - corner)
    across, down = np.abs(u % 1 - 0.5)[None] - straight, np.abs(v % 1 - 0.5)[:, None] - straight
    outside = np.hypot(np.maximum(across, 0), np.maximum(down, 0))
    away = outside + np.minimum(np.maximum(across, down), 0) - np.float32(corner)
    if chance(rng, 0.5):
        swell = draw(rng, 0.06, 0.18)
        for column, row in REVERSI_STARS:
            away = np.maximum(away, np.float32(swell) - np.hypot(u[None] - column, v[:, None] - row))
    dish = np.clip(0.5 - away / np.float32(2 * soft), 0, 1).astype(np.float32)
    towards, depth = draw(rng, 0, 2 * np.pi), draw(rng, 0.05, 0.5)
    slope_y, slope_x = np.gradient(dish)
    slope = slope_x * np.float32(np.cos(towards) * width / 8) + slope_y * np.float32(np.sin(towards) * height / 8)
    gain = 1 + np.float32(depth * 2 * soft) * slope + (dish - 1) * np.float32(draw(rng, -0.35, 0.3))
    if chance(rng, 0.5):  # a groove, or a worn edge
        gain = gain * (1 - np.float32(draw(rng, -0.3, 0.6)) * np.exp(-((away / np.float32(soft)) ** 2)))
    return np.asarray(np.clip(gain, 0.2, 2.0), np.float32)


def _fill(rng: Rng, surface: Image, box: tuple[int, int, int, int], grow: float, colour: Colour, gain: float) -> None:
    """Paint a box grown by so many pixels, in place."""
    x0, y0, x1, y1 = _grown(box, grow)
    tone = (colour[0] * gain, colour[1] * gain, colour[2] * gain)
    cv2.rectangle(surface, (x0, y0), (x1 - 1, y1 - 1), tone, -1)


def _bevel(
    surface: Image, box: tuple[int, int, int, int], grow: float, wide: float, frame: Colour, gain: float
) -> None:
    """The edge of the rim around the felt: a line of `wide` pixels, lighter or darker than the frame."""
    x0, y0, x1, y1 = _grown(box, grow + wide)
    tone = tuple(min(255.0, channel * gain + 20 * (gain > 1)) for channel in frame)
    cv2.rectangle(surface, (x0, y0), (x1 - 1, y1 - 1), tone, -1)


def _grown(box: tuple[int, int, int, int], grow: float) -> tuple[int, int, int, int]:
    more = round(grow)
    return max(0, box[0] - more), max(0, box[1] - more), box[2] + more, box[3] + more


def _rack(
    rng: Rng, surface: Image, box: tuple[int, int, int, int], pitch: float, beside: bool, end: int, room: float
) -> None:
    """A slot with discs on edge along the left and right sides (`beside`) or the others; `room` pixels are free."""
    x0, y0, x1, y1 = box
    first, last = (y0, y1) if beside else (x0, x1)
    middle = (first + last) / 2 + rng.normal(0, 0.1) * pitch
    long, wide = (last - first) * draw(rng, 0.55, 0.85), room * draw(rng, 0.45, 0.75)
    outer = (surface.shape[1] if beside else surface.shape[0]) - 1
    away = room * 0.62
    centre = (away if end == 0 else outer - away) + rng.normal(0, 0.03) * pitch
    strip = np.full((max(2, round(wide)), max(2, round(long)), 3), draw(rng, 8, 45), np.float32)
    thick = draw(rng, 0.1, 0.2) * pitch
    count = int(rng.integers(0, int(long / thick) + 1)) if chance(rng, 0.5) else int(long / thick)
    dark, light = draw(rng, 12, 50), draw(rng, 190, 250)
    for disc in range(count):
        low, half, high = (round((disc + part) * thick) for part in (0.0, 0.5, 1.0))
        strip[:, low:half], strip[:, half:high] = dark, light
    round_off = np.sqrt(np.clip(1 - np.linspace(-0.9, 0.9, len(strip)) ** 2, 0, 1)).astype(np.float32)
    strip *= (0.45 + 0.55 * round_off)[:, None, None]
    if chance(rng, 0.5):
        strip = strip[:, ::-1]
    patch = strip.transpose(1, 0, 2) if beside else strip
    tall, broad = patch.shape[:2]
    x, y = (centre, middle) if beside else (middle, centre)
    top, left = max(0, round(y - tall / 2)), max(0, round(x - broad / 2))
    under = surface[top : top + tall, left : left + broad]
    np.copyto(under, np.clip(patch[: under.shape[0], : under.shape[1]], 0, 255), casting="unsafe")
