"""Boards that are set up, as moves of both sides in turn: games that are learned from begin on an empty board."""

from __future__ import annotations

import random
from collections.abc import Sequence

BLACK, WHITE = 1, 2
"""Stones of a board; 0 is none."""


def set_up(board: Sequence[int], passing: int, source: random.Random, white_moves: bool | None = None) -> list[int]:
    """Return moves that lead to a board. passing: the pass. white_moves: whether White moves then; None: by chance.

    Surplus stones come first, so that the last two moves are stones. Where Black has as many stones as White or one
    more, and it is left to chance who moves, no pass is among them. No stone is captured on the way: a group that is
    not whole yet has a liberty where its next stone will be. Raises ValueError where White is to move and Black has no
    stone.
    """
    stones = {colour: [cell for cell, found in enumerate(board) if found == colour] for colour in (BLACK, WHITE)}
    black, white = stones[BLACK], stones[WHITE]
    source.shuffle(black)
    source.shuffle(white)
    surplus = len(black) - len(white)
    if white_moves is None:
        white_moves = bool(black) and (surplus == 1 or (surplus != 0 and source.random() < 0.5))
    if white_moves and not black:
        raise ValueError("White is to move and Black has no stone")
    last = [black.pop()] if white_moves else []
    surplus = len(black) - len(white)
    black = [passing] * max(0, -surplus) + black
    white = [passing] * max(0, surplus) + white
    return [move for pair in zip(black, white, strict=True) for move in pair] + last
