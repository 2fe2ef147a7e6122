"""Positions that no moves led to: set up by hand, or with handicap stones."""

from __future__ import annotations

from collections.abc import Sequence

from tengen.engine.games.base import BLACK, Game, IllegalMove, Rules, State
from tengen.engine.history import History


def state_with(game: Game, empty: State, stones: bytes, to_move: int) -> State:
    """An empty position of the game with these stones. Raises ValueError when the game cannot have it."""
    setup = getattr(empty, "setup", None)
    if setup is None or not game.conventions.has_points:
        raise ValueError(f"positions of {game.name} cannot be set up by stones")
    if len(stones) != empty.cells:
        raise ValueError(f"the board has {empty.cells} points")
    setup(stones, to_move)
    return empty


def require_empty(state: State) -> None:
    """Raises ValueError("board not empty")."""
    if any(state.stones()):
        raise ValueError("board not empty")


def require_handicap(state: State, cells: Sequence[int]) -> None:
    """At least two different cells of the board. Raises ValueError("bad vertex list")."""
    if len(cells) < 2 or len(set(cells)) < len(cells) or not all(0 <= cell < state.cells for cell in cells):
        raise ValueError("bad vertex list")


def black_stones(state: State, cells: Sequence[int]) -> bytes:
    """The stones of a board with Black on these cells alone."""
    stones = bytearray(state.cells)
    for cell in cells:
        stones[cell] = BLACK + 1
    return bytes(stones)


def replay(history: History, moves: Sequence[tuple[int, int]], rules: Rules) -> None:
    """Play moves under other rules. Raises ValueError naming the first that breaks them."""
    for number, (colour, move) in enumerate(moves, 1):
        try:
            history.play(colour, move, rules.repetition)
        except IllegalMove as error:
            raise ValueError(f"move {number} is illegal under {rules.name} rules: {error}") from None
