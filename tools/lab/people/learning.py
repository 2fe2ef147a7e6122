"""The steps that a network learns people's moves in: all of it, or a tail on a trunk that stays as it is."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from tengen.nets.models import KataGoNet
from tengen.tools.lab.people.losses import moved, policy_apart
from tengen.tools.train.data.rows import Batch

SHARES = (0.6, 0.4)
"""Of the positions of people and of the others in the loss of a step."""
CLIP, SLOWEST, DECAY, RISE, FALLEN = 5.0, 0.998, 1e-4, 100, 0.02
TELL = 90.0
"""Seconds from one line to the next."""
SELDOM = 4
"""A tail sees the other positions in one of so many steps: they are there for its policy on other boards alone."""

Inputs = tuple[Tensor, Tensor]
Answers = dict[str, Tensor]


class Course(NamedTuple):
    """How it learns. share: of people's moves in the policy, the rest being what the network said before. tail: so many
    blocks, the last of the network, and the heads learn; 0: everything does."""

    steps: int
    rate: float
    share: float
    tail: int = 0


def learned(
    network: KataGoNet,
    course: Course,
    people: Iterator[Batch],
    others: Iterator[Inputs],
    tell: Callable[[int, float, float, nn.Module], None],
) -> KataGoNet:
    """The average of the weights of the steps. Normalisations stay as they are when it plays.

    tell: is told of the step, the rate, the loss of people's moves and the average, each TELL seconds and at the end.
    """
    before, average = deepcopy(network), deepcopy(network)
    both = _Both(network, before, course.tail)
    weights = both.weights()
    optimizer = torch.optim.AdamW(weights, course.rate, weight_decay=DECAY)
    told = time.monotonic()
    for step in range(1, course.steps + 1):
        falling = FALLEN + (1 - FALLEN) * (1 + math.cos(math.pi * step / course.steps)) / 2
        rate = course.rate * min(1.0, step / RISE) * falling
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        batch = next(people)
        answers, as_before = both(*inputs_of(batch))
        loss = -(torch.from_numpy(batch.policy) * functional.log_softmax(answers["policy"], 1)).sum(1).mean()
        policy = course.share * loss + (1 - course.share) * policy_apart(answers, as_before)
        (SHARES[0] * (policy + moved(answers, as_before))).backward()
        if not course.tail or step % SELDOM == 0:
            answers, as_before = both(*next(others))
            (SHARES[1] * (policy_apart(answers, as_before) + moved(answers, as_before))).backward()
        nn.utils.clip_grad_norm_(weights, CLIP)
        optimizer.step()
        with torch.no_grad():
            for mean, weight in zip(average.parameters(), network.parameters(), strict=True):
                mean.lerp_(weight, 1 - min(SLOWEST, step / (step + 19)))
        if time.monotonic() - told > TELL or step == course.steps:
            told = time.monotonic()
            tell(step, rate, float(loss.detach()), average)
    return average


def inputs_of(batch: Batch) -> Inputs:
    """The planes and numbers of rows."""
    assert batch.numbers is not None
    return torch.from_numpy(batch.planes), torch.from_numpy(batch.numbers)


def answers_of(network: nn.Module, planes: Tensor, numbers: Tensor) -> Answers:
    """What a network says, computed in bfloat16 where it can be."""
    with torch.autocast("cpu", torch.bfloat16):
        return _whole(network(_laid(planes), numbers))


class _Both:
    """What the network says now, and what it said before; the blocks that both share are computed once."""

    def __init__(self, network: KataGoNet, before: KataGoNet, tail: int) -> None:
        self._network, self._before = network, before
        self._shared = len(network.trunk.blocks) - tail if tail else 0
        for name, weight in network.named_parameters():
            weight.requires_grad_(not tail or self._is_of_tail(name))

    def weights(self) -> list[nn.Parameter]:
        """Those that learn."""
        return [weight for weight in self._network.parameters() if weight.requires_grad]

    def __call__(self, planes: Tensor, numbers: Tensor) -> tuple[Answers, Answers]:
        now, before = self._network, self._before
        if not self._shared:
            with torch.no_grad():
                as_before = answers_of(before, planes, numbers)
            return answers_of(now, planes, numbers), as_before
        with torch.autocast("cpu", torch.bfloat16):
            with torch.no_grad():
                points = before.trunk.blocks[: self._shared](before.trunk.entering(_laid(planes), numbers))
                as_before = before.answers(before.trunk.norm(before.trunk.blocks[self._shared :](points)))
            answers = now.answers(now.trunk.norm(now.trunk.blocks[self._shared :](points)))
        return _whole(answers), _whole(as_before)

    def _is_of_tail(self, name: str) -> bool:
        if name.startswith("trunk.blocks."):
            return int(name.split(".")[2]) >= self._shared
        return name.startswith(("trunk.norm.", "policy.", "values."))


def _laid(planes: Tensor) -> Tensor:
    return planes.contiguous(memory_format=torch.channels_last)


def _whole(answers: Answers) -> Answers:
    return {name: value.float() for name, value in answers.items()}
