"""Sheets of pictures to look at: each failure with the true corners, the corners found and the wrong points."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from tengen.engine import files
from tengen.tools.lab.photo.score import Mistake
from tengen.tools.photo.geometry import Image, Lattice
from tengen.tools.photo.results import PhotoError, Point

SIDE, CAPTION = 420, 22
TRUE, FOUND, INK = (60, 200, 0), (0, 0, 255), (30, 30, 30)
READ_COLOURS = {Point.EMPTY: (0, 160, 255), Point.BLACK: (0, 0, 0), Point.WHITE: (255, 255, 255)}


def failure_tile(
    image: Image, true: Lattice | None, found: Lattice | None, mistakes: Sequence[Mistake], caption: str
) -> Image:
    """One failure, (SIDE + CAPTION, 2 SIDE, 3): the picture, and the board from above with its wrong points boxed.

    True corners are green and found ones red, the first corner with a dot. The board is rectified by the true lattice,
    or without one by the found one. A box has the colour of what was read there: black, white, orange for empty.
    """
    scale = SIDE / max(image.shape[:2])
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    left = np.full((SIDE, SIDE, 3), 90, np.uint8)
    left[: small.shape[0], : small.shape[1]] = small[:SIDE, :SIDE]
    for lattice, colour in ((true, TRUE), (found, FOUND)):
        if lattice is not None:
            quad = np.rint(lattice.scaled(scale).corners()).clip(-20000, 20000).astype(np.int32)
            cv2.polylines(left, [quad], True, colour, 2, cv2.LINE_AA)
            cv2.circle(left, [int(value) for value in quad[0]], 5, colour, -1, cv2.LINE_AA)
    tile = np.full((SIDE + CAPTION, 2 * SIDE, 3), 255, np.uint8)
    tile[CAPTION:, :SIDE] = left
    lattice = true or found
    if lattice is not None:
        tile[CAPTION:, SIDE:] = _from_above(image, lattice, mistakes)
    cv2.putText(tile, caption[:120], (4, 15), cv2.FONT_HERSHEY_SIMPLEX, 0.42, INK, 1, cv2.LINE_AA)
    return tile


def _from_above(image: Image, lattice: Lattice, mistakes: Sequence[Mistake]) -> Image:
    pitch = SIDE // (lattice.size + 1)
    flat = lattice.rectify(image, pitch, 1.0)
    for row, column, _, read in mistakes:
        x, y, half = (column + 1) * pitch, (row + 1) * pitch, pitch // 2 - 1
        cv2.rectangle(flat, (x - half, y - half), (x + half, y + half), (255, 0, 255), 2)
        cv2.circle(flat, (x, y), max(2, pitch // 6), READ_COLOURS[read], -1, cv2.LINE_AA)
    board = np.full((SIDE, SIDE, 3), 90, np.uint8)
    board[: flat.shape[0], : flat.shape[1]] = flat[:SIDE, :SIDE]
    return board


def write_sheets(path: Path, tiles: Sequence[Image], across: int = 2, down: int = 4) -> list[Path]:
    """Write tiles of one size as PNG, `across` x `down` a sheet: PATH, then PATH-2 and so on. Returns what was written.

    Raises PhotoError if a file cannot be written.
    """
    written = []
    for page, first in enumerate(range(0, len(tiles), across * down), 1):
        part = list(tiles[first : first + across * down])
        part += [np.full_like(part[0], 255)] * (-len(part) % across)
        lines = [np.hstack(part[start : start + across]) for start in range(0, len(part), across)]
        target = path if page == 1 else path.with_name(f"{path.stem}-{page}{path.suffix}")
        write_png(target, np.asarray(np.vstack(lines), np.uint8))
        written.append(target)
    return written


def write_png(path: Path, image: Image) -> None:
    """Write a picture as PNG, whatever the name's ending. Raises PhotoError if that cannot be done."""
    _, encoded = cv2.imencode(".png", image)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(encoded.tobytes())
    except OSError as error:
        raise PhotoError(f"'{path}': {files.explained(error)}") from None
