"""The error of an evaluation of Reversi at the leaves of searches: found where it was planted, and taken out of a file."""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tengen.engine._core import ReversiState, reversi_evaluation
from tengen.engine.evaluators.weights import read_weights
from tengen.nets import safetensors
from tengen.tools.train.commands.probcut import POSITIONS
from tengen.tools.train.fitting.leaf_errors import COUNTS, leaf_errors, without
from tengen.tools.train.fitting.measured import write
from tengen.tools.train.fitting.probcut import Fit, Sample

CARD: dict[str, Any] = {
    "name": "tables", "purpose": "a test", "licence": "MIT", "training": {"data": "none", "command": "none"},
    "plays": {"game": "reversi", "evaluator": "patterns", "boards": [8, 8]},
}  # fmt: skip


def planted(empties: int) -> float:
    """In discs: none at the beginning and the end, and the side that has the last move gets too little."""
    return (-0.06 if empties % 2 else 0.03) * min(empties, 60 - empties)


def samples(count: int = 6000) -> list[Sample]:
    """Positions whose searches are wrong by what was planted, and by chance; those near the end are solved."""
    source, found = random.Random(3), []
    for _ in range(count):
        empties, true = source.randint(12, 54), source.gauss(0, 8)
        scores = [
            true + source.gauss(0, 4 / (depth + 1)) + (-1 if depth % 2 else 1) * planted(empties - depth)
            for depth in range(11)
        ]
        found.append(Sample(empties, tuple(scores), true if empties <= 20 else math.nan))
    return found


def test_what_was_planted_is_found_and_taken_out() -> None:
    given = samples()
    errors = leaf_errors(given)
    assert len(errors) == COUNTS and errors[0] == errors[60] == 0
    for empties in range(8, 52):
        assert errors[empties] == pytest.approx(planted(empties), abs=0.35)
    left = without(given, errors)
    assert np.abs(leaf_errors(left)[8:52]).max() < 0.15
    apart = [np.mean([one.scores[9] - one.scores[10] for one in many]) for many in (given, left)]
    assert abs(apart[0]) > 0.3 > 0.15 > abs(apart[1])


def test_too_few_positions_change_nothing() -> None:
    assert not leaf_errors(samples(300)).any() and not leaf_errors([]).any()


def test_as_many_as_the_command_takes_are_enough() -> None:
    errors = leaf_errors(samples(POSITIONS))
    assert errors[8:52].all() and np.abs(errors - [planted(empties) for empties in range(COUNTS)])[8:52].mean() < 0.5


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
