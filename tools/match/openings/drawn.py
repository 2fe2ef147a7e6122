"""Openings drawn from a seed: random legal moves, for matches without a book and for matches between own players."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from tengen.engine.games import get_game
from tengen.engine.games.base import State
from tengen.engine.games.conventions import MatchSetting


def setting_of(game: str) -> MatchSetting:
    """Return the usual match of a game."""
    return get_game(game).conventions.match


def draw(
    start: State, is_sensible: Callable[[State, int], bool], margin: int | None, plies: int, count: int, seed: int
) -> list[tuple[int, ...]]:
    """`count` openings of `plies` moves; none repeats while there are others. Raises ValueError where so many
    moves leave no game to play."""
    dice = random.Random(seed)
    inner = _inner_cells(start, margin, plies)
    found: list[tuple[int, ...]] = []
    seen: set[tuple[int, ...]] = set()
    for _ in range(count):
        for _ in range(50):
            moves = tuple(dice.sample(inner, plies)) if inner else _walk(start, is_sensible, plies, dice)
            if moves not in seen and is_playable(start, moves):
                break
        if moves not in seen and not is_playable(start, moves):
            raise ValueError(f"random openings of {plies} moves end the game: take fewer")
        seen.add(moves)
        found.append(moves)
    return found


def is_playable(start: State, moves: Sequence[int]) -> bool:
    """Whether the moves are legal and leave a game to play."""
    state = start.copy()
    for move in moves:
        if state.is_terminal() or not state.is_legal(move):
            return False
        state.play(move)
    return not state.is_terminal()


def _inner_cells(state: State, margin: int | None, plies: int) -> list[int]:
    """Cells at least `margin` from the edge; fewer on a small board, so that `plies` fit. [] without a margin."""
    if margin is None:
        return []
    for edge in range(min(margin, (min(state.width, state.height) - 1) // 2), -1, -1):
        rows, columns = range(edge, state.height - edge), range(edge, state.width - edge)
        if len(rows) * len(columns) >= 2 * plies:
            return [row * state.width + column for row in rows for column in columns]
    return []


def _walk(start: State, is_sensible: Callable[[State, int], bool], plies: int, dice: random.Random) -> tuple[int, ...]:
    """Random sensible moves; fewer when the game ends."""
    state, moves = start.copy(), list[int]()
    while len(moves) < plies and not state.is_terminal():
        legal = [move for move in state.legal_moves() if is_sensible(state, move)] or list(state.legal_moves())
        moves.append(dice.choice(legal))
        state.play(moves[-1])
    return tuple(moves)
