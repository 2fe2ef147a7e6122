"""The fit of what Gomoku's tactical evaluator knows of shapes: it finds weights that made the data, and runs."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tengen.engine._core import GomokuMcts, GomokuState
from tengen.tools.dev import gomoku_fit
from tengen.tools.dev.gomoku_fit import SHAPES, THREATS, Example, example, fit_moves, fit_value


def made_up(count: int, moves: np.ndarray, value: np.ndarray) -> list[Example]:
    """Positions whose shares and winners follow the weights."""
    noise = np.random.default_rng(1)
    examples = []
    for _ in range(count):
        cells = noise.integers(0, 3, (30, len(moves))).astype(float)
        shares = np.exp(cells @ moves - (cells @ moves).max())
        counts = noise.integers(0, 9, 2 * SHAPES).astype(float)
        odds = counts @ value
        examples.append(Example(cells, shares / shares.sum(), counts, float(noise.random() < 1 / (1 + np.exp(-odds)))))
    return examples


def test_the_weights_that_made_the_data_are_found() -> None:
    moves, value = np.zeros(2 * (SHAPES + THREATS)), np.zeros(2 * SHAPES)
    moves[[2, 5, SHAPES + 4]] = (0.3, 1.0, 0.5)
    value[[3, SHAPES + 3]] = (0.2, -0.3)
    examples = made_up(5000, moves, value)
    assert np.abs(fit_moves(examples) - moves).max() < 0.03
    assert np.abs(fit_value(examples)[:-1] - value).max() < 0.05


def test_only_quiet_positions_are_learned_from() -> None:
    state = GomokuState(15, 15)
    for move in (112, 0, 113, 2):
        state.play(move)
    found = example(state, {114: 3, 111: 1})
    assert found is not None and found.shares.max() == 0.75 and found.counts[3] > 0
    for move in (114, 4):
        state.play(move)
    assert example(state, {115: 1}) is None


def test_a_game_has_quiet_positions_with_a_winner() -> None:
    search = GomokuMcts("tactical")
    found = [one for seed in range(3) for one in gomoku_fit.game(search, random.Random(seed), 30)]
    assert found and all(one.won in (0.0, 0.5, 1.0) and len(one.cells) == len(one.shares) for one in found)


def test_it_prints_the_tables(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["gomoku_fit", "--games", "12", "--playouts", "30"])
    gomoku_fit.main()
    said = capsys.readouterr().out
    for name in ("kScores", "kOwnBonus", "kEnemyBonus", "kOwnShape", "kEnemyShape", "kTempo"):
        assert name in said
