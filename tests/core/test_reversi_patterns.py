"""Patterns of Reversi: their places, their indices from move to move, and who shares a weight."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tengen.engine._core import (
    ReversiAlphaBeta,
    ReversiState,
    Weights,
    reversi_indices,
    reversi_indices_after,
    reversi_pattern_names,
    reversi_pattern_places,
    reversi_pattern_weights,
)
from tengen.engine.evaluators.safetensors import parse
from tengen.nets.safetensors import dumps

# Class -> its places, and cells of each.
CLASSES = {
    "corner 3x3": (4, 9), "corner and edges": (4, 10), "edge and X": (4, 10), "edge and block": (4, 10),
    "row 2": (4, 8), "row 3": (4, 8), "row 4": (4, 8), "diagonal of 8": (2, 8), "diagonal of 7": (4, 7),
    "diagonal of 6": (4, 6), "diagonal of 5": (4, 5), "diagonal of 4": (4, 4),
}  # fmt: skip
WEIGHTS = 114363
"""Without mirror images, as Edax counts them: 114,364 with one for all positions."""


def random_game(seed: int) -> tuple[list[int], ReversiState]:
    choose, state, moves = random.Random(seed), ReversiState(), []
    while not state.is_terminal():
        moves.append(choose.choice(state.legal_moves()))
        state.play(moves[-1])
    return moves, state


def digits(state: ReversiState) -> list[int]:
    return [(0, 1, -1)[stone] for stone in state.stones()]


def turned(state: ReversiState, symmetry: int) -> ReversiState:
    board = np.frombuffer(state.stones(), np.uint8).reshape(8, 8)
    board = board[:, ::-1] if symmetry & 1 else board
    board = board[::-1] if symmetry & 2 else board
    board = board.T if symmetry & 4 else board
    found = ReversiState()
    found.setup(np.ascontiguousarray(board).tobytes(), state.to_move)
    return found


def weights_of(state: ReversiState) -> list[int]:
    """The weights that a position asks for, Black's view."""
    packed, begins, at = reversi_pattern_weights(), dict[int, int](), 0
    for of, cells in reversi_pattern_places():
        if of not in begins:
            begins[of] = at
            at += 3 ** len(cells)
    return sorted(
        int(packed[begins[of] + (3 ** len(cells) - 1) // 2 + index])
        for (of, cells), index in zip(reversi_pattern_places(), reversi_indices(state), strict=True)
    )


def test_classes() -> None:
    names, places = reversi_pattern_names(), reversi_pattern_places()
    assert {
        name: (sum(of == number for of, _ in places), next(len(cells) for of, cells in places if of == number))
        for number, name in enumerate(names)
    } == CLASSES
    assert len({frozenset(cells) for _, cells in places}) == 46 and all(
        len(set(cells)) == len(cells) for _, cells in places
    )


def test_every_cell_is_looked_at() -> None:
    assert {cell for _, cells in reversi_pattern_places() for cell in cells} == set(range(64))


@pytest.mark.parametrize("seed", range(20))
def test_indices_from_move_to_move_are_those_of_the_board(seed: int) -> None:
    moves, end = random_game(seed)
    found = reversi_indices_after(ReversiState(), moves)
    board = digits(end)
    wanted = [sum(board[cell] * 3**digit for digit, cell in enumerate(cells)) for _, cells in reversi_pattern_places()]
    assert found == reversi_indices(end) == wanted
    with pytest.raises(ValueError, match="an illegal move"):
        reversi_indices_after(ReversiState(), [0])


def test_mirror_images_share_weights() -> None:
    """And no others do: every symmetry of a position asks for the same weights, a change of it for others."""
    packed = reversi_pattern_weights()
    assert len(packed) == sum(3**cells for _, cells in CLASSES.values())
    assert np.array_equal(np.unique(packed), np.arange(WEIGHTS))
    for seed in range(10):
        moves, _ = random_game(seed)
        state = ReversiState()
        for move in moves[:30]:
            state.play(move)
        asked = weights_of(state)
        assert all(weights_of(turned(state, symmetry)) == asked for symmetry in range(8))
        stones = bytearray(state.stones())
        stones[next(cell for cell in range(64) if stones[cell])] ^= 3
        other = ReversiState()
        other.setup(bytes(stones), state.to_move)
        assert weights_of(other) != asked


@pytest.mark.parametrize("plies", [1, 2, 5, 20, 40])
def test_the_bias_of_tables_is_that_of_the_empty_cells(plies: int) -> None:
    """By tables that know nothing else, a position is worth what they say of so many empty cells, to whoever moves."""
    bias = np.arange(61, dtype=np.int16) * np.int16(128)
    data = dumps({"patterns": np.zeros((2, WEIGHTS), np.int16), "bias": bias})
    search = ReversiAlphaBeta("patterns", Weights("bias", "", parse(data), data))
    state = ReversiState()
    for move in random_game(7)[0][:plies]:
        state.play(move)
    search.run(state, depth=1)
    left = state.stones().count(0)
    assert search.info().lines[0].score == -(left - 1)
