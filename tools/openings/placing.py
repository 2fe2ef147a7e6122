"""Where the stones of an opening may lie: the opening rules of Gomoku, and stones drawn by them."""

from __future__ import annotations

import random
from typing import NamedTuple

from tengen.engine.games.base import State
from tengen.engine.games.symmetries import symmetries

REACH = 5
"""Lines between the middle and a stone at most: as far as is sensible for first moves."""
TRIES = 50
"""Draws until a place fits."""


class OpeningRule(NamedTuple):
    """The least and the most lines between the middle and each of the first stones; later ones may lie anywhere within
    REACH. doc: what it is, for a help text."""

    doc: str
    distances: tuple[tuple[int, int], ...] = ()


OPENING_RULES = {
    "free": OpeningRule("any stones"),
    "swap2": OpeningRule("three stones for swap2 or swap, as any"),
    "pro": OpeningRule(
        "the first in the middle, the third outside of the 5x5 around it", ((0, 0), (1, REACH), (3, REACH))
    ),
    "long-pro": OpeningRule("the third outside of the 7x7 around it", ((0, 0), (1, REACH), (4, REACH))),
    "renju": OpeningRule("one of the 26 openings of renju", ((0, 0), (1, 1), (1, 2))),
}


def places(state: State, rule: OpeningRule, ply: int) -> list[int]:
    """The empty cells on which a stone of that number, from 0, may lie; all legal cells on a board without such."""
    least, most = rule.distances[ply] if ply < len(rule.distances) else (0, REACH)
    middle_x, middle_y = state.width // 2, state.height // 2

    def fits(cell: int) -> bool:
        y, x = divmod(cell, state.width)
        return least <= max(abs(x - middle_x), abs(y - middle_y)) <= most

    legal = state.legal_moves()
    return [cell for cell in legal if fits(cell)] or list(legal)


def drawn(start: State, rule: OpeningRule, plies: int, dice: random.Random) -> tuple[State, list[int]]:
    """A position of so many stones by the rule, and its moves; fewer where the game would end."""
    state, moves = start.copy(), list[int]()
    while len(moves) < plies:
        cell = dice.choice(places(state, rule, len(moves)))
        state.play(cell)
        if state.is_terminal():
            break
        moves.append(cell)
    return state, moves


def least_image(stones: bytes, width: int, height: int) -> bytes:
    """The same for all turned and mirrored boards: the least of the images of the stones."""
    return min(bytes(map(stones.__getitem__, cells)) for cells in symmetries(width, height))
