"""Questions to a judged board of Go: who wins at worst, which points are neutral, what the count is after moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tengen.engine.games.base import BLACK, State
from tengen.engine.games.go.board import SETTLED, Board, neighbours, regions
from tengen.engine.games.go.ending import judge
from tengen.engine.games.go.rules import GoRules
from tengen.engine.info import Info

if TYPE_CHECKING:
    from tengen.engine._core import GoState

SHAKY = 0.5
"""A chain less decided than this may need a dame as a defence."""


def outcome(margin: float) -> int:
    """1 for a win, 0 for a draw, -1 for a loss by so many points."""
    return (margin > 0) - (margin < 0)


def margin_at_worst(board: Board, colour: int) -> float:
    """Return the margin of a colour when every undecided chain goes the opponent's way."""
    mask = bytearray(len(board.stones))
    for chain in board.chains:
        is_mine_and_doubtful = chain.colour == colour and chain.life < SETTLED
        if is_mine_and_doubtful or (chain.colour != colour and chain.life < -SETTLED):
            for cell in chain.cells:
                mask[cell] = 1
    black, white = board.state.score(bytes(mask))
    margin = black - white - board.state.komi
    return margin if colour == BLACK else -margin


def dame(board: Board) -> set[int]:
    """Neutral points between both colours, except liberties of chains that may need them."""
    state, stones = board.state, board.living_stones()
    found: set[int] = set()
    for region, borders in regions(state, stones):
        touched = [{stones[n] for n in neighbours(state, cell)} for cell in region]
        if borders == {1, 2} and (len(region) <= 2 or all({1, 2} <= colours for colours in touched)):
            found |= region
    for chain in board.chains:
        liberties = state.liberties_of(chain.cells[0])
        if abs(chain.life) < SHAKY or len(liberties) == 1:
            found.difference_update(liberties)
    return found


def count_after(state: GoState, moves: Sequence[int], rules: GoRules, explore: Callable[[State], Info]) -> float | None:
    """Black's points less White's and komi, as judged after moves of either side in turn; None where the judgement was
    not answered. Raises IllegalMove."""
    after, is_answered = state.copy(), True
    for move in moves:
        after.play(move)

    def asked(position: State) -> Info:
        nonlocal is_answered
        info = explore(position)
        is_answered &= info.visits > 0
        return info

    score = judge(after, rules, asked).score
    return score if is_answered else None
