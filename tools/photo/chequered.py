"""Chequered boards and floors: chess, draughts and tiles, which are refused by name.

Where four squares meet, two of them opposite are light and two are dark: a saddle, which neither crossing lines nor
stones make. Saddles whose neighbours have their light squares the other way round are followed as a grid; so many of
them in rows and columns are no chance.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from tengen.tools.photo.geometry import Floats, Image, Lattice, apply

SIDES = (640, 320)
"""Pixels of the longer side of a picture in which saddles are looked for: large squares look sharp in a small one."""
RING = 4
"""Pixels from a saddle to where its squares are compared."""
CONTRAST = 24
"""Grey levels by which light squares differ from dark ones, at least."""
MOST = 700
"""Saddles that are followed, the clearest ones."""
SEEDS = 60
"""Saddles that a grid is begun from, at most."""
FEWEST = 5
"""Saddles of a grid in each direction."""
SEEN, CLEAR = 0.72, 0.88
"""Shares of its saddles that are seen, and of its squares that are as light or dark as they must be."""
LARGEST_BOARD = 12
"""Squares a side of the largest board of draughts; more are tiles."""
_INNER = 0.32
"""Of a square's side: how far from its middle its tone is taken, beside what stands on it."""
_NEAR = 0.22
"""Of a square's side: how far from its expected place the next saddle may lie."""

Plane = NDArray[np.float32] | NDArray[np.uint8]
Spot = tuple[int, int]


@dataclass(frozen=True)
class Chequers:
    """A chequered grid: `columns` x `rows` of saddles, of which `share` are seen, and squares of which `clear` are told
    apart as light and dark ones. `places` (k, 2): the pixels of the saddles."""

    columns: int
    rows: int
    share: float
    clear: float
    places: Floats

    @property
    def told(self) -> str:
        """Describe it in a sentence."""
        if max(self.columns, self.rows) >= LARGEST_BOARD:
            return "this looks like chequered tiles, not like a board"
        return "this looks like a chess board (or one of draughts): boards of Go, Gomoku and Reversi are read"

    def is_under(self, lattice: Lattice) -> bool:
        """Whether a board that was found lies on its squares."""
        spots = lattice.locate(self.places)
        inside = (spots > -0.6).all(1) & (spots < lattice.size - 0.4).all(1)
        return int(inside.sum()) >= FEWEST * 2

    @property
    def is_sure(self) -> bool:
        """Whether so much of a grid is no chance: stones that lie close together make parts of one."""
        return min(self.columns, self.rows) >= FEWEST and self.share >= SEEN and self.clear >= CLEAR


def chequers(image: Image) -> Chequers | None:
    """Find the chequered grid of a picture (h, w, 3), None without one."""
    for side in SIDES:
        factor = min(1.0, side / max(image.shape[:2]))
        small = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA) if factor < 1 else image
        grey = np.asarray(cv2.cvtColor(np.asarray(small, np.uint8), cv2.COLOR_BGR2GRAY), np.uint8)
        places, angles = saddles(grey)
        grid = max(grids(places, angles), key=len, default={})
        found = _measured(grey, np.array(list(grid)), places[list(grid.values())]) if len(grid) >= FEWEST**2 else None
        if found is not None and found.is_sure:
            return replace(found, places=found.places / factor)
    return None


def _measured(grey: Plane, spots: NDArray[np.int64], places: Floats) -> Chequers | None:
    """The grid whose saddles `spots` (k, 2) [column, row] lie at `places` (k, 2)."""
    low, high = spots.min(0), spots.max(0)
    columns, rows = (high - low + 1).tolist()
    homography, _ = cv2.findHomography(spots.astype(np.float32), places.astype(np.float32))
    if homography is None or min(columns, rows) < FEWEST:
        return None
    x, y = np.meshgrid(np.arange(low[0], high[0]) + 0.5, np.arange(low[1], high[1]) + 0.5)
    ways = ((-_INNER, -_INNER), (-_INNER, _INNER), (_INNER, -_INNER), (_INNER, _INNER))
    corners = np.stack([np.stack([x + right, y + down], -1) for right, down in ways])
    at = apply(np.asarray(homography, np.float64), corners)
    tones = cv2.remap(
        np.asarray(grey, np.float32), at[..., 0].reshape(4, -1).astype(np.float32),
        at[..., 1].reshape(4, -1).astype(np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    tone = np.median(tones, axis=0)
    is_even = ((np.floor(x) + np.floor(y)) % 2 == 0).ravel()
    middle = (np.median(tone[is_even]) + np.median(tone[~is_even])) / 2
    clear = float(((tone > middle) == is_even).mean())
    return Chequers(columns, rows, len(spots) / (columns * rows), max(clear, 1 - clear), places)


def saddles(grey: Plane) -> tuple[Floats, Floats]:
    """Places (k, 2) of saddles in a grey picture, clearest first, and the angles (k,) of their light diagonals, from
    -pi/2 to pi/2."""
    soft = np.asarray(cv2.GaussianBlur(grey.astype(np.float32), (0, 0), 1.2), np.float32)
    ring = [_shifted(soft, np.pi * step / 4) for step in range(8)]
    crosses = [(ring[step] + ring[step + 4] - ring[step + 2] - ring[(step + 6) % 8]) / 2 for step in range(2)]
    unlike = np.mean([np.abs(ring[step] - ring[step + 4]) for step in range(4)], axis=0)
    middle = np.abs(soft - np.mean(ring, axis=0))
    strength = np.hypot(*crosses)
    response = np.asarray(strength - unlike - middle, np.float32)
    peaks = (response >= cv2.dilate(response, np.ones((5, 5), np.uint8))) & (response > CONTRAST)
    rows, columns = np.nonzero(peaks)
    order = np.argsort(-response[rows, columns])[:MOST]
    rows, columns = rows[order], columns[order]
    angle = np.arctan2(crosses[1][rows, columns], crosses[0][rows, columns]) / 2
    return np.stack([columns, rows], -1).astype(float), angle


def _shifted(plane: Plane, angle: float) -> Plane:
    """The plane as it is seen RING pixels off in a direction."""
    move = np.array([[1, 0, RING * np.cos(angle)], [0, 1, RING * np.sin(angle)]], np.float32)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpAffine(plane, move, plane.shape[::-1], flags=flags, borderMode=cv2.BORDER_REPLICATE), np.float32
    )


def grids(places: Floats, angles: Floats) -> Iterator[dict[Spot, int]]:
    """Grids of saddles (column, row) -> number, each from another seed."""
    taken = np.zeros(len(places), bool)
    for seed in range(min(len(places), SEEDS)):
        if taken[seed]:
            continue
        best: dict[Spot, int] = {}
        for steps in _steps(places, angles, seed):
            grid = _grown(places, angles, seed, steps)
            best = grid if len(grid) > len(best) else best
        taken[list(best.values())] = True
        if best:
            yield best


def _steps(places: Floats, angles: Floats, seed: int) -> Iterator[Floats]:
    """Likely steps (2, 2) to the next column and row: two saddles near the seed that are unlike it."""
    away = places - places[seed]
    far = np.linalg.norm(away, axis=1)
    near = np.argsort(far)
    near = near[(far[near] > RING) & _unlike(angles[near], angles[seed])][:6]
    for first, one in enumerate(near):
        for other in near[first + 1 :]:
            lengths = far[[one, other]]
            lean = abs(float(away[one] @ away[other])) / float(lengths.prod())
            if lean < 0.6 and lengths.max() < 2.2 * lengths.min():
                yield away[[one, other]]


def _grown(places: Floats, angles: Floats, seed: int, steps: Floats) -> dict[Spot, int]:
    """The saddles that a walk from the seed reaches, each where its neighbours say that it must be."""
    grid = {(0, 0): seed}
    used = {seed}
    walk = [(0, 0)]
    for spot in walk:
        column, row = spot
        for right, down in ((1, 0), (0, 1), (-1, 0), (0, -1)):
            there = (column + right, row + down)
            if there in grid:
                continue
            here = places[grid[spot]]
            behind = grid.get((column - right, row - down))
            step = here - places[behind] if behind is not None else right * steps[0] + down * steps[1]
            far = np.linalg.norm(places - (here + step), axis=1)
            next_one = int(far.argmin())
            is_near = far[next_one] < _NEAR * np.linalg.norm(step)
            if is_near and next_one not in used and _unlike(angles[next_one], angles[grid[spot]]):
                grid[there] = next_one
                used.add(next_one)
                walk.append(there)
    return grid


def _unlike(angles: Floats, angle: Floats) -> NDArray[np.bool_]:
    """Whether light diagonals run across another one."""
    return np.asarray(np.cos(2 * (angles - angle)) < -0.5)
