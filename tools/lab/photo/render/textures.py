"""Surfaces: wood, cloth, stone, paper, tiles; and the random fields that they are made of."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Field = NDArray[np.float32]
Colour = tuple[float, float, float]
Rng = np.random.Generator

NOISE_SIDE = 1408


def chance(rng: Rng, probability: float) -> bool:
    return bool(rng.random() < probability)


def draw(rng: Rng, low: float, high: float) -> float:
    """A number evenly from low..high."""
    return float(rng.uniform(low, high))


def pick(rng: Rng, weights: dict[str, float]) -> str:
    """A key, with the probability of its weight."""
    names = list(weights)
    values = np.array([weights[name] for name in names], np.float64)
    return names[int(rng.choice(len(names), p=values / values.sum()))]


def jitter(rng: Rng, colour: Sequence[float], spread: float) -> Colour:
    """A colour near this one: all channels brighter or darker together, and each a little by itself."""
    gain = 1 + rng.normal(0, spread)
    blue, green, red = (float(np.clip(c * gain + rng.normal(0, 40 * spread), 0, 255)) for c in colour)
    return blue, green, red


@cache
def _white_bank() -> Field:
    bank = np.random.default_rng(20).standard_normal((NOISE_SIDE, NOISE_SIDE), dtype=np.float32)
    bank.setflags(write=False)
    return bank


def white_noise(rng: Rng, height: int, width: int) -> Field:
    """Independent normal numbers (height, width) with a deviation of 1, cut at random from one fixed sheet."""
    bank = _white_bank()
    if height > NOISE_SIDE or width > NOISE_SIDE:
        return rng.standard_normal((height, width), dtype=np.float32)
    top, left = (int(rng.integers(0, NOISE_SIDE - n + 1)) for n in (height, width))
    part = bank[top : top + height, left : left + width]
    turn = int(rng.integers(4))
    return part[:: -1 if turn & 1 else 1, :: -1 if turn & 2 else 1]


def smooth_noise(rng: Rng, height: int, width: int, across: float, down: float | None = None) -> Field:
    """A smooth field (height, width), deviation about 1, that varies over `across` pixels sideways and `down` down."""
    rows = max(2, round(height / max(down or across, 1)) + 1)
    columns = max(2, round(width / max(across, 1)) + 1)
    coarse = white_noise(rng, rows, columns)
    mode = cv2.INTER_CUBIC if min(rows, columns) > 3 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(np.ascontiguousarray(coarse), (width, height), interpolation=mode), np.float32)


def tinted(field: Field, colour: Sequence[float], contrast: float, tint: Sequence[float] = (1.0, 1.0, 1.0)) -> Image:
    """The field as a picture: 0 is `colour`, +-1 lighter or darker by `contrast`, more in the channels of `tint`."""
    index = np.clip(field * 40 + 128, 0, 255).astype(np.uint8)
    steps = (np.arange(256) - 128) / 40
    table = np.asarray(colour)[None] * (1 + steps[:, None] * contrast * np.asarray(tint)[None])
    lut = np.clip(table, 0, 255).astype(np.uint8).reshape(1, 256, 3)
    return np.asarray(cv2.LUT(cv2.merge([index, index, index]), lut), np.uint8)


def wood(rng: Rng, height: int, width: int, colour: Sequence[float], contrast: float, period: float) -> Image:
    """Grain that runs down (or across) the picture, `period` pixels from ring to ring."""
    turned = chance(rng, 0.35)
    rows, columns = (width, height) if turned else (height, width)
    bend = smooth_noise(rng, rows, columns, columns / 2.5, rows * draw(rng, 0.3, 1.2))
    place = np.arange(columns, dtype=np.float32)[None] / period + bend * draw(rng, 0.3, 3)
    rings = np.sin(np.float32(2 * np.pi) * place)
    streaks = smooth_noise(rng, rows, columns, draw(rng, 1, 3), draw(rng, 40, 200))
    broad = smooth_noise(rng, rows, columns, columns / 3, rows / 1.5)
    grain = rings * np.float32(draw(rng, 0, 0.8)) + streaks * np.float32(draw(rng, 0.3, 0.9)) + broad * np.float32(0.4)
    if chance(rng, 0.15):  # planks or glued strips
        strips = int(rng.integers(3, 14))
        grain = grain + np.repeat(rng.normal(0, 0.8, strips), -(-columns // strips))[None, :columns].astype(np.float32)
    if turned:
        grain = np.ascontiguousarray(grain.T)
    return tinted(grain, colour, contrast, (1.25, 1.0, 0.8))


def mottled(rng: Rng, height: int, width: int, colour: Sequence[float], contrast: float) -> Image:
    """Paper, plastic, stone, painted wood: spots of several sizes."""
    field = smooth_noise(rng, height, width, draw(rng, 60, 300)) * np.float32(0.7)
    field = field + smooth_noise(rng, height, width, draw(rng, 2, 20)) * np.float32(draw(rng, 0, 0.5))
    return tinted(field, colour, contrast)


def cloth(rng: Rng, height: int, width: int, colour: Sequence[float], contrast: float) -> Image:
    """Threads both ways over soft folds."""
    field = smooth_noise(rng, height, width, draw(rng, 40, 200)) * np.float32(0.6)
    step = draw(rng, 2.2, 8)
    across = np.sin(np.arange(width, dtype=np.float32) * np.float32(2 * np.pi / step))
    down = np.sin(np.arange(height, dtype=np.float32) * np.float32(2 * np.pi / step))
    field = field + (across[None] + down[:, None]) * np.float32(0.35)
    return tinted(field + white_noise(rng, height, width) * np.float32(0.25), colour, contrast)


def tiles(rng: Rng, height: int, width: int, colour: Sequence[float], contrast: float) -> Image:
    """Tiles, planks or squared paper: a grid of its own, with a colour for each tile."""
    wide = draw(rng, width / 25, width / 3)
    tall = wide if chance(rng, 0.6) else wide * draw(rng, 2, 8)
    columns, rows = int(width / wide) + 2, int(height / tall) + 2
    each = rng.normal(0, draw(rng, 0.1, 1.2), (rows, columns)).astype(np.float32)
    if chance(rng, 0.1):
        each = ((np.add.outer(np.arange(rows), np.arange(columns)) % 2) * 4 - 2).astype(np.float32)
    x = (np.arange(width) + draw(rng, 0, wide)) / wide
    y = (np.arange(height) + draw(rng, 0, tall)) / tall
    field = each[y.astype(int)[:, None], x.astype(int)[None]]
    gap = draw(rng, 0.01, 0.06) * min(wide, tall)
    joints = ((x % 1) * wide < gap)[None] | ((y % 1) * tall < gap)[:, None]
    field = field + smooth_noise(rng, height, width, 3, 60) * np.float32(draw(rng, 0, 0.5))
    field[joints] = draw(rng, -3, 2)
    return tinted(field, colour, contrast)


TABLES: tuple[Colour, ...] = (
    (235, 238, 240), (250, 250, 250), (205, 210, 212), (140, 145, 148), (60, 60, 62), (22, 22, 24), (8, 8, 8),
    (110, 150, 190), (80, 120, 170), (50, 75, 115), (35, 45, 75), (150, 180, 205), (60, 90, 60), (90, 60, 40),
    (120, 80, 60), (40, 30, 130), (60, 60, 160), (170, 160, 140), (60, 140, 190), (90, 110, 120),
)  # fmt: skip


def table_surface(rng: Rng, height: int, width: int) -> Image:
    """Draw a surface on which a board may lie."""
    colour = jitter(rng, TABLES[int(rng.integers(len(TABLES)))], 0.12)
    kind = pick(rng, {"wood": 4, "plain": 3, "cloth": 2, "tiles": 2})
    contrast = draw(rng, 0.01, 0.16)
    if kind == "wood":
        return wood(rng, height, width, colour, contrast, draw(rng, 8, 60))
    if kind == "cloth":
        return cloth(rng, height, width, colour, contrast)
    if kind == "tiles":
        return tiles(rng, height, width, colour, contrast)
    return mottled(rng, height, width, colour, contrast * 0.4)
