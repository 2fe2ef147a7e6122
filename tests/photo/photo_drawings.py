"""Plain pictures of boards with their labels, and readings of them, for the tests of the photo laboratory."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from tengen.tools.photo.geometry import Image, Lattice
from tengen.tools.photo.lab.dataset import Labels
from tengen.tools.photo.reading import Point, Reading

PITCH = 20
ROWS = """\
9
. . . . . . . . .
. X . . . . . O .
. . X . . . O . .
. . . . . . . . .
. . . X O . . . .
. . . . . . ? ? .
. O . . . . ? ? .
. . . . . . . X .
. . . . . . . . .
"""


def straight(size: int, at: float = 30.0) -> Lattice:
    """A board seen from above whose first point is at pixel (at, at)."""
    far = at + PITCH * (size - 1)
    return Lattice.from_corners([[at, at], [far, at], [far, far], [at, far]], size)


def drawn(labels: Labels, seed: int = 0) -> tuple[Image, Lattice]:
    """A plain picture of a board with lines and stones."""
    rng, size = np.random.default_rng(seed), len(labels)
    side = 60 + PITCH * (size - 1)
    wood = rng.integers(120, 200)
    image = np.full((side, side, 3), (wood - 60, wood - 20, wood), np.uint8)
    lattice = straight(size)
    for line in range(size):
        at, far = 30 + PITCH * line, 30 + PITCH * (size - 1)
        cv2.line(image, (30, at), (far, at), (40, 40, 40), 1)
        cv2.line(image, (at, 30), (at, far), (40, 40, 40), 1)
    for row, column in np.argwhere(labels != Point.EMPTY):
        tone = 30 if labels[row, column] == Point.BLACK else 235
        cv2.circle(image, (30 + PITCH * int(column), 30 + PITCH * int(row)), 9, (tone, tone, tone), -1, cv2.LINE_AA)
    noise = rng.normal(0, 6, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8), lattice


def random_labels(seed: int, size: int = 9) -> Labels:
    return np.random.default_rng(seed).choice([0, 1, 2], (size, size), p=[0.6, 0.2, 0.2]).astype(np.int8)


def reading(
    labels: Labels, lattice: Lattice, confidence: float = 0.999, found: float = 0.9, warnings: Sequence[str] = ()
) -> Reading:
    """What a reader says that is equally sure of every point."""
    probabilities = np.full((*labels.shape, 4), 0.0, np.float32)
    np.put_along_axis(probabilities, labels[..., None].astype(np.int64), confidence, -1)
    probabilities[..., Point.HIDDEN] += 1 - confidence
    return Reading(lattice, probabilities, found, "go", tuple(warnings))
