"""The end of a game of Go: which stones are dead, and what the score is.

Chains are judged by the ownership of short searches from both sides to move, and by Benson's unconditional life
where it decides. A chain is dead when it is more likely taken than not, both sides moving first in turn. Under rules of
territory a bent four in the corner is ruled as they say (bent_four.py). Left out: other rulings by name, and
double-ko seki.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from tengen.engine.games.base import BLACK, WHITE, State
from tengen.engine.games.go.bent_four import with_rulings
from tengen.engine.games.go.board import Board, Chain, regions
from tengen.engine.games.go.rules import GoRules
from tengen.engine.games.hooks import FinalStatus
from tengen.engine.info import Info

if TYPE_CHECKING:
    from tengen.engine._core import GoState

LARGEST_DAME = 8
"""A neutral region of more points is a border that is still open."""


def judge(state: State, rules: GoRules, explore: Callable[[State], Info]) -> FinalStatus:
    """Judge a position as if the game ended here, for either side to move. state.komi counts for White.

    Without agreement on dead stones (Tromp-Taylor) every stone lives and the board counts as it stands.
    """
    if rules.removes_dead:
        board = Board(state, _ownership(state, explore))
        if rules.scoring == "territory":
            board = with_rulings(board)
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
