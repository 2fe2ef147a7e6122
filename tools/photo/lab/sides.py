"""`sides`: train the network that tells a board's edge from a board that goes on, and write it with its card.

    python -m tengen.tools.photo.lab sides FOLDER... --out nets/weights/photo-sides.onnx --minutes 20
"""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from copy import deepcopy
from math import cos, pi
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.data import DataLoader, IterableDataset

from tengen.nets.export import export, load_weights, save_weights
from tengen.nets.photo_sides import HEIGHT, SideNet
from tengen.tools.photo.lab.dataset import Labelled, read_folders
from tengen.tools.photo.lab.side_samples import side_sample
from tengen.tools.photo.lab.training import follow
from tengen.tools.photo.sides import Side, lined

_PICTURES = 8
"""Pictures of a batch, and strips of each."""
_STRIPS = 8
_SHORTEST = 6
_OF_PARTS = 0.4
"""The share of batches drawn from pictures of parts of boards."""


def configure(parser: ArgumentParser) -> None:
    """The options of `sides`."""
    parser.add_argument("folders", nargs="+", metavar="FOLDER", help="labelled pictures of whole boards")
    parser.add_argument("--out", type=Path, required=True, help="where the network goes (.onnx); its weights beside it")
    parser.add_argument("--start", type=Path, help="weights to begin from (.npz)")
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--rate", type=float, default=2e-3, help="largest learning rate")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1, help="processes that prepare pictures")
    parser.add_argument("--trained", default="", help="how it was trained, for the card")
    parser.add_argument("--figures", default="", help="what it reached, for the card")


def run(values: Namespace) -> int:
    """Train the network, then write it."""
    torch.manual_seed(values.seed)
    torch.set_num_threads(1)
    model = SideNet()
    if values.start:
        load_weights(model, values.start)
    loader = DataLoader(Strips(values.folders, values.seed), batch_size=None, num_workers=values.workers)
    average = train(model, iter(loader), values)
    save_weights(average, values.out.with_suffix(".npz"))
    card = {
        "name": "photo-sides",
        "purpose": "what is at a side of a lattice: the board's edge, more of the board, a cut, or none of its lines",
        "licence": "MIT",
        "input": {
            "shape": [0, 4, HEIGHT, 0],
            "channels": ["blue stretched", "green stretched", "red stretched", "inside of the picture"],
            "normalisation": "1st to 99th percentile to 0 and 1",
        },
        "outputs": {"side": f"n x {len(Side)}: logits of {', '.join(side.name.lower() for side in Side)}"},
        "training": {
            "data": "boards drawn by `python -m tengen.tools.photo.lab render`",
            "credits": [],
            "command": values.trained,
        },
        "figures": {"measured": values.figures},
        "settings": {},
    }
    export(average, values.out, torch.zeros(1, 4, HEIGHT, 253), ("side",), card, free=(0, 3))
    return 0


class Strips(IterableDataset[tuple[Tensor, Tensor]]):
    """Endless batches of strips of one length; every worker draws its own, of parts of boards apart."""

    def __init__(self, folders: list[str], seed: int) -> None:
        labelled = [item for item in read_folders(folders) if item.lattice is not None]
        self.items = [item for item in labelled if item.window is None]
        self.parts = [item for item in labelled if item.window is not None]
        self.seed = seed

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor]]:
        cv2.setNumThreads(1)
        worker = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self.seed, worker.id if worker else 0])
        sizes = np.array([_lines(item) for item in self.items])
        breadths = np.array([_shorter(item) for item in self.parts])
        while True:
            if len(breadths) and rng.random() < _OF_PARTS:
                length = int(rng.choice(breadths))
                yield _batch(self.parts, np.flatnonzero(breadths >= length), length, rng)
                continue
            of_all = rng.random() < 0.5
            length = int(rng.choice(sizes)) if of_all else int(rng.integers(_SHORTEST, 19))
            fitting = np.flatnonzero(sizes == length if of_all else sizes >= length)
            yield _batch(self.items, fitting, length, rng)


def _batch(
    items: list[Labelled], fitting: NDArray[np.int64], length: int, rng: np.random.Generator
) -> tuple[Tensor, Tensor]:
    drawn = []
    for index in rng.choice(fitting, _PICTURES):
        item, image = items[index], items[index].image()
        assert item.lattice is not None
        drawn += [side_sample(image, item.lattice, item.window, length, rng) for _ in range(_STRIPS)]
    return torch.from_numpy(np.stack([view for view, _ in drawn])), torch.tensor([kind for _, kind in drawn])


def _shorter(item: Labelled) -> int:
    """Points of the shorter side of a part."""
    assert item.window is not None
    return 1 + min(item.window.right - item.window.left, item.window.bottom - item.window.top)


def _lines(item: Labelled) -> int:
    assert item.lattice is not None
    return lined(item.lattice).size


def train(model: nn.Module, batches: Iterator[tuple[Tensor, Tensor]], values: Namespace) -> nn.Module:
    """The averaged network after so many minutes; the loss is printed."""
    model = model.to(memory_format=torch.channels_last)
    average = deepcopy(model).eval()
    optimizer = torch.optim.AdamW(model.parameters(), lr=values.rate, weight_decay=1e-4)
    begin, step, recent = time.monotonic(), 0, list[tuple[float, float]]()
    while (part := (time.monotonic() - begin) / 60 / values.minutes) < 1:
        for group in optimizer.param_groups:
            group["lr"] = values.rate * min(1.0, (step + 1) / 100) * (0.01 + 0.99 * 0.5 * (1 + cos(pi * part)))
        strips, kinds = next(batches)
        model.train()
        with torch.autocast("cpu", torch.bfloat16):
            answers = model(strips.contiguous(memory_format=torch.channels_last)).float()
        loss = functional.cross_entropy(answers, kinds, label_smoothing=0.01)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        step += 1
        follow(average, model, min(0.998, step / (step + 20)))
        recent.append((float(loss.detach()), float((answers.argmax(1) == kinds).float().mean())))
        if step % 100 == 0:
            means = np.mean(recent, axis=0)
            passed = time.monotonic() - begin
            print(f"{step:6d}  loss {means[0]:.4f}  right {means[1]:.4f}  {passed:.0f} s", file=sys.stderr)
            recent = []
            save_weights(average, values.out.with_suffix(".npz"))
    return average
