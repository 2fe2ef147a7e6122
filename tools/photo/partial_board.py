"""Reading the part of a board that a picture shows: its lines counted, its edges looked for, its place on the board."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tengen.engine.records.points import point_text
from tengen.tools.photo import grown_lattice, stone_reader
from tengen.tools.photo.board_sides import look
from tengen.tools.photo.confidence import doubts, hide_outside, likelihood
from tengen.tools.photo.find.rectangles import EXPLAINED, Grid, fitted, rectangle
from tengen.tools.photo.find.rims import rimless
from tengen.tools.photo.geometry import SIZES, Floats, Image, Lattice, Window, counting, homography_of, translation
from tengen.tools.photo.position import part_text
from tengen.tools.photo.results import Hypothesis, Point, Reading
from tengen.tools.photo.warnings import Warned, warning

_OPEN = 0.35
"""A board whose sides are less likely than this its edges is not reported as a whole one."""
_ABOVE = 0.3
"""What a fit of a whole board scores beyond how its points are explained."""
_NO_STONE = "lines cross and no stone shows: this looks like tiles or squared paper, or a part of an empty board"
_TOLD = 0.5
"""A grid that explains the heat so well is taken for the part that `--window` says is there."""
_NEAR = 0.8
"""Cells: a grid this near to the corners that were given is what a hand meant."""


@dataclass(frozen=True)
class Told:
    """The user's facts about a part: the board's size and game, the part itself or words for it, and whether its
    corners were given."""

    size: int | None = None
    game: str | None = None
    window: Window | str | None = None
    is_given: bool = False

    def hint(self, columns: int, rows: int) -> str:
        """Return the advice for a part of so many lines, in words that work as they stand."""
        size = self.size if self.size and max(columns, rows) <= self.size else grown_lattice.LARGEST
        ends = (columns - 1, (rows - 1) * size)
        first, last = (point_text(self.game or "go", size, size, spot) for spot in (ends[1], ends[0]))
        lines = f"--size {size} --window {first}-{last}"
        return f"say which board and which part it is, as {lines} or --size {size} --window upper-left"


def part_of(image: Image, hypothesis: Hypothesis, told: Told) -> Reading | Hypothesis | str | None:
    """Decide what a doubtful lattice of a whole board is, by counting its lines.

    The part of a board that shows, read; the hypothesis of a whole board, this one or a better; a sentence where a part
    cannot be placed; None where the lines cannot be counted.
    """
    lattice, size, game, window = hypothesis.lattice, told.size, told.game, told.window
    if lattice.cells or game == "reversi":
        return None
    grid = rectangle(image, lattice.corners())
    if isinstance(window, Window) and (grid is None or grid.score < EXPLAINED or told.is_given):
        return _as_told(image, lattice.corners(), window, told)
    if grid is None or grid.score < (EXPLAINED if window is None else _TOLD):
        return None
    if grid.columns == grid.rows == 8 and window is None:  # eight squares have middles, too
        return None
    grid = _whole_inside(image, grid, told)
    found = followed_from(image, grid)
    if (told.size or told.game) and _is_asked(grid, told) and not _is_asked(found, told):
        found = grown_lattice.glance(image, Lattice(grid.columns, grid.homography))
    whole = grown_lattice.whole_size(found)
    if whole and window is None and size in (None, whole):
        return _better(hypothesis, found, grid.score)
    placed = grown_lattice.place(found, size or (15 if game == "gomoku" and max(found.lines) <= 15 else None), window)
    if isinstance(placed, str):
        if window is None and not _has_stones(image, found):
            return _NO_STONE
        shown = f"{found.columns} columns and {found.rows} rows"
        return f"only a part of a board seems to show, {shown}, and {placed}: {told.hint(*found.lines)}"
    return read_part(image, found, placed, grid.score, game, is_sized=size is not None)


def _has_stones(image: Image, found: grown_lattice.Extent) -> bool:
    """Whether a stone shows on the lines that were counted."""
    square = found.lattice.shifted(found.part.left, found.part.top)
    seen = stone_reader.read(image, replace(square, size=max(found.lines)), is_real=True)[: found.rows, : found.columns]
    return bool((seen[..., : Point.HIDDEN].argmax(-1) != Point.EMPTY).any())


def _as_told(image: Image, corners: Floats, window: Window, told: Told) -> Reading:
    """The part that --window names between corners (4, 2), whether or not lines can be counted there."""
    columns, rows = window.right - window.left + 1, window.bottom - window.top + 1
    ends = counting(columns, rows)[[0, 0, -1, -1], [0, -1, -1, 0]]
    literal = Grid(columns, rows, homography_of(ends, corners))
    grid = fitted(image, corners, columns, rows) or literal
    off = float(np.linalg.norm(grid.corners() - corners, axis=1).max()) / max(literal.pitch(), 1e-6)
    if told.is_given and (grid.score < EXPLAINED or off > _NEAR):
        grid = replace(literal, score=1.0)
    start = Window(0, 0, columns - 1, rows - 1)
    extent = grown_lattice.Extent(Lattice(max(columns, rows), grid.homography), start, np.zeros((4, 4)))
    placed = grown_lattice.Placed(told.size or grown_lattice.LARGEST, window, "as --window says")
    return read_part(image, extent, placed, grid.score, told.game, is_sized=told.size is not None)


def _whole_inside(image: Image, grid: Grid, told: Told) -> Grid:
    """The grid without rims that were counted as lines, where that leaves all of a board that is asked for."""
    if _is_asked(grid, told):
        return grid
    inner = rimless(image, grid)
    return inner if _is_asked(inner, told) else grid


def _is_asked(lines: Grid | grown_lattice.Extent, told: Told) -> bool:
    """Whether as many columns as rows make a board of the size, or game, that is asked for, or of any that there is."""
    sizes = (told.size,) if told.size else (15, 19) if told.game == "gomoku" else SIZES[1:]
    return lines.columns == lines.rows and lines.columns in sizes


def followed_from(image: Image, grid: Grid) -> grown_lattice.Extent:
    """Return the extent of the lines of a grid."""
    lattice = Lattice(max(grid.columns, grid.rows), grid.homography)
    start = Window(0, 0, grid.columns - 1, grid.rows - 1)
    return grown_lattice.followed(image, grown_lattice.Extent(lattice, start, look(image, lattice, start)))


def doubted(reading: Reading, extent: grown_lattice.Extent, told: Told) -> Reading | str:
    """A reading of a whole board whose lines could not be counted and whose sides may not be its edges.

    A board of squares on which discs lie is a whole one: racks and moulded rims look as if it went on.
    """
    if extent.may_be_whole or reading.lattice.cells:
        return reading
    sides = grown_lattice.named(extent.open_sides)
    if extent.is_whole < _OPEN and max(extent.lines) < grown_lattice.LARGEST:
        if not reading.stones.any():
            return _NO_STONE
        hint = told.hint(*extent.lines)
        return f"the lines seem to go on beyond the {sides} side, so that only a part of a board shows: {hint}"
    return replace(reading, warnings=(*reading.warnings, warning("lines-go-on", sides=sides)))


def _better(hypothesis: Hypothesis, found: grown_lattice.Extent, score: float) -> Hypothesis:
    """A whole board: as it was proposed where the lines agree, else on them."""
    to_part = translation(found.part.left, found.part.top)
    lattice = Lattice(found.columns, found.lattice.homography @ to_part).oriented()
    off = np.linalg.norm(lattice.corners() - hypothesis.lattice.corners(), axis=1).max() / lattice.cell()
    if hypothesis.lattice.size == lattice.size and off < 0.5:
        return hypothesis
    return replace(hypothesis, lattice=lattice, score=score + _ABOVE)


def read_part(
    image: Image,
    found: grown_lattice.Extent,
    placed: grown_lattice.Placed,
    score: float,
    game: str | None,
    *,
    is_sized: bool,
) -> Reading:
    """The reading of a part whose place on its board is known."""
    size, shown = placed.size, placed.shown
    to_board = translation(found.part.left - shown.left, found.part.top - shown.top)
    lattice = Lattice(size, found.lattice.homography @ to_board)
    side = max(found.lines)
    left, top = min(shown.left, size - side), min(shown.top, size - side)
    square = Lattice(side, lattice.shifted(left, top).homography)
    seen = stone_reader.read(image, square)
    hide_outside(seen, square, image.shape[0], image.shape[1])
    probabilities = np.zeros((size, size, 4), np.float32)
    probabilities[top : top + side, left : left + side] = seen
    probabilities[~shown.mask(size)] = np.eye(4, dtype=np.float32)[Point.HIDDEN]
    sure = likelihood(score + _ABOVE, probabilities[shown.mask(size)])
    reading = Reading(lattice, probabilities, sure, game or ("gomoku" if size == 15 else "go"), window=shown)
    if shown.is_whole(size):
        whole = replace(reading, window=None)
        bare = size == grown_lattice.BARE and not is_sized and not any(found.edges)
        notes = [warning("edge-not-seen", size=size)] if bare else []
        return replace(whole, warnings=(*notes, *doubts(whole)))
    return replace(reading, warnings=(_said(reading, placed, is_sized or found.is_sized), *doubts(reading)))


def _said(reading: Reading, placed: grown_lattice.Placed, is_sized: bool) -> Warned:
    """Which part was read."""
    code = "part-alone" if is_sized else "part-of-guessed-size"
    return warning(code, part=part_text(reading), size=placed.size, how=placed.how)
