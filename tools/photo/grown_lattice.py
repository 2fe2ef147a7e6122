"""Parts of boards: how far the lines of a lattice go on, which sides are the board's edges, and where the part lies.

A lattice that was found is grown (or shrunk) side by side until each of its sides is an edge or a cut. A board whose
edges show on two opposite sides is whole in that direction; one edge tells where a part lies on a board of known size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tengen.tools.photo.board_sides import Side, lined, look
from tengen.tools.photo.geometry import SIZES, Image, Lattice, Window

LARGEST = 19
"""Lines of the largest board; also what a part is taken for a part of when nobody says otherwise."""
SHOWN = 0.3
"""Cells outside of the picture by which the points of a line may lie that is still looked at."""
SURE = 0.75
"""A side that is the board's edge with this probability is one."""
_MISTAKEN = 0.02
"""An edge of a board is at least as likely as this, whatever is seen there."""
_WHOLE = 0.5
_WHOLE_LARGEST = 0.3
"""A board is a whole one where its sides are likelier than this its edges: no larger one goes on beyond 19 lines."""
_GROWN = 0.5
"""A line is added or removed where that is likelier than this."""
_STEPS = 48
_NAMES = ("left", "upper", "right", "lower")


@dataclass(frozen=True)
class Extent:
    """The extent of the lines: a window of the lattice of lines, and probabilities (4, 4) of `Side` at its sides."""

    lattice: Lattice
    part: Window
    sides: NDArray[np.float64]

    @property
    def columns(self) -> int:
        return self.part.right - self.part.left + 1

    @property
    def rows(self) -> int:
        return self.part.bottom - self.part.top + 1

    @property
    def lines(self) -> tuple[int, int]:
        """Columns and rows."""
        return self.columns, self.rows

    @property
    def is_sized(self) -> bool:
        """Whether opposite edges tell the size of the board."""
        left, top, right, bottom = self.edges
        return (left and right) or (top and bottom)

    @property
    def edges(self) -> tuple[bool, ...]:
        """Whether the left, upper, right and lower side is the board's edge."""
        return tuple(bool(side[Side.EDGE] > SURE) for side in self.sides)

    @property
    def is_whole(self) -> float:
        """The probability that all of a board shows: four edges, against a cut in either direction.

        Boards are square: with both edges in one direction nothing is missing in the other.
        """
        left, top, right, bottom = np.maximum(self.sides[:, Side.EDGE], _MISTAKEN)
        part = (1 - left * right) * (1 - top * bottom)
        return float(left * right * top * bottom / (left * right * top * bottom + part))

    @property
    def may_be_whole(self) -> bool:
        """Whether a lattice that fits well may be a whole board: of one as large as they come most readily."""
        return self.is_whole > (_WHOLE if max(self.lines) < LARGEST else _WHOLE_LARGEST)

    @property
    def open_sides(self) -> list[str]:
        """Names of the sides that are no edge of the board."""
        return [name for name, side in zip(_NAMES, self.sides, strict=True) if side[Side.EDGE] <= 0.5]


def glance(image: Image, lattice: Lattice) -> Extent:
    """Return the lattice as it was found, with the kinds of its sides."""
    lines = lined(lattice)
    part = Window.whole(lines.size)
    return Extent(lines, part, look(image, lines, part))


def followed(image: Image, start: Extent) -> Extent:
    """Return the same with lines added where the board goes on, and removed where it ends."""
    part, sides = start.part, start.sides.copy()
    tried = {tuple(part)}
    for _ in range(_STEPS):
        moves = []
        for side in range(4):
            for kind, by in ((Side.MORE, 1), (Side.ASTRAY, -1)):
                other = moved(part, side, by)
                is_likely = sides[side, kind] > _GROWN and tuple(other) not in tried
                if is_likely and _fits(image, start.lattice, other, side):
                    moves.append((sides[side, kind], side, other))
        if not moves:
            break
        _, side, part = max(moves, key=lambda move: move[0])
        tried.add(tuple(part))
        beside = [side, (side + 1) % 4, (side + 3) % 4]
        sides[beside] = look(image, start.lattice, part, beside)
    return Extent(start.lattice, part, sides)


def moved(part: Window, side: int, by: int) -> Window:
    """The part with `by` lines more at a side (0 left, 1 top, 2 right, 3 bottom)."""
    edges = list(part)
    edges[side] += by if side >= 2 else -by
    return Window(*edges)


def _fits(image: Image, lattice: Lattice, part: Window, side: int) -> bool:
    """Whether a part is of a size that there is, and the line at that side in the picture."""
    columns, rows = part.right - part.left + 1, part.bottom - part.top + 1
    return 5 <= columns <= LARGEST and 5 <= rows <= LARGEST and _is_shown(image, lattice, part, side)


def is_shown(image: Image, extent: Extent) -> bool:
    """Whether the outermost lines are in the picture."""
    return all(_is_shown(image, extent.lattice, extent.part, side) for side in range(4))


def _is_shown(image: Image, lattice: Lattice, part: Window, side: int) -> bool:
    """Whether most of the line at a side of a part is in the picture."""
    left, top, right, bottom = part
    corners = np.array([[left, bottom], [left, top], [right, top], [right, bottom]], float)
    ends = np.linspace(corners[side], corners[(side + 1) % 4], 9)
    depth = ends @ lattice.homography[2, :2] + lattice.homography[2, 2]
    if not (depth > 1e-6).all() and not (depth < -1e-6).all():
        return False
    pixels, reach = lattice.project(ends), SHOWN * lattice.cell()
    limit = np.array([image.shape[1], image.shape[0]]) - 1 + reach
    return float(((pixels > -reach) & (pixels < limit)).all(1).mean()) > 0.6


@dataclass(frozen=True)
class Placed:
    """The place of a part: on a board of `size`, `shown` of it; `how` says in words what that was taken from."""

    size: int
    shown: Window
    how: str


BARE = 15
"""So many lines each way without any edge are all of a board, as diagrams of Gomoku are drawn."""


def place(extent: Extent, size: int | None, window: Window | str | None) -> Placed | str:
    """Place a part on its board, or return a sentence with the reason why its place is not known.

    `size` and `window` are what the user says: the part itself, or the corner or side of the board that it shows.
    """
    lines = extent.lines
    if lines == (BARE, BARE) and size is None and window is None and not any(extent.edges):
        return Placed(BARE, Window.whole(BARE), "by their number")
    left, top, right, bottom = extent.edges
    closed = ((left, right), (top, bottom))
    whole = {count for count, (first, last) in zip(lines, closed, strict=True) if first and last}
    is_named = isinstance(window, Window)
    board = size or (max(whole) if whole and not is_named else LARGEST)
    if size is None and not is_named and not whole <= set(SIZES):
        return f"no board of {board} lines is known"
    if max(lines) > board:
        return f"they are more than a board of {board} has"
    if isinstance(window, Window):
        if (window.right - window.left + 1, window.bottom - window.top + 1) != lines:
            return (
                f"{lines[0]} columns and {lines[1]} rows of a board show, --window names "
                f"{window.right - window.left + 1} and {window.bottom - window.top + 1}"
            )
        return Placed(board, window, "as --window says")
    starts = []
    for axis, count in enumerate(lines):
        first, last = closed[axis]
        words = (("left", "right"), ("upper", "lower"))[axis]
        said = [word in (window or "") for word in words]
        if any(said):
            first, last = said[0], said[1]
        if count == board or first:
            starts.append(0)
        elif last:
            starts.append(board - count)
        else:
            return f"neither the {words[0]} nor the {words[1]} edge of the board shows"
    shown = Window(starts[0], starts[1], starts[0] + lines[0] - 1, starts[1] + lines[1] - 1)
    return Placed(board, shown, "as --window says" if window else "by the edges that show")


def whole_size(extent: Extent) -> int | None:
    """The size of the board where all of it shows after lines were followed, else None."""
    if extent.columns == extent.rows and extent.columns in SIZES and extent.is_whole > 0.5:
        return extent.columns
    return None


def named(sides: Sequence[str]) -> str:
    """Names of sides as a sentence has them."""
    return " and ".join(", ".join(sides).rsplit(", ", 1))
