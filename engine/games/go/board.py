"""A Go position with the estimated owners of its points: its chains and its empty regions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from tengen.engine.games.base import BLACK, WHITE, State

if TYPE_CHECKING:
    from tengen.engine._core import GoState

SETTLED = 0.75
"""Ownership (absolute) from which a cell or a chain counts as decided."""
DEAD = -0.25
"""A chain whose owner's mean ownership is below this is dead."""


class Region(NamedTuple):
    """Connected empty cells, and the colours (1, 2) that border them."""

    cells: set[int]
    borders: set[int]


class Chain(NamedTuple):
    """One chain of a board: its colour, its cells, and its owner's mean ownership (-1 taken .. +1 alive)."""

    colour: int
    cells: tuple[int, ...]
    life: float

    @property
    def is_dead(self) -> bool:
        return self.life < DEAD


def neighbours(state: State, cell: int) -> list[int]:
    """Orthogonal neighbours."""
    row, column = divmod(cell, state.width)
    steps = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return [r * state.width + c for r, c in steps if 0 <= r < state.height and 0 <= c < state.width]


def regions(state: State, stones: Sequence[int]) -> list[Region]:
    """Connected empty regions of `stones` (0/1/2), each with the colours (1, 2) that border it."""
    done: set[int] = set()
    found: list[Region] = []
    for start, stone in enumerate(stones):
        if stone or start in done:
            continue
        region, borders, pending = {start}, set[int](), [start]
        while pending:
            for cell in neighbours(state, pending.pop()):
                if stones[cell]:
                    borders.add(stones[cell])
                elif cell not in region:
                    region.add(cell)
                    pending.append(cell)
        done |= region
        found.append(Region(region, borders))
    return found


class Board:
    """A Go position with the estimated owners of its cells.

    ownership: +1 black's, -1 white's. Unless `as_it_stands`, Benson's certainty replaces belief where it decides.
    """

    def __init__(self, state: State, ownership: Sequence[float], as_it_stands: bool = False) -> None:
        self.state = cast("GoState", state)
        self.stones = state.stones()
        self.ownership = list(ownership) if as_it_stands else self._with_unconditional(ownership)
        self.chains = self._chains()

    def _with_unconditional(self, ownership: Sequence[float]) -> list[float]:
        """Replace beliefs by certainty where Benson's algorithm gives it."""
        values = list(ownership)
        for colour, sign in ((BLACK, 1.0), (WHITE, -1.0)):
            for cell, alive in enumerate(self.state.pass_alive(colour)):
                if alive:
                    values[cell] = sign
        return values

    def _chains(self) -> list[Chain]:
        done: set[int] = set()
        chains: list[Chain] = []
        for cell, stone in enumerate(self.stones):
            if stone and cell not in done:
                cells = tuple(sorted(self.state.chain(cell)))
                done.update(cells)
                mean = sum(self.ownership[one] for one in cells) / len(cells)
                chains.append(Chain(stone - 1, cells, mean if stone == 1 else -mean))
        return chains

    def dead_mask(self) -> bytes:
        """1 on every stone of a dead chain."""
        mask = bytearray(len(self.stones))
        for chain in self.chains:
            if chain.is_dead:
                for cell in chain.cells:
                    mask[cell] = 1
        return bytes(mask)

    def certainty(self) -> float:
        """The certainty of the least decided chain, 0..1."""
        return min((abs(chain.life) for chain in self.chains), default=1.0)

    def unsettled(self) -> set[int]:
        """Empty cells where a move may still matter: undecided themselves, or liberties of an undecided chain."""
        cells = {c for c, stone in enumerate(self.stones) if not stone and abs(self.ownership[c]) < SETTLED}
        for chain in self.chains:
            if abs(chain.life) < SETTLED:
                cells.update(self.state.liberties_of(chain.cells[0]))
        return cells

    def living_stones(self) -> list[int]:
        """The stones without the dead ones."""
        return [0 if dead else stone for stone, dead in zip(self.stones, self.dead_mask(), strict=True)]
