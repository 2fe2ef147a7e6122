"""`calibrate`: the two constants that make stated probabilities fit, measured on pictures that nothing was trained on.

The temperature of each reading network (it goes into its card, `export --temperature`) is what makes labelled points
likeliest when the true corners are given. `judging.LIKELY` is a logistic regression of whether a proposed lattice is
right.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from tengen.tools.lab.photo import score
from tengen.tools.lab.photo.dataset import Labelled, read_folders
from tengen.tools.live import Live
from tengen.tools.photo import confidence, pipeline, stone_reader
from tengen.tools.photo.geometry import SIZES, Floats, Image, Lattice
from tengen.tools.photo.results import CERTAIN, PhotoError, Point

TEMPERATURES = tuple(round(0.2 + 0.05 * step, 2) for step in range(37))
_PROPOSALS = 2
"""Lattices of a picture that count, the best first."""
_RIDGE = 0.01
"""How much weights are held back, so that sets that can be parted exactly have an answer too."""
_BINS = (0.0, 0.1, 0.3, 0.5, 0.9, 0.97, 0.99, 1.0)

Proposal = tuple[float, float, bool]
"""The score of its fit, how clear its points are (`judging.clearness`), whether the lattice is right."""


def configure(parser: ArgumentParser) -> None:
    """The options of `calibrate`."""
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="a folder of labelled pictures")
    parser.add_argument("--clutter", type=Path, help="a folder of pictures without a board")


def run(values: Namespace) -> int:
    """Print both constants and how well they fit. Raises PhotoError for a folder that cannot be used."""
    pictures = [labelled for labelled in read_folders(values.folders) if labelled.lattice is not None]
    if not pictures:
        raise PhotoError("no picture has corners")
    with Live(is_patient=True) as live:
        live.update(f"reading {len(pictures)} pictures")
        return _fitted(pictures, values, live)


def _fitted(pictures: Sequence[Labelled], values: Namespace, live: Live) -> int:
    """Fit both and print them."""
    for name in sorted({stone_reader.name_of(_lattice(labelled)) for labelled in pictures}):
        answers, labels = points([one for one in pictures if stone_reader.name_of(_lattice(one)) == name])
        temperature = best_temperature(answers, labels)
        live.result(f"{name}: temperature {temperature:g}: {share_of_certain(answers, labels, temperature)}")
    live.update("fitting the weights of proposals")
    proposals = [proposal for labelled in pictures for proposal in proposals_of(labelled.image(), labelled)]
    for path in sorted(values.clutter.glob("*.jpg")) if values.clutter else []:
        pixels = cv2.imread(str(path), cv2.IMREAD_COLOR)
        if pixels is None:
            raise PhotoError(f"'{path}' is not a picture that can be read")
        proposals += proposals_of(np.asarray(pixels, np.uint8), None)
    weights = regression(proposals)
    right = sum(is_right for *_, is_right in proposals)
    live.clear()
    print(f"LIKELY {tuple(weights.round(2).tolist())}: {len(proposals)} lattices, {right} right")
    print("\n".join(table(proposals, weights)))
    return 0


def points(pictures: Iterable[Labelled]) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """The reader's answers (8, n, 4) at the points that are not hidden, true corners given, and labels (n,)."""
    answers, labels = [], []
    for labelled in pictures:
        shown = labelled.labels != Point.HIDDEN
        answers.append(_logits(labelled)[:, shown])
        labels.append(labelled.labels[shown])
    return np.concatenate(answers, 1), np.concatenate(labels).astype(np.int64)


def _logits(labelled: Labelled) -> NDArray[np.float32]:
    lattice = _lattice(labelled)
    flat = stone_reader.planes(lattice.rectify(labelled.image(), stone_reader.PITCH, 1.0))
    return stone_reader.logits(stone_reader.name_of(lattice), flat)


def _lattice(labelled: Labelled) -> Lattice:
    assert labelled.lattice is not None
    return labelled.lattice


def best_temperature(answers: NDArray[np.float32], labels: NDArray[np.int64]) -> float:
    """The one of TEMPERATURES at which the labels are likeliest."""

    def loss(temperature: float) -> float:
        shares = stone_reader.shares(answers, temperature)
        return -float(np.log(np.clip(shares[np.arange(len(labels)), labels], 1e-6, 1)).mean())

    return min(TEMPERATURES, key=loss)


def share_of_certain(answers: NDArray[np.float32], labels: NDArray[np.int64], temperature: float) -> str:
    """A sentence: how many points are certain, and how many of those are right."""
    shares = stone_reader.shares(answers, temperature)[:, :3]
    certain = shares.max(1) >= CERTAIN
    right = int((shares.argmax(1) == labels)[certain].sum())
    return f"{certain.sum()} of {len(labels)} points are certain, {right} of these right"


def proposals_of(image: Image, labelled: Labelled | None) -> Iterator[Proposal]:
    """The best lattices that are found in a picture; `labelled` None has no board."""
    small, factor = pipeline.reduced(image)
    for hypothesis in pipeline.together(small, SIZES)[:_PROPOSALS]:
        whole = pipeline.scaled(hypothesis, 1 / factor)
        reading = pipeline.judge(image, whole, pipeline.Settings())
        is_right = labelled is not None and score.judge(labelled, [reading], 0.0).has_right_lattice
        yield hypothesis.score, confidence.clearness(reading.probabilities), is_right


def regression(proposals: Sequence[Proposal]) -> Floats:
    """Constant, weight of the score and weight of the clearness (3,): logistic regression by Newton's method."""
    table = np.array(proposals, float).reshape(-1, 3)
    inputs = np.column_stack([np.ones(len(table)), table[:, :2]])
    held = _RIDGE * np.diag([0.0, 1.0, 1.0])
    weights = np.zeros(3)
    for _ in range(50):
        chance = chances(inputs @ weights)
        slope = inputs.T @ (chance - table[:, 2]) + held @ weights
        curve = (inputs * (chance * (1 - chance))[:, None]).T @ inputs + held + 1e-9 * np.eye(3)
        weights = weights - np.linalg.solve(curve, slope)
    return np.asarray(weights, np.float64)


def chances(odds: Floats) -> Floats:
    """Probabilities of log odds."""
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -30, 30))), np.float64)


def table(proposals: Sequence[Proposal], weights: Floats) -> Iterator[str]:
    """Lines: of the lattices whose stated probability is in a bin, how many are right."""
    rows = np.array(proposals, float).reshape(-1, 3)
    stated = chances(weights[0] + rows[:, :2] @ weights[1:])
    for low, high in zip(_BINS, _BINS[1:], strict=False):
        inside = (stated >= low) & ((stated < high) | (high == 1.0))
        if inside.any():
            yield f"  {low:.2f}-{high:.2f}: {inside.sum():4} lattices, {rows[inside, 2].mean():.3f} right"
