"""Plain pictures of boards with their labels, and readings of them, for the tests of the photo laboratory."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from tengen.tools.lab.photo.dataset import Labels
from tengen.tools.photo.geometry import Image, Lattice, Window
from tengen.tools.photo.results import Point, Reading

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


def diagram(part: Window, size: int = 19, pitch: int = 24, seed: int = 0, edge: int = 1) -> tuple[Image, Labels]:
    """A book's diagram of a part of a board: lines run out half a cell where it goes on; and what the whole board
    holds. The board's edges are `edge` pixels wide."""
    rng = np.random.default_rng([seed, *part])
    labels = rng.choice(3, (size, size), p=[0.7, 0.15, 0.15]).astype(np.int8)
    wide, tall = part.right - part.left, part.bottom - part.top
    image = np.full(((tall + 3) * pitch, (wide + 3) * pitch, 3), 245, np.uint8)
    opened = [pitch // 2 if is_open else 0 for is_open in part.open_sides(size)]
    low, right, below = int(1.5 * pitch), int(1.5 * pitch) + wide * pitch, int(1.5 * pitch) + tall * pitch
    for number in range(max(wide, tall) + 1):
        at = low + number * pitch
        is_edge = [not open_at for open_at in opened]
        if number <= wide:
            width = edge if (number == 0 and is_edge[0]) or (number == wide and is_edge[2]) else 1
            cv2.line(image, (at, low - opened[1]), (at, below + opened[3]), (20, 20, 20), width)
        if number <= tall:
            width = edge if (number == 0 and is_edge[1]) or (number == tall and is_edge[3]) else 1
            cv2.line(image, (low - opened[0], at), (right + opened[2], at), (20, 20, 20), width)
    for row, column in np.argwhere(part.only(labels) > 0).tolist():
        middle = (low + (column - part.left) * pitch, low + (row - part.top) * pitch)
        colour = 25 if labels[row, column] == Point.BLACK else 250
        cv2.circle(image, middle, pitch // 2 - 1, (colour,) * 3, -1, cv2.LINE_AA)
        cv2.circle(image, middle, pitch // 2 - 1, (20, 20, 20), 1, cv2.LINE_AA)
    return image, labels


def sheet(count: int, columns: int = 3, pitch: int = 20) -> tuple[Image, list[Labels]]:
    """A page of diagrams of the lower left of boards of 19 lines, 12 columns and 11 rows each; what each board holds."""
    part = Window(0, 8, 11, 18)
    made = [diagram(part, pitch=pitch, seed=number, edge=3) for number in range(count)]
    height, width = made[0][0].shape[:2]
    page = np.full((-(-count // columns) * height + 80, columns * width + 80, 3), 245, np.uint8)
    for number, (image, _) in enumerate(made):
        down, right = divmod(number, columns)
        top, left = 40 + down * height, 40 + right * width
        page[top : top + height, left : left + width] = image
        cv2.putText(page, str(number + 1), (left + width // 2, top + height - 4), 0, 0.4, (20, 20, 20), 1, cv2.LINE_AA)
    return page, [part.only(labels) for _, labels in made]


def rimmed(size: int = 15, pitch: int = 44, seed: int = 0) -> tuple[Image, Labels]:
    """A screenshot of a board whose wood ends one cell beyond its lines, which run out half a cell: a rim like a line."""
    rng = np.random.default_rng(seed)
    labels = np.zeros((size, size), np.int8)
    spots = rng.permutation(size * size)[: 2 * size + 10]
    labels.flat[spots] = 1 + np.arange(len(spots)) % 2
    side = (size + 3) * pitch
    image = np.full((side, side, 3), 238, np.uint8)
    image[pitch : side - pitch, pitch : side - pitch] = (110, 193, 227)
    low, far = 2 * pitch, 2 * pitch + (size - 1) * pitch
    for line in range(size):
        at = low + line * pitch
        cv2.line(image, (at, low - pitch // 2), (at, far + pitch // 2), (15, 15, 15), 2)
        cv2.line(image, (low - pitch // 2, at), (far + pitch // 2, at), (15, 15, 15), 2)
    for row, column in np.argwhere(labels > 0).tolist():
        tone = 25 if labels[row, column] == Point.BLACK else 245
        cv2.circle(image, (low + column * pitch, low + row * pitch), round(0.43 * pitch), (tone,) * 3, -1, cv2.LINE_AA)
    return image, labels


def chequered(seed: int, squares: int = 8, pieces: str = "chess") -> Image:
    """A board or floor of chequered squares, with chess pieces, discs of draughts or nothing; odd seeds: by a camera."""
    rng, pitch, margin = np.random.default_rng(seed), 56, 40
    light = rng.integers(150, 250, 3)
    dark = np.clip(light - rng.integers(50, 140, 3), 10, 200)
    side = squares * pitch + 2 * margin
    image = np.full((side, side, 3), rng.integers(20, 240, 3), np.uint8)
    for row, column in np.ndindex(squares, squares):
        top, left = margin + row * pitch, margin + column * pitch
        image[top : top + pitch, left : left + pitch] = light if (row + column) % 2 == 0 else dark
        middle = np.array([left + pitch // 2, top + pitch // 2])
        tone, edge = ((25,) * 3, (235,) * 3) if row < squares // 2 else ((235,) * 3, (30,) * 3)
        if pieces == "draughts" and (row + column) % 2 and rng.random() < 0.6:
            cv2.circle(image, middle.tolist(), round(0.4 * pitch), tone, -1, cv2.LINE_AA)
            cv2.circle(image, middle.tolist(), round(0.4 * pitch), edge, 1, cv2.LINE_AA)
        if pieces == "chess" and rng.random() < 0.45:
            outline = [[-0.28, 0.38], [-0.18, 0.1], [-0.2, -0.15], [0, -0.4], [0.2, -0.15], [0.18, 0.1], [0.28, 0.38]]
            shape = (np.array(outline) * pitch + middle).astype(np.int32)
            cv2.fillPoly(image, [shape], tone, cv2.LINE_AA)
            cv2.polylines(image, [shape], True, edge, 2, cv2.LINE_AA)
    if seed % 2 == 0:
        return image
    flat = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    seen = flat + rng.uniform(-0.12, 0.12, (4, 2)).astype(np.float32) * side
    seen += 30 - seen.min(0)
    width, height = (seen.max(0) + 30).astype(int).tolist()
    view = cv2.warpPerspective(
        image, cv2.getPerspectiveTransform(flat, seen), (width, height), borderValue=(90, 120, 140)
    )
    noisy = cv2.GaussianBlur(view, (0, 0), 0.8) + rng.normal(0, 5, view.shape)
    return np.asarray(np.clip(noisy, 0, 255), np.uint8)
