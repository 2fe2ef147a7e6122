"""Write what was measured of weights of Reversi into their file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tengen.engine._core import REVERSI_NETWORK_OUT, REVERSI_SCORE_UNIT, REVERSI_WEIGHT_UNIT
from tengen.nets import safetensors
from tengen.tools.train.fitting.probcut import ARRAY, Fit

BIAS = "bias"
"""The array in the file of weights: a number for each count of empty cells."""
UNITS = {"int16": REVERSI_WEIGHT_UNIT, "int32": REVERSI_SCORE_UNIT * REVERSI_NETWORK_OUT}
"""Of a disc, by the type of BIAS: tables, and a network over patterns."""


def write(path: Path, fitted: Fit, errors: NDArray[np.float64], card: dict[str, object]) -> None:
    """Put the numbers of ProbCut into the file and take the errors of leaves out of it; `card` is written beside it."""
    arrays = safetensors.loads(path.read_bytes())
    bias = arrays[BIAS]
    limits, unit = np.iinfo(bias.dtype), UNITS[bias.dtype.name]
    centred = np.clip(bias - np.rint(errors * unit), limits.min, limits.max).astype(bias.dtype)
    safetensors.save(path, {**arrays, ARRAY: fitted.numbers, BIAS: centred}, card)
