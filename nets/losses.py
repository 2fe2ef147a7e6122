"""Losses of a network that plays, one for each head, and the figures of a batch.

After KataGo's training (Wu 2019, "Accelerating Self-Play Learning in Go", appendix; github.com/lightvector/KataGo, the
module metrics_pytorch): policy and the opponent's reply by cross entropy, the result by cross entropy (or its square),
margins by Huber losses, owners by binary cross entropy, errors to come by a Huber loss of the squared error. Here
margins of the game's end stand in for a lead that was searched: a Huber loss with a small delta finds about the median,
the komi at which half of the games would be won. Where a target is NaN (or a policy all zeros), the row counts for
nothing in that loss; of a head that the network has not there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from math import pi, sqrt
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from tengen.nets.batches import LEAD_ERROR, MEAN, STDEV, VALUE_ERROR, Targets
from tengen.nets.recipe import LearningRecipe
from tengen.nets.targets import TARGETS

LEAST = 1e-9
SOFTNESS, SOFT_LEAST = 0.25, 1e-7
"""A soft policy is the policy, with so much for every move, to this power (KataGo's auxiliary soft policy target)."""
LEAD_DELTA = 4.0


def _expected(value: Tensor, order: tuple[str, ...]) -> Tensor:
    """What logits of the result make one expect, from -1, lost, to 1."""
    found = functional.softmax(value, 1)
    return found[:, order.index("win")] - found[:, order.index("loss")]


Answers = Mapping[str, Tensor]
Loss = Callable[[Answers, Targets], Tensor]
"""A loss a row; NaN where the target is not known."""


def _policy(name: str) -> Loss:
    def loss(answers: Answers, targets: Targets) -> Tensor:
        target: Tensor = getattr(targets, name)
        found = -(target * functional.log_softmax(answers[name], 1)).sum(1)
        return torch.where(target.sum(1) > 0, found, torch.nan)

    return loss


def _soft_policy(answers: Answers, targets: Targets) -> Tensor:
    soft = (targets.policy + SOFT_LEAST) ** SOFTNESS
    soft = soft / soft.sum(1, keepdim=True)
    found = -(soft * functional.log_softmax(answers["soft_policy"], 1)).sum(1)
    return torch.where(targets.policy.sum(1) > 0, found, torch.nan)


def _value(answers: Answers, targets: Targets) -> Tensor:
    found = -(targets.result.nan_to_num() * functional.log_softmax(answers["value"], 1)).sum(1)
    return torch.where(targets.result.isnan().any(1), torch.nan, found)


def _square(answers: Answers, targets: Targets) -> Tensor:
    order = targets.order
    wanted = targets.result[:, order.index("win")] - targets.result[:, order.index("loss")]
    known = ~wanted.isnan()
    error = _expected(answers["value"], order) - wanted.nan_to_num()
    return torch.where(known, error.square(), torch.nan)


def _number_square(found: Tensor, wanted: Tensor, delta: float) -> Tensor:
    known = wanted.isfinite()
    return torch.where(known, (found - torch.where(known, wanted, 0)).square(), torch.nan)


def _huber(found: Tensor, wanted: Tensor, delta: float) -> Tensor:
    known = wanted.isfinite()  # the margin of a game that was resigned is infinite
    rows = functional.huber_loss(found, torch.where(known, wanted, 0), reduction="none", delta=delta)
    return torch.where(known, rows, torch.nan)


def _lead(answers: Answers, targets: Targets) -> Tensor:
    return _huber(answers["score"], targets.lead, LEAD_DELTA)


def _mean(answers: Answers, targets: Targets) -> Tensor:
    return _huber(answers["score_mean"], targets.told(MEAN, targets.score), TARGETS["score_mean"].delta)


def _stdev(answers: Answers, targets: Targets) -> Tensor:
    """Of a normal distribution it is the mean distance times sqrt(pi / 2)."""
    distance = (targets.score - answers["score_mean"].detach()).abs() * sqrt(pi / 2)
    return _huber(answers["score_stdev"], targets.told(STDEV, distance), TARGETS["score_stdev"].delta)


def _owners(answers: Answers, targets: Targets) -> Tensor:
    return _points(answers["ownership"], targets.owners, 0.0)


def _points(found: Tensor, wanted: Tensor, delta: float) -> Tensor:
    """The binary cross entropy of numbers from -1 to 1, before tanh: the mean over the points that are known."""
    known = ~wanted.isnan()
    shares = torch.where(known, (wanted + 1) / 2, 0.5)
    losses = functional.binary_cross_entropy_with_logits(2 * found, shares, reduction="none")
    return torch.where(known.any(1), (losses * known).sum(1) / known.sum(1).clamp_min(1), torch.nan)


def _score_error(answers: Answers, targets: Targets) -> Tensor:
    error = (answers["score"].detach() - targets.found_score).square() + 1e-4
    error = targets.told(LEAD_ERROR, error, power=2)
    return _huber(answers["score_error"], error, TARGETS["score_error"].delta)


def _value_error(answers: Answers, targets: Targets) -> Tensor:
    """How far off the network is from what a search of the position finds, squared."""
    error = (_expected(answers["value"].detach(), targets.order) - targets.found).square() + 1e-8
    error = targets.told(VALUE_ERROR, error, power=2)
    return _huber(answers["value_error"], error, TARGETS["value_error"].delta)


def _evaluation(answers: Answers, targets: Targets) -> Tensor:
    return (answers["evaluation"] - targets.margin).square()


KINDS: Mapping[str, Callable[[Tensor, Tensor, float], Tensor]] = {
    "huber": _huber, "square": _number_square, "points": _points,
}  # fmt: skip
"""Losses by kind, of an answer, what it should be and the target's delta: the first two for a number a position."""

LOSSES: Mapping[str, Loss] = {
    "policy": _policy("policy"),
    "next_policy": _policy("next_policy"),
    "soft_policy": _soft_policy,
    "value": _value,
    "score": _lead,
    "score_mean": _mean,
    "score_stdev": _stdev,
    "ownership": _owners,
    "value_error": _value_error,
    "score_error": _score_error,
    "evaluation": _evaluation,
}
"""Losses of their own, by target; all others are of a kind."""


def loss_of(name: str) -> Loss:
    """The loss of a target of `nets.targets.TARGETS`."""
    target = TARGETS[name]
    if not target.loss:
        return LOSSES[name]
    kind, key = KINDS[target.loss], target.stored.name if target.stored else name

    def loss(answers: Answers, targets: Targets) -> Tensor:
        found, wanted = answers[name], targets.label(key)
        if found.dim() == 1:
            return kind(found, wanted[:, 0], target.delta)
        return kind(found, wanted.expand_as(found), target.delta)

    return loss


class Judged(NamedTuple):
    """loss: the value that training minimises. figures: a mean a loss over the rows that have its target, before its
    share."""

    loss: Tensor
    figures: dict[str, Tensor]


def judge(answers: Answers, targets: Targets, recipe: LearningRecipe) -> Judged:
    """The loss of a batch: rows by their weights, losses by the recipe's. A target that few rows have counts little."""
    total, figures = targets.weight.new_zeros(()), dict[str, Tensor]()
    whole = targets.weight.sum().clamp_min(LEAST)
    for name, share in asdict(recipe.weights).items():
        if name not in answers or not share:
            continue
        is_square = name == "value" and recipe.value_loss == "square"
        rows = (_square if is_square else loss_of(name))(answers, targets)
        known = ~rows.isnan()
        weights = torch.where(known, targets.weight, 0)
        added = (torch.where(known, rows, 0) * weights).sum()
        total = total + share * added / whole
        mean = added.detach() / weights.sum().clamp_min(LEAST)
        figures[f"{name}_loss"] = torch.where(known.any(), mean, torch.nan)
    return Judged(total, figures)


def figures_of(answers: Answers, targets: Targets) -> dict[str, Tensor]:
    """Compute the figures of a batch besides its losses, for the heads that exist; all rows count the same. NaN where
    no row has the target.

    entropy (of the policy) and target_entropy, nats; top1: how often the likeliest move is the target's; value_error:
    mean squared error of the expected result, -1 to 1, against the outcome; explained_variance: the share of the
    outcomes' variance that the expected result explains. margin_error: mean distance of the evaluation from the margin.
    """
    if "evaluation" in answers:
        with torch.no_grad():
            return {"margin_error": (answers["evaluation"] - targets.margin).abs().nanmean()}
    with torch.no_grad():
        logs = functional.log_softmax(answers["policy"], 1)
        known = targets.policy.sum(1) > 0
        right = logs.argmax(1) == targets.policy.argmax(1)
        told = ~targets.outcome.isnan()
        error, outcome = (targets.outcome - _expected(answers["value"], targets.order))[told], targets.outcome[told]
        return {
            "entropy": -(logs.exp() * logs).sum(1).mean(),
            "target_entropy": -torch.special.xlogy(targets.policy, targets.policy).sum(1)[known].mean(),
            "top1": right[known].float().mean(),
            "value_error": error.square().mean(),
            "explained_variance": 1 - error.var(correction=0) / outcome.var(correction=0),
        }
