"""Reversi by a small network over patterns: each place looks up a vector, a head of the game's phase reads their sum.

The shape is that of the core's `PatternNetwork` (`core/reversi/pattern_network.hpp`), which computes in whole numbers
what is written here in floats. All phases share the vectors, so that they are learned from every position; a linear
table (`nets/patterns.py`) has weights of its own for each phase, and no way to say that two patterns together are worth
more than both.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from tengen.engine._core import (
    REVERSI_NETWORK_HIDDEN,
    REVERSI_NETWORK_MATRIX,
    REVERSI_NETWORK_OUT,
    REVERSI_NETWORK_SUM,
    REVERSI_NETWORK_WIDTH,
    REVERSI_SCORE_UNIT,
    ReversiLearner,
)
from tengen.nets.core_answers import Kept, answers
from tengen.nets.patterns import COUNTS, Patterns, check, phase_of
from tengen.nets.spec import ModelSpec

if TYPE_CHECKING:
    from tengen.engine._core import FeatureSet

PHASES = 15
DISCS = 16.0
"""The discs of one unit of the head's answer."""
VECTOR_BEGIN, OFFSET_BEGIN, BIAS_BEGIN, DIRECT_BEGIN = 0.02, 0.2, 0.1, 0.3


class VectorNet(Patterns):
    """Vectors of `width` numbers, and by phase a layer of `hidden` units on their clipped sum, squared, beside the sum
    itself."""

    def __init__(self, width: int = REVERSI_NETWORK_WIDTH, hidden: int = REVERSI_NETWORK_HIDDEN) -> None:
        super().__init__()
        self.vectors = nn.EmbeddingBag(self.count, width, mode="sum")
        nn.init.normal_(self.vectors.weight, std=VECTOR_BEGIN)
        self.offsets = nn.Parameter(torch.full((PHASES, width), OFFSET_BEGIN))
        self.hidden = nn.Parameter(_alike(width, hidden) / width**0.5)
        self.hidden_bias = nn.Parameter(torch.full((PHASES, hidden), BIAS_BEGIN))
        self.direct = nn.Parameter(_alike(width) * DIRECT_BEGIN)
        self.output = nn.Parameter(_alike(hidden) / hidden**0.5)
        self.bias = nn.Embedding(COUNTS, 1)
        nn.init.zeros_(self.bias.weight)
        self._learner = Kept()

    def said(self, sides: NDArray[np.uint64]) -> Tensor:
        learner = self._learner(lambda threads: ReversiLearner(PHASES, threads))
        weights = (
            self.vectors.weight, self.offsets, self.hidden, self.hidden_bias, self.direct, self.output,
            self.bias.weight,
        )  # fmt: skip
        return answers(learner, (sides,), weights)

    def evaluation(self, indices: Tensor, empties: Tensor) -> Tensor:
        phase = phase_of(empties, PHASES)
        found = self.vectors(indices)
        active = (found + self.offsets[phase]).clamp(0, 1)
        units = torch.einsum("nw,nwh->nh", active, self.hidden[phase]) + self.hidden_bias[phase]
        margin = (units.clamp(0, 1) ** 2 * self.output[phase]).sum(1) + (found * self.direct[phase]).sum(1)
        return DISCS * margin + self.bias(empties)[:, 0]

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {name: _rounded(tensor, unit, kind) for name, (tensor, unit, kind) in self._in_the_file().items()}

    def begin_with(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take over what `arrays` told. Raises ValueError with the reason in one clause."""
        for name, array in self.arrays().items():
            found = arrays.get(name)
            if found is None or found.shape != array.shape or found.dtype != array.dtype:
                raise ValueError(
                    f"'{name}' is not the {array.dtype.name} {list(array.shape)} of a network over patterns"
                )
        with torch.no_grad():
            for name, (tensor, unit, _) in self._in_the_file().items():
                tensor.copy_(torch.from_numpy(arrays[name].astype(np.float64) / unit))

    def _in_the_file(self) -> dict[str, tuple[Tensor, float, type[Any]]]:
        """By its name there: an array, its unit and its type."""
        whole, score = REVERSI_NETWORK_OUT, DISCS * REVERSI_SCORE_UNIT
        return {
            "vectors": (self.vectors.weight, REVERSI_NETWORK_SUM, np.int16),
            "offsets": (self.offsets, REVERSI_NETWORK_SUM, np.int16),
            "hidden": (self.hidden, REVERSI_NETWORK_MATRIX, np.int16),
            "hidden_bias": (self.hidden_bias, REVERSI_NETWORK_SUM * REVERSI_NETWORK_MATRIX, np.int32),
            "direct": (self.direct, score * whole / REVERSI_NETWORK_SUM, np.int16),
            "output": (self.output, score, np.int16),
            "bias": (self.bias.weight[:, 0], REVERSI_SCORE_UNIT * whole, np.int32),
        }


def pattern_network(spec: ModelSpec, features: FeatureSet, board: tuple[int, int] | None) -> VectorNet:
    """A line of `models.KINDS`. Raises ValueError for another feature set."""
    check(spec.kind, features)
    return VectorNet()


def _alike(*shape: int) -> Tensor:
    """The same normal numbers for every phase."""
    return torch.randn(1, *shape).repeat(PHASES, *(1 for _ in shape))


def _rounded(values: Tensor, unit: float, kind: type[Any]) -> NDArray[Any]:
    limits = np.iinfo(kind)
    whole = np.rint(values.detach().cpu().double().numpy() * unit)
    return np.asarray(np.clip(whole, limits.min, limits.max), kind)
