"""Every line of eleven cells around a new stone, classed as slowly and literally as the classes are defined.

All 4^10 lines at once, an array each: what stands on each of the ten cells around the stone in the middle (`EMPTY`,
`MINE`, `THEIRS`, `EDGE`). Rows are found by walking from stone to stone; nothing here knows of windows or masks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LINE_RULES = ("five or more", "exactly five", "renju's Black", "caro", "exact caro")
"""In the order of the core's LineRule."""
EMPTY, MINE, THEIRS, EDGE = range(4)
MIDDLE, CELLS, LINES = 5, 11, 4**10
(NONE, ONE, TWO, OPEN_TWO, THREE, OPEN_THREE, FOUR, OPEN_FOUR, DOUBLE_FOUR, FIVE, OVERLINE) = range(11)
Mask = NDArray[np.bool_]
Numbers = NDArray[np.int8]


def others() -> Iterator[int]:
    """The ten cells around the middle."""
    return (at for at in range(CELLS) if at != MIDDLE)


@dataclass(frozen=True)
class Lines:
    """Many lines: cells[at] is what stands there, an array over the lines. The middle holds a stone of ours."""

    rule: str
    cells: tuple[NDArray[np.int8], ...]

    @classmethod
    def all(cls, rule: str) -> Lines:
        """In the order of the core's table: bits 0-9 of a line's number are our stones, 10-19 theirs, both the edge."""
        number = np.arange(LINES, dtype=np.int32)
        cells = [np.full(LINES, MINE, dtype=np.int8)] * CELLS
        for bit, at in enumerate(others()):
            cells[at] = ((number >> bit & 1) + 2 * (number >> bit + 10 & 1)).astype(np.int8)
        return cls(rule, tuple(cells))

    def row(self) -> tuple[Numbers, Mask]:
        """How long the row of stones through the middle is, and whether enemy stones stop it at both ends.

        A row that leaves the line is longer than five in any case.
        """
        length, stopped = np.ones(LINES, dtype=np.int8), np.ones(LINES, dtype=np.bool_)
        for way in (-1, 1):
            goes_on, end = np.ones(LINES, dtype=np.bool_), np.zeros(LINES, dtype=np.bool_)
            for k in range(1, MIDDLE + 1):
                cell = self.cells[MIDDLE + way * k]
                end |= goes_on & (cell == THEIRS)
                goes_on &= cell == MINE
                length += goes_on
            stopped &= end
        return length, stopped

    def wins(self) -> Mask:
        """Whether the row through the middle wins."""
        length, stopped = self.row()
        match self.rule:
            case "five or more":
                return length >= 5
            case "caro":
                return (length > 5) | ((length == 5) & ~stopped)
            case "exact caro":
                return (length == 5) & ~stopped
        return length == 5

    def winning_cells(self) -> list[Mask]:
        """By cell: whether one more stone there wins with the one in the middle."""
        wins, winning = self.wins(), [np.zeros(LINES, dtype=np.bool_)] * CELLS
        for bit, at in enumerate(others()):
            winning[at] = self.filled(bit, at, wins)
        return winning

    def filled(self, bit: int, at: int, is_so: Mask) -> Mask:
        """Whether the cell is empty, and something is so of the line with a stone there. is_so: of all lines.

        bit: the stone's in a line's number.
        """
        return (self.cells[at] == EMPTY) & is_so[np.arange(LINES, dtype=np.int32) | 1 << bit]

    def fours(self) -> tuple[Mask, Mask, Mask]:
        """Whether some cell wins; whether some does whatever the enemy's reply; whether both ends of a row of four do."""
        winning = self.winning_cells()
        four = np.logical_or.reduce(winning)
        sure = four.copy()
        for bit, at in enumerate(others()):
            sure &= self.filled(bit + 10, at, four) | (self.cells[at] != EMPTY)
        straight = np.zeros(LINES, dtype=np.bool_)
        for first in range(MIDDLE - 3, MIDDLE + 1):
            row = np.logical_and.reduce([self.cells[at] == MINE for at in range(first, first + 4)])
            straight |= row & winning[first - 1] & winning[first + 4]
        return four, sure, straight

    def has_room(self) -> Mask:
        """Whether more stones of ours alone can still make a row through the middle that wins."""
        room = np.zeros(LINES, dtype=np.bool_)
        for first in range(1, MIDDLE + 1):
            cells, free = [*self.cells], np.ones(LINES, dtype=np.bool_)
            for at in range(first, first + 5):
                free &= self.cells[at] <= MINE
                cells[at] = np.full(LINES, MINE, dtype=np.int8)
            room |= free & Lines(self.rule, tuple(cells)).wins()
        return room


def after(lines: Lines, is_so: Mask) -> Mask:
    """Whether one more stone of ours makes a line of which something is so. is_so: of all lines."""
    return np.logical_or.reduce([lines.filled(bit, at, is_so) for bit, at in enumerate(others())])


def classes_of(rule: str) -> NDArray[np.uint8]:
    """The class of every line, in the order of the table.

    In renju a three is what becomes a straight four: Black's other double fours are fouls.
    """
    lines = Lines.all(rule)
    length, wins = lines.row()[0], lines.wins()
    four, sure, straight = lines.fours()
    three = after(lines, four)
    open_three = after(lines, sure & straight if rule == "renju's Black" else sure)
    by_rank = [
        (wins, FIVE),
        (length > 5, OVERLINE),
        (~lines.has_room(), NONE),
        (sure & straight, OPEN_FOUR),
        (sure, DOUBLE_FOUR),
        (four, FOUR),
        (open_three, OPEN_THREE),
        (three, THREE),
        (after(lines, open_three & ~four), OPEN_TWO),
        (after(lines, three & ~four), TWO),
    ]
    return np.select([so for so, _ in by_rank], [shape for _, shape in by_rank], ONE).astype(np.uint8)
