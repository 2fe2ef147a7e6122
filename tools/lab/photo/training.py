"""Training the networks of `tengen photo` from labelled folders.

    python -m tengen.tools.lab.photo train finder|refiner|reader|discs FOLDER[=WEIGHT]... --out FILE [--start FILE]

Batches are drawn from the folders in proportion to their weights; each picture is shaken and recoloured every time it
is drawn. The weights that are kept are a moving average of those in training. `--export FILE.onnx` writes the network.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.data import DataLoader, IterableDataset

from tengen.nets.export import load_weights, save_weights
from tengen.nets.photo import LatticeNet, StoneNet
from tengen.nets.recipe import Schedule
from tengen.nets.restore import load_onnx, settle_norms
from tengen.nets.training import Recipe, fit, seed, worker_random
from tengen.tools.lab.photo.dataset import read_weighted
from tengen.tools.lab.photo.learning import told
from tengen.tools.lab.photo.samples import finder_sample, reader_sample, refiner_sample
from tengen.tools.photo.geometry import Lattice
from tengen.tools.photo.results import PhotoError
from tengen.tools.photo.stone_reader import name_of

NETWORKS = ("finder", "refiner", "reader", "discs")
_MEASURED = 12
"""Batches by which a network that was written as ONNX gets its batch normalisation back."""
READERS = ("reader", "discs")
"""Those that read rectified boards: of lines, and of squares."""


def configure(parser: ArgumentParser) -> None:
    """The options of `train`."""
    parser.add_argument("network", choices=NETWORKS)
    parser.add_argument("folders", nargs="+", metavar="FOLDER[=WEIGHT]")
    parser.add_argument("--clutter", type=Path, help="folder of pictures without a board (finder)")
    parser.add_argument("--out", type=Path, required=True, help="where the weights go (.npz), rewritten as it learns")
    parser.add_argument("--start", type=Path, help="weights to begin from (.npz, or a network as .onnx)")
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--rate", type=float, default=2e-3, help="largest learning rate")
    parser.add_argument("--workers", type=int, default=1, help="processes that prepare pictures")
    parser.add_argument("--threads", type=int, default=1, help="threads of the network itself")
    parser.add_argument("--minutes", type=float, help="end after this long; the rate falls in time")
    parser.add_argument("--seed", type=int, default=1)


def run(values: Namespace) -> int:
    """Train one network."""
    seed(values.seed, values.threads)
    model = new_network(values.network)
    batches = Batches(values.network, values.folders, values.clutter, values.batch, values.seed)
    ahead = 4 if values.workers else None
    loader = iter(DataLoader(batches, batch_size=None, num_workers=values.workers, prefetch_factor=ahead))
    if values.start and values.start.suffix == ".onnx":
        inputs = [next(loader)[0] for _ in range(_MEASURED)]
        load_onnx(model, values.start, inputs[0])
        settle_norms(model, inputs)
    elif values.start:
        load_weights(model, values.start)
    train(model, loader, values)
    return 0


def new_network(name: str) -> Any:
    """An untrained network of that name."""
    return StoneNet() if name in READERS else LatticeNet(4 if name == "finder" else 2)


class Batches(IterableDataset[tuple[Tensor, ...]]):
    """Endless batches for one of the networks; every worker draws its own."""

    def __init__(self, network: str, folders: list[str], clutter: Path | None, size: int, seed: int) -> None:
        self.network, self.size, self.seed = network, size, seed
        self.sources = read_weighted(folders, self.suits)
        if not self.sources:
            raise PhotoError(f"no picture with corners that '{network}' could learn from")
        self.clutter = sorted(clutter.glob("*.jpg")) if clutter else []

    def suits(self, lattice: Lattice) -> bool:
        """Whether the network reads such boards."""
        return self.network not in READERS or name_of(lattice) == self.network

    def __iter__(self) -> Iterator[tuple[Tensor, ...]]:
        cv2.setNumThreads(1)
        rng = worker_random(self.seed)
        by_size = [{n: [i for i in items if i.size == n] for n in {i.size for i in items}} for _, items in self.sources]
        weights = np.array([weight for weight, _ in self.sources])
        while True:
            if self.network in READERS:
                groups = by_size[int(rng.choice(len(weights), p=weights / weights.sum()))]
                sizes = list(groups)
                share = np.array([len(groups[n]) for n in sizes], float) ** 0.7
                items = groups[sizes[int(rng.choice(len(sizes), p=share / share.sum()))]]
                drawn: list[tuple[Any, ...]] = []
                for index in rng.integers(len(items), size=self.size):
                    item = items[index]
                    assert item.lattice is not None
                    drawn.append(reader_sample(item.image(), item.lattice, item.labels, rng))
                yield tuple(torch.from_numpy(np.stack(part)) for part in zip(*drawn, strict=True))
            else:
                drawn = [self.lattice_sample(weights, rng) for _ in range(self.size)]
                views, heats, kinds = zip(*drawn, strict=True)
                yield (
                    torch.from_numpy(np.stack(views)).permute(0, 3, 1, 2).float() / 255,
                    torch.from_numpy(np.stack(heats)),
                    torch.tensor(kinds),
                )

    def lattice_sample(self, weights: np.ndarray, rng: np.random.Generator) -> tuple[Any, ...]:
        """One sample of the finder or the refiner."""
        if self.clutter and self.network == "finder" and rng.random() < 0.06:
            image = cv2.imread(str(self.clutter[int(rng.integers(len(self.clutter)))]))
            return finder_sample(np.asarray(image, np.uint8), None, rng)
        items = self.sources[int(rng.choice(len(weights), p=weights / weights.sum()))][1]
        item = items[int(rng.integers(len(items)))]
        assert item.lattice is not None
        if self.network == "refiner":
            return refiner_sample(item.image(), item.lattice, rng)
        return finder_sample(item.image(), item.lattice, rng, item.others)


def train(model: nn.Module, batches: Iterator[tuple[Tensor, ...]], values: Namespace) -> None:
    """Run the steps; print the losses, keep the averaged weights every 100 steps."""
    losses = reader_loss if values.network in READERS else lattice_loss

    def judge(answers: Any, *targets: Tensor) -> tuple[Tensor, dict[str, Tensor]]:
        parts = losses(answers, *targets)
        return torch.stack(list(parts.values())).sum(), parts

    recipe = Recipe(Schedule(values.rate), steps=values.steps, minutes=values.minutes or None)
    save_weights(fit(model, batches, judge, recipe, told(values.out)), values.out)


def lattice_loss(answers: tuple[Tensor, Tensor], heat: Tensor, kind: Tensor) -> dict[str, Tensor]:
    """Quality focal loss (Li et al. 2020) of points and corners, cross entropy of the board and of its size."""
    logits, sizes = answers[0].float(), answers[1].float()
    losses = {}
    for channel, name, weight in ((0, "points", 1.0), (1, "corners", 1.0)):
        guess, target = logits[:, channel], heat[:, channel]
        focal = (guess.sigmoid() - target).square() * functional.binary_cross_entropy_with_logits(
            guess, target, reduction="none"
        )
        losses[name] = weight * focal.sum() / target.sum().clamp(min=1.0)
    losses["board"] = 0.5 * functional.binary_cross_entropy_with_logits(logits[:, 2], heat[:, 2])
    losses["kind"] = 0.2 * functional.cross_entropy(sizes, kind, label_smoothing=0.02)
    return losses


def reader_loss(answer: Tensor, labels: Tensor) -> dict[str, Tensor]:
    """Cross entropy over all points, the wrong ones counting most (focal, gamma 1)."""
    logits = answer.float()
    plain = functional.cross_entropy(logits, labels, reduction="none")
    right = logits.softmax(1).gather(1, labels[:, None])[:, 0].detach()
    weight = 0.15 + (1 - right)
    return {
        "points": 3 * (weight * plain).mean(),
    }
