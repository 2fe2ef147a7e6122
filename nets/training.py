"""Common parts of training: seeds, averaged weights, a step, a loop of steps.

Data, losses, what is printed and where weights are kept belong to those who call. Weights are kept by `nets.export`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.utils.data import get_worker_info

from tengen.nets.recipe import Schedule

TOLD = 100
"""Steps from one `Step` to the next."""


@dataclass(frozen=True)
class Recipe:
    """A recipe of training by AdamW: it ends after `steps` or `minutes`, whichever is first. Raises ValueError without
    one."""

    schedule: Schedule
    steps: int | None = None
    minutes: float | None = None
    decay: float = 1e-4
    clip: float = 5.0

    def __post_init__(self) -> None:
        given = [number for number in (self.steps, self.minutes) if number is not None]
        if not given or min(given) < 0 or self.minutes == 0:
            raise ValueError("a training needs a number of steps or minutes that is not negative, and some time")


@dataclass(frozen=True)
class Step:
    """The progress of training: steps done, seconds since the start, the means of the figures over the last TOLD
    steps."""

    number: int
    seconds: float
    figures: Mapping[str, float]


class Average:
    """A network whose weights are the moving average of those in training; it follows fast at first.

    After n steps it keeps n / (n + 19) of itself, never more than `slowest`.
    """

    def __init__(self, model: nn.Module, slowest: float = 0.998) -> None:
        self.network = deepcopy(model).eval()
        self.slowest, self.steps = slowest, 0

    def follow(self, model: nn.Module) -> None:
        """Take one more step of `model` in."""
        self.steps += 1
        follow(self.network, model, min(self.slowest, self.steps / (self.steps + 19)))


Judge = Callable[..., tuple[Tensor, Mapping[str, Tensor]]]
"""(answers, *targets) -> the loss, and the figures to be told."""


def seed(number: int, threads: int = 1) -> None:
    """Begin a training that is repeatable: the seed of torch, and the threads of the network itself."""
    torch.manual_seed(number)
    torch.set_num_threads(threads)


def worker_random(number: int) -> np.random.Generator:
    """The random numbers of the process that prepares batches: other ones in every worker of a loader."""
    worker = get_worker_info()
    return np.random.default_rng([number, worker.id if worker else 0])


def part_done(recipe: Recipe, steps: int, seconds: float) -> float:
    """Return the part of the training that is done, by steps or by time; 1 and more: it is at its end."""
    by_steps = 0.0 if recipe.steps is None else steps / recipe.steps if recipe.steps else 1.0
    return max(by_steps, 0.0 if recipe.minutes is None else seconds / 60 / recipe.minutes)


def follow(average: nn.Module, model: nn.Module, keep: float) -> None:
    """Move the weights of `average`, in place, towards those of `model`: it keeps this share of its own."""
    with torch.no_grad():
        pairs = list(zip(average.state_dict().values(), model.state_dict().values(), strict=True))
        for old, new in pairs:
            if not old.dtype.is_floating_point:
                old.copy_(new)
        floats = [pair for pair in pairs if pair[0].dtype.is_floating_point]
        torch._foreach_lerp_([old for old, _ in floats], [new for _, new in floats], 1 - keep)


def set_rate(optimizer: torch.optim.Optimizer, rate: float) -> None:
    """Let the next step be made at this learning rate."""
    for group in optimizer.param_groups:
        group["lr"] = rate


def descend(model: nn.Module, optimizer: torch.optim.Optimizer, loss: Tensor, clip: float) -> float:
    """One step against the gradient, which is cut to a norm of `clip`; the norm that it had. A gradient that is no
    number changes no weight."""
    optimizer.zero_grad()
    loss.backward()
    norm = float(nn.utils.clip_grad_norm_(model.parameters(), clip))
    if isfinite(norm):
        optimizer.step()
    return norm


def fit(
    model: nn.Module, batches: Iterator[tuple[Tensor, ...]], judge: Judge, recipe: Recipe,
    watch: Callable[[Step, nn.Module], None] = lambda step, network: None,
) -> nn.Module:  # fmt: skip
    """Train a network on batches (inputs, *targets), one a step; the network of averaged weights, in evaluation mode.

    It runs on the CPU in bfloat16. `watch` is told every TOLD steps, with the average so far.
    """
    model = model.to(memory_format=torch.channels_last)
    average = Average(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=recipe.schedule.largest, weight_decay=recipe.decay)
    begin, step, recent = time.monotonic(), 0, list[dict[str, float]]()
    while (part := part_done(recipe, step, time.monotonic() - begin)) < 1:
        set_rate(optimizer, recipe.schedule.rate(step, part))
        inputs, *targets = next(batches)
        loss, figures = judge(_answers(model, inputs), *targets)
        descend(model, optimizer, loss, recipe.clip)
        average.follow(model)
        step += 1
        recent.append({name: float(value.detach()) for name, value in figures.items()})
        if step % TOLD == 0:
            watch(Step(step, time.monotonic() - begin, _means(recent)), average.network)
            recent = []
    return average.network


def _answers(model: nn.Module, inputs: Tensor) -> Any:
    """What the network answers in training; batches of pictures are laid out by channels last."""
    if inputs.dim() == 4:
        inputs = inputs.contiguous(memory_format=torch.channels_last)
    model.train()
    with torch.autocast("cpu", torch.bfloat16):
        return model(inputs)


def _means(rows: list[dict[str, float]]) -> dict[str, float]:
    return {name: float(np.mean([row[name] for row in rows])) for name in rows[0]}
