"""A second look at every point of a board of lines, beside what the board's other points look like.

A stone that is seen through, a coloured disc of a hint or a stone under a large mark is told best by what it differs
from: the empty points, black and white stones of the same board, each as the median of some of them. A small network
(`tengen.nets.photo_compare.CompareNet`) sees a point and these three.
"""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from tengen.tools.photo.reading import Point

PITCH = 16
"""Pixels a cell of the rectified board, as `reader.planes` has it."""
SIDE = 2 * PITCH + 1
EXAMPLES = 24
"""Points of a kind that its example is the median of."""
SURE = 0.9
"""A point that is read with less than this is no example."""

Plane = NDArray[np.float32]


def cut(stretched: Plane) -> Plane:
    """The patches (size, size, 3, SIDE, SIDE) of a rectified board (3, h, w), one cell of margin around it."""
    windows = sliding_window_view(stretched, (SIDE, SIDE), axis=(1, 2))[:, ::PITCH, ::PITCH]
    return np.asarray(windows.transpose(1, 2, 0, 3, 4), np.float32)


def planes(patches: Plane, kinds: NDArray[np.int8]) -> Plane:
    """The input (size, size, 15, SIDE, SIDE) of the network: each patch, and what is like it of every kind.

    kinds (size, size): the Point that each is thought to be, -1 where that is not sure. The examples are nine channels:
    of empty, black and white points, a half where there is none; three more say where there is one. A point is no
    example of itself as long as few others are.
    """
    size = len(patches)
    out = np.full((size, size, 15, SIDE, SIDE), 0.5, np.float32)
    out[:, :, :3] = patches
    out[:, :, 12:] = 0
    for kind in (Point.EMPTY, Point.BLACK, Point.WHITE):
        at = np.argwhere(kinds == kind)
        at = at[np.linspace(0, len(at) - 1, min(len(at), EXAMPLES)).round().astype(int)]
        if not len(at):
            continue
        some = patches[at[:, 0], at[:, 1]]
        channels = slice(3 + 3 * kind, 6 + 3 * kind)
        out[:, :, channels] = np.median(some, axis=0)
        out[:, :, 12 + kind] = 1
        if len(at) > 4:
            continue
        for n, (row, column) in enumerate(at):
            rest = np.delete(some, n, axis=0)
            out[row, column, channels] = np.median(rest, axis=0) if len(rest) else 0.5
            out[row, column, 12 + kind] = float(len(rest) > 0)
    return out


def thought(probabilities: NDArray[np.float32]) -> NDArray[np.int8]:
    """The kinds (size, size) that `planes` takes, of probabilities (size, size, 4)."""
    kinds = probabilities.argmax(-1).astype(np.int8)
    kinds[(probabilities.max(-1) < SURE) | (kinds == Point.HIDDEN)] = -1
    return kinds
