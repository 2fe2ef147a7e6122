"""How far the answers of a network are from what they were."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor
from torch.nn import functional

POINTS = 10.0
"""Errors of the lead above so many points count in proportion, those below by their square."""
VALUE, LEAD, SCORE = 1.2, 0.03, 0.01


def policy_apart(answers: Mapping[str, Tensor], before: Mapping[str, Tensor]) -> Tensor:
    """Return the divergence of the policy from the one before, in nats, plus a constant."""
    return -(before["policy"].softmax(1) * functional.log_softmax(answers["policy"], 1)).sum(1).mean()


def moved(answers: Mapping[str, Tensor], before: Mapping[str, Tensor]) -> Tensor:
    """Return how far value, score and ownership are from those before, plus a constant."""

    def huber(name: str) -> Tensor:
        return functional.huber_loss(answers[name], before[name], delta=POINTS)

    value = -(before["value"].softmax(1) * functional.log_softmax(answers["value"], 1)).sum(1).mean()
    owners = functional.binary_cross_entropy_with_logits(2 * answers["ownership"], (before["ownership"].tanh() + 1) / 2)
    spread = huber("score_mean") + huber("score_stdev")
    return torch.as_tensor(VALUE * value + owners + LEAD * huber("score") + SCORE * spread)
