"""Rows to learn from that have a rule: what to play and who wins can be seen on the board."""

from __future__ import annotations

from typing import Any

import numpy as np

from tengen.engine import _core
from tengen.tools.train.data.rows import Batch


def go_features() -> Any:
    return next(features for features in _core.feature_sets() if features.name == "katago-v7")


def go_rows(count: int, side: int, seed: int) -> Batch:
    """Plane 1 has some stones, plane 2 marks the point to play. Who has more stones than three tenths of the points wins
    by as many as are more; a point with a stone is owned."""
    random = np.random.default_rng(seed)
    planes = np.zeros((count, 22, side, side), np.float32)
    planes[:, 0] = 1
    planes[:, 1] = random.random((count, side, side)) < 0.3
    marked = random.integers(side * side, size=count)
    planes.reshape(count, 22, -1)[np.arange(count), 2, marked] = 1
    policy = np.eye(side * side + 1, dtype=np.float32)[marked]
    score = (planes[:, 1].sum((1, 2)) - round(0.3 * side * side)).astype(np.float32)
    value = np.stack([score > 0, score == 0, score < 0], 1).astype(np.float32)
    numbers = random.random((count, 19)).astype(np.float32)
    return Batch(
        planes, numbers, policy, np.roll(policy, 1, 1), value, value.copy(), score, 2 * planes[:, 1] - 1,
        score.copy(), np.ones(count, np.float32),
    )  # fmt: skip
