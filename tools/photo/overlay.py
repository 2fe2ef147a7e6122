"""The picture to check a result by: the photo with the reading drawn on it, beside a clean diagram.

Rings lie on the stones that were read, azure for black, magenta for white, with a dot of the stone's colour in the
middle; green lines are the lattice, yellow brackets its corners; points to look at have a red square and "?".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from tengen.tools.photo.diagram import EDITED, UNSURE, coordinates, diagram, marks
from tengen.tools.photo.draw import (
    BLACK,
    DARK,
    WHITE,
    Colour,
    Lettering,
    blend,
    circle,
    length,
    polygon,
    polyline,
    square,
)
from tengen.tools.photo.geometry import Floats, Image, Lattice, translation
from tengen.tools.photo.position import doubts
from tengen.tools.photo.results import Point, Reading

if TYPE_CHECKING:
    from tengen.tools.photo.territory import Territory

SIDE = 800
"""Pixels a side of each half."""
_GAP = 16
_HEAD = 54
_LINE = 30
_PAPER: Colour = (246, 246, 246)
_GRID: Colour = (96, 255, 0)
_RINGS: dict[int, Colour] = {Point.BLACK: (255, 205, 0), Point.WHITE: (220, 0, 255)}
_CORNER: Colour = (0, 225, 255)
_GOOD: Colour = (60, 130, 30)
_AROUND = 1.5
_LINES = 4


def check_picture(image: Image, reading: Reading, name: str, territory: Territory | None = None) -> Image:
    """Photo with overlay and diagram side by side under a headline, warnings and uncertain points in words below.

    With `territory`, the diagram shows it.
    """
    below = _words(reading)
    width, height = 2 * SIDE + 3 * _GAP, SIDE + _HEAD + _GAP + _LINE * (len(below) + 1)
    page = np.empty((height, width, 3), np.uint8)
    page[:] = _PAPER
    page[_HEAD : _HEAD + SIDE, _GAP : _GAP + SIDE] = overlay(image, reading, SIDE)
    page[_HEAD : _HEAD + SIDE, 2 * _GAP + SIDE : 2 * (_GAP + SIDE)] = diagram(reading, SIDE, territory)
    lettering = Lettering()
    _headline(lettering, reading, name, width, f"   {territory.margin} proposed" if territory else "")
    middle = _HEAD + SIDE + _GAP / 2 + _LINE / 2
    for number, (text, colour) in enumerate(below):
        lettering.add((_GAP, middle + _LINE * number), text, 21, colour, anchor="lm")
    _legend(page, lettering, middle + _LINE * len(below))
    return lettering.put_on(page)


def overlay(image: Image, reading: Reading, side: int) -> Image:
    """The part of a picture with the board, `side` pixels square, with the lattice and the stones drawn on it."""
    photo, lattice = _cut(image, reading.lattice, side)
    cell = lattice.cell()
    photo = _grid(photo, lattice)
    width, edge = max(2, round(cell / 17)), int(cell > 22)
    for row, column in np.argwhere(reading.stones != Point.EMPTY).tolist():
        stone = int(reading.stones[row, column])
        polyline(photo, circle(lattice, column, row, 0.42), _RINGS[stone], width, edge)
        polygon(photo, circle(lattice, column, row, 0.13), DARK if stone == Point.WHITE else WHITE)
        polygon(photo, circle(lattice, column, row, 0.09), BLACK if stone == Point.BLACK else WHITE)
    _brackets(photo, lattice, width)
    lettering = Lettering()
    coordinates(lettering, reading, lattice, min(26, round(0.44 * cell)), WHITE, DARK, 1.0)
    marks(photo, lettering, reading, lattice, cell)
    return lettering.put_on(photo)


def _cut(image: Image, lattice: Lattice, side: int) -> tuple[Image, Lattice]:
    """The square of a picture around a board, `side` pixels a side, and the lattice in it. Outside it is grey."""
    low, high = -_AROUND, lattice.size - 1 + _AROUND
    around = lattice.project(np.array([[low, low], [high, low], [high, high], [low, high]]))
    height, width = image.shape[:2]
    pad = min(1.4 * lattice.cell(), 0.2 * max(height, width))  # room for the coordinates
    around = np.clip(around, (-pad, -pad), (width + pad, height + pad))
    least, most = around.min(0), around.max(0)
    scale = side / float(max(1.0, *(most - least)))
    middle = (least + most) / 2
    view = translation(side / 2, side / 2) @ np.diag([scale, scale, 1.0]) @ translation(-middle[0], -middle[1])
    if scale < 0.5:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.4 / scale), np.uint8)
    cut = cv2.warpAffine(image, view[:2], (side, side), flags=cv2.INTER_CUBIC, borderValue=(90, 90, 90))
    return np.asarray(cut, np.uint8), Lattice(lattice.size, view @ lattice.homography, lattice.cells)


def _grid(photo: Image, lattice: Lattice) -> Image:
    """The photo with the lines of the lattice, half transparent: between the squares where the board has squares."""
    size, cells = lattice.size, lattice.cells
    low, high = (-0.5, size - 0.5) if cells else (0.0, size - 1.0)
    layer = photo.copy()
    for index in range(size + 1 if cells else size):
        at = index - 0.5 if cells else float(index)
        for ends in (((at, low), (at, high)), ((low, at), (high, at))):
            polyline(layer, lattice.project(np.array(ends)), _GRID, 1, is_closed=False)
    return blend(photo, layer, 0.75)


def _brackets(photo: Image, lattice: Lattice, width: int) -> None:
    """Angles just outside of the four corners."""
    out, leg = 0.62, 1.1
    last = lattice.size - 1
    for column, row, across, down in ((0, 0, 1, 1), (last, 0, -1, 1), (last, last, -1, -1), (0, last, 1, -1)):
        tip = np.array([column - across * out, row - down * out], float)
        points: Floats = np.array([tip + (across * leg, 0), tip, tip + (0, down * leg)])
        polyline(photo, lattice.project(points), _CORNER, width + 1, edge=1, is_closed=False)


def _headline(lettering: Lettering, reading: Reading, name: str, width: int, more: str) -> None:
    """Name of the picture left, kind of the board, number of stones and whether it must be checked right."""
    black, white = (int((reading.stones == stone).sum()) for stone in (Point.BLACK, Point.WHITE))
    number = len(reading.uncertain)
    state = f"{number} point{'s' if number > 1 else ''} to check" if number else "no uncertain points"
    if reading.warnings:
        state = f"{state}, {len(reading.warnings)} warning{'s' if len(reading.warnings) > 1 else ''}"
    colour = UNSURE if number or reading.warnings else _GOOD
    y = _HEAD / 2
    facts = f"{reading.game.capitalize()} {reading.size}x{reading.size}   {black} black   {white} white{more}"
    height = 26
    while height > 14 and length(facts, height) + length(state, height) + 30 > SIDE:
        height -= 1
    lettering.add((width - _GAP, y), state, height, colour, anchor="rm")
    lettering.add((2 * _GAP + SIDE, y), facts, height, anchor="lm")
    while length(name, 26) > SIDE and len(name) > 8:
        name = f"{name[: len(name) // 2 - 3]}...{name[len(name) // 2 + 3 :]}"
    lettering.add((_GAP, y), name, 26, anchor="lm")


def _legend(page: Image, lettering: Lettering, y: float) -> None:
    """What the marks mean, in a line."""
    flat = Lattice(2, np.diag([22.0, 22.0, 1.0]))
    x = float(_GAP)
    for text, colour, is_ring in (
        ("read as black", _RINGS[Point.BLACK], True),
        ("read as white", _RINGS[Point.WHITE], True),
        ("uncertain", UNSURE, False),
        ("corrected by hand", EDITED, False),
    ):
        shape = circle(flat, 0, 0, 0.4) if is_ring else square(flat, 0, 0, 0.36)
        polyline(page, shape + (x + 10, y), colour, 3, edge=1)
        lettering.add((x + 28, y), text, 19, (90, 90, 90), anchor="lm")
        x += 28 + length(text, 19) + 36


def _words(reading: Reading) -> list[tuple[str, Colour]]:
    """Lines below the picture: warnings, uncertain points."""
    lines = [f"Warning: {warning}" for warning in reading.warnings]
    listed = doubts(reading)
    if listed:
        lines += _wrapped(f"Uncertain: {', '.join(listed)}")
    rows = [line for text in lines for line in _wrapped(text)]
    if len(rows) > _LINES:
        rows = [*rows[: _LINES - 1], f"{rows[_LINES - 1][:80]} ..."]
    return [(row, UNSURE) for row in rows]


def _wrapped(text: str) -> list[str]:
    """Lines of a text that fit under the picture."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if length(longer, 21) > 2 * SIDE:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
