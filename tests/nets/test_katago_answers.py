"""What KataGo's networks say of positions is what KataGo says (`kata-raw-nn`, symmetry 0), and every version's outputs
become the same numbers."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from katago_files import file_of, network
from katago_positions import encoded

from tengen.engine.evaluators.backends.base import NetworkError
from tengen.engine.evaluators.katago.answers import evaluation
from tengen.engine.evaluators.katago.model import Header, Scales
from tengen.engine.evaluators.katago.network import KataGoNetwork, load_katago
from tengen.engine.evaluators.network import Evaluation

OPTIMISM = 0.2
"""What kata-raw-nn mixes in, `rootPolicyOptimism`."""
# Network -> file of its answers. The positions are those of raw_nn.json.
REFERENCES = {
    "g170-b6c96": "raw_nn.json",
    "b7c96h3tfrs-test5-cnorm": "raw_nn_b7c96h3tfrs-test5-cnorm.json",
    "b7c96h6kv3qk32v16tflrs-fson-bnh": "raw_nn_b7c96h6kv3qk32v16tflrs-fson-bnh.json",
}
ROOM = 2
"""Points that the planes are wider than the board, where they are."""


def answer(net: KataGoNetwork, position: Any, room: int) -> Evaluation:
    small, numbers = position
    size = small.shape[1]
    planes = np.zeros((1, len(small), size + room, size + room), np.float32)
    planes[0, :, :size, :size] = small
    return net.submit(planes, numbers[None], optimism=OPTIMISM).wait()


def assert_says(found: Evaluation, size: int, room: int, is_white: bool, wanted: dict[str, Any]) -> None:
    """The bars of a network in f32: policy within 1e-4 + 1 %, win rate 1e-3, lead 0.02, ownership 2e-3."""
    sign, side = 1 if is_white else -1, size + room
    logits = np.append(found.policies[0, :-1].reshape(side, side)[:size, :size], found.policies[0, -1])
    policy = np.array([point for row in wanted["policy"] for point in row] + [wanted["policyPass"]], float)
    is_legal = ~np.isnan(policy)
    powers = np.exp(logits[is_legal] - logits[is_legal].max())
    np.testing.assert_allclose(powers / powers.sum(), policy[is_legal], atol=1e-4, rtol=0.01)
    win, no_result, loss = found.values[0] if is_white else found.values[0, ::-1]
    assert (win, no_result, loss) == pytest.approx((wanted["whiteWin"], wanted["noResult"], wanted["whiteLoss"]), abs=1e-3)
    assert found.scores is not None and sign * found.scores[0] == pytest.approx(wanted["whiteLead"], abs=0.02)
    owners = sign * found.extras["ownership"].reshape(side, side)[:size, :size]
    np.testing.assert_allclose(owners, wanted["whiteOwnership"], atol=2e-3)
    assert_extras(found, sign, wanted)


def assert_extras(found: Evaluation, sign: int, wanted: dict[str, Any]) -> None:
    mean, deviation, decided = found.extras["score_mean"][0], found.extras["score_stdev"][0], 1 - found.values[0, 1]
    assert sign * mean == pytest.approx(wanted["whiteScoreSelfplay"], abs=0.02)
    square = mean**2 / decided + deviation**2 * decided  # KataGo's sum counts games without result as 0
    assert square == pytest.approx(wanted["whiteScoreSelfplaySq"], rel=1e-3)
    names = {"var_time_left": "varTimeLeft", "shortterm_value_error": "shorttermWinlossError", "shortterm_score_error": "shorttermScoreError"}
    for name, theirs in names.items():
        assert found.extras[name][0] == pytest.approx(wanted[theirs], abs=2e-3) if name in found.extras else wanted[theirs] == -1


@pytest.mark.parametrize("name", REFERENCES)
@pytest.mark.parametrize(("room", "is_masked"), [(0, False), (0, True), (ROOM, True)], ids=("unmasked", "masked", "wider"))
def test_it_says_what_katago_says(shared: Callable[[str], Path], name: str, room: int, is_masked: bool) -> None:
    """Positions of three sizes and four rules, as far as they are encoded without an engine."""
    folder = shared("data/go/katago")
    net = load_katago(folder / f"{name}.bin.gz", threads=1, is_masked=is_masked)
    positions = json.loads((folder / "raw_nn.json").read_text())
    references = json.loads((folder / REFERENCES[name]).read_text())
    tested = set()
    for position, reference in zip(positions, references, strict=True):
        features = encoded(position)
        if features is not None:
            found = answer(net, features, room)
            assert_says(found, position["size"], room, position["to_play"] == "w", reference.get("out", reference))
            tested.add((position["size"], position["rules"]))
    assert len(tested) >= 8 and {size for size, _ in tested} == {9, 13, 19}
    net.close()


# Formulas -----------------------------------------------------------------------------------------------------------

SCALES = Scales(score_mean=10.0, score_stdev=11.0, lead=12.0, variance_time=13.0, shortterm_value_error=0.16, shortterm_score_error=9.0)


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
    assert {name: rows[0] for name, rows in found.extras.items() if name != "ownership"} == pytest.approx(wanted, rel=1e-5)
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
