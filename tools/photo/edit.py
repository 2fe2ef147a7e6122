"""What a person knows better than the program: corners, points, and keeping the corrected result as a label.

A label is what the labelled pictures of the evaluation are: NAME.jpg, NAME.txt (a line with the size, then rows of
". X O"), NAME.corners.json (four pixels of the picture: upper left, upper right, lower right, lower left).
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

from tengen.engine.records import RecordError
from tengen.tools.photo.geometry import Floats
from tengen.tools.photo.load import Picture
from tengen.tools.photo.position import point_of
from tengen.tools.photo.reading import PhotoError, Point, Reading

_STONES = {
    **dict.fromkeys(("b", "x", "black"), Point.BLACK),
    **dict.fromkeys(("w", "o", "white"), Point.WHITE),
    **dict.fromkeys((".", "e", "-", "empty"), Point.EMPTY),
}
_CHANGE = re.compile(r"([A-Za-z]\d{1,2})=(\S+)")
_MAX_BYTES = 10_000


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
        path = Path(name)
        return path.read_text("utf-8", "replace") if path.is_file() and path.stat().st_size <= _MAX_BYTES else ""
    except (OSError, ValueError):
        return ""


def parse_edits(text: str) -> dict[str, Point]:
    """Points and what they hold, of "Q4=B,D4=W,K10=.". Raises PhotoError with one sentence."""
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
    """The reading with points as a person gives them, certain from now on. Raises PhotoError for another board's."""
    probabilities = reading.probabilities.copy()
    points = set(reading.edits)
    for text, stone in changes.items():
        try:
            row, column = point_of(reading, text)
        except RecordError as error:
            raise PhotoError(f"--edit: {error}") from None
        probabilities[row, column] = 0
        probabilities[row, column, stone] = 1
        points.add((row, column))
    return replace(reading, probabilities=probabilities, edits=frozenset(points))


def keep_label(reading: Reading, picture: Picture, folder: Path, name: str) -> Path:
    """Write the three files of a label, the picture upright and without what the camera noted; returns NAME.txt.

    Raises PhotoError when one of them is there already, OSError when one cannot be written.
    """
    files = [folder / f"{name}{ending}" for ending in (".txt", ".jpg", ".corners.json")]
    for path in files:
        if path.exists():
            raise PhotoError(f"'{path}' is there already: labels are not overwritten")
    folder.mkdir(parents=True, exist_ok=True)
    encoded, data = cv2.imencode(".jpg", picture.image, [cv2.IMWRITE_JPEG_QUALITY, 95])
    if not encoded:
        raise PhotoError(f"'{picture.name}' cannot be written as JPEG")
    rows = [" ".join(".XO"[stone] for stone in row) for row in reading.stones]
    corners = np.round(reading.lattice.corners(), 1).tolist()
    files[0].write_text("\n".join([str(reading.size), *rows]) + "\n", "utf-8")
    files[1].write_bytes(data.tobytes())
    files[2].write_text(json.dumps(corners) + "\n", "utf-8")
    return files[0]
