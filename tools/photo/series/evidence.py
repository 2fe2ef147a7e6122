"""The evidence of a series' frames for each point: log likelihoods, and the outlook from each frame to the end.

The outlook is the series solved with every point for itself (Viterbi's recursion backwards in time), no rule of the
game but the costs of putting a stone down and of taking one away. The search of `infer` uses it as its look ahead: a
stone that is seen in one frame and never again is worth nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tengen.tools.photo.results import Point

Table = NDArray[np.float32]
"""(frames, points, 3): [frame, row * size + column, Point.EMPTY | BLACK | WHITE]."""
MISREAD = 0.006
"""The probability of a wrong reading whatever its probabilities say; bounds the weight of one reading."""
PLACE, REMOVE, TURN = 4.0, 6.0, 1.0
"""Costs (nats) of a stone that appears, that disappears and, in Reversi, that changes its colour."""
CAPTURE = 3.0
"""Instead of REMOVE in Go, where a stone that vanishes may have been captured."""


def likelihoods(frames: Sequence[NDArray[np.float32]]) -> Table:
    """Log likelihoods of the three contents of each point; a hidden point says the same of all three.

    `frames`: one (size, size, 4) a frame, as `Reading.probabilities`.
    """
    table = np.empty((len(frames), frames[0].shape[0] ** 2, 3), np.float32)
    for row, frame in zip(table, frames, strict=True):
        flat = np.nan_to_num(frame.reshape(-1, 4).astype(np.float32), nan=0.25)
        seen = flat[:, :3] + flat[:, Point.HIDDEN :] / 3
        row[:] = np.log((1 - MISREAD) * np.clip(seen, 0, 1) + MISREAD / 3)
    return table


def transitions(game: str) -> NDArray[np.float32]:
    """(3, 3) costs from one content of a point to another between two frames."""
    remove = CAPTURE if game == "go" else REMOVE
    turn = TURN if game == "reversi" else PLACE + remove
    return np.array([[0, PLACE, PLACE], [remove, 0, turn], [remove, turn, 0]], np.float32)


def outlook(table: Table, game: str) -> Table:
    """(frames, points, 3): the best log likelihood of all later frames when a point holds this in this frame."""
    ahead = np.zeros_like(table)
    costs = transitions(game)
    for frame in range(len(table) - 2, -1, -1):
        after = table[frame + 1] + ahead[frame + 1]
        ahead[frame] = (after[:, None, :] - costs[None]).max(-1)
    return ahead
