"""Reading the part of a board that a picture shows: its lines counted, its edges looked for, its place on the board."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tengen.tools.photo import parts, reader
from tengen.tools.photo.find.rectangles import EXPLAINED, Grid, rectangle
from tengen.tools.photo.geometry import Image, Lattice, Window, translation
from tengen.tools.photo.judging import doubts, hide_outside, likelihood
from tengen.tools.photo.position import part_text
from tengen.tools.photo.reading import Hypothesis, Point, Reading
from tengen.tools.photo.sides import look

_OPEN = 0.35
"""A board whose sides are less likely than this its edges is not reported as a whole one."""
_ABOVE = 0.3
"""What a fit of a whole board scores beyond how its points are explained."""
_HINT = "say which board and which part it is, as --size 19 --window C3-K13 or --window upper-left"


def part_of(
    image: Image, hypothesis: Hypothesis, size: int | None, game: str | None, window: Window | str | None
) -> Reading | Hypothesis | str | None:
    """What a doubtful lattice of a whole board is once its lines are counted.

    The part of a board that shows, read; the hypothesis of a whole board, this one or a better; a sentence where a part
    cannot be placed; None where the lines cannot be counted.
    """
    lattice = hypothesis.lattice
    if lattice.cells or game == "reversi":
        return None
    grid = rectangle(image, lattice.corners())
    if grid is None or grid.score < EXPLAINED or grid.columns == grid.rows == 8:  # eight squares have middles, too
        return None
    found = followed_from(image, grid)
    whole = parts.whole_size(found)
    if whole and window is None and size in (None, whole):
        return _better(hypothesis, found, grid.score)
    placed = parts.place(found, size or (15 if game == "gomoku" and max(found.lines) <= 15 else None), window)
    if isinstance(placed, str):
        shown = f"{found.columns} columns and {found.rows} rows"
        return f"only a part of a board seems to show, {shown}, and {placed}: {_HINT}"
    return read_part(image, found, placed, grid.score, game, is_sized=size is not None)


def followed_from(image: Image, grid: Grid) -> parts.Extent:
    """How far the lines of a grid go."""
    lattice = Lattice(max(grid.columns, grid.rows), grid.homography)
    start = Window(0, 0, grid.columns - 1, grid.rows - 1)
    return parts.followed(image, parts.Extent(lattice, start, look(image, lattice, start)))


def doubted(reading: Reading, extent: parts.Extent) -> Reading | str:
    """A reading of a whole board whose lines could not be counted and whose sides may not be its edges."""
    if extent.may_be_whole:
        return reading
    sides = parts.named(extent.open_sides)
    if extent.is_whole < _OPEN and max(extent.lines) < parts.LARGEST:
        return f"the lines seem to go on beyond the {sides} side, so that only a part of a board shows: {_HINT}"
    warning = f"the lines may go on beyond the {sides} side: is it a part of a larger board?"
    return replace(reading, warnings=(*reading.warnings, warning))


def _better(hypothesis: Hypothesis, found: parts.Extent, score: float) -> Hypothesis:
    """A whole board: as it was proposed where the lines agree, else on them."""
    to_part = translation(found.part.left, found.part.top)
    lattice = Lattice(found.columns, found.lattice.homography @ to_part).oriented()
    off = np.linalg.norm(lattice.corners() - hypothesis.lattice.corners(), axis=1).max() / lattice.cell()
    if hypothesis.lattice.size == lattice.size and off < 0.5:
        return hypothesis
    return replace(hypothesis, lattice=lattice, score=score + _ABOVE)


def read_part(
    image: Image, found: parts.Extent, placed: parts.Placed, score: float, game: str | None, *, is_sized: bool
) -> Reading:
    """The reading of a part whose place on its board is known."""
    size, shown = placed.size, placed.shown
    to_board = translation(found.part.left - shown.left, found.part.top - shown.top)
    lattice = Lattice(size, found.lattice.homography @ to_board)
    side = max(found.lines)
    left, top = min(shown.left, size - side), min(shown.top, size - side)
    square = Lattice(side, lattice.shifted(left, top).homography)
    seen = reader.read(image, square)
    hide_outside(seen, square, image.shape[0], image.shape[1])
    probabilities = np.zeros((size, size, 4), np.float32)
    probabilities[top : top + side, left : left + side] = seen
    probabilities[~shown.mask(size)] = np.eye(4, dtype=np.float32)[Point.HIDDEN]
    sure = likelihood(score + _ABOVE, probabilities[shown.mask(size)])
    reading = Reading(lattice, probabilities, sure, game or ("gomoku" if size == 15 else "go"), window=shown)
    if shown.is_whole(size):
        return replace(reading, window=None, warnings=tuple(doubts(replace(reading, window=None))))
    return replace(reading, warnings=(_said(reading, placed, is_sized or found.is_sized), *doubts(reading)))


def _said(reading: Reading, placed: parts.Placed, is_sized: bool) -> str:
    """The sentence that tells which part was read."""
    guess = "" if is_sized else f" ({placed.size}x{placed.size} is a guess: --size says which board it is)"
    return f"only the part {part_text(reading)} of a {placed.size}x{placed.size} board was read, {placed.how}{guess}"
