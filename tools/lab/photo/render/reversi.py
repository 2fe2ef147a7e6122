"""Boards of squares: a field, usually green, with lines between the squares and a frame."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tengen.tools.lab.photo.render.board import FlatBoard
from tengen.tools.lab.photo.render.lettering import write
from tengen.tools.lab.photo.render.lines import REVERSI_STARS, blend, line_cover
from tengen.tools.lab.photo.render.moulded import draw_moulded
from tengen.tools.lab.photo.render.stones import BLACKS, WHITES, StoneLook, draw_look
from tengen.tools.lab.photo.render.textures import Colour, Rng, chance, cloth, draw, jitter, mottled, wood

FIELDS: tuple[Colour, ...] = (
    (50, 140, 30), (60, 120, 20), (40, 90, 20), (80, 160, 60), (70, 110, 40), (60, 150, 80), (40, 100, 60),
    (140, 110, 30), (150, 80, 30), (110, 170, 210),
)  # fmt: skip
FRAMES: tuple[Colour, ...] = (
    (25, 25, 26),
    (45, 45, 45),
    (50, 80, 130),
    (30, 50, 90),
    (200, 205, 205),
    (40, 90, 30),
    (90, 150, 190),
)


def draw_field(rng: Rng, pitch: float) -> FlatBoard:
    """A board of 8 x 8 squares with about `pitch` pixels a square: moulded dishes, or a field with lines on it."""
    return draw_moulded(rng, pitch) if chance(rng, 0.5) else draw_lined(rng, pitch)


def draw_lined(rng: Rng, pitch: float) -> FlatBoard:
    """A flat field with lines between the squares."""
    even = 0.5 + draw(rng, 0.02, 0.9)
    margins = [
        float(np.clip(even * np.exp(rng.normal(0, 0.02 if chance(rng, 0.8) else 0.3)), 0.5, 3)) for _ in range(4)
    ]
    left, top, right, bottom = margins
    aspect = 1.0 if chance(rng, 0.8) else draw(rng, 0.95, 1.06)
    top, bottom = max(top, 0.5 * aspect), max(bottom, 0.5 * aspect)
    height, width = round((7 * aspect + top + bottom) * pitch), round((7 + left + right) * pitch)
    green = jitter(rng, FIELDS[int(rng.integers(len(FIELDS)))], 0.15)
    frame = green if chance(rng, 0.15) else jitter(rng, FRAMES[int(rng.integers(len(FRAMES)))], 0.15)
    surface = mottled(rng, height, width, frame, 0.02)
    if frame[2] > frame[0] + 30:
        surface = wood(rng, height, width, frame, 0.1, pitch * 0.4)
    x0, y0 = round((left - 0.5) * pitch), round((top - 0.5 * aspect) * pitch)
    x1, y1 = min(round((left + 7.5) * pitch), width), min(round((top + 7.5 * aspect) * pitch), height)
    paint = cloth if chance(rng, 0.3) else mottled
    surface[y0:y1, x0:x1] = paint(rng, y1 - y0, x1 - x0, green, draw(rng, 0.01, 0.06))
    if chance(rng, 0.07):  # squares of two shades
        field = surface[y0:y1, x0:x1]
        rows, columns = (np.arange(n) * 8 // n for n in field.shape[:2])
        odd = (np.add.outer(rows, columns) % 2).astype(bool)
        field[odd] = (field[odd] * draw(rng, 0.75, 0.95)).astype(np.uint8)
    ink = jitter(rng, (230, 235, 235) if chance(rng, 0.12) else (20, 25, 20), 0.15)
    if chance(rng, 0.15):
        ink = (green[0] * 0.6, green[1] * 0.6, green[2] * 0.6)
    cover = line_cover(
        rng,
        9,
        aspect,
        pitch,
        (left - 0.5, top - 0.5 * aspect),
        (height, width),
        stars=REVERSI_STARS if chance(rng, 0.75) else (),
    )
    blend(surface, cover, ink)
    if chance(rng, 0.35):
        tone = (235.0, 235.0, 235.0) if sum(frame) < 300 else (25.0, 25.0, 25.0)
        tall = min(even - 0.5, 0.5) * pitch * 0.6
        for n in range(8):
            write(surface, "ABCDEFGH"[n], ((left + n) * pitch, (top - 0.5 - (even - 0.5) / 2) * pitch), tall, tone)
            write(
                surface, str(n + 1), ((left - 0.5 - (even - 0.5) / 2) * pitch, (top + n * aspect) * pitch), tall, tone
            )
    side = (frame[0] * 0.8, frame[1] * 0.8, frame[2] * 0.8)
    return FlatBoard(surface, 8, aspect, pitch, (left, top, right, bottom), draw(rng, 0.05, 0.6), side, ink, True)


def draw_field_look(rng: Rng) -> StoneLook:
    """Discs in squares: flat, hollow or domed, glossy or not, now and then round; the other colour below on most.

    They are black and white, as those of every set are: a green disc on a green field would be seen by nobody.
    """
    is_flat = chance(rng, 0.85)
    look = draw_look(rng, flat=is_flat)
    diameter, height = draw(rng, 0.66, 0.92), draw(rng, 0.08, 0.25)
    bowl = rng.normal(0, 0.25) if chance(rng, 0.5) else 0.0
    is_coloured = any(max(colour) - min(colour) > 60 for colour in look.colours)
    return replace(
        look, diameter=diameter, height=height, lift=0.5, lines=False, bowl=bowl if is_flat else 0.0,
        two_sided=is_flat and chance(rng, 0.6), colours=(BLACKS[0], WHITES[0]) if is_coloured else look.colours,
    )  # fmt: skip
