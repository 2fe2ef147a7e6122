"""Labels of photos whose stones are boxed: `python -m tengen.tools.lab.photo label FOLDER --out DIR`.

FOLDER holds NAME.jpg (or .png) and NAME.txt with a line "class cx cy w h" for every stone, class 0 black and 1 white,
the rest relative to the width and the height of the picture (YOLO). For every photo whose board is sure DIR gets
NAME.json: the corners in pixels, the size, the rows of stones, how sure it is (0..1), and how far the stones lie from
their points. The others are listed with the reason.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from tengen.engine import files
from tengen.tools.live import Live, bar
from tengen.tools.photo.find import lines
from tengen.tools.photo.find.extents import apart, distinct, settle
from tengen.tools.photo.find.stones import core, grow
from tengen.tools.photo.find.support import Support, support
from tengen.tools.photo.geometry import Floats, Image, Lattice
from tengen.tools.photo.results import Hypothesis

SIZES = (9, 13, 15, 17, 19)
_RESIDUAL = 0.25
_FARTHEST = 0.75
_DOUBT = 0.08
_BEYOND = 0.65
_SURE = 1.6


@dataclass(frozen=True)
class Label:
    """A labelled board: `rows` of "." "X" "O", `quality` 0..1, and the root mean square distance of stones in cells."""

    lattice: Lattice
    rows: tuple[str, ...]
    quality: float
    residual: float


class Rejected(ValueError):
    """The boxes of a photo give no sure board. The message says why."""


def label(image: Image, points: Floats, colours: NDArray[np.int64]) -> Label:
    """The board under boxed stones: middles (k, 2) in pixels, colours (k) 0 black or 1 white. Raises Rejected."""
    if len(points) < 6:
        raise Rejected(f"{len(points)} stones are too few")
    tried = candidates(image, points)
    if not tried:
        raise Rejected("the stones fit no lattice")
    lattice, best = tried[0]
    rivals = [score for other, score in tried[1:] if apart(other, lattice)]
    margin = best.score - max((rival.score for rival in rivals), default=0.8)
    rows, residual = placed(lattice, points, colours)
    quality = (
        np.clip(margin / 0.3, 0, 1)
        * np.clip((best.inside - 0.5) / 0.4, 0, 1)
        * np.clip((float(np.minimum(best.border, 1).min()) - 0.2) / 0.6, 0, 1)
        * np.clip(1.3 - residual / _RESIDUAL, 0, 1)
    )
    if quality < 0.15 or best.outside.max() > _BEYOND:
        raise Rejected(f"the extents are uncertain (margin {margin:.2f}, lines {best.inside:.2f})")
    return Label(lattice, rows, round(float(quality), 3), round(residual, 3))


def candidates(image: Image, points: Floats) -> list[tuple[Lattice, Support]]:
    """Refined lattices with their support, best first: from the stones, and where those leave doubt from the lines."""
    grown = grow(points)
    found: list[Hypothesis] = []
    if grown is not None:
        found = settle(image, core(grown[0], grown[1]), SIZES, "stones")
    if max((one.score for one in found), default=0.0) < _SURE:
        found += lines.find(image, SIZES)
    lattices = [one.lattice for one in distinct(found)]
    pairs = [(lattice, support(image, lattice)) for lattice in lattices]
    return sorted(pairs, key=lambda pair: -pair[1].score)


def placed(lattice: Lattice, points: Floats, colours: NDArray[np.int64]) -> tuple[tuple[str, ...], float]:
    """The rows of a board with these stones, and their distance from its points. Raises Rejected where they do not fit.

    A shift common to all stones (they stand above the board) is no misfit. A stone between two points belongs to the
    nearer one that no nearer stone holds; where both are free and it is hardly nearer to one, it is not known.
    """
    seen = lattice.locate(points)
    places = seen - np.clip(np.median(seen - np.rint(seen), axis=0), -0.25, 0.25)
    if (places < -0.5).any() or (places > lattice.size - 0.5).any():
        outside = (places < -0.5).any(1) | (places > lattice.size - 0.5).any(1)
        raise Rejected(f"{int(outside.sum())} stones lie outside of the board")
    around = np.floor(places)[:, None] + np.array([[0, 0], [1, 0], [0, 1], [1, 1]])
    gaps = np.linalg.norm(places[:, None] - around, axis=2)
    gaps[((around < 0) | (around >= lattice.size)).any(2)] = np.inf
    board = np.full((lattice.size, lattice.size), ".")
    held: dict[int, float] = {}
    for flat in np.argsort(gaps, axis=None, kind="stable"):
        stone, corner = divmod(int(flat), 4)
        column, row = around[stone, corner].astype(int)
        if stone not in held and gaps[stone, corner] < _FARTHEST and board[row, column] == ".":
            board[row, column] = "XO"[colours[stone]]
            held[stone] = float(gaps[stone, corner])
    for stone in range(len(points)):
        if stone not in held:
            raise Rejected(
                f"no point is left for the stone at column {places[stone, 0]:.1f}, row {places[stone, 1]:.1f}"
            )
        for (column, row), gap in zip(around[stone].astype(int), gaps[stone], strict=True):
            if gap < held[stone] + _DOUBT and board[row, column] == ".":
                raise Rejected(f"the stone at column {places[stone, 0]:.1f}, row {places[stone, 1]:.1f} is on no point")
    residual = float(np.sqrt((np.array(list(held.values())) ** 2).mean() / 2))
    if residual > _RESIDUAL:
        raise Rejected(f"the stones lie {residual:.2f} cells from their points")
    return tuple("".join(row) for row in board), residual


def merged(points: Floats, colours: NDArray[np.int64], widths: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """The stones without those boxed twice: middles less than half a width from an earlier one are dropped."""
    kept: list[int] = []
    for index, point in enumerate(points):
        if all(np.linalg.norm(point - points[other]) > 0.5 * widths[index] for other in kept):
            kept.append(index)
    return points[kept], colours[kept]


def read_boxes(path: Path, width: int, height: int) -> tuple[Floats, NDArray[np.int64]]:
    """Middles (k, 2) in pixels and colours (k) of a file of YOLO boxes. Raises ValueError for another format."""
    lines = [line.split() for line in path.read_text().splitlines() if line.strip()]
    if any(len(line) != 5 or line[0] not in ("0", "1") for line in lines):
        raise ValueError(f"{path.name}: lines of 'class cx cy w h' with class 0 or 1 are expected")
    values = np.array(lines, np.float64).reshape(-1, 5)
    widths = values[:, 3:5].min(1) * min(width, height)
    return merged(values[:, 1:3] * (width, height) - 0.5, values[:, 0].astype(np.int64), widths)


def configure(parser: ArgumentParser) -> None:
    """The options of `label`."""
    parser.add_argument("folder", type=Path, help="photos and their boxes")
    parser.add_argument("--out", type=Path, required=True, help="folder for the labels")
    parser.add_argument("--skip", type=Path, help="a text file; photos whose names are in it are left out")


def run(values: Namespace) -> int:
    """Label a folder; prints a line for every photo that is left out. Returns the exit code."""
    values.out.mkdir(parents=True, exist_ok=True)
    skipped = values.skip.read_text() if values.skip else ""
    photos = sorted([*values.folder.glob("*.jpg"), *values.folder.glob("*.png")])
    boxed = [path for path in photos if path.with_suffix(".txt").exists() and path.name not in skipped]
    written = 0
    with Live(is_patient=True) as live:
        for number, path in enumerate(boxed):
            live.update([f"{bar(number, len(boxed))} photos", path.name])
            image = cv2.imread(str(path))
            if image is None:
                live.result(f"{path.name}: not a picture")
                continue
            photo = np.asarray(image, np.uint8)
            try:
                made = label(photo, *read_boxes(path.with_suffix(".txt"), photo.shape[1], photo.shape[0]))
            except Rejected as reason:
                live.result(f"{path.name}: {reason}")
                continue
            files.write(values.out / f"{path.stem}.json", encoded(made).encode())
            written += 1
    print(f"{written} of {len(boxed)} photos labelled")
    return 0


def encoded(made: Label) -> str:
    """A label as JSON."""
    upright = oriented(made)
    return json.dumps(
        {
            "corners": np.round(upright.lattice.corners(), 2).tolist(),
            "size": upright.lattice.size,
            "rows": list(upright.rows),
            "quality": upright.quality,
            "residual_cells": upright.residual,
        }
    )


def oriented(made: Label) -> Label:
    """The same label with the lattice as `Lattice.oriented` numbers it."""
    turned = made.lattice.oriented()
    at = np.rint(made.lattice.locate(turned.points())).astype(int)
    rows = tuple("".join(made.rows[row][column] for column, row in line) for line in at)
    return replace(made, lattice=turned, rows=rows)
