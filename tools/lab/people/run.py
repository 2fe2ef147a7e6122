"""A run: measure the network, learn, write the file."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from tengen.engine.evaluators.backends.features import feature_set
from tengen.engine.evaluators.katago.model import read_model
from tengen.nets.katago_export import export_katago
from tengen.nets.katago_import import import_katago
from tengen.nets.models import KATAGO_FEATURES, KataGoNet
from tengen.nets.spec import ModelSpec
from tengen.tools.lab.people.elsewhere import Elsewhere
from tengen.tools.lab.people.losses import moved, policy_apart
from tengen.tools.train.data import shards
from tengen.tools.train.data.rows import Batch, Drawing, Rows, View
from tengen.tools.train.data.window import Window, WindowPlan
from tengen.tools.train.teaching.lessons import GAME

SHARES = (0.6, 0.4)
"""Of the positions of people and of the others in the loss of a step."""
CLIP, SLOWEST, DECAY, RISE, FALLEN = 5.0, 0.998, 1e-4, 100, 0.02
TELL = 90.0
"""Seconds from one line to the next."""
OWN, ENEMY = 1, 2
"""Planes of katago-v7."""


@dataclass(frozen=True)
class Plan:
    """The arguments of the command; `__main__` describes them."""

    network: Path
    games: Path
    elsewhere: Sequence[Path]
    out: Path | None
    share: float
    steps: int
    batch: int
    rate: float
    measured: int
    threads: int
    seed: int
    command: str
    begun: float = field(default_factory=time.monotonic)

    def say(self, *words: object) -> None:
        """Print a line with the seconds since the start."""
        print(f"[{time.monotonic() - self.begun:6.1f}]", *words, flush=True)


def run(plan: Plan) -> None:
    """Run it. Raises NetworkError, ShardError, ValueError, OSError."""
    torch.manual_seed(plan.seed)
    torch.set_num_threads(plan.threads)
    network = _network(plan.network)
    with ExitStack() as stack:
        held = stack.enter_context(_rows(plan.games, "held-out", 256, plan.seed))
        sample = [next(held) for _ in range(max(1, plan.measured // 256))]
        plan.say("moves of people who were held out:", measured(network, sample))
        if plan.out is None:
            return
        rows = stack.enter_context(_rows(plan.games, "train", plan.batch, plan.seed))
        others = stack.enter_context(Elsewhere(plan.elsewhere, plan.seed))
        network = _learned(plan, network, rows, others, sample)
    plan.out.parent.mkdir(parents=True, exist_ok=True)
    export_katago(network, plan.out, {"training": {"command": plan.command}})
    plan.say(f"wrote {plan.out}")


def measured(network: nn.Module, sample: Sequence[Batch]) -> str:
    """Tell how often the likeliest move was played, and the mean of -log of the share of the move that was."""
    right, loss, count = 0, 0.0, 0
    for batch in sample:
        with torch.no_grad():
            policy = _answers(network, *_inputs(batch))["policy"]
        taken = torch.from_numpy((batch.planes[:, OWN] + batch.planes[:, ENEMY]).reshape(len(policy), -1) > 0.5)
        policy[:, : taken.shape[1]].masked_fill_(taken, -1e9)
        played = torch.from_numpy(batch.policy).argmax(1)
        right += int((policy.argmax(1) == played).sum())
        loss += float(functional.cross_entropy(policy, played, reduction="sum"))
        count += len(played)
    return f"top-1 {right / count:.1%} of {count}, log loss {loss / count:.3f}"


def _network(path: Path) -> KataGoNet:
    trunk = read_model(path).trunk
    network = KataGoNet(ModelSpec(blocks=len(trunk.blocks), channels=trunk.conv.weights.shape[3]))
    import_katago(network, path)
    network.eval().to(memory_format=torch.channels_last)
    return network


def _rows(folder: Path, kind: str, size: int, seed: int) -> Rows:
    entries = [shards.inspect(path) for path in sorted(folder.glob(f"{kind}-*.npz"))]
    if not entries:
        raise ValueError(f"'{folder}' has no file {kind}-*.npz")
    window = Window(WindowPlan(minimum=max(1, sum(entry.rows for entry in entries))))  # all of them
    window.update(folder, entries)
    return Rows(window, View(feature_set(GAME, KATAGO_FEATURES)), Drawing(size=size, seed=seed))


def _learned(
    plan: Plan, network: KataGoNet, rows: Iterator[Batch], others: Elsewhere, sample: Sequence[Batch]
) -> KataGoNet:
    """The average of the weights of the steps. Normalisations stay as they are when it plays."""
    before, average = deepcopy(network), deepcopy(network)
    optimizer = torch.optim.AdamW(network.parameters(), plan.rate, weight_decay=DECAY)
    told = time.monotonic()
    for step in range(1, plan.steps + 1):
        falling = FALLEN + (1 - FALLEN) * (1 + math.cos(math.pi * step / plan.steps)) / 2
        rate = plan.rate * min(1.0, step / RISE) * falling
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        batch = next(rows)
        planes, numbers = _inputs(batch)
        answers, as_before = _both(network, before, planes, numbers)
        people = -(torch.from_numpy(batch.policy) * functional.log_softmax(answers["policy"], 1)).sum(1).mean()
        policy = plan.share * people + (1 - plan.share) * policy_apart(answers, as_before)
        (SHARES[0] * (policy + moved(answers, as_before))).backward()
        answers, as_before = _both(network, before, *next(others))
        (SHARES[1] * (policy_apart(answers, as_before) + moved(answers, as_before))).backward()
        nn.utils.clip_grad_norm_(network.parameters(), CLIP)
        optimizer.step()
        with torch.no_grad():
            for mean, weight in zip(average.parameters(), network.parameters(), strict=True):
                mean.lerp_(weight, 1 - min(SLOWEST, step / (step + 19)))
        if time.monotonic() - told > TELL:
            told = time.monotonic()
            plan.say(f"step {step}, rate {rate:.5f}, people {float(people.detach()):.3f};", measured(average, sample))
    plan.say(f"{plan.steps} steps;", measured(average, sample))
    return average


def _inputs(batch: Batch) -> tuple[Tensor, Tensor]:
    assert batch.numbers is not None
    return torch.from_numpy(batch.planes), torch.from_numpy(batch.numbers)


def _answers(network: nn.Module, planes: Tensor, numbers: Tensor) -> dict[str, Tensor]:
    with torch.autocast("cpu", torch.bfloat16):
        answers = network(planes.contiguous(memory_format=torch.channels_last), numbers)
    return {name: value.float() for name, value in answers.items()}


def _both(
    network: nn.Module, before: nn.Module, planes: Tensor, numbers: Tensor
) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """What the network says now, and what it said before."""
    with torch.no_grad():
        as_before = _answers(before, planes, numbers)
    return _answers(network, planes, numbers), as_before
