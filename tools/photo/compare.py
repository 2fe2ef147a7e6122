"""A second look at every point of a board of lines, beside what the board's other points look like.

A stone that is seen through, a coloured disc of a hint or a stone under a large mark is told best by what it differs
from: the empty points, black and white stones of the same board, each as the median of some of them. A small network
(`tengen.nets.photo_compare.CompareNet`) sees a point and these three. On photos light and perspective make stones of
one colour differ more than a stone seen through does: there it changes nothing, it only raises doubts.
"""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from tengen.tools.photo.geometry import Lattice
from tengen.tools.photo.networks import run
from tengen.tools.photo.results import Point

PITCH = 16
"""Pixels a cell of the rectified board, as `reader.planes` has it."""
SIDE = 2 * PITCH + 1
CHANNELS = 15
EXAMPLES = 24
"""Points of a kind that its example is the median of."""
SURE = 0.9
"""A point that is read with less than this is no example."""
CONFIRMED = 0.9
"""The least share of the second look that confirms a reading."""
DOUBT = 0.3
"""The second look's share in a point that it does not confirm where it has not its usual half."""

FIRST, SECOND = 0.8, 0.92
"""A point of a screenshot is doubtful where the first look gives what it is read as less, or the second.

Fitted to 800 drawn screenshots: most that were misread had one point of which one look was sure and the other not."""
DOUBTFUL = 0.7
"""The most confidence of a doubtful point: its board is warned of."""

UPRIGHT, NEARLY = 0.12, 0.2
"""Cells by which a board's sides lean, below which it may be a screenshot's, and may be one that was found roughly."""

Plane = NDArray[np.float32]


def leaning(lattice: Lattice) -> float:
    """Cells by which the side of a board that leans most leaves the upright or the level; a screenshot's hardly do."""
    corners = lattice.corners()
    sides = np.abs(np.roll(corners, -1, 0) - corners)
    return float(sides.min(1).max() / lattice.cell())


def joined(probabilities: NDArray[np.float32], stretched: Plane, lean: float) -> NDArray[np.float32]:
    """Join the reading of a board (size, size, 4) with the second look at it.

    stretched (3, h, w): the rectified board, as the second three channels of `reader.planes`. lean: see `leaning`. Of
    an upright board it is the mean of both, doubtful where either is unsure. Other boards keep what was read: of nearly
    upright ones the mean says how sure it is; of the rest only points that were read surely and are not confirmed
    become doubtful.
    """
    inputs = planes(cut(stretched), thought(probabilities)).reshape(-1, CHANNELS, SIDE, SIDE)
    logits = run("compare", inputs)["points"].reshape(probabilities.shape)
    shares = np.exp(logits - logits.max(-1, keepdims=True))
    shares /= shares.sum(-1, keepdims=True)
    read = probabilities.argmax(-1)[..., None]
    sure = probabilities.max(-1, keepdims=True) > SURE
    is_doubtful = sure & (read != Point.HIDDEN) & (np.take_along_axis(shares, read, -1) < CONFIRMED)
    weight = 0.5 if lean < NEARLY else DOUBT * is_doubtful
    out = (1 - weight) * probabilities + weight * shares
    if lean >= UPRIGHT:
        out = _keeping(out, read)
    if lean >= NEARLY:
        return np.asarray(out, np.float32)
    best = out.argmax(-1)[..., None]
    first, second = (np.take_along_axis(look, best, -1)[..., 0] for look in (probabilities, shares))
    return doubted(out, (first < FIRST) | (second < SECOND))


def doubted(shares: NDArray[np.float32], where: NDArray[np.bool_]) -> NDArray[np.float32]:
    """The shares (size, size, 4), the largest at these points (size, size) at most DOUBTFUL; others get the rest."""
    best = shares.max(-1, keepdims=True)
    over = where[..., None] * np.maximum(best - DOUBTFUL, 0)
    return np.asarray(np.where(shares == best, shares - over, shares + over / 3), np.float32)


def _keeping(shares: NDArray[np.float32], read: NDArray[np.int64]) -> NDArray[np.float32]:
    """The shares (size, size, 4) with the largest exchanged for that of the point (size, size, 1) that was read."""
    best = shares.argmax(-1)[..., None]
    out = shares.copy()
    np.put_along_axis(out, best, np.take_along_axis(shares, read, -1), -1)
    np.put_along_axis(out, read, np.take_along_axis(shares, best, -1), -1)
    return out


def cut(stretched: Plane) -> Plane:
    """The patches (size, size, 3, SIDE, SIDE) of a rectified board (3, h, w), one cell of margin around it."""
    windows = sliding_window_view(stretched, (SIDE, SIDE), axis=(1, 2))[:, ::PITCH, ::PITCH]
    return np.asarray(windows.transpose(1, 2, 0, 3, 4), np.float32)


def planes(patches: Plane, kinds: NDArray[np.int8]) -> Plane:
    """The input (size, size, CHANNELS, SIDE, SIDE) of the network: each patch, and what is like it of every kind.

    kinds (size, size): the Point that each is thought to be, -1 where that is not sure. The examples are nine channels:
    of empty, black and white points, a half where there is none; three more say where there is one. A point is no
    example of itself as long as few others are.
    """
    size = len(patches)
    out = np.full((size, size, CHANNELS, SIDE, SIDE), 0.5, np.float32)
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
    kinds = np.asarray(probabilities.argmax(-1), np.int8)
    kinds[(probabilities.max(-1) < SURE) | (kinds == Point.HIDDEN)] = -1
    return kinds
