"""Training samples of the network of sides: strips along the edges of whole boards, and along lines within them.

A board that goes on is had from any board: by looking at a line that is not its last. Where the picture or the diagram
is to end there, what lies beyond is taken away.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tengen.tools.lab.photo.samples import recolour
from tengen.tools.photo.board_sides import ENDS, PITCH, REACH, Plane, Side, cut_out, frame, lined, planes
from tengen.tools.photo.geometry import Image, Lattice, Window, homography_of

SHARES = {Side.EDGE: 0.46, Side.MORE: 0.2, Side.CUT: 0.24, Side.ASTRAY: 0.1}
Mask = NDArray[np.bool_]


def side_sample(
    image: Image, lattice: Lattice, shown: Window | None, length: int, rng: np.random.Generator
) -> tuple[Plane, int]:
    """(strip (4, h, w), Side) along `length` points of a side or a line of a board.

    Where the picture shows a part of the board only (`shown`) its own cuts are looked at and nothing is taken away.
    """
    lines = lined(lattice)
    part, side = shown or Window.whole(lines.size), int(rng.integers(4))
    kind = Side(rng.choice(list(SHARES), p=list(SHARES.values())))
    if kind in (Side.EDGE, Side.CUT) and shown is not None:
        kind = Side.CUT if part.open_sides(lines.size)[side] else Side.EDGE
    depth = {Side.EDGE: 0, Side.ASTRAY: -1 if rng.random() < 0.7 else -2}.get(kind)
    if kind is Side.CUT and shown is not None:
        depth = 0
    elif kind is Side.ASTRAY and part.open_sides(lines.size)[side]:
        kind, depth = Side.CUT, 0
    elif depth is None:
        across = part.right - part.left if side in (0, 2) else part.bottom - part.top
        depth = 1 if rng.random() < 0.3 else int(rng.integers(1, max(2, across - 2)))
    homography, width = frame(_stretch(part, side, depth, length, rng), side)
    off = np.clip(rng.normal(0, rng.choice([0.02, 0.06, 0.1]), (4, 2)), -0.2, 0.2)
    box = np.array([[0.0, 0], [width, 0], [width, 2 * REACH * PITCH], [0, 2 * REACH * PITCH]])
    shaken = homography_of(box, box + PITCH * off)
    view, inside = cut_out(image, lines.homography @ homography @ shaken, width, lines.cell())
    view = recolour(view, rng, strength=0.7)
    if rng.random() < 0.5:
        view, inside = np.ascontiguousarray(view[:, ::-1]), np.ascontiguousarray(inside[:, ::-1])
    if shown is None:
        view, inside = _ended(kind, view, inside, rng)
    return planes(view, inside), int(kind)


def _stretch(part: Window, side: int, depth: int, length: int, rng: np.random.Generator) -> Window:
    """The part without `depth` lines at a side, and of that side `length` points at most."""
    sides = list(part)
    sides[side] += depth if side < 2 else -depth
    first, last = (1, 3) if side in (0, 2) else (0, 2)
    spare = sides[last] - sides[first] + 1 - length
    if spare > 0:
        sides[first] += int(rng.integers(0, spare + 1))
        sides[last] = sides[first] + length - 1
    return Window(*sides)


def _ended(kind: Side, view: Image, inside: Mask, rng: np.random.Generator) -> tuple[Image, Mask]:
    """The strip with what lies beyond its side, or beyond its ends, taken away."""
    height, width = inside.shape
    x, y = np.meshgrid(np.arange(width) / PITCH - ENDS, np.arange(height) / PITCH - REACH)
    tilt = rng.normal(0, 0.03) * (x - x.mean())
    if kind is Side.CUT:
        away = rng.uniform(0.02, 0.9) if rng.random() < 0.8 else rng.uniform(-0.05, 0.3)
        beyond = y < -away + np.clip(tilt, -0.3, 0.3)
        if rng.random() < 0.45:
            return _papered(view, beyond, rng), inside
        inside = inside & ~beyond
    elif kind is Side.EDGE and rng.random() < 0.35:
        away = rng.uniform(0.06, 0.6) if rng.random() < 0.6 else rng.uniform(0.3, 2.5)
        inside = inside & (y >= -away + np.clip(tilt, -away + 0.05, 0.3))
    elif kind is Side.MORE and rng.random() < 0.3:
        inside = inside & (y >= -rng.uniform(1.1, 2.6) + np.clip(tilt, -0.1, 0.1))
    if rng.random() < 0.25:
        inside = inside & (x >= -rng.uniform(0.05, 0.9))
    if rng.random() < 0.25:
        inside = inside & (x <= width / PITCH - 2 * ENDS + rng.uniform(0.05, 0.9))
    return view, inside


def _papered(view: Image, beyond: Mask, rng: np.random.Generator) -> Image:
    """The strip with plain ground where the diagram has ended, as bright as its own or as paper is."""
    brightest = np.percentile(view.reshape(-1, 3)[::5], 90, axis=0)
    ground = brightest if rng.random() < 0.6 else np.full(3, rng.choice([255.0, 250.0, 30.0, rng.uniform(0, 255)]))
    noisy = ground + rng.normal(0, rng.uniform(0, 6), view.shape)
    return np.where(beyond[..., None], np.clip(noisy, 0, 255).astype(np.uint8), view)
