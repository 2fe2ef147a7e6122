"""`compare`: train the network that sees a point beside the board's other points, and write it with its card.

    python -m tengen.tools.photo.lab compare FOLDER[=WEIGHT]... --out nets/weights/photo-compare.onnx --minutes 30

Of every board the points that look least like the others of their kind are learned from, and some drawn at random.
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
from tengen.nets.photo_compare import CHANNELS, SIDE, CompareNet
from tengen.tools.photo.compare import Plane, cut, planes
from tengen.tools.photo.lab.dataset import Labelled, read_folder
from tengen.tools.photo.lab.samples import reader_sample
from tengen.tools.photo.lab.training import follow
from tengen.tools.photo.reading import PhotoError, Point

_BOARDS = 8
"""Boards of a batch."""
_ODD, _OTHERS = 20, 20
"""Points of a board that are least like their kind, and those drawn of all."""
_INNER = slice(8, 25)
"""Pixels of a patch that its likeness is measured by."""


def configure(parser: ArgumentParser) -> None:
    """The options of `compare`."""
    parser.add_argument("folders", nargs="+", metavar="FOLDER[=WEIGHT]", help="labelled pictures of boards of lines")
    parser.add_argument("--out", type=Path, required=True, help="where the network goes (.onnx); its weights beside it")
    parser.add_argument("--start", type=Path, help="weights to begin from (.npz)")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--rate", type=float, default=2e-3, help="largest learning rate")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1, help="processes that prepare pictures")
    parser.add_argument("--trained", default="", help="how it was trained, for the card")
    parser.add_argument("--figures", default="", help="what it reached, for the card")


def run(values: Namespace) -> int:
    """Train the network, then write it."""
    torch.manual_seed(values.seed)
    torch.set_num_threads(1)
    model = CompareNet()
    if values.start:
        load_weights(model, values.start)
    loader = DataLoader(Points(values.folders, values.seed), batch_size=None, num_workers=values.workers)
    average = train(model, iter(loader), values) if values.minutes > 0 else model.eval()
    card = {
        "name": "photo-compare",
        "purpose": "what a point of a board of lines holds, seen beside the board's empty, black and white points",
        "licence": "MIT",
        "input": {
            "shape": [0, CHANNELS, SIDE, SIDE],
            "channels": [
                f"{colour} of {what}" for what in ("the point", "an empty one", "a black one", "a white one")
                for colour in ("blue", "green", "red")
            ] + [f"whether there is {what}" for what in ("an empty one", "a black one", "a white one")],
            "normalisation": "stretched as the second three channels of photo-reader",
        },
        "outputs": {"points": "n x 4: logits of empty, black, white, hidden"},
        "training": {
            "data": "boards drawn by `python -m tengen.tools.photo.lab render`",
            "credits": [],
            "command": values.trained,
        },
        "figures": {"measured": values.figures},
        "settings": {},
    }  # fmt: skip
    export(average, values.out, torch.zeros(1, CHANNELS, SIDE, SIDE), ("points",), card)
    return 0


class Points(IterableDataset[tuple[Tensor, Tensor]]):
    """Endless batches of points of boards of lines; every worker draws its own."""

    def __init__(self, folders: list[str], seed: int) -> None:
        self.seed = seed
        self.sources: list[tuple[float, list[Labelled]]] = []
        for text in folders:
            folder, _, weight = text.partition("=")
            items = [item for item in read_folder(Path(folder)) if item.lattice is not None and not item.lattice.cells]
            if items:
                self.sources.append((float(weight or 1), items))
        if not self.sources:
            raise PhotoError("no picture with corners of a board of lines")

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor]]:
        cv2.setNumThreads(1)
        worker = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self.seed, worker.id if worker else 0])
        weights = np.array([weight for weight, _ in self.sources])
        while True:
            drawn = []
            for source in rng.choice(len(weights), _BOARDS, p=weights / weights.sum()):
                items = self.sources[source][1]
                drawn.append(compare_sample(items[int(rng.integers(len(items)))], rng))
            views, labels = zip(*drawn, strict=True)
            yield torch.from_numpy(np.concatenate(views)), torch.from_numpy(np.concatenate(labels))


def compare_sample(item: Labelled, rng: np.random.Generator) -> tuple[Plane, NDArray[np.int64]]:
    """(inputs (n, 15, SIDE, SIDE), Points (n,)) of some points of a board; some of its examples may be mistaken."""
    assert item.lattice is not None
    flat, labels = reader_sample(item.image(), item.lattice, item.labels, rng, float(rng.choice([0.03, 0.07, 0.13])))
    patches = cut(flat[3:])
    kinds = labels.astype(np.int8)
    kinds[labels == Point.HIDDEN] = -1
    odd = oddness(patches, kinds)
    if rng.random() < 0.5:  # what a reader may think of the oddest
        mistaken = rng.permutation(np.argsort(odd.ravel())[::-1][:8])[: int(rng.integers(1, 6))]
        kinds.ravel()[mistaken] = rng.integers(-1, 3, len(mistaken))
    scores = odd.ravel() * rng.uniform(0.7, 1.0, odd.size)
    order = np.argsort(scores)[::-1]
    chosen = np.concatenate([order[:_ODD], rng.permutation(order[_ODD:])[:_OTHERS]])
    inputs = planes(patches, kinds).reshape(-1, CHANNELS, SIDE, SIDE)
    return inputs[chosen], labels.ravel()[chosen]


def oddness(patches: Plane, kinds: NDArray[np.int8]) -> NDArray[np.float32]:
    """(size, size): how far the middle of each patch is from the median of its kind; 0 where the kind is not known."""
    out = np.zeros(kinds.shape, np.float32)
    inner = patches[..., _INNER, _INNER]
    for kind in (Point.EMPTY, Point.BLACK, Point.WHITE):
        those = kinds == kind
        if those.any():
            out[those] = np.abs(inner[those] - np.median(inner[those][:48], axis=0)).mean((1, 2, 3))
    return out


def train(model: nn.Module, batches: Iterator[tuple[Tensor, Tensor]], values: Namespace) -> nn.Module:
    """The averaged network after so many minutes; the loss is printed, the weights are kept beside `--out`."""
    model = model.to(memory_format=torch.channels_last)
    average = deepcopy(model).eval()
    optimizer = torch.optim.AdamW(model.parameters(), lr=values.rate, weight_decay=1e-4)
    begin, step, recent = time.monotonic(), 0, list[tuple[float, float]]()
    while (part := (time.monotonic() - begin) / 60 / values.minutes) < 1:
        for group in optimizer.param_groups:
            group["lr"] = values.rate * min(1.0, (step + 1) / 100) * (0.01 + 0.99 * 0.5 * (1 + cos(pi * part)))
        inputs, labels = next(batches)
        model.train()
        with torch.autocast("cpu", torch.bfloat16):
            answers = model(inputs.contiguous(memory_format=torch.channels_last))
        loss = functional.cross_entropy(answers.float(), labels)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        follow(average, model, min(0.998, (step + 1) / (step + 20)))
        recent.append((float(loss.detach()), float((answers.argmax(1) != labels).float().mean())))
        step += 1
        if step % 100 == 0:
            lost, wrong = np.mean(recent, axis=0)
            print(f"{step:6d}  loss {lost:.4f}  wrong {100 * wrong:.2f} %  {time.monotonic() - begin:.0f} s",
                  file=sys.stderr, flush=True)  # fmt: skip
            recent = []
            save_weights(average, values.out.with_suffix(".npz"))
    save_weights(average, values.out.with_suffix(".npz"))
    return average
