"""What the core says of many positions to who learns, and its gradients: the same by any number of threads, and as small
steps of the weights show."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tengen.engine._core import (
    ChessLearner,
    ReversiLearner,
    ReversiState,
    reversi_pattern_weights,
    reversi_sides_of_games,
)
from tests.core.chess_boards import random_positions

BUCKETS = np.array([[0, 0, 1, 1], *[[2, 2, 2, 2]] * 7], np.int8)
PHASES = 15


def chess(count: int = 3) -> tuple[Callable[[int], Any], list[Any], list[Any]]:
    """How a learner is made for so many threads, positions of so many games of random moves, and weights at which sums
    lie within their bounds and outside."""
    dice, width = np.random.default_rng(1), 96
    found = [(bytes(state.pieces()), state.to_move) for _, state, _ in random_positions(60 * count, 3)]
    squares = np.array([np.frombuffer(pieces, np.uint8) for pieces, _ in found])
    sides = np.array([side for _, side in found], np.uint8)
    sizes = ((3 * 768, width, 0.2), (width, 0, 0.5), (8, 2 * width, 0.5), (8, 0, 0.5))
    weights = [dice.normal(0, scale, (rows, columns or 1)).astype(np.float32) for rows, columns, scale in sizes]
    return (
        lambda threads: ChessLearner(width, 3, BUCKETS, threads), [squares[:, ::2] | squares[:, 1::2] << 4, sides],
        weights,
    )  # fmt: skip


def reversi(count: int = 30) -> tuple[Callable[[int], Any], list[Any], list[Any]]:
    """The same, of so many games of random moves."""
    source, moves, starts = random.Random(2), list[int](), [0]
    for _ in range(count):
        state = ReversiState()
        while not state.is_terminal():
            moves.append(source.choice(state.legal_moves()))
            state.play(moves[-1])
        starts.append(len(moves))
    sides, dice = np.zeros((len(moves), 2), np.uint64), np.random.default_rng(3)
    reversi_sides_of_games(np.array(moves, np.int16), np.array(starts), sides)
    sizes = (16 * (int(reversi_pattern_weights().max()) + 1), *(16 * PHASES * times for times in (1, 16, 1, 1, 1)), 61)
    weights = [
        dice.normal(0, 0.06 if not number else 0.3, size).astype(np.float32) for number, size in enumerate(sizes)
    ]
    return lambda threads: ReversiLearner(PHASES, threads), [sides], weights


def asked(learner: Any, positions: list[Any], weights: list[Any], slopes: Any) -> tuple[Any, list[Any]]:
    """What it says, and the gradients of the sum of what it says times slopes."""
    said, found = np.empty(len(slopes), np.float32), [np.empty_like(array) for array in weights]
    learner.forward(*positions, weights, said)
    learner.backward(slopes, weights, found)
    return said, found


@pytest.mark.threads
@pytest.mark.parametrize("make", [chess, reversi])
def test_threads_change_nothing(make: Callable[[], Any]) -> None:
    learner, positions, weights = make()
    slopes = np.random.default_rng(4).normal(size=len(positions[0])).astype(np.float32)
    said, found = asked(learner(1), positions, weights, slopes)
    assert said.std() > 0.5 and all(array.any() for array in found)
    for threads in (2, 5):
        again, others = asked(learner(threads), positions, weights, slopes)
        assert np.array_equal(said, again)
        assert all(np.array_equal(one, other) for one, other in zip(found, others, strict=True))


@pytest.mark.parametrize("make", [chess, reversi])
def test_gradients_are_what_small_steps_show(make: Callable[[], Any]) -> None:
    learner, positions, weights = make()
    learner, dice = learner(2), np.random.default_rng(5)
    slopes = dice.normal(size=len(positions[0])).astype(np.float32)
    _, found = asked(learner, positions, weights, slopes)

    def total() -> float:
        return float(asked(learner, positions, weights, slopes)[0].astype(np.float64) @ slopes)

    for number, (array, gradient) in enumerate(zip(weights, found, strict=True)):
        flat, of = array.reshape(-1), gradient.reshape(-1)
        largest = np.argsort(-np.abs(of))[:50]
        for at in dice.choice(largest, 4, replace=False):
            before, step = flat[at], np.float32(2e-3)
            flat[at] = before + step
            high = total()
            flat[at] = before - step
            low = total()
            flat[at] = before
            shown = (high - low) / (2 * float(step))
            assert shown == pytest.approx(float(of[at]), rel=0.06, abs=0.02 * float(np.abs(of).max())), number


@pytest.mark.parametrize("count", [0, 1, 3])
@pytest.mark.parametrize("make", [chess, reversi])
def test_few_positions_are_enough(make: Callable[[], Any], count: int) -> None:
    learner, positions, weights = make()
    slopes = np.ones(count, np.float32)
    said, found = asked(learner(4), [array[:count] for array in positions], weights, slopes)
    whole = np.empty(len(positions[0]), np.float32)
    learner(1).forward(*positions, weights, whole)
    assert np.array_equal(said, whole[:count]) and any(array.any() for array in found) == bool(count)
