"""The opening of Go without a network: corners first, nothing on the edge of an empty board."""

from __future__ import annotations

from functools import cache

import pytest
from go_boards import board, cell

from tengen.engine._core import GoMcts, GoState

PLAYOUTS = 1000


@cache
def opening(size: int, seed: int, plies: int) -> list[tuple[int, int]]:
    """(line, corner) of the moves of a game against itself: line 1 is the edge; corner 0..3, by quadrant."""
    search, state = GoMcts("tactical"), GoState(size, size, komi=7.5)
    for name, value in {"seed": float(seed), "memory_mb": 64.0}.items():
        search.set(name, value)
    moves = []
    for _ in range(plies):
        search.run(state, playouts=PLAYOUTS)
        move = search.info().lines[0].move
        state.play(move)
        row, column = divmod(move, size)
        line = 1 + min(row, column, size - 1 - row, size - 1 - column)
        moves.append((line, 2 * (2 * row > size) + (2 * column > size)))
    return moves


@pytest.mark.parametrize("size", [13, 19])
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_corners_come_first(size: int, seed: int) -> None:
    first = opening(size, seed, 10 if seed == 1 else 4)[:4]
    assert {line for line, _ in first} <= {3, 4}
    assert sorted(corner for _, corner in first) == [0, 1, 2, 3]


@pytest.mark.parametrize("size", [9, 13, 19])
def test_nothing_on_the_edge(size: int) -> None:
    assert all(line > 1 for line, _ in opening(size, 1, 10))


def prior_of(state: GoState, vertex: str) -> float:
    """The prior of a move as a share of its own and that of e5, in a search so short that priors rule it."""
    other = cell(state, "e5")
    search = GoMcts("tactical")
    search.set("seed", 1)
    search.run(state, playouts=10, allow=[cell(state, vertex), other])
    shares = {line.move: line.prior for line in search.info().lines}
    return shares.get(cell(state, vertex), 1 - shares.get(other, 1.0))


QUIET, FIGHT = (
    """
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . X . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
""",
    """
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . X O . . . . .
. . X O . . . . .
. . . . . . . . .
""",
)


def test_the_edge_is_for_fights() -> None:
    """Under one black stone d1 is premature; under two chains that touch it is a hane."""
    assert prior_of(board(FIGHT), "d1") > 5 * prior_of(board(QUIET), "d1")
