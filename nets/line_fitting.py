"""A network over Gomoku's lines learned from searched positions as a whole, pass by pass (`nets.fitting`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from tengen.nets.fitting import LOOKED_AT, Passes, ResultRecipe, expected
from tengen.nets.line_network import ROWS, SCORE, LineNetwork, Seen

_FAR = 20 * SCORE
"""From here on a score is as good as a win."""
ROW_BITS = 13
"""Of a row: the number of a pair of rows is own << ROW_BITS | enemy."""


@dataclass(frozen=True)
class LineRecipe(ResultRecipe):
    """The recipe of learning."""

    passes: int = 6
    rate: float = 0.005
    rise: int = 100
    floor: float = 0.01
    decay: float = 0.1
    batch: int = 512


class LinePositions(NamedTuple):
    """n positions as the side to move sees them. cells: uint32, the pairs of rows (ROW_BITS) of each one's cells, one
    position's after the other's; counts: n, int64, how many each has; threats: n x 2, uint8; scores: n, int16, and
    results: n, int8 (1, 0, -1, UNKNOWN), for the side to move; tables: n, int16, what the tables say."""

    cells: NDArray[np.uint32]
    counts: NDArray[np.int64]
    threats: NDArray[np.uint8]
    scores: NDArray[np.int16]
    results: NDArray[np.int8]
    tables: NDArray[np.int16]

    def expected(self, chosen: NDArray[np.int64] | slice, share: float) -> Tensor:
        """The results to learn, 0..1. share: of how games ended, where that is known."""
        return expected(self.scores[chosen].astype(np.float32).clip(-_FAR, _FAR) / SCORE, self.results[chosen], share)


def together(parts: Sequence[LinePositions]) -> LinePositions:
    """All positions of several lots."""
    return LinePositions(*(np.concatenate(column) for column in zip(*parts, strict=True)))


class Lookup:
    """Positions as the network takes them, any of them at a time."""

    def __init__(self, positions: LinePositions) -> None:
        is_there = np.zeros(ROWS << ROW_BITS, bool)
        is_there[positions.cells] = True
        pairs = np.flatnonzero(is_there)
        numbers = np.empty(ROWS << ROW_BITS, np.int32)
        numbers[pairs] = np.arange(len(pairs), dtype=np.int32)
        self._pairs, self._cells = pairs, numbers[positions.cells]
        self._starts = np.cumsum(positions.counts) - positions.counts
        self._counts, self._threats = positions.counts, positions.threats

    def seen(self, chosen: NDArray[np.int64]) -> Seen:
        """Positions by their numbers."""
        counts = self._counts[chosen]
        starts = np.cumsum(counts) - counts
        places = np.arange(int(counts.sum())) + np.repeat(self._starts[chosen] - starts, counts)
        cells = self._cells[places]
        is_there = np.zeros(len(self._pairs), bool)
        is_there[cells] = True
        pairs = self._pairs[is_there]
        numbers = np.cumsum(is_there, dtype=np.int64) - 1
        own, enemy = pairs >> ROW_BITS, pairs & (1 << ROW_BITS) - 1
        whole = (own, enemy, numbers[cells], starts, self._threats[chosen].astype(np.int64))
        return Seen(*map(torch.from_numpy, whole))


class LineFitting(Passes):
    """A network that learns from positions. Raises ValueError for fewer positions than a batch has."""

    recipe: LineRecipe

    def __init__(self, model: LineNetwork, positions: LinePositions, recipe: LineRecipe) -> None:
        super().__init__(model, len(positions.counts), recipe)
        self.model, self._positions, self._lookup = model, positions, Lookup(positions)

    def error(self, positions: LinePositions, lookup: Lookup) -> tuple[float, float]:
        """The mean loss, and the mean distance from what the search alone expected (0..1)."""
        found = self.answers(lookup, len(positions.counts)).sigmoid()
        return losses(found, positions, self.recipe.results)

    def answers(self, lookup: Lookup, count: int) -> Tensor:
        """The logits of that many positions."""
        with torch.no_grad():
            parts = [np.arange(begin, min(begin + LOOKED_AT, count)) for begin in range(0, count, LOOKED_AT)]
            return torch.cat([self.model(lookup.seen(part)) for part in parts])

    # -- inside -------------------------------------------------------------------------------------------

    def _judged(self, chosen: NDArray[np.int64]) -> tuple[Tensor, Tensor]:
        off = self.model(self._lookup.seen(chosen)).sigmoid() - self._positions.expected(chosen, self.recipe.results)
        loss = off.square().mean()
        return loss, loss.detach()

    def _settle(self) -> None:
        self.model.clip()

    def _seen(self) -> Mapping[str, Any]:
        found = self._positions
        return {"count": len(found.counts), "scores": int(found.scores.sum(dtype=np.int64))}


def losses(found: Tensor, positions: LinePositions, results: float) -> tuple[float, float]:
    """The mean loss of expected results, and their mean distance from what the search alone expected (0..1)."""
    every = slice(None)
    loss = (found - positions.expected(every, results)).square().double().mean()
    return float(loss), float((found - positions.expected(every, 0)).abs().double().mean())
