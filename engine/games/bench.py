"""The fixed work of a game by which `tengen bench --signature` tells one build's play from another's."""

from __future__ import annotations

from typing import NamedTuple


class BenchPosition(NamedTuple):
    """A position to search.

    fen: a position in the game's own text (chess), "" for the start. moves: played from there, in the game's notation,
    the sides in turn. size, rules: None as the game has them.
    """

    fen: str = ""
    moves: str = ""
    size: int | None = None
    rules: str | None = None


class Bench(NamedTuple):
    """Positions, and how much of each: plies by a search that looks ahead ply by ply, playouts by a tree search.

    elo_a_doubling: the Elo that twice the speed is worth, about. Gomoku's was measured (`uct`, eight times the
    playouts); the others are rules of thumb of the field.
    """

    positions: tuple[BenchPosition, ...] = (BenchPosition(),)
    depth: int = 6
    playouts: int = 500
    elo_a_doubling: float = 70


FROM_THE_START = Bench()
"""The benchmark of a game that names none."""
