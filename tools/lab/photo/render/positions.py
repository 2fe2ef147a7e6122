"""Stones to put on a board: games, and what people lay out for a photograph."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tengen.tools.lab.photo.render.textures import Rng, chance, draw, pick

Stones = NDArray[np.int8]
BLACK, WHITE = 1, 2


def draw_position(rng: Rng, size: int) -> Stones:
    """A position (size, size) of 0 empty, 1 black, 2 white; now and then of one colour only."""
    stones = _of_both(rng, size)
    if chance(rng, 0.07):
        stones[stones == (BLACK if chance(rng, 0.5) else WHITE)] = 0
    return stones


def _of_both(rng: Rng, size: int) -> Stones:
    kind = pick(
        rng, {"empty": 4, "few": 8, "opening": 14, "middle": 22, "full": 16, "noise": 14, "pattern": 16, "five": 8}
    )
    if kind == "empty":
        return np.zeros((size, size), np.int8)
    if kind == "few":
        return noise(rng, size, draw(rng, 0.5, 12) / size**2)
    if kind == "noise":
        return noise(rng, size, draw(rng, 0.02, 0.95))
    if kind == "pattern":
        return pattern(rng, size)
    if kind == "five":
        return cluster(rng, size, int(rng.integers(4, max(8, size * 4))))
    return game(
        rng, size, {"opening": draw(rng, 0.03, 0.15), "middle": draw(rng, 0.15, 0.5)}.get(kind, draw(rng, 0.5, 0.9))
    )


def noise(rng: Rng, size: int, density: float) -> Stones:
    """Every point by itself."""
    white = draw(rng, 0.05, 0.95) if chance(rng, 0.25) else 0.5
    filled = rng.random((size, size)) < density
    return np.where(filled, np.where(rng.random((size, size)) < white, WHITE, BLACK), 0).astype(np.int8)


def influence(rng: Rng, size: int, reach: float) -> NDArray[np.float64]:
    """A smooth field (size, size) of about unit deviation."""
    ticks = np.arange(size)
    kernel = np.exp(-0.5 * ((ticks[:, None] - ticks[None]) / reach) ** 2)
    field = kernel @ rng.normal(size=(size, size)) @ kernel
    return np.asarray(field / field.std(), np.float64)


def game(rng: Rng, size: int, density: float) -> Stones:
    """Groups and territories as games have them: who owns where is smooth, and stones stand along the borders."""
    owner = influence(rng, size, draw(rng, 0.8, 2.2))
    liking = -np.abs(owner) * draw(rng, 0.2, 1.5) + influence(rng, size, draw(rng, 0.5, 2.0)) * draw(rng, 0.3, 1)
    liking += rng.normal(0, 0.5, (size, size))
    edge = np.minimum(np.arange(size), np.arange(size)[::-1])
    depth = np.minimum.outer(edge, edge)
    liking -= np.where(depth == 0, draw(rng, 0.2, 1.8), np.where(depth == 1, 0.3, 0)) * (1 - density)
    filled = liking >= np.quantile(liking, 1 - density)
    white = owner + rng.normal(0, draw(rng, 0.1, 0.6), (size, size)) > 0
    return np.where(filled, np.where(white, WHITE, BLACK), 0).astype(np.int8)


def cluster(rng: Rng, size: int, count: int) -> Stones:
    """Stones in turn, each near an earlier one, as games of five in a row go."""
    stones = np.zeros((size, size), np.int8)
    at = rng.integers(size // 4, size - size // 4, 2)
    placed = []
    for move in range(count):
        for _ in range(8):
            if stones[at[0], at[1]] == 0:
                stones[at[0], at[1]] = BLACK if move % 2 == 0 else WHITE
                placed.append(at)
                break
            start = placed[int(rng.integers(len(placed)))]
            at = np.clip(start + rng.integers(-2, 3, 2), 0, size - 1)
    return stones


def pattern(rng: Rng, size: int) -> Stones:
    """Rows, blocks, frames and halves, as laid out to show a set of stones; with some stones missing."""
    stones = np.zeros((size, size), np.int8)
    kind = pick(rng, {"frame": 2, "rows": 3, "halves": 2, "blocks": 4, "checks": 1, "diagonal": 1})
    first, second = (BLACK, WHITE) if chance(rng, 0.5) else (WHITE, BLACK)
    if kind == "frame":
        ring = int(rng.integers(0, max(1, size // 4)))
        inside = slice(ring + 1, size - ring - 1)
        stones[ring : size - ring, ring : size - ring] = first
        stones[inside, inside] = 0
        if chance(rng, 0.4):
            stones[:, size // 2 :][stones[:, size // 2 :] > 0] = second
    elif kind == "rows":
        for row in range(size):
            if chance(rng, 0.5):
                start, stop = sorted(int(n) for n in rng.integers(0, size + 1, 2))
                stones[row, start:stop] = first if chance(rng, 0.5) else second
    elif kind == "halves":
        cut = int(rng.integers(1, size))
        slant = draw(rng, -0.6, 0.6) if chance(rng, 0.5) else 0.0
        side = np.arange(size)[None] + slant * np.arange(size)[:, None] < cut
        stones[:] = np.where(side, first, second)
        if chance(rng, 0.5):
            stones[int(rng.integers(1, size)) :] = 0
    elif kind == "blocks":
        for _ in range(int(rng.integers(1, 7))):
            top, left = rng.integers(0, size, 2)
            high, wide = rng.integers(1, max(3, size // 2), 2)
            stones[top : top + high, left : left + wide] = int(rng.integers(0, 3))
    elif kind == "checks":
        stones[:] = (np.add.outer(np.arange(size), np.arange(size)) % 2) + 1
        stones[int(rng.integers(2, size)) :] = 0
    else:
        offset = np.subtract.outer(np.arange(size), np.arange(size))
        stones[np.abs(offset) <= int(rng.integers(0, 3))] = first
    stones = np.rot90(stones, int(rng.integers(4))).copy()
    stones[rng.random((size, size)) < draw(rng, 0, 0.3) * chance(rng, 0.6)] = 0
    stray = rng.random((size, size)) < draw(rng, 0, 0.05)
    stones[stray] = rng.integers(0, 3, int(stray.sum()))
    return stones.astype(np.int8)


def discs(rng: Rng, size: int) -> Stones:
    """A position of Reversi: the four in the middle and more around them, or a full board."""
    middle = size // 2
    ticks = np.abs(np.arange(size) - middle + 0.5)
    distance = np.maximum.outer(ticks, ticks) + rng.normal(0, 0.9, (size, size))
    filled = distance <= np.quantile(distance, draw(rng, 0.05, 1.0))
    white = influence(rng, size, draw(rng, 0.4, 1.6)) + rng.normal(0, 0.3) > 0
    stones = np.where(filled, np.where(white, WHITE, BLACK), 0).astype(np.int8)
    if chance(rng, 0.2):
        stones[:] = 0
    stones[middle - 1 : middle + 1, middle - 1 : middle + 1] = [[WHITE, BLACK], [BLACK, WHITE]]
    if chance(rng, 0.08):
        stones[:] = 0
    return stones
