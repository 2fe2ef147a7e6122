"""Every version's outputs become the same numbers; `test_katago_raw.py` has what KataGo says of positions."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from katago_files import file_of, network

from tengen.engine.evaluators.backends.base import NetworkError
from tengen.engine.evaluators.katago.answers import evaluation
from tengen.engine.evaluators.katago.model import Header, Scales
from tengen.engine.evaluators.katago.network import load_katago

# Formulas -----------------------------------------------------------------------------------------------------------

SCALES = Scales(
    score_mean=10.0,
    score_stdev=11.0,
    lead=12.0,
    variance_time=13.0,
    shortterm_value_error=0.16,
    shortterm_score_error=9.0,
)


def softplus(x: float) -> float:
    return math.log(1 + math.exp(x))


# Version -> what the fifth and the sixth score of 0.5 and 0.7 mean.
ERRORS: dict[int, tuple[float, float]] = {
    9: (softplus(0.5), 10 * softplus(0.7)),
    10: (math.sqrt(0.16 * softplus(0.5)), math.sqrt(9 * softplus(0.7))),
    13: (math.sqrt(0.16 * softplus(0.5)), math.sqrt(9 * softplus(0.7))),
    14: (0.4 * softplus(0.25), 3 * softplus(0.35)),
    17: (0.4 * softplus(0.25), 3 * softplus(0.35)),
}


def outputs(version: int) -> dict[str, Any]:
    return {
        "policy": np.array([[[1, 2, 3, 4, 5], [3, 2, 1, 0, -1]]], np.float32),
        "value": np.log(np.array([[0.5, 0.3, 0.2]], np.float32)),
        "score": np.array([[0.1, 0.2, 0.3, 0.4, 0.5, 0.7][: 6 if version >= 9 else 4]], np.float32),
        "ownership": np.array([[0, 0.5, -0.5, 9]], np.float32),
    }


@pytest.mark.parametrize("version", (8, *ERRORS))
def test_scores_and_errors_by_version(version: int) -> None:
    found = evaluation(Header("net", version, SCALES), outputs(version), np.zeros((1, 19), np.float32))
    np.testing.assert_allclose(found.policies, [[1, 2, 3, 4, 5]])
    np.testing.assert_allclose(found.values, [[0.5, 0.2, 0.3]], rtol=1e-5)
    wanted = {"score_mean": 0.8, "score_stdev": 11 * softplus(0.2)}
    if version >= 9:
        wanted["var_time_left"] = 13 * softplus(0.4)
        wanted["shortterm_value_error"], wanted["shortterm_score_error"] = ERRORS[version]
    assert {name: rows[0] for name, rows in found.extras.items() if name != "ownership"} == pytest.approx(
        wanted, rel=1e-5
    )
    assert found.scores is not None and found.scores[0] == pytest.approx(0.3 * 12 * 0.8)
    np.testing.assert_allclose(found.extras["ownership"][0], np.tanh([0, 0.5, -0.5, 9]), rtol=1e-5)


# Globals of the ko rule and of scoring -> the chance of no result.
NO_RESULT = {(0, 0): 0.2, (0, 1): 0.2, (1, 1): 0.2, (1, 0): 0.0}


@pytest.mark.parametrize(("rules", "chance"), NO_RESULT.items())
def test_no_result_where_the_rules_know_it(rules: tuple[int, int], chance: float) -> None:
    numbers = np.zeros((1, 19), np.float32)
    numbers[0, 6], numbers[0, 9] = rules
    values = evaluation(Header("net", 14), outputs(14), numbers).values[0]
    assert values[1] == pytest.approx(chance) and values.sum() == pytest.approx(1)


def test_optimism_mixes_two_policies() -> None:
    numbers = np.zeros((1, 19), np.float32)
    half = evaluation(Header("net", 14), outputs(14), numbers, optimism=0.5)
    np.testing.assert_allclose(half.policies, [[2, 2, 2, 2, 2]])
    alone = {**outputs(14), "policy": outputs(14)["policy"][:, :1]}
    np.testing.assert_allclose(evaluation(Header("net", 11), alone, numbers, optimism=0.5).policies, [[1, 2, 3, 4, 5]])


def test_a_network_that_imitates_people_takes_what_is_known_of_them(tmp_path: Path) -> None:
    path = tmp_path / "human.bin.gz"
    path.write_bytes(file_of(network(("ordinary",), 15, has_metadata=True)))
    net = load_katago(path, threads=1)
    planes, numbers = np.ones((1, 22, 5, 5), np.float32), np.zeros((1, 19), np.float32)
    with pytest.raises(ValueError, match="takes planes, globals, metadata, not planes, globals"):
        net.submit(planes, numbers)
    weak, strong = (net.submit(planes, numbers, metadata=np.full((1, 192), x, np.float32)).wait() for x in (0, 1))
    assert np.abs(weak.policies - strong.policies).max() > 1e-3


def test_a_network_that_says_nothing(tmp_path: Path) -> None:
    path = tmp_path / "net.bin.gz"
    path.write_bytes(file_of(network(("ordinary",), 8)))
    net = load_katago(path, threads=1)
    with pytest.raises(RuntimeError, match="'tiny-net' gave a '[a-z]+' that is no number"):
        net.submit(np.full((1, 22, 5, 5), np.nan, np.float32), np.zeros((1, 19), np.float32)).wait()
    net.close()
    with pytest.raises(RuntimeError, match="is closed"):
        net.submit(np.zeros((1, 22, 5, 5), np.float32), np.zeros((1, 19), np.float32))


def test_a_back_end_that_is_unknown(tmp_path: Path) -> None:
    path = tmp_path / "net.bin.gz"
    path.write_bytes(file_of(network(("ordinary",), 8)))
    with pytest.raises(NetworkError, match="unknown back end 'openvin'"):
        load_katago(path, backend="openvin")
