"""How far searches foretell each other: fitted, written into a file of patterns, and cut by."""

from __future__ import annotations

import random
from math import exp, isnan
from pathlib import Path

import numpy as np
import pytest

from tengen.engine._core import ReversiState, StopToken, reversi_pattern_weights
from tengen.engine.games import get_game
from tengen.engine.limits import Limits
from tengen.engine.search import make_search
from tengen.engine.search.base import Root
from tengen.nets import safetensors
from tengen.tools import cli
from tengen.tools.train.fitting import probcut
from tengen.tools.train.fitting.probcut import Sample

PLANTED = (0.4, 0.03, -0.08, 0.01, 0.0)
CARD = {
    "name": "tables", "purpose": "a test", "licence": "MIT", "training": {"data": "none", "command": "none"},
    "plays": {"game": "reversi", "evaluator": "patterns", "boards": [8, 8]},
}  # fmt: skip


def tables(path: Path) -> Path:
    """Weights that are told by chance, alike for all phases."""
    source, count = np.random.default_rng(1), int(reversi_pattern_weights().max()) + 1
    weights = np.repeat(source.normal(0, 40, (1, count)), 2, 0).astype(np.int16)
    arrays = {"patterns": weights, "bias": np.zeros(61, np.int16)}
    file = path / "tables.safetensors"
    safetensors.save(file, arrays, CARD)
    return file


def deviation(empties: int, deep: int, shallow: int) -> float:
    return exp(sum(a * b for a, b in zip(PLANTED, (1, deep, shallow, empties, empties**2), strict=True)))


def test_planted_deviations_are_found() -> None:
    source, samples = random.Random(3), []
    for _ in range(6000):
        empties = source.randint(15, 50)
        scores = [0.0, 0.0, 0.0]
        for deep in (3, 4):  # each is told of the one two plies before it alone
            scores.append(scores[deep - 2] + source.gauss(0, deviation(empties, deep, deep - 2)))
        samples.append(Sample(empties, tuple(scores)))
    fitted = probcut.fit(samples)
    for empties in (20, 35, 48):
        for deep in (3, 4):
            assert fitted.deviation(empties, deep, deep - 2) == pytest.approx(
                deviation(empties, deep, deep - 2), rel=0.1
            )
    assert fitted.error < 0.1


def test_the_evaluation_is_judged_by_the_deepest_search() -> None:
    samples = [Sample(24, (1, 9, 4)), Sample(36, (-2, 0, -3)), Sample(23, (50, 0, 0)), Sample(37, (50, 0, 0))]
    assert probcut.evaluation_error(samples, 24, 36) == 2
    assert isnan(probcut.evaluation_error(samples, 10, 20))


def test_too_few_positions_are_said() -> None:
    with pytest.raises(ValueError, match="too few positions"):
        probcut.fit([Sample(30, (0, 1, 2, 3, 4))] * 5)


def test_a_file_is_measured_and_then_cut_by(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tables(tmp_path)

    def nodes(selectivity: int) -> int:
        options = {"alphabeta.weights": str(file), "alphabeta.selectivity": selectivity}
        search = make_search(get_game("reversi"), "alphabeta", options)
        return search.run(Root(ReversiState()), Limits(depth=9), StopToken()).playouts

    assert nodes(5) == nodes(0), "nothing is known of these weights yet"
    assert cli.main(["train", "probcut", str(file), "--positions", "60", "--deepest", "5", "--workers", "1"]) == 0
    told = capsys.readouterr().out
    assert "pairs of searches" in told and "at 24 to 36 empty cells:" in told and "by empty cells" in told
    assert safetensors.loads(file.read_bytes())["probcut"].shape == (5,)
    everything = nodes(0)
    assert nodes(5) < nodes(2) < everything
    assert cli.main(["train", "probcut", str(tmp_path / "none.safetensors")]) == 2
    assert cli.main(["train", "reversi", "--positions", "60"]) == 2
    assert (
        "--positions is for 'tengen train label FILE' and 'tengen train probcut FILE' and 'tengen train accuracy NAME' alone"
        in capsys.readouterr().err
    )
