"""Reading the stones of a rectified board with networks, seen eight ways; discs in squares have their own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tengen.tools.photo import compare
from tengen.tools.photo.geometry import Image, Lattice
from tengen.tools.photo.networks import network, run

PITCH = 16
"""Pixels a cell of a rectified board as the network sees it."""
SURE = 0.7
"""A network that gives a point more is sure of it."""


def read(image: Image, lattice: Lattice, *, is_real: bool = False) -> NDArray[np.float32]:
    """Probabilities (size, size, 4) of `reading.Point` at every point, the mean over the board's eight symmetries.

    Points outside of the picture are read from its repeated edge; the caller marks them. is_real: the board is known to
    be no screenshot, so that "marks" is not asked and nothing is looked at a second time (`compare`). The
    card's `temperature` makes the probabilities fit what was measured (`lab calibrate`).
    """
    flat = planes(lattice.rectify(image, PITCH, 1.0))
    found = [shares(logits(name, flat), temperature_of(name)) for name in names_of(lattice)[: 1 if is_real else None]]
    mean = np.asarray(np.mean(found, axis=0), np.float32)
    if is_real or lattice.cells:
        return mean
    return settled(found, compare.joined(mean, flat[3:], compare.leaning(lattice)))


def settled(found: Sequence[NDArray[np.float32]], joined: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the joined reading (size, size, 4), uncertain where two networks in `found` are certain of different
    answers."""
    first, *others = (shares.argmax(-1) for shares in found)
    sure = np.min([shares.max(-1) for shares in found], axis=0) > SURE
    return compare.doubted(joined, sure & np.any([first != other for other in others], axis=0))


def name_of(lattice: Lattice) -> str:
    """The network that is trained to read it: "discs" those in squares, "reader" stones on lines."""
    return "discs" if lattice.cells else "reader"


def names_of(lattice: Lattice) -> tuple[str, ...]:
    """The networks that read it, whose answers are averaged.

    Stones on lines are read by "marks" too, which learned from screenshots with what programs show over boards: where
    it and "reader" differ the point is uncertain, which is said.
    """
    return (name_of(lattice),) if lattice.cells else (name_of(lattice), "marks")


def temperature_of(name: str) -> float:
    """Return the divisor of the logits of a network."""
    return float(network(name).card.settings.get("temperature", 1.0))


def logits(name: str, flat: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return a network's answer (8, size, size, 4) to `planes`, once for each symmetry of the board, all turned
    back."""
    views = [np.rot90(side, turn, (1, 2)) for side in (flat, flat[:, :, ::-1]) for turn in range(4)]
    answers = run(name, np.ascontiguousarray(np.stack(views)))["points"]
    back = [np.rot90(answers[turn], -turn, (1, 2)) for turn in range(4)]
    back += [np.rot90(answers[4 + turn], -turn, (1, 2))[:, :, ::-1] for turn in range(4)]
    return np.stack(back).transpose(0, 2, 3, 1)


def shares(logits: NDArray[np.float32], temperature: float) -> NDArray[np.float32]:
    """Probabilities (..., 4): the mean of those that answers (8, ..., 4) give at a temperature."""
    scaled = logits / np.float32(temperature)
    high = np.exp(scaled - scaled.max(-1, keepdims=True))
    return np.asarray((high / high.sum(-1, keepdims=True)).mean(0), np.float32)


def planes(flat: Image) -> NDArray[np.float32]:
    """The input (6, h, w) of the network from a rectified board (h, w, 3): colours, and the same stretched.

    The second three run from the 0.5th to the 99.5th percentile of their colour on this board, so that a dim or tinted
    board looks like any other, and two stones are enough to say what black and white are.
    """
    plain = flat.astype(np.float32).transpose(2, 0, 1) / 255
    low, high = np.percentile(plain[:, ::3, ::3], [0.5, 99.5], axis=(1, 2)).astype(np.float32)
    stretched = (plain - low[:, None, None]) / np.maximum(high - low, 0.05)[:, None, None]
    return np.concatenate([plain, np.clip(stretched, -0.5, 1.5)])
