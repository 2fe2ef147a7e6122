"""Corrections by a person: corners, points, and keeping the corrected result as a label.

A label is what the labelled pictures of the evaluation are: NAME.jpg, NAME.txt (a line with the size, then rows of
". X O", "?" where a point is hidden), NAME.corners.json (four pixels of the picture: upper left, upper right, lower
right, lower left).
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from tengen.engine import files
from tengen.engine.records import RecordError
from tengen.engine.records.points import point
from tengen.tools.photo.confidence import doubts
from tengen.tools.photo.geometry import Floats, Image, Window, is_convex
from tengen.tools.photo.grown_lattice import LARGEST
from tengen.tools.photo.load import Picture
from tengen.tools.photo.position import point_of
from tengen.tools.photo.results import PhotoError, Point, Reading

_STONES = {
    **dict.fromkeys(("b", "x", "black"), Point.BLACK),
    **dict.fromkeys(("w", "o", "white"), Point.WHITE),
    **dict.fromkeys((".", "e", "-", "empty"), Point.EMPTY),
}
_CHANGE = re.compile(r"([A-Za-z]\d{1,2})=(\S+)")
_PART = re.compile(r"([A-Za-z]\d{1,2})\s*[-:]\s*([A-Za-z]\d{1,2})")
_SIDES = ("left", "upper", "right", "lower")
_PLACES = {"top": "upper", "bottom": "lower"}
_MAX_BYTES = 10_000
SEEN = 0.4
"""The share of a board between given corners that lies in the picture, at least."""
SMALLEST = 24
"""Pixels a side of such a board, at least: three for each line of the smallest one."""


def parse_corners(text: str) -> Floats:
    """(4, 2) pixels of "x1,y1,x2,y2,x3,y3,x4,y4", or of a JSON file with four pairs; the first stays the first.

    In whatever order the others are given, they are put clockwise as the picture shows them. Raises PhotoError.
    """
    numbers = _numbers(text)
    if numbers is None:
        numbers = _numbers(_content(text))
    if numbers is None or len(numbers) != 8:
        raise PhotoError(f"--corners takes x,y of the four corners of the board: eight numbers, not '{text[:60]}'")
    if max(map(abs, numbers)) > 100_000:
        raise PhotoError("a corner of --corners is far outside of any picture")
    corners = np.array(numbers).reshape(4, 2)
    middle = corners.mean(0)
    around = np.argsort(np.arctan2(*(corners - middle).T[::-1]))
    first = int(np.flatnonzero(around == 0)[0])
    return np.asarray(corners[np.roll(around, -first)], np.float64)


def within(corners: Floats, image: Image, scale: float) -> Floats:
    """Corners in pixels of the file as pixels of the picture that was made of it, `scale` times as large.

    Raises PhotoError where hardly anything of the board would be seen: a mistake in writing, not a board half covered.
    """
    height, width = image.shape[:2]
    scaled = np.asarray((corners + 0.5) * scale - 0.5, np.float64)
    quad = scaled.astype(np.float32)
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    if not is_convex(scaled):
        raise PhotoError("the four corners of --corners do not make a convex quadrilateral")
    area = cv2.contourArea(quad)
    size = f"{round(width / scale)}x{round(height / scale)} pixels, upright"
    if cv2.intersectConvexConvex(quad, frame)[0] < SEEN * area:
        raise PhotoError(f"--corners names corners that are mostly outside of the picture ({size})")
    if area < SMALLEST * SMALLEST:
        raise PhotoError(f"between the four corners of --corners are too few pixels for a board (of {size})")
    return scaled


def _numbers(text: str) -> list[float] | None:
    """The finite numbers of a text of nothing else but commas, blanks and brackets, else None."""
    try:
        numbers = [float(word) for word in re.split(r"[\s,;\[\]()]+", text.strip(" \r\n\t[]();,"))]
    except ValueError:
        return None
    return numbers if all(map(math.isfinite, numbers)) else None


def _content(name: str) -> str:
    """The text of a file of corners, "" when there is none."""
    try:
        return files.read(name, _MAX_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""


def parse_window(text: str, size: int | None, game: str | None) -> Window | str:
    """The part of a board that two opposite points name ("C3-K13", of 19 lines unless told), or words for its place.

    Words: a side (left, upper, right, lower) or a corner ("upper-left"). Raises PhotoError.
    """
    words = [_PLACES.get(word, word) for word in re.split(r"[-_\s]+", text.strip().lower())]
    if len(set(words)) == len(words) <= 2 and all(word in _SIDES for word in words):
        if not {"left", "right"} <= set(words) and not {"upper", "lower"} <= set(words):
            return "-".join(words)
    corners = _PART.fullmatch(text.strip())
    if corners is None:
        raise PhotoError(f"--window takes two opposite points as C3-K13, or a place as upper-left, not '{text[:30]}'")
    lines = size or LARGEST
    try:
        spots = [divmod(point(game or "go", lines, lines, corner), lines) for corner in corners.groups()]
    except RecordError as error:
        raise PhotoError(f"--window: {error}") from None
    (top, bottom), (left, right) = (sorted(axis) for axis in zip(*spots, strict=True))
    return Window(left, top, right, bottom)


def parse_edits(text: str) -> dict[str, Point]:
    """Parse points and their stones from "Q4=B,D4=W,K10=.". Raises PhotoError with one sentence."""
    changes: dict[str, Point] = {}
    for word in filter(None, re.split(r"[,;\s]+", text)):
        change = _CHANGE.fullmatch(word)
        stone = _STONES.get(change[2].lower()) if change else None
        if change is None or stone is None:
            raise PhotoError(f"--edit takes points as Q4=B, D4=W or K10=. (empty), not '{word[:30]}'")
        if changes.setdefault(change[1].lower(), stone) != stone:
            raise PhotoError(f"--edit gives {change[1]} twice")
    if not changes:
        raise PhotoError("--edit names no point")
    return changes


def edited(reading: Reading, changes: Mapping[str, Point]) -> Reading:
    """The reading with points as a person gives them, certain from now on, and its doubts told anew.

    Raises PhotoError for another board's points, and for one that is given twice ("A1", "a01").
    """
    before = set(doubts(reading))
    probabilities = reading.probabilities.copy()
    given: dict[tuple[int, int], Point] = {}
    for text, stone in changes.items():
        try:
            row, column = point_of(reading, text)
        except RecordError as error:
            raise PhotoError(f"--edit: {error}") from None
        if given.setdefault((row, column), stone) != stone:
            raise PhotoError(f"--edit gives {text} twice")
        probabilities[row, column] = 0
        probabilities[row, column, stone] = 1
    changed = replace(reading, probabilities=probabilities, edits=reading.edits | given.keys())
    others = [warning for warning in reading.warnings if warning not in before]
    again = doubts(changed) if len(others) < len(reading.warnings) else ()
    return replace(changed, warnings=(*again, *others))


def label_files(folder: Path, name: str) -> tuple[Path, Path, Path]:
    """Return the three files of a label: rows, picture, corners. Raises PhotoError when one is there already."""
    files = folder / f"{name}.txt", folder / f"{name}.jpg", folder / f"{name}.corners.json"
    for path in files:
        if path.exists():
            raise PhotoError(f"'{path}' is there already: labels are not overwritten")
    return files


def keep_label(reading: Reading, picture: Picture, folder: Path, name: str) -> Path:
    """Write the three files of a label, the picture upright and without what the camera noted; returns NAME.txt.

    Raises PhotoError when one of them is there already or cannot be written.
    """
    files = label_files(folder, name)
    encoded, data = cv2.imencode(".jpg", picture.image, [cv2.IMWRITE_JPEG_QUALITY, 95])
    if not encoded:
        raise PhotoError(f"'{picture.name}' cannot be written as JPEG")
    shown = np.where(reading.probabilities[..., Point.HIDDEN] > 0.5, Point.HIDDEN, reading.stones)
    rows = [" ".join(".XO?"[point] for point in row) for row in shown]
    part = [" ".join(map(str, ("window", *reading.window)))] if reading.window else []
    corners = np.round(reading.lattice.corners(), 1).tolist()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        files[0].write_text("\n".join([str(reading.size), *rows, *part]) + "\n", "utf-8")
        files[1].write_bytes(data.tobytes())
        files[2].write_text(json.dumps(corners) + "\n", "utf-8")
    except OSError as error:
        raise PhotoError(f"cannot keep a label in '{folder}': {error.strerror or error}") from None
    return files[0]
