"""Random games for the Go tests, and a slow, obvious board to compare with: sgfmill's."""

from __future__ import annotations

import random
from itertools import chain

from sgfmill.boards import Board

from tengen.engine._core import GoState

COLOURS = "bw"
STONES = {None: 0, "b": 1, "w": 2}


def choose(state: GoState, rng: random.Random, passes: float = 0.02, eyes: float = 0.2) -> int:
    """A random legal move that seldom passes early and seldom fills an own eye."""
    if rng.random() < passes:
        return state.pass_move
    moves, colour = state.legal_moves()[:-1], state.to_move
    while moves:
        move = rng.choice(moves)
        if not state.is_playout_eye(colour, move) or rng.random() < eyes:
            return move
        moves.remove(move)
    return state.pass_move


class SlowBoard:
    """sgfmill's board with the ko point and the captures that its move function leaves to the caller."""

    def __init__(self, size: int) -> None:
        self.board = Board(size)
        self.size = size
        self.ko: tuple[int, int] | None = None
        self.captured = [0, 0]
        self.played = [0, 0]

    def point(self, cell: int) -> tuple[int, int]:
        """sgfmill counts rows from the bottom."""
        row, column = divmod(cell, self.size)
        return self.size - 1 - row, column

    def play(self, colour: int, cell: int) -> None:
        """Any empty point; suicide takes the stones off."""
        self.ko = None
        if cell < self.size * self.size:
            self.ko = self.board.play(*self.point(cell), COLOURS[colour])
            self.played[colour] += 1

    def stones(self) -> bytes:
        return bytes(map(STONES.__getitem__, chain.from_iterable(reversed(self.board.board))))

    def taken(self, colour: int) -> int:
        """Stones of this colour that have left the board."""
        return self.played[colour] - self.stones().count(colour + 1)

    def is_legal(self, colour: int, cell: int, suicide: bool) -> bool:
        """Simple ko. With `suicide`, of two stones or more."""
        point = self.point(cell)
        if self.board.get(*point) is not None or point == self.ko:
            return False
        after = self.board.copy()
        after.play(*point, COLOURS[colour])
        if after.get(*point) is not None:
            return True
        if not suicide:
            return False
        neighbours = ((point[0] + dy, point[1] + dx) for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0)))
        return any(
            0 <= y < self.size and 0 <= x < self.size and self.board.get(y, x) == COLOURS[colour] for y, x in neighbours
        )
