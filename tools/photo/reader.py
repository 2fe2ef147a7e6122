"""Reading the stones of a rectified board with a network."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tengen.tools.photo.geometry import Image

PITCH = 16
"""Pixels a cell of a rectified board as the network sees it."""


def planes(flat: Image) -> NDArray[np.float32]:
    """The input (6, h, w) of the network from a rectified board (h, w, 3): colours, and the same stretched.

    The second three run from the 2nd to the 98th percentile of their colour on this board, so that a dim or tinted
    board looks like any other.
    """
    plain = flat.astype(np.float32).transpose(2, 0, 1) / 255
    low, high = np.percentile(plain[:, ::3, ::3], [2, 98], axis=(1, 2)).astype(np.float32)
    stretched = (plain - low[:, None, None]) / np.maximum(high - low, 0.05)[:, None, None]
    return np.concatenate([plain, np.clip(stretched, -0.5, 1.5)])
