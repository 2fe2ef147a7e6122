"""The networks that play: shapes on every board, what a spec may say, and files that say the same as the torch module."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from learning_rows import go_features, go_rows  # noqa: E402

from tengen.engine import _core  # noqa: E402
from tengen.engine.evaluators.backends.cards import read_card, sha256_of  # noqa: E402
from tengen.engine.evaluators.katago.network import load_katago  # noqa: E402
from tengen.engine.evaluators.katago.reading import read_model  # noqa: E402
from tengen.engine.evaluators.network import load_evaluator  # noqa: E402
from tengen.nets.cards import card_path  # noqa: E402
from tengen.nets.models import KINDS, build  # noqa: E402
from tengen.nets.publish import export, suffix  # noqa: E402
from tengen.nets.spec import ModelSpec, spec_of  # noqa: E402
from tengen.nets.training import seed  # noqa: E402

CARD = {
    "name": "tiny",
    "purpose": "a test",
    "licence": "MIT",
    "training": {"data": "none", "credits": [], "command": "none"},
}
SMALL = ModelSpec(blocks=3, channels=16, head=8, hidden=12)


def go_network(**sizes: int) -> Any:
    """One whose normalisations have seen something, so that they do more than nothing."""
    seed(3)
    model = build(ModelSpec(**{"blocks": 3, "channels": 16, "head": 8, "hidden": 12, **sizes}), go_features())
    model.train()
    for at in range(3):
        rows = go_rows(8, 9, at)
        model(torch.from_numpy(rows.planes) * 2, torch.from_numpy(rows.numbers))
    for layer in model.modules():
        if isinstance(layer, torch.nn.BatchNorm2d):
            torch.nn.init.uniform_(layer.weight, 0.5, 1.5)
            torch.nn.init.uniform_(layer.bias, -0.5, 0.5)
    return model.eval()


@pytest.mark.parametrize(("height", "width"), [(2, 2), (7, 7), (9, 9), (13, 13), (19, 19), (25, 25), (5, 9)])
def test_a_network_of_go_takes_every_board(height: int, width: int) -> None:
    model = go_network()
    answers = model(torch.rand(3, 22, height, width), torch.rand(3, 19))
    shapes = {name: tuple(value.shape) for name, value in answers.items()}
    points = height * width
    rows = {name: (3,) for name in ("score", "score_mean", "score_stdev", "value_error", "score_error")}
    assert shapes == {
        "policy": (3, points + 1),
        "next_policy": (3, points + 1),
        "value": (3, 3),
        "ownership": (3, points),
        **rows,
    }
    assert all(bool(value.isfinite().all()) for value in answers.values())
    assert bool((answers["score_stdev"] > 0).all() and (answers["value_error"] > 0).all())


def test_some_blocks_pool_from_the_whole_board() -> None:
    kinds = {
        every: [type(block).__name__ for block in go_network(blocks=6, pooling=every).trunk.blocks] for every in (0, 3)
    }
    assert kinds[0] == ["PreResidual"] * 6
    assert kinds[3] == ["PreResidual", "Pooled", "PreResidual"] * 2
    assert go_network(pooled=6).trunk.blocks[1].pool_conv.out_channels == 6


def far_answer(pooling: int) -> float:
    """How much a stone in one corner of 25x25 changes what a block-3 trunk says of the other one."""
    model = go_network(pooling=pooling)
    planes = torch.zeros(2, 22, 25, 25)
    planes[:, 0] = 1
    planes[1, 1, 0, 0] = 1
    with torch.no_grad():
        one, two = model.trunk(planes, torch.zeros(2, 19))[:, :, 24, 24]
    return float((one - two).abs().max())


def test_pooling_sees_the_other_corner() -> None:
    assert far_answer(0) == 0 and far_answer(3) > 1e-4


WRONG = [
    ({"kind": "katago", "layers": 3}, "a network has no 'layers'; there are kind, blocks"),
    ({"blocks": 0}, "a network's blocks is '0', not a whole number from 1 to 100"),
    ({"blocks": 2.5}, "a network's blocks is '2.5', not a whole number"),
    ({"channels": True}, "a network's channels is 'True', not a whole number"),
    ({"channels": 8, "pooled": 8}, "a network of 8 channels cannot pool 8 of them"),
]


@pytest.mark.parametrize(("table", "sentence"), WRONG)
def test_a_spec_that_cannot_be_built_is_refused(table: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)):
        spec_of(table)


def test_what_a_kind_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match=f"there is no network of the kind 'other'; there are {', '.join(KINDS)}"):
        build(ModelSpec(kind="other"), go_features())
    other = next(features for features in _core.feature_sets() if features.name == "go-v1")
    with pytest.raises(ValueError, match="kind katago takes katago-v7, not 'go-v1'"):
        build(SMALL, other)
    with pytest.raises(ValueError, match="needs the size of its board"):
        build(ModelSpec(kind="residual"), other)


def test_a_soft_policy_is_learned_and_not_played(tmp_path: Path) -> None:
    """It is one more answer of the same trunk; the file that is played by says the same with it and without."""
    soft = go_network(soft_policy=True)
    planes, numbers = torch.rand(3, 22, 9, 9), torch.rand(3, 19)
    answers = soft(planes, numbers)
    assert answers["soft_policy"].shape == (3, 82) and "soft_policy" not in go_network()(planes, numbers)
    plain = go_network()
    kept = {
        name: value
        for name, value in soft.state_dict().items()
        if name not in ("policy.conv2.weight", "policy.pass_matrix.weight")
    }
    plain.load_state_dict(kept, strict=False)
    with torch.no_grad():
        plain.policy.conv2.weight.copy_(soft.policy.conv2.weight[:2])
        plain.policy.pass_matrix.weight.copy_(soft.policy.pass_matrix.weight[:2])
    for name, value in plain(planes, numbers).items():
        assert torch.equal(value, answers[name]), name
    for model, name in ((soft, "one"), (plain, "two")):
        (tmp_path / name).mkdir()
        export(model, tmp_path / name / "a.bin.gz", CARD)
    assert (tmp_path / "one" / "a.bin.gz").read_bytes() == (tmp_path / "two" / "a.bin.gz").read_bytes()


class Moving:
    """A feature set of a game whose moves are no points."""

    game, name, planes, globals = "toy", "toy-v1", ("own", "other"), ("turn",)

    def policy_size(self, width: int, height: int) -> int:
        return 7 * width * height


def test_moves_that_are_no_points_have_a_policy_too() -> None:
    seed(1)
    model = build(ModelSpec("residual", 2, 16, has_score=True), Moving(), (4, 3))  # type: ignore[arg-type]
    answers = model(torch.rand(5, 2, 3, 4), torch.rand(5, 1))
    shapes = {name: tuple(value.shape) for name, value in answers.items()}
    assert shapes == {"policy": (5, 84), "next_policy": (5, 84), "value": (5, 3), "score": (5,)}
    assert model.plays == ("toy", "toy-v1", ("own", "other"), 1, (4, 3)) and model.results == ("win", "draw", "loss")


def test_a_new_network_takes_all_moves_for_as_good() -> None:
    model = build(ModelSpec(), go_features()).eval()
    rows = go_rows(16, 9, 1)
    answers = answers_of(model, rows.planes, rows.numbers)
    odds = np.exp(answers["policy"]) / np.exp(answers["policy"]).sum(1, keepdims=True)
    assert odds.max() < 5 / 82 and np.abs(answers["value"][:, 0] - answers["value"][:, 1]).max() < 1
    assert np.abs(answers["score"]).max() < 15 and np.sqrt(answers["score_error"]) == pytest.approx(1, abs=0.01)


# Files ----------------------------------------------------------------------------------------------------------------


def answers_of(model: Any, planes: Any, numbers: Any = None) -> dict[str, np.ndarray]:
    with torch.no_grad():
        found = model(*(torch.from_numpy(one) for one in (planes, numbers) if one is not None))
    return {name: value.numpy() for name, value in found.items()}


@pytest.mark.parametrize("backend", ["torch", "openvino"])
@pytest.mark.parametrize("side", [9, 13, 19])
def test_a_file_of_katagos_says_what_the_module_says(side: int, backend: str, tmp_path: Path) -> None:
    if backend == "openvino":
        pytest.importorskip("openvino")
    model, rows = go_network(), go_rows(3, side, 1)
    rows.numbers[:, 6:10] = (1, 0, 0, 0)  # superko, area: there is no end without result
    path = tmp_path / "tiny.bin.gz"
    export(model, path, CARD)
    network = load_katago(path, backend=backend, threads=1, is_masked=False)
    found = network.submit(rows.planes, rows.numbers).wait()
    network.close()
    said = answers_of(model, rows.planes, rows.numbers)
    extras = found.extras
    assert np.ptp(said["policy"]) > 0.1 and np.ptp(said["ownership"]) > 0.1, "a network that says something"
    odds = np.exp(said["value"][:, :2]) / np.exp(said["value"][:, :2]).sum(1, keepdims=True)
    pairs = {
        "policy": (found.policies, said["policy"]),
        "win": (found.values[:, 0], odds[:, 0]),
        "score": (found.scores, said["score"]),
        "score_mean": (extras["score_mean"], said["score_mean"]),
        "score_stdev": (extras["score_stdev"], said["score_stdev"]),
        "ownership": (extras["ownership"].reshape(3, -1), np.tanh(said["ownership"])),
        "value_error": (extras["shortterm_value_error"] ** 2, said["value_error"]),
        "score_error": (extras["shortterm_score_error"] ** 2, said["score_error"]),
    }
    for name, (got, wanted) in pairs.items():
        np.testing.assert_allclose(got, wanted, rtol=1e-4, atol=1e-4, err_msg=name)


def test_the_file_is_the_same_for_the_same_weights_and_has_its_card(tmp_path: Path) -> None:
    model = go_network()
    for name in ("one", "two.5"):
        export(model, tmp_path / f"{name}{suffix(model)}", CARD)
    one, two = tmp_path / "one.bin.gz", tmp_path / "two.5.bin.gz"
    assert one.read_bytes() != two.read_bytes() and read_model(two).header.name == "two.5"
    export(model, tmp_path / "again" / "one.bin.gz", CARD)
    assert (tmp_path / "again" / "one.bin.gz").read_bytes() == one.read_bytes()
    card = read_card(card_path(two))
    assert card_path(two).name == "two.5.toml" and card.sha256 == sha256_of(two.read_bytes())
    assert (card.game, card.features, card.shape) == ("go", "katago-v7", (0, 22, 0, 0))
    assert not list(tmp_path.glob("*.new"))


@pytest.mark.parametrize("has_score", [False, True])
@pytest.mark.parametrize(("side", "points"), [(9, 82), (5, 26)])
def test_an_onnx_file_says_what_the_module_says(side: int, points: int, has_score: bool, tmp_path: Path) -> None:
    pytest.importorskip("onnx")
    pytest.importorskip("openvino")
    features = next(features for features in _core.feature_sets() if features.name == "go-v1")
    seed(1)
    model = build(ModelSpec("residual", 3, 16, has_score=has_score), features, (side, side)).eval()
    path = tmp_path / f"tiny{suffix(model)}"
    export(model, path, CARD)
    planes = np.random.default_rng(2).random((3, len(features.planes), side, side)).astype(np.float32)
    evaluator = load_evaluator(path, "go", threads=1)
    found, said = evaluator.submit(planes).wait(), answers_of(model, planes)
    evaluator.close()
    assert found.policies.shape == (3, points)
    np.testing.assert_allclose(found.policies, said["policy"], atol=1e-4)
    odds = np.exp(said["value"]) / np.exp(said["value"]).sum(1, keepdims=True)
    np.testing.assert_allclose(found.values, odds, atol=1e-4)
    assert (found.scores is not None) == has_score
    if found.scores is not None:
        np.testing.assert_allclose(found.scores, said["score"], atol=1e-4)
