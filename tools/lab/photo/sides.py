"""`sides`: train the network that tells a board's edge from a board that goes on, and write it with its card.

python -m tengen.tools.lab.photo sides FOLDER... --out nets/weights/photo-sides.onnx --minutes 20
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

from tengen.nets.photo_sides import HEIGHT, SideNet
from tengen.nets.training import worker_random
from tengen.tools.lab.photo import learning
from tengen.tools.lab.photo.dataset import Labelled, read_folders
from tengen.tools.lab.photo.side_samples import side_sample
from tengen.tools.photo.board_sides import Side, lined

_PICTURES = 8
"""Pictures of a batch, and strips of each."""
_STRIPS = 8
_SHORTEST = 6
_OF_PARTS = 0.4
"""The share of batches drawn from pictures of parts of boards."""


def configure(parser: ArgumentParser) -> None:
    """The options of `sides`."""
    learning.add_options(parser, "labelled pictures of whole boards", "FOLDER", 20)


def run(values: Namespace) -> int:
    """Train the network, then write it."""
    model = learning.learned(SideNet, Strips(values.folders, values.seed), values, smoothing=0.01)
    card = {
        "name": "photo-sides",
        "purpose": "what is at a side of a lattice: the board's edge, more of the board, a cut, or none of its lines",
        "input": {
            "shape": [0, 4, HEIGHT, 0],
            "channels": ["blue stretched", "green stretched", "red stretched", "inside of the picture"],
            "normalisation": "1st to 99th percentile to 0 and 1",
        },
        "outputs": {"side": f"n x {len(Side)}: logits of {', '.join(side.name.lower() for side in Side)}"},
    }
    learning.write(model, values, card, torch.zeros(1, 4, HEIGHT, 253), "side", free=(0, 3))
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
        rng = worker_random(self.seed)
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
