"""The end of a game of Go: which stones are dead, what the score is, and when to pass.

Chains are judged by the ownership of short searches from both sides to move, and by Benson's unconditional life
where it decides. A chain is dead when it is more likely taken than not whoever moves; seki is looked for among living
chains that share liberties without eyes. Left out: bent four and other rulings by name, and double-ko seki.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tengen.engine.games.base import BLACK, WHITE, State
from tengen.engine.games.go_rules import GoRules
from tengen.engine.games.hooks import FinalStatus
from tengen.engine.info import Info

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
    """A Go position with what is believed about its cells.

    ownership: +1 black's, -1 white's. Unless `as_it_stands`, Benson's certainty replaces belief where it decides.
    """

    def __init__(self, state: State, ownership: Sequence[float], as_it_stands: bool = False) -> None:
        self.state: Any = state
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
    seki = seki_chains(board) if rules.scoring == "territory" else []
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
        root: Any = state.copy()
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


def seki_chains(board: Board) -> list[Chain]:
    """Living chains that share a liberty region with a living enemy and have no eyes to spare.

    A chain is in seki when it is not unconditionally alive, borders a neutral region that both colours' such chains
    border, and has fewer than two eye regions with at most two points in all.
    """
    state = board.state
    empty = regions(state, board.living_stones())
    living = [chain for chain in board.chains if not chain.is_dead]
    secure = [state.pass_alive(colour) for colour in (BLACK, WHITE)]

    def is_eyeless(chain: Chain) -> bool:
        if secure[chain.colour][chain.cells[0]]:
            return False
        eyes = _eyes(state, chain, living, empty)
        return len(eyes) < 2 and sum(len(eye) for eye in eyes) <= 2

    eyeless = [chain for chain in living if is_eyeless(chain)]
    found: list[Chain] = []
    for region, borders in empty:
        if borders == {1, 2}:
            edge = {n for cell in region for n in neighbours(state, cell)}
            touching = [chain for chain in eyeless if edge.intersection(chain.cells)]
            if {chain.colour for chain in touching} == {BLACK, WHITE}:
                found += [chain for chain in touching if chain not in found]
    return found


def _eyes(state: State, chain: Chain, living: Sequence[Chain], empty: Sequence[Region]) -> list[set[int]]:
    """The regions that only the colour of `chain` borders, as far as they tie `chain` to others of its colour."""
    own = [region.cells for region in empty if region.borders == {chain.colour + 1}]
    edges = [{n for cell in region for n in neighbours(state, cell)} for region in own]
    group, used = [chain], set[int]()
    for member in group:
        for index, edge in enumerate(edges):
            if index not in used and edge.intersection(member.cells):
                used.add(index)
                group += [other for other in living if other not in group and edge.intersection(other.cells)]
    return [own[index] for index in sorted(used)]
