"""`compare`: train the network that sees a point beside the board's other points, and write it with its card.

    python -m tengen.tools.lab.photo compare FOLDER[=WEIGHT]... --out nets/weights/photo-compare.onnx --minutes 30

Of every board the points that look least like the others of their kind are learned from, and some drawn at random.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.utils.data import IterableDataset

from tengen.nets.photo_compare import CHANNELS, SIDE, CompareNet
from tengen.nets.training import worker_random
from tengen.tools.lab.photo import learning
from tengen.tools.lab.photo.dataset import Labelled, read_weighted
from tengen.tools.lab.photo.samples import reader_sample
from tengen.tools.photo.compare import Plane, cut, planes
from tengen.tools.photo.results import PhotoError, Point

_BOARDS = 8
"""Boards of a batch."""
_ODD, _OTHERS = 20, 20
"""Points of a board that are least like their kind, and those drawn of all."""
_INNER = slice(8, 25)
"""Pixels of a patch that its likeness is measured by."""


def configure(parser: ArgumentParser) -> None:
    """The options of `compare`."""
    learning.add_options(parser, "labelled pictures of boards of lines", "FOLDER[=WEIGHT]", 30)


def run(values: Namespace) -> int:
    """Train the network, then write it."""
    model = learning.learned(CompareNet, Points(values.folders, values.seed), values)
    shown = ("the point", "an empty one", "a black one", "a white one")
    channels = [f"{colour} of {what}" for what in shown for colour in ("blue", "green", "red")]
    card = {
        "name": "photo-compare",
        "purpose": "what a point of a board of lines holds, seen beside the board's empty, black and white points",
        "input": {
            "shape": [0, CHANNELS, SIDE, SIDE],
            "channels": channels + [f"whether there is {what}" for what in shown[1:]],
            "normalisation": "stretched as the second three channels of photo-reader",
        },
        "outputs": {"points": "n x 4: logits of empty, black, white, hidden"},
    }
    learning.write(model, values, card, torch.zeros(1, CHANNELS, SIDE, SIDE), "points", free=(0,))
    return 0


class Points(IterableDataset[tuple[Tensor, Tensor]]):
    """Endless batches of points of boards of lines; every worker draws its own."""

    def __init__(self, folders: list[str], seed: int) -> None:
        self.seed = seed
        self.sources = read_weighted(folders, lambda lattice: not lattice.cells)
        if not self.sources:
            raise PhotoError("no picture with corners of a board of lines")

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor]]:
        cv2.setNumThreads(1)
        rng = worker_random(self.seed)
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
