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
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import torch
from torch import Tensor
from torch.nn import functional

from tengen.nets.recipe import LearningRecipe

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    Floats = NDArray[float32]

LEAST = 1e-9
MEAN, STDEV, VALUE_ERROR, LEAD_ERROR = range(4)
"""Columns of what is taught."""
SOFTNESS, SOFT_LEAST = 0.25, 1e-7
"""A soft policy is the policy, with so much for every move, to this power (KataGo's auxiliary soft policy target)."""
LEAD_DELTA, MEAN_DELTA, STDEV_DELTA, VALUE_ERROR_DELTA, SCORE_ERROR_DELTA = 4.0, 12.0, 10.0, 0.4, 100.0


class Batch(Protocol):
    """n rows to learn from, for the side to move, all of one board size. NaN (and a policy of zeros): not known.

    planes n x planes x h x w; numbers n x globals or None; policy and next_policy (the opponent's reply) n x moves;
    value and found (what a search said) n x 3 win, draw, loss; score n, the margin at the end; owners n x h x w from -1
    to 1; found_score n, the margin that the search expected; weight n; taught n x 4 or None, what a teacher says:
    mean and deviation of the margin at the end, errors to be expected of the value and of the lead.
    """

    @property
    def planes(self) -> Floats: ...
    @property
    def numbers(self) -> Floats | None: ...
    @property
    def policy(self) -> Floats: ...
    @property
    def next_policy(self) -> Floats: ...
    @property
    def value(self) -> Floats: ...
    @property
    def found(self) -> Floats: ...
    @property
    def score(self) -> Floats: ...
    @property
    def owners(self) -> Floats: ...
    @property
    def found_score(self) -> Floats: ...
    @property
    def weight(self) -> Floats: ...
    @property
    def taught(self) -> Floats | None: ...


class Targets(NamedTuple):
    """A batch's targets as tensors. result: n x 3 in the model's `order`, outcome and found mixed; outcome and found:
    what they make one expect, from -1, lost, to 1."""

    order: tuple[str, ...]
    policy: Tensor
    next_policy: Tensor
    result: Tensor
    outcome: Tensor
    found: Tensor
    score: Tensor
    found_score: Tensor
    owners: Tensor
    weight: Tensor
    taught: Tensor
    share: float = 0.0

    @property
    def lead(self) -> Tensor:
        """The target of the lead: the teacher's, or the margin at the end of positions without a teacher."""
        return torch.where(self.taught[:, MEAN].isfinite(), self.found_score, self.score)

    def told(self, column: int, otherwise: Tensor, power: int = 1) -> Tensor:
        """Return the teacher's label of a column, raised to a power, where it exists."""
        found = self.taught[:, column] ** power
        return torch.where(found.isfinite(), found, otherwise)

    @property
    def margin(self) -> Tensor:
        """The target of the margin: the one at the end, mixed with the one that the search found; an unknown one of the
        two counts for nothing."""
        end = torch.where(self.score.isfinite(), self.score, torch.nan)
        mixed = end + self.share * (self.found_score - end)
        return torch.where(end.isnan(), self.found_score, torch.where(self.found_score.isnan(), end, mixed))


def targets_of(batch: Batch, order: tuple[str, ...], share: float, device: str) -> Targets:
    """Return the targets of a batch for a model with results in this order; share: of the search's values in them."""
    results = batch.value, batch.found, batch.score, batch.owners, batch.found_score
    arrays = batch.policy, batch.next_policy, *results, batch.weight
    policy, next_policy, value, found, score, owners, found_score, weight = (_tensor(array, device) for array in arrays)
    mixed = torch.where(found.isnan(), value, torch.where(value.isnan(), found, value + share * (found - value)))
    result, expected = _ordered(mixed, order), (value[:, 0] - value[:, 2], found[:, 0] - found[:, 2])
    owned = owners.flatten(1)
    says = weight.new_full((len(weight), 4), torch.nan) if batch.taught is None else _tensor(batch.taught, device)
    return Targets(order, policy, next_policy, result, *expected, score, found_score, owned, weight, says, share)


def _tensor(array: Any, device: str) -> Tensor:
    return torch.as_tensor(array, dtype=torch.float32).to(device, non_blocking=True)


def _ordered(values: Tensor, order: tuple[str, ...]) -> Tensor:
    """Win, draw, loss as the model has them; without a draw it is half a win and half a loss."""
    win, draw, loss = values.unbind(1)
    if "draw" in order:
        columns = {"win": win, "draw": draw, "loss": loss}
    else:
        columns = {"win": win + draw / 2, "loss": loss + draw / 2, "none": draw * 0}
    return torch.stack([columns[name] for name in order], 1)


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


def _huber(found: Tensor, wanted: Tensor, delta: float) -> Tensor:
    known = wanted.isfinite()  # the margin of a game that was resigned is infinite
    rows = functional.huber_loss(found, torch.where(known, wanted, 0), reduction="none", delta=delta)
    return torch.where(known, rows, torch.nan)


def _lead(answers: Answers, targets: Targets) -> Tensor:
    return _huber(answers["score"], targets.lead, LEAD_DELTA)


def _mean(answers: Answers, targets: Targets) -> Tensor:
    return _huber(answers["score_mean"], targets.told(MEAN, targets.score), MEAN_DELTA)


def _stdev(answers: Answers, targets: Targets) -> Tensor:
    """Of a normal distribution it is the mean distance times sqrt(pi / 2)."""
    distance = (targets.score - answers["score_mean"].detach()).abs() * sqrt(pi / 2)
    return _huber(answers["score_stdev"], targets.told(STDEV, distance), STDEV_DELTA)


def _owners(answers: Answers, targets: Targets) -> Tensor:
    """The mean over the points that are known."""
    known = ~targets.owners.isnan()
    wanted = torch.where(known, (targets.owners + 1) / 2, 0.5)
    losses = functional.binary_cross_entropy_with_logits(2 * answers["ownership"], wanted, reduction="none")
    return torch.where(known.any(1), (losses * known).sum(1) / known.sum(1).clamp_min(1), torch.nan)


def _score_error(answers: Answers, targets: Targets) -> Tensor:
    error = (answers["score"].detach() - targets.found_score).square() + 1e-4
    error = targets.told(LEAD_ERROR, error, power=2)
    return _huber(answers["score_error"], error, SCORE_ERROR_DELTA)


def _value_error(answers: Answers, targets: Targets) -> Tensor:
    """How far off the network is from what a search of the position finds, squared."""
    error = (_expected(answers["value"].detach(), targets.order) - targets.found).square() + 1e-8
    error = targets.told(VALUE_ERROR, error, power=2)
    return _huber(answers["value_error"], error, VALUE_ERROR_DELTA)


def _evaluation(answers: Answers, targets: Targets) -> Tensor:
    return (answers["evaluation"] - targets.margin).square()


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
        rows = (_square if is_square else LOSSES[name])(answers, targets)
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
