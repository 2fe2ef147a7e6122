"""Labelled pictures in folders: what the photo laboratory learns from and measures on.

A folder holds, for each picture, `NAME.jpg` (or .jpeg, .png), `NAME.txt` and mostly `NAME.corners.json`. The text is
the size on a line of its own, then a row of the board a line: `.` empty, `X` black, `O` white, `?` hidden (a hand, a
bowl, outside of the picture), spaces allowed between them. A picture of a part of a board has a last line `window LEFT
TOP RIGHT BOTTOM` there: the outermost columns and rows that show, counted from 0 at the upper left; all beyond is `?`.
The corners are four [x, y] in pixels of the upright picture, as `Lattice.from_corners` takes them; those of a part lie
where the whole board's would be, outside of the picture perhaps. Further boards of a picture, whose stones nobody
labelled, are in `NAME.others.json`: [size, [four [x, y]]] of each. `eval_photos.py`, which scores tools from outside,
knows `.`, `X` and `O` only: there a `?` counts as wrong whatever is answered. Folders are not searched for further
folders.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from tengen.engine import files
from tengen.tools.photo.geometry import Image, Lattice, Window
from tengen.tools.photo.results import PhotoError, Point

SYMBOLS = {Point.EMPTY: ".", Point.BLACK: "X", Point.WHITE: "O", Point.HIDDEN: "?"}
MEANINGS = {symbol: point for point, symbol in SYMBOLS.items()}
EXTENSIONS = (".jpg", ".jpeg", ".png")
LARGEST = 25
LARGEST_TEXT = 1 << 20  # bytes

Labels = NDArray[np.int8]
"""(size, size) of Point, [row, column]."""


@dataclass(frozen=True)
class Labelled:
    """A picture and the stones on its board. `lattice` is None where nobody marked the corners.

    `window` is the part that shows where the picture is one of a part of a board; `others` are further boards.
    """

    name: str
    path: Path
    size: int
    labels: Labels
    lattice: Lattice | None
    window: Window | None = None
    others: tuple[Lattice, ...] = ()

    @property
    def is_digital(self) -> bool:
        """Whether it is a screenshot or a printed diagram, not a photo of a board: these are named d_*."""
        return self.name.startswith("d_")

    def image(self) -> Image:
        """The picture, upright as its EXIF data has it. Raises PhotoError if it cannot be decoded."""
        pixels = cv2.imread(str(self.path), cv2.IMREAD_COLOR)
        if pixels is None:
            raise PhotoError(f"'{self.path}' is not a picture that can be read")
        return np.asarray(pixels, np.uint8)


def read_weighted(folders: Sequence[str], suits: Callable[[Lattice], bool]) -> list[tuple[float, list[Labelled]]]:
    """(weight, pictures whose lattice suits) of every FOLDER[=WEIGHT] that has some; the weight is 1 without one."""
    sources = []
    for text in folders:
        folder, _, weight = text.partition("=")
        items = [item for item in read_folder(Path(folder)) if item.lattice is not None and suits(item.lattice)]
        if items:
            sources.append((float(weight or 1), items))
    return sources


def read_folders(folders: Iterable[Path | str]) -> list[Labelled]:
    """Every labelled picture of these folders, by folder and then by name. Raises PhotoError for the first mistake."""
    return [labelled for folder in folders for labelled in read_folder(Path(folder))]


def read_folder(folder: Path) -> list[Labelled]:
    """Every labelled picture of one folder, by name. A picture without a text is left out.

    Raises PhotoError if there is no such folder, no labelled picture in it, or a label is not well formed.
    """
    if not folder.is_dir():
        raise PhotoError(f"there is no folder '{folder}'")
    paths = [path for path in sorted(folder.iterdir()) if path.suffix.lower() in EXTENSIONS]
    found = [read(path) for path in paths if label_path(path).exists()]
    if not found:
        raise PhotoError(f"the folder '{folder}' holds no labelled picture (NAME.jpg with NAME.txt beside it)")
    return found


def read(path: Path) -> Labelled:
    """One picture's labels; its pixels are read later. Raises PhotoError if the labels are missing or malformed."""
    rows, window = parse_window(_text(label_path(path)), label_path(path).name)
    labels = parse_labels(rows, label_path(path).name)
    corners = corners_path(path)
    lattice = parse_corners(_text(corners), len(labels), corners.name) if corners.exists() else None
    more = others_path(path)
    others = parse_others(_text(more), more.name) if more.exists() else ()
    return Labelled(path.stem, path, len(labels), labels, lattice, window, others)


def label_path(image: Path) -> Path:
    """Return the path of a picture's rows."""
    return image.with_name(image.stem + ".txt")


def corners_path(image: Path) -> Path:
    """Return the path of a picture's corners."""
    return image.with_name(image.stem + ".corners.json")


def others_path(image: Path) -> Path:
    """Return the path of the corners of a picture's further boards."""
    return image.with_name(image.stem + ".others.json")


def parse_labels(text: str, name: str = "label") -> Labels:
    """The labels (size, size) of a size line and rows. Raises PhotoError, which names the line, if they do not fit."""
    lines = [line.replace(" ", "") for line in text.splitlines() if line.strip()]
    size = int(lines[0]) if lines and lines[0].isascii() and lines[0].isdigit() and len(lines[0]) < 4 else 0
    if not 2 <= size <= LARGEST:
        raise PhotoError(f"{name}: the first line is not a size from 2 to {LARGEST}")
    if len(lines) != size + 1:
        raise PhotoError(f"{name}: {len(lines) - 1} rows on a board of size {size}")
    for number, row in enumerate(lines[1:], 1):
        if len(row) != size:
            raise PhotoError(f"{name}: row {number} has {len(row)} points, not {size}")
        if strange := set(row) - set(MEANINGS):
            raise PhotoError(f"{name}: row {number} has '{min(strange)}' where '.', 'X', 'O' or '?' is expected")
    return np.array([[MEANINGS[symbol] for symbol in row] for row in lines[1:]], np.int8)


def parse_window(text: str, name: str = "label") -> tuple[str, Window | None]:
    """The text without the line of the window, and the window. Raises PhotoError for one that is not well formed."""
    rows, word, numbers = text.partition("window")
    if not word:
        return text, None
    try:
        window = Window(*map(int, numbers.split()))
    except (ValueError, TypeError):
        raise PhotoError(f"{name}: 'window' is not followed by LEFT TOP RIGHT BOTTOM") from None
    if not (0 <= window.left <= window.right < LARGEST and 0 <= window.top <= window.bottom < LARGEST):
        raise PhotoError(f"{name}: no board has the window {' '.join(map(str, window))}")
    return rows, window


def format_labels(labels: Labels, window: Window | None = None) -> str:
    """The text that `parse_labels` reads, or with a window `parse_window`."""
    rows = (" ".join(SYMBOLS[Point(point)] for point in row) for row in labels.tolist())
    part = [" ".join(map(str, ("window", *window)))] if window else []
    return "\n".join([str(len(labels)), *rows, *part, ""])


def parse_corners(text: str, size: int, name: str = "corners") -> Lattice:
    """The lattice of a JSON array of four [x, y]. Raises PhotoError unless they make a convex quadrilateral."""
    try:
        return Lattice.from_corners(np.array(json.loads(text), np.float64), size)
    except (ValueError, TypeError, RecursionError) as error:
        reason = "not JSON" if isinstance(error, json.JSONDecodeError) else "not four [x, y] of a convex quadrilateral"
        raise PhotoError(f"{name}: {reason}") from None


def parse_others(text: str, name: str = "others") -> tuple[Lattice, ...]:
    """The lattices of a JSON array of [size, corners]. Raises PhotoError if it is another thing."""
    try:
        return tuple(parse_corners(json.dumps(corners), int(size), name) for size, corners in json.loads(text))
    except (ValueError, TypeError, RecursionError):
        raise PhotoError(f"{name}: not an array of [size, corners]") from None


def save(
    folder: Path, name: str, image: Image, lattice: Lattice, labels: Labels, *,
    quality: int = 92, window: Window | None = None, others: tuple[Lattice, ...] = (),
) -> Labelled:  # fmt: skip
    """Write a labelled picture (as JPEG of this quality, 1-100) into a folder, which is made; what was there goes.

    Corners are kept to 1/100 of a pixel. The rows are written last: a picture without them is not labelled.
    Raises PhotoError if the labels do not fit the lattice or a file cannot be written.
    """
    if labels.shape != (lattice.size, lattice.size):
        raise PhotoError(f"{name}: labels of shape {labels.shape} on a board of size {lattice.size}")
    done, encoded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise PhotoError(f"{name}: the picture cannot be written as JPEG")
    path = folder / f"{name}.jpg"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_bytes(encoded.tobytes())
        corners_path(path).write_text(json.dumps(lattice.corners().round(2).tolist()), encoding="utf-8")
        if others:
            marked = [[other.size, other.corners().round(2).tolist()] for other in others]
            others_path(path).write_text(json.dumps(marked), encoding="utf-8")
        label_path(path).write_text(format_labels(labels, window), encoding="utf-8")
    except OSError as error:
        raise PhotoError(f"'{error.filename or path}': {files.explained(error)}") from None
    return Labelled(name, path, lattice.size, np.asarray(labels, np.int8), lattice, window, others)


def _text(path: Path) -> str:
    try:
        return files.read(path, LARGEST_TEXT).decode("utf-8")
    except UnicodeDecodeError:
        raise PhotoError(f"{path.name}: not text") from None
    except OSError as error:
        raise PhotoError(f"'{path}': {files.reason(error)}") from None
