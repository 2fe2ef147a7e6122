"""Losses by numbers: what each head is taught, how rows and losses weigh, and that what is not known teaches nothing."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")


from tengen.nets.batches import targets_of  # noqa: E402
from tengen.nets.losses import KINDS, LOSSES, figures_of, judge  # noqa: E402
from tengen.nets.recipe import LearningRecipe, LossWeights  # noqa: E402
from tengen.nets.targets import HEADS, TARGETS  # noqa: E402
from tengen.tools.train.data.rows import Batch  # noqa: E402

NAN = math.nan
KATAGO, DRAWN = ("win", "loss", "none"), ("win", "draw", "loss")


def rows(**changes: Any) -> Batch:
    """One row of a board of 2 points, won by 6, of which a search found 0.6 won, 0.4 drawn."""
    made: dict[str, Any] = {
        "planes": np.zeros((1, 1, 1, 2)), "numbers": None, "policy": [[0.5, 0.25, 0.25]], "next_policy": [[0, 0, 1]],
        "value": [[1, 0, 0]], "found": [[0.6, 0.4, 0]], "score": [6], "owners": [[[1, -1]]], "found_score": [1], "weight": [1],
    } | changes  # fmt: skip
    labels = {"taught_says": np.array(made.pop("taught"), np.float32)} if "taught" in made else None
    arrays = {name: None if value is None else np.array(value, np.float32) for name, value in made.items()}
    return Batch(**arrays, labels=labels)


ANSWERS = {
    "policy": [[1.0, 0.0, -1.0]], "next_policy": [[0.0, 0.0, 2.0]], "value": [[1.0, -1.0, -9.0]], "score": [4.0],
    "soft_policy": [[0.5, 0.0, 0.0]], "score_mean": [-8.0], "score_stdev": [3.0], "ownership": [[0.5, 1.0]], "value_error": [0.1], "score_error": [2.0],
}  # fmt: skip


def answers(count: int = 1) -> dict[str, Any]:
    return {name: torch.tensor(value * count, requires_grad=True) for name, value in ANSWERS.items()}


def log_softmax(values: list[float]) -> list[float]:
    whole = math.log(sum(math.exp(value) for value in values))
    return [value - whole for value in values]


def sigmoid_loss(logit: float, target: float) -> float:
    return -target * math.log(1 / (1 + math.exp(-logit))) - (1 - target) * math.log(1 - 1 / (1 + math.exp(-logit)))


LOG = log_softmax([1.0, 0.0, -1.0])
VALUE = log_softmax([1.0, -1.0, -9.0])
SURE = math.exp(VALUE[0]) - math.exp(VALUE[1])
OWN = (sigmoid_loss(1.0, 1.0) + sigmoid_loss(2.0, 0.0)) / 2
FAR = 14 * math.sqrt(math.pi / 2)  # from the mean that is said to the score
SOFT = [share**0.25 for share in (0.5, 0.25, 0.25)]
LOG_SOFT = log_softmax([0.5, 0.0, 0.0])
EXPECTED = {
    "policy": -(0.5 * LOG[0] + 0.25 * LOG[1] + 0.25 * LOG[2]),
    "next_policy": -log_softmax([0.0, 0.0, 2.0])[2],
    "soft_policy": -sum(share * log for share, log in zip(SOFT, LOG_SOFT, strict=True)) / sum(SOFT),
    "value": -VALUE[0],
    "score": 2**2 / 2,
    "score_mean": 12 * 14 - 12**2 / 2,
    "score_stdev": 10 * (FAR - 3) - 10**2 / 2,
    "ownership": OWN,
    "score_error": (9.0001 - 2) ** 2 / 2,
    "value_error": ((SURE - 0.6) ** 2 + 1e-8 - 0.1) ** 2 / 2,
}


@pytest.mark.parametrize("name", EXPECTED)
def test_each_loss_by_numbers(name: str) -> None:
    loss = LOSSES[name](answers(), targets_of(rows(), KATAGO, 0.0, "cpu"))
    assert loss.tolist() == pytest.approx([EXPECTED[name]], rel=1e-5)


TAUGHT = [[2.0, 5.0, 0.5, 3.0]]
OF_A_TEACHER = {
    "score": 3**2 / 2,  # the lead that it said, 1, not the margin of the end
    "score_mean": 10**2 / 2,
    "score_stdev": 2**2 / 2,
    "value_error": 0.15**2 / 2,
    "score_error": 7**2 / 2,
}


@pytest.mark.parametrize("name", OF_A_TEACHER)
def test_what_a_teacher_says_takes_the_place_of_the_end(name: str) -> None:
    loss = LOSSES[name](answers(), targets_of(rows(taught=TAUGHT), KATAGO, 1.0, "cpu"))
    assert loss.tolist() == pytest.approx([OF_A_TEACHER[name]], rel=1e-5)


def test_a_teacher_that_says_no_errors_leaves_these_to_what_was_found() -> None:
    targets = targets_of(rows(taught=[[2.0, 5.0, NAN, NAN]]), KATAGO, 0.0, "cpu")
    for name in ("value_error", "score_error"):
        assert LOSSES[name](answers(), targets).tolist() == pytest.approx([EXPECTED[name]], rel=1e-5)


def test_a_soft_policy_has_something_for_every_move() -> None:
    """A move that was never looked at counts by a hundredth of what the only one does, and a hair more."""
    said = answers() | {"soft_policy": torch.tensor([[0.0, 0.0, 0.0]])}
    even = LOSSES["soft_policy"](said, targets_of(rows(policy=[[1, 0, 0]]), KATAGO, 0.0, "cpu")).item()
    said["soft_policy"] = torch.tensor([[0.0, math.log(1e-7**0.25), math.log(1e-7**0.25)]])
    least = LOSSES["soft_policy"](said, targets_of(rows(policy=[[1, 0, 0]]), KATAGO, 0.0, "cpu")).item()
    shares = [1 / (1 + 2 * 1e-7**0.25), *[1e-7**0.25 / (1 + 2 * 1e-7**0.25)] * 2]
    assert even == pytest.approx(math.log(3)) and least == pytest.approx(
        -sum(x * math.log(x) for x in shares), rel=1e-4
    )


MIXED = [
    # outcome, found, the share of found, the target in KataGo's order and in that of a game with draws
    ([1, 0, 0], [0.6, 0.4, 0], 0.0, [1, 0, 0], [1, 0, 0]),
    ([1, 0, 0], [0.6, 0.4, 0], 1.0, [0.8, 0.2, 0], [0.6, 0.4, 0]),
    ([0, 0, 1], [0.6, 0.4, 0], 0.5, [0.4, 0.6, 0], [0.3, 0.2, 0.5]),
    ([0, 1, 0], [NAN, NAN, NAN], 0.5, [0.5, 0.5, 0], [0, 1, 0]),
    ([NAN, NAN, NAN], [0, 0, 1], 0.5, [0, 1, 0], [0, 0, 1]),
]


@pytest.mark.parametrize(("outcome", "found", "share", "katago", "drawn"), MIXED)
def test_the_value_to_learn_is_a_mix(outcome: Any, found: Any, share: float, katago: Any, drawn: Any) -> None:
    for order, wanted in ((KATAGO, katago), (DRAWN, drawn)):
        targets = targets_of(rows(value=[outcome], found=[found]), order, share, "cpu")
        assert targets.result[0].tolist() == pytest.approx(wanted)


def test_a_search_that_expects_a_margin_teaches_the_error_of_the_lead() -> None:
    targets = targets_of(rows(found_score=[NAN]), KATAGO, 0.0, "cpu")
    assert LOSSES["score_error"](answers(), targets).isnan().all()


UNKNOWN = [
    # what is not known, the losses that have nothing to teach then
    ({"policy": [[0, 0, 0]]}, {"policy", "soft_policy"}),
    ({"next_policy": [[0, 0, 0]]}, {"next_policy"}),
    ({"found": [[NAN] * 3]}, {"value_error"}),
    ({"value": [[NAN] * 3], "found": [[NAN] * 3]}, {"value", "value_error"}),
    ({"score": [NAN]}, {"score", "score_mean", "score_stdev"}),
    ({"score": [-math.inf]}, {"score", "score_mean", "score_stdev"}),
    ({"owners": [[[NAN, NAN]]]}, {"ownership"}),
    ({"found_score": [NAN]}, {"score_error"}),
]


@pytest.mark.parametrize(("changes", "lost"), UNKNOWN)
def test_what_is_not_known_teaches_nothing(changes: dict[str, Any], lost: set[str]) -> None:
    recipe = LearningRecipe(found=0.5)
    said = answers()
    judged = judge(said, targets_of(rows(**changes), KATAGO, 0.5, "cpu"), recipe)
    judged.loss.backward()
    for name in EXPECTED:
        gradient = said[name].grad
        assert judged.figures[f"{name}_loss"].isnan().item() == (name in lost), name
        if name in lost:
            assert gradient is None or not gradient.any(), name
        else:
            assert gradient is not None and bool(gradient.isfinite().all() and gradient.any()), name


def test_a_point_that_is_not_known_leaves_the_others() -> None:
    found = LOSSES["ownership"](answers(), targets_of(rows(owners=[[[1, NAN]]]), KATAGO, 0, "cpu"))
    assert found.item() == pytest.approx(sigmoid_loss(1.0, 1.0), rel=1e-5)


def twice(**changes: Any) -> Batch:
    one = rows()
    return Batch(**{name: None if value is None else np.concatenate([value, value]) for name, value in one._asdict().items()} | {
        name: np.array(value, np.float32) for name, value in changes.items()
    })  # fmt: skip


def test_rows_count_by_their_weights_and_losses_by_the_recipe() -> None:
    only = {name: 0.0 for name in LossWeights.__dataclass_fields__}
    recipe = LearningRecipe(weights=LossWeights(**only | {"policy": 2.0, "score": 0.5}))
    batch = twice(policy=[[1, 0, 0], [0, 0, 1]], score=[4, NAN], weight=[3, 1])
    judged = judge(answers(2), targets_of(batch, KATAGO, 0, "cpu"), recipe)
    policy = -(3 * LOG[0] + LOG[2]) / 4
    assert judged.figures["policy_loss"].item() == pytest.approx(policy, rel=1e-5)
    assert judged.loss.item() == pytest.approx(2 * policy, rel=1e-5), "the score that is known is what is said"
    assert set(judged.figures) == {"policy_loss", "score_loss"}
    batch = batch._replace(score=np.array([8, NAN], np.float32))
    judged = judge(answers(2), targets_of(batch, KATAGO, 0, "cpu"), recipe)
    assert judged.figures["score_loss"].item() == pytest.approx(8.0), "a mean over the rows that have one"
    assert judged.loss.item() == pytest.approx(2 * policy + 0.5 * 8 * 3 / 4, rel=1e-5)


def test_the_squared_error_of_the_result_may_be_learned_instead() -> None:
    recipe = replace(LearningRecipe(), value_loss="square")
    judged = judge(answers(), targets_of(rows(), KATAGO, 0, "cpu"), recipe)
    assert judged.figures["value_loss"].item() == pytest.approx((SURE - 1) ** 2, rel=1e-5)


def test_figures_by_numbers() -> None:
    batch = twice(policy=[[1, 0, 0], [0, 0.5, 0.5]], value=[[1, 0, 0], [0, 0, 1]])
    figures = {
        name: value.item() for name, value in figures_of(answers(2), targets_of(batch, KATAGO, 0, "cpu")).items()
    }
    assert figures["entropy"] == pytest.approx(-sum(math.exp(log) * log for log in LOG), rel=1e-5)
    assert figures["target_entropy"] == pytest.approx(math.log(2) / 2, rel=1e-5)
    assert figures["top1"] == 0.5
    assert figures["value_error"] == pytest.approx(((SURE - 1) ** 2 + (SURE + 1) ** 2) / 2, rel=1e-5)
    assert figures["explained_variance"] == pytest.approx(0, abs=1e-6), "it says the same of both"


WRONG = [
    ({"optimizer": "lion"}, "a training knows no 'lion'; there are adamw, adam, sgd"),
    ({"value_loss": "x"}, "a training knows no 'x'; there are cross-entropy, square"),
    ({"found": 1.5}, "0 <= found <= 1"),
    ({"clip": 0.0}, "clip > 0"),
]


@pytest.mark.parametrize(("changes", "sentence"), WRONG)
def test_a_recipe_that_means_nothing_is_refused(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        LearningRecipe(**changes)


def test_every_target_has_its_loss_its_share_and_its_words() -> None:
    """A target is a row of `TARGETS`; its share is a field of `LossWeights`, which is a section of a run's settings."""
    assert list(TARGETS) == list(LossWeights.__dataclass_fields__)
    assert {name for name, target in TARGETS.items() if not target.loss} == set(LOSSES)
    assert all(target.loss in ("", *KINDS) and target.head in ("", *HEADS) for target in TARGETS.values())
    assert not any(target.head and target.weight for target in TARGETS.values()), "older checkpoints fit"
    assert all(key.metadata["option"].doc for key in LossWeights.__dataclass_fields__.values())
