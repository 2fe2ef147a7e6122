"""A run: measure the network, learn, write the file."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional

from tengen.engine.evaluators.backends.features import feature_set
from tengen.engine.evaluators.katago.reading import read_model
from tengen.engine.evaluators.katago.tail import ENDING, is_tail
from tengen.nets.katago_export import export_katago, export_tail
from tengen.nets.katago_import import import_katago
from tengen.nets.models import KATAGO_FEATURES, KataGoNet
from tengen.nets.spec import ModelSpec
from tengen.tools.lab.people.elsewhere import Elsewhere
from tengen.tools.lab.people.learning import Course, answers_of, inputs_of, learned
from tengen.tools.train.data import shards
from tengen.tools.train.data.rows import Batch, Drawing, Rows, View
from tengen.tools.train.data.window import Window, WindowPlan
from tengen.tools.train.teaching.lessons import GAME

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
    tail: int
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
    if plan.out is not None and bool(plan.tail) != is_tail(plan.out):
        raise ValueError(f"with --tail the file --out is called NAME{ENDING}, without it NAME.bin.gz")
    torch.manual_seed(plan.seed)
    torch.set_num_threads(plan.threads)
    network = _network(plan.network, plan.tail)
    with ExitStack() as stack:
        held = stack.enter_context(_rows(plan.games, "held-out", 256, plan.seed))
        sample = [next(held) for _ in range(max(1, plan.measured // 256))]
        plan.say("moves of people who were held out:", measured(network, sample))
        if plan.out is None:
            return
        rows = stack.enter_context(_rows(plan.games, "train", plan.batch, plan.seed))
        others = stack.enter_context(Elsewhere(plan.elsewhere, plan.seed))

        def tell(step: int, rate: float, loss: float, average: nn.Module) -> None:
            plan.say(f"step {step}, rate {rate:.5f}, people {loss:.3f};", measured(average, sample))

        network = learned(network, Course(plan.steps, plan.rate, plan.share, plan.tail), rows, others, tell)
    plan.out.parent.mkdir(parents=True, exist_ok=True)
    card: dict[str, object] = {"training": {"command": plan.command}}
    if plan.tail:
        export_tail(network, len(network.trunk.blocks) - plan.tail, plan.network, plan.out, card)
    else:
        export_katago(network, plan.out, card)
    plan.say(f"wrote {plan.out}")


def measured(network: nn.Module, sample: Sequence[Batch]) -> str:
    """Tell how often the likeliest move was played, and the mean of -log of the share of the move that was."""
    right, loss, count = 0, 0.0, 0
    for batch in sample:
        with torch.no_grad():
            policy = answers_of(network, *inputs_of(batch))["policy"]
        taken = torch.from_numpy((batch.planes[:, OWN] + batch.planes[:, ENEMY]).reshape(len(policy), -1) > 0.5)
        policy[:, : taken.shape[1]].masked_fill_(taken, -1e9)
        played = torch.from_numpy(batch.policy).argmax(1)
        right += int((policy.argmax(1) == played).sum())
        loss += float(functional.cross_entropy(policy, played, reduction="sum"))
        count += len(played)
    return f"top-1 {right / count:.1%} of {count}, log loss {loss / count:.3f}"


def _network(path: Path, tail: int) -> KataGoNet:
    """The network of a file, and so many blocks behind its own, which say nothing before they learn."""
    trunk = read_model(path).trunk
    network = KataGoNet(ModelSpec(blocks=len(trunk.blocks) + tail, channels=trunk.conv.weights.shape[3]))
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
