"""The network of chess along a line of play: what is kept up from move to move is what a position alone is worth."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tengen.engine._core import ChessAlphaBeta, ChessState, Weights, chess_evaluation, chess_evaluation_after
from tengen.engine.evaluators.weights import read_weights
from tengen.nets import safetensors
from tests.core.chess_boards import random_positions

CARD = {
    "name": "any", "purpose": "a test", "licence": "MIT", "training": {"data": "none", "command": "none"},
    "plays": {"game": "chess", "evaluator": "network"},
}  # fmt: skip


def written(folder: Path, width: int = 64, kings: int = 1, **changed: Any) -> Weights:
    """A network of random numbers, as the search reads it. kings: its buckets."""
    dice = np.random.default_rng(width)
    arrays = {
        "features.weight": dice.integers(-60, 61, (kings * 768, width)).astype(np.int16),
        "features.bias": dice.integers(-50, 200, width).astype(np.int16),
        "head.weight": dice.integers(-127, 128, (8, 2, width)).astype(np.int16),
        "head.bias": dice.integers(-9000, 9001, 8).astype(np.int32),
    }
    if kings > 1:
        arrays["king.buckets"] = dice.integers(0, kings, (8, 4)).astype(np.int8)
    path = folder / "any.safetensors"
    safetensors.save(path, arrays | changed, CARD)
    return read_weights(path, "chess", "network")


@pytest.mark.parametrize(("width", "kings"), [(64, 1), (160, 1), (512, 1), (64, 16), (96, 3)])
def test_sums_are_kept_up_from_move_to_move(tmp_path: Path, width: int, kings: int) -> None:
    """Captures, castling (also of Chess960), promotions, en passant, kings that cross the middle or go to another bucket."""
    weights, dice, checked = written(tmp_path, width, kings), random.Random(width), 0
    start, moves, game = ChessState(), list[int](), None
    for _, state, move in random_positions(1500, seed=width):
        if state is not game:  # another one begins
            start, moves, game = state.copy(), [], state
        if dice.random() < 0.2:
            assert chess_evaluation_after(start, moves, weights) == chess_evaluation(state, weights)
            checked += 1
        moves = [*moves, move_of(state, move)] if move is not None else []
    assert checked > 200


def move_of(state: ChessState, move: Any) -> int:
    """The move that python-chess is about to play, as ours."""
    from tengen.engine.games.chess.game import CHESS

    text = move.uci() if hasattr(move, "uci") else str(move)
    return CHESS.move_from_text(state, text)


LARGE = {
    "features.weight": np.full((768, 64), 1100, np.int16),
    "head.weight": np.full((8, 2, 64), 128, np.int16),
    "head.bias": np.full(8, 2_000_000, np.int32),
    "features.bias": np.zeros(40, np.int16),
}
BUCKETS = {
    "none is told": (2, {"king.buckets": np.zeros(1, np.int8)}),
    "one has no weights": (2, {"king.buckets": np.full((8, 4), 2, np.int8)}),
    "one is negative": (2, {"king.buckets": np.full((8, 4), -1, np.int8)}),
    "half a bucket": (1, {"features.weight": np.zeros((384, 64), np.int16)}),
    "too many": (17, {}),
}


@pytest.mark.parametrize("name", BUCKETS)
def test_king_buckets_that_do_not_fit_the_weights_are_refused(tmp_path: Path, name: str) -> None:
    kings, changed = BUCKETS[name]
    weights = written(tmp_path, kings=kings, **changed)
    with pytest.raises(ValueError, match=r"bucket"):
        ChessAlphaBeta("network", weights)


@pytest.mark.parametrize("name", LARGE)
def test_numbers_with_which_a_sum_could_overflow_are_refused(tmp_path: Path, name: str) -> None:
    weights = written(tmp_path, **{name: LARGE[name]})
    with pytest.raises(ValueError, match=r"overflow|beyond|wide|shape"):
        ChessAlphaBeta("network", weights)


def test_the_largest_numbers_that_are_taken_do_not_overflow(tmp_path: Path) -> None:
    most = {
        "features.weight": np.full((768, 512), 1000, np.int16), "features.bias": np.full(512, 700, np.int16),
        "head.weight": np.full((8, 2, 512), 127, np.int16), "head.bias": np.full(8, 1_600_000, np.int32),
    }  # fmt: skip
    found = chess_evaluation(ChessState(), written(tmp_path, 512, **most))
    assert found == ((255 * 255 * 127 * 1024) // 255 + 1_600_000) * 400 // (255 * 64)
