"""Patches: a labelled picture cut into one small picture a point, and the split into training, validation and test.

A patch is what `reader.planes` makes of the two cells around a point, kept in 8 bits. Photos without marked corners
cannot be cut. Points labelled hidden are a class like the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tengen.tools.lab.photo.dataset import Labelled
from tengen.tools.photo.geometry import Image, Lattice
from tengen.tools.photo.results import PhotoError
from tengen.tools.photo.stone_reader import planes

PITCH = 12
"""Pixels a cell."""
SIDE = 2 * PITCH + 1
SPLITS = ("photo", "patch")

Patches = NDArray[np.uint8]
"""(n, 6, SIDE, SIDE): see `decoded`."""


@dataclass(frozen=True)
class Cut:
    """Patches (n, 6, SIDE, SIDE), the Point (n,) that each shows, and the place (n,) of its photo in `names`."""

    patches: Patches
    labels: NDArray[np.int64]
    photos: NDArray[np.int64]
    names: tuple[str, ...]


def cut(image: Image, lattice: Lattice) -> Patches:
    """The patches (size * size, 6, SIDE, SIDE) of a board, row by row."""
    whole = np.rint((planes(lattice.rectify(image, PITCH, 1.0)) + 0.5) * 127.5).clip(0, 255).astype(np.uint8)
    starts = range(0, lattice.size * PITCH, PITCH)
    return np.stack([whole[:, y : y + SIDE, x : x + SIDE] for y in starts for x in starts])


def decoded(patches: Patches) -> NDArray[np.float32]:
    """Return the input of a network: the values of `reader.planes`, to 1/255."""
    return patches.astype(np.float32) / 127.5 - 0.5


def cut_all(pictures: Sequence[Labelled]) -> Cut:
    """The patches of all pictures with marked corners. Raises PhotoError if none is left or one cannot be read."""
    marked = [(one, one.lattice) for one in pictures if one.lattice is not None]
    if not marked:
        raise PhotoError("no picture has marked corners, which patches are cut by (NAME.corners.json)")
    patches = [cut(one.image(), lattice) for one, lattice in marked]
    labels = [one.labels.ravel().astype(np.int64) for one, _ in marked]
    photos = np.repeat(np.arange(len(marked)), [len(some) for some in labels])
    return Cut(np.concatenate(patches), np.concatenate(labels), photos, tuple(one.name for one, _ in marked))


def split(photos: NDArray[np.int64], seed: int, by: str = "photo") -> tuple[NDArray[np.int64], ...]:
    """Indices of training, validation and test, 8:1:1, of patches whose photos these are.

    By "photo", whole photos go to one part, since the patches of one photo are not independent: they share light,
    board, stones and camera, and neighbours even their pixels. A network can then be right about a patch by what it
    remembers of the patches around it, and accuracy and early stopping look better than they are for a new photo.
    "patch" draws patches one by one, as the recipe did that this is the baseline of. Photos of one game or one evening
    are not told apart by either: keep such sets in folders of their own. Raises PhotoError if there are too few.
    """
    drawn = photos if by == "photo" else np.arange(len(photos))
    units = np.random.default_rng(seed).permutation(np.unique(drawn))
    tenth = max(1, round(len(units) / 10))
    if len(units) < 3:
        raise PhotoError("8:1:1 needs at least three photos with marked corners")
    parts = units[2 * tenth :], units[:tenth], units[tenth : 2 * tenth]
    return tuple(np.flatnonzero(np.isin(drawn, part)) for part in parts)
