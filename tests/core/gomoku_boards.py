"""Boards as text for the gomoku tests, and the rules once more as slowly and literally as they are written.

`X` black, `O` white, `.` empty, one row a line from the top. Cells of the naive judge are (row, column).
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from tengen.engine._core import GomokuState

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
STONES = {".": 0, "_": 0, "X": 1, "O": 2}
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
Cell = tuple[int, int]
RULES = ("freestyle", "standard", "renju", "caro", "exact-caro")
SIZES = [(15, 15), (5, 5), (7, 15), (15, 6), (16, 16), (19, 19), (25, 25), (25, 5), (9, 20)]
"""Widths and heights of random boards."""
TWO_THREES = """
     .........
     ....X....
     ....X....
     .........
     .XX......
     .........
     .........
     .........
     ........."""
"""E5 is a double three in renju."""
OPEN_FOUR = 6
"""The least of GomokuState.threats that wins whatever the reply."""


def stones_of(diagram: str | list[str]) -> tuple[int, int, bytes]:
    """Width, height and stones of a diagram; blanks between the cells are optional."""
    lines = diagram.strip().splitlines() if isinstance(diagram, str) else diagram
    rows = [[STONES[c] for c in line if c in STONES] for line in lines]
    assert len({len(row) for row in rows}) == 1, diagram
    return len(rows[0]), len(rows), bytes(stone for row in rows for stone in row)


def board(diagram: str | list[str], rule: str = "freestyle", to_move: int = 0) -> GomokuState:
    """The position in a diagram."""
    width, height, stones = stones_of(diagram)
    state = GomokuState(width, height, rule)
    state.setup(stones, to_move)
    return state


def cell(state: GomokuState, vertex: str) -> int:
    """The cell of a vertex such as `c3`, rows counted from the bottom."""
    return (state.height - int(vertex[1:])) * state.width + LETTERS.index(vertex[0].upper())


def vertex(state: GomokuState, move: int) -> str:
    """`c3`, rows counted from the bottom."""
    return f"{LETTERS[move % state.width].lower()}{state.height - move // state.width}"


def show(state: GomokuState) -> str:
    """The stones as a diagram."""
    text = "".join(".XO"[stone] for stone in state.stones())
    return "\n".join(text[i : i + state.width] for i in range(0, len(text), state.width))


def random_stones(choose: random.Random, width: int, height: int, clump: float) -> bytes:
    """Stones of both colours, nearer together the larger `clump` is."""
    stones = bytearray(width * height)
    row, column = choose.randrange(height), choose.randrange(width)
    for number in range(choose.randrange(width * height * 2 // 3)):
        if choose.random() > clump:
            row, column = choose.randrange(height), choose.randrange(width)
        else:
            row, column = (row + choose.randint(-2, 2)) % height, (column + choose.randint(-2, 2)) % width
        if not stones[row * width + column]:
            stones[row * width + column] = 1 + (choose.random() < 0.42 if number % 3 else 0)
    return bytes(stones)


class Naive:
    """The rules on a grid of 0, 1, 2, without tables, bits or short cuts. Colours are 0 and 1."""

    def __init__(self, width: int, height: int, stones: bytes, rule: str) -> None:
        self.width, self.height, self.rule = width, height, rule
        self.grid = [list(stones[i * width : (i + 1) * width]) for i in range(height)]

    def at(self, row: int, column: int) -> int:
        """The stone; -1 beyond the edge."""
        return self.grid[row][column] if 0 <= row < self.height and 0 <= column < self.width else -1

    def run(self, place: Cell, step: Cell) -> tuple[list[Cell], list[int]]:
        """The unbroken row through a stone, and what stands at its two ends."""
        row, column = place
        stone = self.at(row, column)
        cells, ends = [place], []
        for way in (-1, 1):
            r, c = row + way * step[0], column + way * step[1]
            while self.at(r, c) == stone:
                cells.append((r, c))
                r, c = r + way * step[0], c + way * step[1]
            ends.append(self.at(r, c))
        return sorted(cells), ends

    def wins_in(self, place: Cell, step: Cell) -> bool:
        """Whether the row through the stone wins."""
        stone = self.at(*place)
        cells, ends = self.run(place, step)
        stopped = ends.count(3 - stone) == 2
        match self.rule:
            case "freestyle":
                return len(cells) >= 5
            case "standard":
                return len(cells) == 5
            case "renju":
                return len(cells) == 5 or (len(cells) > 5 and stone == 2)
            case "caro":
                return len(cells) > 5 or (len(cells) == 5 and not stopped)
        return len(cells) == 5 and not stopped

    def wins(self, place: Cell) -> bool:
        """Whether the stone stands in a winning row."""
        return any(self.wins_in(place, step) for step in DIRECTIONS)

    def wins_if(self, place: Cell, colour: int) -> bool:
        """Whether a stone on the empty cell would win."""
        self.grid[place[0]][place[1]] = colour + 1
        won = self.wins(place)
        self.grid[place[0]][place[1]] = 0
        return won

    def winner(self) -> set[int]:
        """The colours that have a winning row."""
        return {self.at(*place) - 1 for place in self.all_cells() if self.at(*place) and self.wins(place)}

    def all_cells(self) -> Iterator[Cell]:
        """Every cell, row by row."""
        return ((row, column) for row in range(self.height) for column in range(self.width))

    def line(self, place: Cell, step: Cell) -> Iterator[Cell]:
        """The empty cells on the line through the cell that may be in a five with it."""
        for k in range(-4, 5):
            r, c = place[0] + k * step[0], place[1] + k * step[1]
            if self.at(r, c) == 0:
                yield r, c

    def fours(self, place: Cell, step: Cell) -> dict[frozenset[Cell], set[Cell]]:
        """RIF 9: the fours of the black stone on this line: four stones -> the cells that make them a five."""
        found: dict[frozenset[Cell], set[Cell]] = {}
        for r, c in list(self.line(place, step)):
            self.grid[r][c] = 1
            row = self.run((r, c), step)[0]
            if len(row) == 5 and place in row:
                found.setdefault(frozenset(row) - {(r, c)}, set()).add((r, c))
            self.grid[r][c] = 0
        return found

    def is_straight(self, four: frozenset[Cell], step: Cell, cells: set[Cell]) -> bool:
        """RIF 9: four in an unbroken row that becomes a five in two ways."""
        first = min(four)
        row = self.run(first, step)[0]
        return len(cells) == 2 and frozenset(row) == four

    def three(self, place: Cell, step: Cell) -> bool:
        """RIF 9: one more stone, making no five and itself allowed (9.3), attains a straight four."""
        for r, c in list(self.line(place, step)):
            if self.wins_if((r, c), 0):
                continue
            self.grid[r][c] = 1
            fours = self.fours((r, c), step)
            straight = any(place in four and self.is_straight(four, step, cells) for four, cells in fours.items())
            self.grid[r][c] = 0
            if straight and self.foul((r, c)) == "":
                return True
        return False

    def foul(self, place: Cell) -> str:
        """RIF 9.3 for a black stone on the empty cell; "" where it is allowed."""
        self.grid[place[0]][place[1]] = 1
        try:
            lengths = [len(self.run(place, step)[0]) for step in DIRECTIONS]
            if 5 in lengths:
                return ""
            if max(lengths) > 5:
                return "overline"
            fours = [self.fours(place, step) for step in DIRECTIONS]
            if sum(len(found) for found in fours) >= 2:
                return "double four"
            threes = [step for step, found in zip(DIRECTIONS, fours, strict=True) if not found]
            return "double three" if sum(self.three(place, step) for step in threes) >= 2 else ""
        finally:
            self.grid[place[0]][place[1]] = 0


def wandering(choose: random.Random, size: int, count: int, free: list[int]) -> list[int]:
    """So many different cells of `free`, each near the last, as far as there are."""
    row = column = size // 2
    left = set(free)
    cells: list[int] = []
    for _ in range(20 * count):
        if len(cells) == count:
            break
        row = min(size - 1, max(0, row + choose.randint(-2, 2)))
        column = min(size - 1, max(0, column + choose.randint(-2, 2)))
        if (cell := row * size + column) in left:
            left.remove(cell)
            cells.append(cell)
    return cells


def scattered(choose: random.Random, size: int, most: int) -> bytes:
    """Stones of both colours near one another."""
    stones = bytearray(size * size)
    for cell in wandering(choose, size, choose.randrange(4, most), list(range(size * size))):
        stones[cell] = choose.choice((1, 2))
    return bytes(stones)


def promising(choose: random.Random, size: int, rule: str) -> bytes:
    """Stones scattered so that nobody could win or make an open four, but for what a last stone makes now and then."""
    stones = scattered(choose, size, min(100, size * size))
    kept, last = bytearray(size * size), 0
    state = GomokuState(size, size, rule)
    for cell in choose.sample(range(size * size), size * size):
        if stones[cell]:
            kept[cell] = stones[cell]
            state.setup(bytes(kept), 0)
            if max(state.threats(0) + state.threats(1)) >= OPEN_FOUR or state.winner >= 0:
                last, kept[cell] = cell, 0
    if choose.random() < 0.3:
        kept[last] = stones[last]
    return bytes(kept)
