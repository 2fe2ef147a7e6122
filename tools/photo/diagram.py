"""A clean picture of a position from above: board, stones, coordinates, the points to look at again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tengen.tools.photo.draw import BLACK, DARK, WHITE, Colour, Lettering, circle, polygon, polyline, square
from tengen.tools.photo.geometry import Floats, Image, Lattice, translation
from tengen.tools.photo.position import vertex
from tengen.tools.photo.results import Point, Reading

if TYPE_CHECKING:
    from tengen.tools.photo.territory import Territory

UNSURE: Colour = (48, 48, 232)
EDITED: Colour = (235, 130, 30)
_WOOD: Colour = (120, 192, 232)
_FELT: Colour = (92, 140, 48)
_LINE: Colour = (45, 60, 78)
_STARS = {9: (2, 4, 6), 13: (3, 6, 9), 15: (3, 7, 11), 17: (3, 8, 13), 19: (3, 9, 15)}
_MARGIN = 1.25


def diagram(reading: Reading, side: int, territory: Territory | None = None) -> Image:
    """The position as a square of `side` pixels, with coordinates all around, and whose is what."""
    size = reading.size
    cell = side / (size - 1 + 2 * _MARGIN)
    lattice = Lattice(size, np.diag([cell, cell, 1.0]) @ translation(_MARGIN, _MARGIN), reading.lattice.cells)
    image = np.empty((side, side, 3), np.uint8)
    image[:] = _FELT if lattice.cells else _WOOD
    _lines(image, lattice, cell)
    for row, column in np.argwhere(reading.stones != Point.EMPTY).tolist():
        _stone(image, lattice, row, column, cell, reading.stones[row, column] == Point.BLACK)
    if territory is not None:
        from tengen.tools.photo.territory_report import draw

        image = draw(image, lattice, territory)
    lettering = Lettering()
    coordinates(lettering, reading, lattice, round(0.42 * cell), WHITE if lattice.cells else DARK, None, 0.82)
    marks(image, lettering, reading, lattice, cell)
    return lettering.put_on(image)


def coordinates(
    lettering: Lettering, reading: Reading, lattice: Lattice, size: int, colour: Colour, halo: Colour | None, out: float
) -> None:
    """Letters above and below, numbers left and right, `out` cells from the outermost points."""
    last = reading.size - 1
    for index in range(reading.size):
        letter, number = vertex(reading, 0, index)[0].upper(), vertex(reading, index, 0)[1:]
        if reading.game == "reversi":
            letter = letter.lower()
        for edge in (-out, last + out):
            for text, place in ((letter, (index, edge)), (number, (edge, index))):
                lettering.add(lattice.project(np.array(place, float)), text, max(9, size), colour, halo)


def marks(image: Image, lettering: Lettering, reading: Reading, lattice: Lattice, cell: float) -> None:
    """Red squares with a question mark on uncertain points, blue ones on edited points."""
    width = max(2, round(cell / 14))
    for row, column in reading.uncertain:
        polyline(image, square(lattice, column, row, 0.5), UNSURE, width, edge=1)
        badge = lattice.project(np.array([column + 0.40, row - 0.40]))
        polygon(image, badge + _round(0.24 * cell), UNSURE)
        lettering.add(badge, "?", max(9, round(0.40 * cell)), WHITE)
    for row, column in sorted(reading.edits):
        polyline(image, square(lattice, column, row, 0.5), EDITED, width, edge=1)


def _round(radius: float) -> Floats:
    """Pixels (24, 2) of a circle about (0, 0)."""
    angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    return np.stack([radius * np.cos(angles), radius * np.sin(angles)], -1)


def _lines(image: Image, lattice: Lattice, cell: float) -> None:
    """The printed lines and star points; of a board of squares their borders."""
    size, cells = lattice.size, lattice.cells
    low, high = (-0.5, size - 0.5) if cells else (0.0, size - 1.0)
    width = max(1, round(cell / 45))
    for index in range(size + 1 if cells else size):
        at = index - 0.5 if cells else float(index)
        is_edge = at in (low, high)
        for ends in (((at, low), (at, high)), ((low, at), (high, at))):
            polyline(image, lattice.project(np.array(ends)), _LINE, width + is_edge, is_closed=False)
    for row in _STARS.get(size, ()):
        for column in _STARS[size]:
            if size >= 17 or (row == size // 2) == (column == size // 2):
                polygon(image, circle(lattice, column, row, 0.11), _LINE)


def _stone(image: Image, lattice: Lattice, row: int, column: int, cell: float, is_black: bool) -> None:
    polygon(image, circle(lattice, column, row, 0.47), BLACK)
    if not is_black:
        polygon(image, circle(lattice, column, row, 0.47 - max(1.0, cell / 30) / cell), WHITE)
