"""Bent four in the corner: a group that the rules of territory call dead although nobody plays on.

The enclosing group looks like a seki. Its enemy may at any time fill the corner up to the shape, and a ko decides. When
life and death are confirmed under those rules, nobody has a ko threat: who would take a ko back has to pass first. So
the corner is read alone, by the simple ko and with passes. Left out: all other rulings by name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from tengen.engine.games.go.board import Board, neighbours

if TYPE_CHECKING:
    from tengen.engine._core import GoState

LARGEST_CORNER, LARGEST_AREA = 6, 9
"""Points within the group in the corner, and all that are read: those and the empty regions outside that it touches."""
MOST_NODES = 3_000


class Ruling(NamedTuple):
    """A dead group: its cells, and the points of the corner within."""

    colour: int
    cells: frozenset[int]
    corner: frozenset[int]


def rulings(board: Board) -> Iterator[Ruling]:
    """Return the groups that are dead by a bent four, for either side to move."""
    for corner, shapes in _shapes(board.state.width, board.state.height):
        for colour in (0, 1):
            within = _within(board, corner, colour)
            if within is not None and _may_become(board, within, colour, shapes):
                own = [chain.cells for chain in board.chains if chain.colour == colour]
                ring = [cells for cells in own if _touches(board, cells, within)]
                dead = [cells for cells in ring if _is_lost(board, within, cells, colour)]
                if dead:
                    yield Ruling(colour, frozenset().union(*dead), frozenset(within))


def with_rulings(board: Board) -> Board:
    """Return the board on which groups that are ruled dead belong to the other side."""
    ownership = list(board.ownership)
    for ruling in rulings(board):
        for cell in ruling.cells | ruling.corner:
            ownership[cell] = -1.0 if ruling.colour == 0 else 1.0
    return board if ownership == board.ownership else Board(board.state, ownership)


def _shapes(width: int, height: int) -> Iterator[tuple[int, list[frozenset[int]]]]:
    """Each corner, and its two bent fours."""
    if min(width, height) < 3:
        return
    for row, down in ((0, 1), (height - 1, -1)):
        for column, right in ((0, 1), (width - 1, -1)):
            at = [(row + down * y) * width + column + right * x for y, x in ((0, 0), (0, 1), (0, 2), (1, 0), (2, 0))]
            corner, along, further, below, deeper = at
            bent = frozenset({corner, along, below})
            yield corner, [bent | {further}, bent | {deeper}]


def _within(board: Board, corner: int, colour: int) -> set[int] | None:
    """The points around the corner up to stones of a colour; None where they are too many."""
    found, pending = {corner}, [corner]
    if board.stones[corner] == colour + 1:
        return None
    while pending:
        for cell in neighbours(board.state, pending.pop()):
            if cell not in found and board.stones[cell] != colour + 1:
                found.add(cell)
                pending.append(cell)
        if len(found) > LARGEST_CORNER:
            return None
    return found


def _may_become(board: Board, within: set[int], colour: int, shapes: list[frozenset[int]]) -> bool:
    """Whether the enemy's stones within are a bent four, or lack one stone of it."""
    stones = {cell for cell in within if board.stones[cell]}
    return any(stones <= shape <= within and len(shape - stones) <= 1 and shape != within for shape in shapes)


def _touches(board: Board, cells: tuple[int, ...], within: set[int]) -> bool:
    return any(cell in within for one in cells for cell in neighbours(board.state, one))


def _is_lost(board: Board, within: set[int], cells: tuple[int, ...], colour: int) -> bool:
    """Whether the chain is captured although its owner moves first."""
    area, pending = set(within), [cell for cell in board.state.liberties_of(cells[0]) if cell not in within]
    while pending:
        area.add(one := pending.pop())
        if len(area) > LARGEST_AREA:
            return False
        pending += [cell for cell in neighbours(board.state, one) if not board.stones[cell] and cell not in area]
    state = board.state.copy()
    state.setup(board.stones, colour)
    return _Reading(sorted(area), cells[0], colour).is_captured(state)


class _Reading:
    """Whether a chain is captured by moves in an area, by the simple ko and with passes."""

    def __init__(self, area: list[int], anchor: int, owner: int) -> None:
        self.area, self.anchor, self.owner = area, anchor, owner
        self.known: dict[tuple[bytes, int, int, int], bool] = {}
        self.nodes = 0

    def is_captured(self, state: GoState, passes: int = 0) -> bool:
        """Whether the passes lead to a capture. A line that repeats, or that is too long to read, is no capture."""
        stones = state.stones()
        if stones[self.anchor] != self.owner + 1:
            return True
        if passes == 2:
            return False
        key = stones, state.ko_point, state.to_move, passes
        if key not in self.known:
            self.nodes += 1
            self.known[key] = False
            if self.nodes <= MOST_NODES:
                found = (self.is_captured(after, passes + 1 if is_pass else 0) for after, is_pass in self._moves(state))
                self.known[key] = all(found) if state.to_move == self.owner else any(found)
        return self.known[key]

    def _moves(self, state: GoState) -> Iterator[tuple[GoState, bool]]:
        """The positions after a pass and after every move, and whether it was a pass."""
        passed = state.copy()
        passed.setup(state.stones(), 1 - state.to_move)
        yield passed, True
        for move in self.area:
            if state.is_legal(move):
                after = state.copy()
                after.play(move)
                yield after, False
