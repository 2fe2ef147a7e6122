"""A run: labels for some minutes, then steps for some minutes, then the network as a file."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from tengen.engine.evaluators.katago.reading import read_model
from tengen.nets.katago_export import export_katago
from tengen.nets.katago_import import import_katago
from tengen.nets.models import KataGoNet
from tengen.nets.spec import ModelSpec
from tengen.tools.lab.distil.feeding import rows_without_end
from tengen.tools.lab.distil.steps import Student, graphs_are_right
from tengen.tools.lab.distil.store import Labeller, Store
from tengen.tools.lab.distil.teacher import Teacher

RULES = (
    "chinese", "japanese", "tromp-taylor", "aga", "korean", "chinese-ogs", "new-zealand", "stone-scoring", "aga-button",
    "bga",
)  # fmt: skip
SHARES = {19: 0.58, 9: 0.17, 13: 0.09, 15: 0.055, 17: 0.055, 11: 0.035, 7: 0.015}
"""Of the points that are labelled, by the size of the board."""
CHANCES = {9: 0.46, 13: 0.2, 11: 0.08, 15: 0.1, 17: 0.1, 7: 0.06, 19: 1.0}
"""How often the second board of a step is of a size."""
COMPILED = (19, 13, 9)
"""Sizes that come so often that a compiled teacher pays."""
HELD = 2048
"""Rows of a size that are not learned from."""
SETTLED, FALLEN, RISE = 0.75, 0.02, 300
"""Of the learning: from where on normalisations stay; the last learning rate, as a share of the largest; its first
steps, in which it rises."""
TELL = 20.0
"""Seconds from one line to the next."""


@dataclass(frozen=True)
class Plan:
    """The arguments of the command; `__main__` describes them. Times are in minutes."""

    teacher: Path
    games: Sequence[Path]
    out: Path
    begin: Path | None
    label: float
    learn: float
    blocks: int
    channels: int
    batch: int
    asked: int
    rate: float
    workers: int
    sizes: Sequence[int]
    seed: int
    command: str
    begun: float = field(default_factory=time.monotonic)

    def say(self, *words: object) -> None:
        """Print a line with the seconds since the start."""
        print(f"[{time.monotonic() - self.begun:6.1f}]", *words, flush=True)


def run(plan: Plan) -> None:
    """Run it. Raises NetworkError, ShardError, ValueError, OSError, and RuntimeError if a worker fails."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(plan.seed)
    torch.backends.cudnn.benchmark = True
    if device == "cuda":
        torch.backends.cudnn.benchmark_limit = 4
    stores = _labelled(plan, device)
    student = KataGoNet(ModelSpec(blocks=plan.blocks, channels=plan.channels))
    if plan.begin is not None:
        import_katago(student, plan.begin)
    student = student.to(device, memory_format=torch.channels_last)
    use_graphs = False
    if device == "cuda":
        use_graphs, line = graphs_are_right(student, stores, plan.batch)
        plan.say(line)
    learner = Student(student, stores, plan.batch, use_graphs=use_graphs)
    _learn(plan, learner)
    plan.out.mkdir(parents=True, exist_ok=True)
    network = learner.average.cpu()
    assert isinstance(network, KataGoNet)
    export_katago(network, plan.out / "student.bin.gz", {"training": {"command": plan.command}})
    plan.say(f"wrote {plan.out / 'student.bin.gz'}")


def _labelled(plan: Plan, device: str) -> Mapping[int, Store]:
    """The labelled positions by size."""
    files = [path for folder in plan.games for path in sorted(folder.glob("*.npz"))]
    if not files:
        raise ValueError("there is no file of games in the folders that --games names")
    model = read_model(plan.teacher)
    plain, fast = Teacher(model, device), Teacher(model, device)
    if device == "cuda":
        fast.compile()
    shares = {size: SHARES[size] for size in plan.sizes}
    rows = {size: max(1, min(4 * plan.asked, plan.asked * 361 // (size * size))) for size in shares}
    labellers = {size: Labeller(fast if size in COMPILED else plain, rows[size]) for size in shares}
    parts: dict[int, list[list[Tensor]]] = {size: [] for size in shares}
    counts = dict.fromkeys(shares, 0)
    first = told = time.monotonic()
    with closing(rows_without_end(files, RULES, shares, rows, plan.workers, plan.seed)) as fed:
        for size, found in fed:
            parts[size].append(labellers[size].label(found, size))
            counts[size] += len(found.packed)
            now = time.monotonic()
            if now - told > TELL:
                told = now
                plan.say("labelled", counts)
            if now - first > 60 * plan.label and all(parts.values()):
                break
    plan.say("labelled", counts)
    return {size: Store(part, size, HELD) for size, part in parts.items()}


def _learn(plan: Plan, learner: Student) -> None:
    """Learn for so many minutes, whatever that is in steps."""
    random = np.random.default_rng(plan.seed)
    others = [size for size in learner.stores if size != learner.largest] or [learner.largest]
    chances = np.array([CHANCES[size] for size in others])
    first = told = time.monotonic()
    since, sums = 0, torch.zeros_like(learner.told)
    while (part := (time.monotonic() - first) / (60 * plan.learn)) < 1:
        if part > SETTLED and not learner.is_settled:
            learner.settle(True)
        rise = min(1.0, (learner.steps + 1) / RISE)
        rate = plan.rate * rise * (FALLEN + (1 - FALLEN) * (1 + math.cos(math.pi * part)) / 2)
        learner.step(int(random.choice(others, p=chances / chances.sum())), rate)
        sums, since = sums + learner.told, since + 1
        if learner.steps % 10 == 0 and learner.use_graphs:
            torch.cuda.synchronize()  # or Python runs far ahead of the clock
        if time.monotonic() - told > TELL:
            losses = [round(float(one), 3) for one in sums / since]
            plan.say(f"step {learner.steps}, {learner.rows} rows, rate {rate:.5f}, losses and gradient", losses)
            plan.say("held out", _told(learner))
            told, since, sums = time.monotonic(), 0, torch.zeros_like(sums)
    plan.say(f"{learner.steps} steps, {learner.rows} rows; held out", _told(learner))


def _told(learner: Student) -> dict[int, str]:
    """The figures of `Student.held_out` by size, as text."""
    found = learner.held_out()
    return {size: " ".join(f"{name} {one:.3f}" for name, one in told.items()) for size, told in found.items()}
