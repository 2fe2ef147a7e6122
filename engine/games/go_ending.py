"""The end of a game of Go: which stones are dead, what the score is, and when to pass.

Chains are judged by the ownership of short searches from both sides to move, and by Benson's unconditional life
where it decides. A chain is dead when it is more likely taken than not, both sides moving first in turn. Left out:
bent four and other rulings by name, and double-ko seki.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from tengen.engine.games.base import BLACK, WHITE, State
from tengen.engine.games.go_rules import GoRules
from tengen.engine.games.hooks import FinalStatus
from tengen.engine.info import Info

if TYPE_CHECKING:
    from tengen.engine._core import GoState

SETTLED = 0.75
"""Ownership (absolute) from which a cell or a chain counts as decided."""
DEAD = -0.25
"""A chain whose owner's mean ownership is below this is dead."""
LARGEST_DAME = 8
"""A neutral region of more points is a border that is still open."""


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
    """A Go position with what is believed about its cells.

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
        """How decided the least decided chain is, 0..1."""
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


def judge(state: State, rules: GoRules, explore: Callable[[State], Info]) -> FinalStatus:
    """Judge a position as if the game ended here, whoever is to move. state.komi counts for White.

    Without agreement on dead stones (Tromp-Taylor) every stone lives and the board counts as it stands.
    """
    if rules.removes_dead:
        board = Board(state, _ownership(state, explore))
    else:
        board = Board(state, _as_it_stands(state), as_it_stands=True)
    seki = _seki(board) if rules.scoring == "territory" else []
    dead = [chain.cells for chain in board.chains if chain.is_dead]
    alive = [chain.cells for chain in board.chains if not chain.is_dead and chain not in seki]
    black, white = board.state.score(board.dead_mask())
    return FinalStatus(
        alive=tuple(alive),
        dead=tuple(dead),
        seki=tuple(chain.cells for chain in seki),
        score=black - white - board.state.komi,
        ownership=tuple(board.ownership),
        confidence=board.certainty(),
    )


def _ownership(state: State, explore: Callable[[State], Info]) -> list[float]:
    """Mean of Black's ownership with either side to move."""
    total = [0.0] * (state.width * state.height)
    for colour in (BLACK, WHITE):
        root = cast("GoState", state.copy())
        root.setup(state.stones(), colour)
        sign = 0.5 if colour == BLACK else -0.5
        for cell, value in enumerate(explore(root).ownership):
            total[cell] += sign * value
    return total


def _as_it_stands(state: State) -> list[float]:
    """Ownership of stones and of regions that one colour borders; 0 elsewhere."""
    stones = state.stones()
    values = [(0.0, 1.0, -1.0)[stone] for stone in stones]
    for region, borders in regions(state, stones):
        if len(borders) == 1:
            for cell in region:
                values[cell] = 1.0 if borders == {1} else -1.0
    return values


def _seki(board: Board) -> list[Chain]:
    """Living chains without two eyes that touch neutral points (`GoState.seki`), once the board is closed.

    In the middle of a game every chain would be one: a large neutral region means that it is too early to tell.
    """
    empty = regions(board.state, board.living_stones())
    if any(len(region.cells) > LARGEST_DAME for region in empty if region.borders == {1, 2}):
        return []
    mask = board.state.seki(board.dead_mask())
    return [chain for chain in board.chains if not chain.is_dead and mask[chain.cells[0]]]
