"""Learners: a small task is learned, a checkpoint goes on bit for bit, damage is one sentence, and the rate follows."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from learning_rows import go_features, go_rows  # noqa: E402

from tengen.engine import atomic  # noqa: E402
from tengen.nets import checkpoint  # noqa: E402
from tengen.nets.calibration import calibration  # noqa: E402
from tengen.nets.checkpoint import CheckpointError  # noqa: E402
from tengen.nets.learning import Learner, make_optimizer  # noqa: E402
from tengen.nets.models import build  # noqa: E402
from tengen.nets.recipe import KLRule, LearningRecipe, Schedule  # noqa: E402
from tengen.nets.spec import ModelSpec  # noqa: E402
from tengen.nets.training import seed  # noqa: E402

SIZES = {"blocks": 2, "channels": 16, "pooling": 2, "head": 8, "hidden": 16}


def learner(number: int = 1, sizes: dict[str, int] | None = None, **recipe: Any) -> Learner:
    seed(number)
    model = build(ModelSpec(**{**SIZES, **(sizes or {})}), go_features())
    return Learner(model, LearningRecipe(**{"schedule": Schedule(0.01, rise=5), "device": "cpu", **recipe}), number)


def test_a_small_task_is_learned() -> None:
    """Where to play, who wins and who owns what can be seen on the board."""
    one = learner(schedule=Schedule(0.015, rise=5), average=0.9, steps=120)
    held_out = go_rows(128, 7, 10_000)
    before = one.evaluate(held_out)
    told = [one.step(go_rows(32, 7, at)) for at in range(120)]
    after = one.evaluate(held_out)
    assert before["policy_loss"] == pytest.approx(math.log(50), abs=0.3) and before["top1"] < 0.2
    assert after["policy_loss"] < 0.1 and after["top1"] > 0.98
    assert after["next_policy_loss"] < before["next_policy_loss"] / 2
    assert after["ownership_loss"] < 0.2 < 0.6 < before["ownership_loss"]
    assert after["value_loss"] < before["value_loss"] / 1.5 and after["explained_variance"] > 0.4
    assert after["score_loss"] < before["score_loss"] / 2
    assert after["loss"] < told[0]["loss"] / 3 and one.steps == 120 and one.rows == 120 * 32
    assert all(math.isfinite(told[-1][name]) for name in ("loss", "entropy", "gradient", "rate"))


@pytest.mark.parametrize("precision", ["f32", "bf16"])
@pytest.mark.parametrize("optimizer", ["adamw", "adam", "sgd", "muon"])
def test_a_checkpoint_goes_on_bit_for_bit(optimizer: str, precision: str, tmp_path: Path) -> None:
    changes: dict[str, Any] = {"optimizer": optimizer, "precision": precision, "steps": 12, "settle": 0.3}
    whole = learner(**changes)
    for at in range(10):
        whole.step(go_rows(16, 5, at))
    first = learner(**changes)
    for at in range(5):
        first.step(go_rows(16, 5, at))
    first.random.random(3)
    first.save(tmp_path / "a", {"window": 7})
    drawn, numbers = torch.rand(2).tolist(), first.random.random(2).tolist()
    second = learner(9, **changes)
    assert second.load(tmp_path / "a") == {"window": 7}
    assert torch.rand(2).tolist() == drawn and second.random.random(2).tolist() == numbers
    for at in range(5, 10):
        second.step(go_rows(16, 5, at))
    for name, part in (("whole", whole), ("second", second)):
        part.random = np.random.default_rng(1)
        torch.manual_seed(1)
        part.save(tmp_path / name)
    manifests = [json.loads((tmp_path / name / checkpoint.MANIFEST).read_bytes()) for name in ("whole", "second")]
    assert manifests[0] == manifests[1] and manifests[0]["facts"]["steps"] == 10


def test_norms_settle_on_what_the_network_plays_by() -> None:
    """From then on a step answers as play does, whatever sizes of boards come in turn."""
    one = learner(steps=40, average=0.9, settle=0.5, precision="f32")
    sizes = [5, 9] * 20
    for at in range(21):
        one.step(go_rows(16, sizes[at], at))
    settled = {name: value.clone() for name, value in one.network.named_buffers() if "running" in name}
    for at in range(21, 40):
        one.step(go_rows(16, sizes[at], at))
    for network in (one.model, one.network):
        for name, value in network.named_buffers():
            if name in settled:
                torch.testing.assert_close(value, settled[name], msg=name)
    rows = go_rows(16, 9, 99)
    planes, numbers = torch.as_tensor(rows.planes), torch.as_tensor(rows.numbers)
    with torch.no_grad():
        learned, played = one.model(planes, numbers), one.model.eval()(planes, numbers)
    torch.testing.assert_close(learned["score"], played["score"])


def test_a_checkpoint_replaces_the_one_before_and_leaves_nothing(tmp_path: Path) -> None:
    one = learner()
    one.save(tmp_path)
    first = {path.name for path in tmp_path.iterdir()}
    one.step(go_rows(8, 5, 1))
    one.save(tmp_path)
    second = {path.name for path in tmp_path.iterdir()}
    assert len(first) == len(second) == 2 and first & second == {checkpoint.MANIFEST}


@pytest.mark.parametrize("failing", [1, 2])
def test_a_write_that_fails_leaves_the_checkpoint_before(
    failing: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, calls, whole = learner(), [], atomic.write
    one.save(tmp_path, {"at": 1})
    one.step(go_rows(8, 5, 1))

    def write(path: Any, data: bytes) -> None:
        calls.append(path)
        if len(calls) == failing:
            Path(f"{path}.new").write_bytes(data[: len(data) // 2])
            raise OSError("the disk is full")
        whole(path, data)

    monkeypatch.setattr(atomic, "write", write)
    with pytest.raises(OSError, match="full"):
        one.save(tmp_path, {"at": 2})
    monkeypatch.undo()
    assert learner(2).load(tmp_path) == {"at": 1}
    one.save(tmp_path, {"at": 3})
    assert learner(2).load(tmp_path) == {"at": 3}


def state_of(folder: Path) -> Path:
    return next(folder.glob("state-*.safetensors"))


def edit(folder: Path, change: Any) -> None:
    manifest = json.loads((folder / checkpoint.MANIFEST).read_text())
    change(manifest)
    (folder / checkpoint.MANIFEST).write_text(json.dumps(manifest))


def flip(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(bytes(data))


DAMAGE = {
    "a flipped bit": (lambda folder: flip(state_of(folder), -9), "is damaged (sha256)"),
    "cut short": (
        lambda folder: state_of(folder).write_bytes(state_of(folder).read_bytes()[:-4]),
        "is damaged (sha256)",
    ),
    "no arrays": (lambda folder: state_of(folder).unlink(), "cannot read the checkpoint"),
    "no manifest": (lambda folder: (folder / checkpoint.MANIFEST).unlink(), "cannot read the checkpoint"),
    "an empty manifest": (lambda folder: (folder / checkpoint.MANIFEST).write_bytes(b""), "is damaged (it is no JSON)"),
    "no object": (lambda folder: (folder / checkpoint.MANIFEST).write_bytes(b"[1]"), "is damaged (its facts"),
    "other facts": (lambda folder: edit(folder, lambda found: found["facts"].update(steps=3)), "is damaged (its facts"),
    "a name elsewhere": (
        lambda folder: edit(folder, lambda found: found.update(state="../x")),
        "is damaged (its facts",
    ),
    "a later format": (
        lambda folder: edit(folder, lambda found: found.update(format=2)),
        "of another version of tengen",
    ),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_checkpoint_is_one_sentence(name: str, tmp_path: Path) -> None:
    learner().save(tmp_path)
    damage, words = DAMAGE[name]
    damage(tmp_path)
    other = learner(2)
    before = {key: value.clone() for key, value in other.model.state_dict().items()}
    with pytest.raises(CheckpointError) as refusal:
        other.load(tmp_path)
    text = str(refusal.value)
    assert words in text and "\n" not in text and "; go on" in text
    assert all(torch.equal(before[key], value) for key, value in other.model.state_dict().items())


def test_a_checkpoint_of_something_else_is_refused(tmp_path: Path) -> None:
    learner().save(tmp_path)
    with pytest.raises(CheckpointError, match="is of another network"):
        learner(sizes={"blocks": 3}).load(tmp_path)
    with pytest.raises(CheckpointError, match="was trained by adamw, not sgd"):
        learner(optimizer="sgd").load(tmp_path)


def test_a_gradient_that_is_no_number_changes_no_weight() -> None:
    one = learner()
    before = {name: value.clone() for name, value in one.model.named_parameters()}
    batch = go_rows(8, 5, 1)
    told = one.step(batch._replace(policy=np.full_like(batch.policy, np.inf)))
    assert not math.isfinite(told["gradient"])
    assert all(torch.equal(before[name], value) for name, value in one.model.named_parameters())
    assert math.isfinite(one.step(batch)["gradient"])


def test_norms_and_biases_do_not_decay() -> None:
    model = learner().model
    groups = make_optimizer(model, LearningRecipe(decay=0.1)).param_groups
    decays = {id(parameter): group["weight_decay"] for group in groups for parameter in group["params"]}
    for name, parameter in model.named_parameters():
        assert decays[id(parameter)] == (0.0 if "norm" in name or name.endswith("bias") else 0.1), name
    assert len(decays) == len(list(model.parameters()))


def test_the_part_that_is_done_is_by_steps_or_told() -> None:
    one = learner(schedule=Schedule(0.01, rise=1, shape="pieces", pieces=((0.5, 0.1), (0.75, 0.01))), steps=4)
    batch = go_rows(8, 5, 1)
    assert [one.step(batch)["rate"] for _ in range(4)] == pytest.approx([0.01, 0.01, 0.001, 0.0001])
    assert one.step(batch, part=0.2)["rate"] == pytest.approx(0.01)


MULTIPLIERS = [
    # the multiplier, the divergence (target 0.02), the next multiplier
    (1.0, 0.05, 1 / 1.5), (1.0, 0.03, 1.0), (1.0, 0.005, 1.5), (1.0, 0.01, 1.0), (0.09, 0.05, 0.09), (10.5, 0.001, 10.5),
]  # fmt: skip


@pytest.mark.parametrize(("now", "divergence", "then"), MULTIPLIERS)
def test_the_rate_follows_the_divergence(now: float, divergence: float, then: float) -> None:
    assert KLRule().multiplier(now, divergence) == pytest.approx(then)


def test_a_batch_is_learned_from_until_the_policy_has_moved() -> None:
    slow = learner(schedule=Schedule(1e-6, rise=1, shape="constant"), kl=KLRule(), average=0.5)
    batch = go_rows(32, 5, 1)
    told = slow.step(batch)
    assert told["epochs"] == 5 and told["kl"] < 0.01 and told["lr_multiplier"] == 1 and slow.multiplier == 1.5
    assert slow.step(batch)["rate"] == pytest.approx(1.5e-6) and slow.steps == 2
    fast = learner(schedule=Schedule(0.05, rise=1, shape="constant"), kl=KLRule(), average=0.5)
    for _ in range(4):
        told = fast.step(batch)
        assert told["epochs"] < 5 and told["kl"] > 0.08
    assert fast.multiplier == pytest.approx(1.5**-4)
    for name in ("loss", "entropy", "explained_variance_before", "explained_variance_after"):
        assert math.isfinite(told[name]), name


def test_how_far_expected_results_can_be_believed() -> None:
    expected = np.array([0.02, 0.04, 0.95, 0.95, 1.0, np.nan])
    scored = np.array([0.0, 0.5, 1.0, np.nan, 1.0, 1.0])
    found = calibration(expected, scored, bins=10)
    assert found.rows() == [(2, pytest.approx(0.03), 0.25), (2, pytest.approx(0.975), 1.0)]
    assert found.error == pytest.approx((0.44 + 0.05) / 4)
    assert (found + found).rows() == [(2 * count, sure, got) for count, sure, got in found.rows()]
    assert math.isnan(calibration(np.array([]), np.array([])).error)


def test_a_learner_says_what_it_expects() -> None:
    batch = go_rows(16, 5, 1)
    drawn = batch._replace(value=np.tile(np.array([0, 1, 0], np.float32), (16, 1)))
    expected, scored = learner().expected(drawn)
    assert scored.tolist() == [0.5] * 16 and expected.shape == (16,) and np.all((expected > 0.2) & (expected < 0.8))
