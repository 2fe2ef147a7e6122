"""The tempo error of an evaluation of Reversi: found where it was planted, and taken out of a file."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tengen.engine._core import ReversiState, reversi_evaluation
from tengen.engine.evaluators.weights import read_weights
from tengen.nets import safetensors
from tengen.tools.train.fitting.measured import write
from tengen.tools.train.fitting.probcut import Fit, Sample
from tengen.tools.train.fitting.tempo import COUNTS, tempo, without

CARD: dict[str, Any] = {
    "name": "tables", "purpose": "a test", "licence": "MIT", "training": {"data": "none", "command": "none"},
    "plays": {"game": "reversi", "evaluator": "patterns", "boards": [8, 8]},
}  # fmt: skip


def planted(empties: int) -> float:
    """In discs: none at the beginning and the end."""
    return -0.2 * min(empties, 60 - empties)


def samples(count: int = 4000) -> list[Sample]:
    source, found = random.Random(3), []
    for _ in range(count):
        empties, true = source.randint(12, 54), source.gauss(0, 8)
        scores = [
            true + source.gauss(0, 4 / (depth + 1)) + (-1 if depth % 2 else 1) * planted(empties - depth)
            for depth in range(11)
        ]
        found.append(Sample(empties, tuple(scores)))
    return found


def test_what_was_planted_is_found_and_taken_out() -> None:
    given = samples()
    errors = tempo(given)
    assert len(errors) == COUNTS and errors[0] == errors[60] == 0
    for empties in range(15, 52):
        assert errors[empties] == pytest.approx(planted(empties), abs=0.6)
    left = without(given, errors)
    assert np.abs(tempo(left)[15:52]).max() < 0.4
    apart = [np.mean([one.scores[9] - one.scores[10] for one in many]) for many in (given, left)]
    assert apart[0] > 4 > 0.5 > abs(apart[1])


def test_too_few_positions_change_nothing() -> None:
    assert not tempo(samples(9)).any() and not tempo([]).any()


@pytest.mark.parametrize("evaluator", ["tables", "network"])
def test_a_file_evaluates_as_much_more(tmp_path: Path, evaluator: str) -> None:
    from tengen.engine._core import reversi_pattern_weights
    from tengen.engine.evaluators import shipped

    file = tmp_path / "tables.safetensors"
    if evaluator == "tables":
        count = int(reversi_pattern_weights().max()) + 1
        arrays = {"patterns": np.zeros((2, count), np.int16), "bias": np.zeros(61, np.int16)}
    else:
        arrays = safetensors.loads(shipped.path_of("tengen-reversi.safetensors").read_bytes())
    safetensors.save(file, arrays, CARD)
    state = ReversiState()
    before = reversi_evaluation(state, read_weights(file, "reversi", "patterns"))
    errors = np.zeros(COUNTS)
    errors[60] = -2.5
    write(file, Fit(np.zeros(5, np.float32), 0.0, 0), errors, CARD)
    after = reversi_evaluation(state, read_weights(file, "reversi", "patterns"))
    assert after - before == pytest.approx(2.5, abs=0.05)
