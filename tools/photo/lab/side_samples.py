"""What the network of sides learns from: strips along the edges of whole boards, and along lines within them.

A board that goes on is had from any board: by looking at a line that is not its last. Where the picture or the diagram
is to end there, what lies beyond is taken away.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tengen.tools.photo.geometry import Image, Lattice, homography_of
from tengen.tools.photo.lab.samples import recolour
from tengen.tools.photo.sides import ENDS, PITCH, REACH, Part, Plane, Side, cut_out, frame, lined, planes

SHARES = {Side.EDGE: 0.46, Side.MORE: 0.2, Side.CUT: 0.24, Side.ASTRAY: 0.1}
Mask = NDArray[np.bool_]


def side_sample(image: Image, lattice: Lattice, length: int, rng: np.random.Generator) -> tuple[Plane, int]:
    """(strip (4, h, w), Side) along `length` points of a side or a line of a board that shows whole in a picture."""
    lines = lined(lattice)
    kind = Side(rng.choice(list(SHARES), p=list(SHARES.values())))
    depth = {Side.EDGE: 0, Side.ASTRAY: -1 if rng.random() < 0.7 else -2}.get(kind)
    if depth is None:
        depth = 1 if rng.random() < 0.3 else int(rng.integers(1, lines.size - 3))
    side = int(rng.integers(4))
    homography, width = frame(_part(side, depth, length, lines.size, rng), side)
    off = np.clip(rng.normal(0, rng.choice([0.02, 0.06, 0.1]), (4, 2)), -0.2, 0.2)
    box = np.array([[0.0, 0], [width, 0], [width, 2 * REACH * PITCH], [0, 2 * REACH * PITCH]])
    shaken = homography_of(box, box + PITCH * off)
    view, inside = cut_out(image, lines.homography @ homography @ shaken, width, lines.cell())
    view = recolour(view, rng, strength=0.7)
    if rng.random() < 0.5:
        view, inside = np.ascontiguousarray(view[:, ::-1]), np.ascontiguousarray(inside[:, ::-1])
    view, inside = _ended(kind, view, inside, rng)
    return planes(view, inside), int(kind)


def _part(side: int, depth: int, length: int, size: int, rng: np.random.Generator) -> Part:
    """A part of a board whose side lies `depth` lines within the board and is `length` points long."""
    last, low = size - 1, int(rng.integers(0, size - length + 1))
    high = low + length - 1
    return (
        Part(depth, low, last, high), Part(low, depth, high, last),
        Part(0, low, last - depth, high), Part(low, 0, high, last - depth),
    )[side]  # fmt: skip


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
