"""A network of chess learned from labelled positions as a whole, pass by pass (`nets.fitting`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from tengen.nets.chess_network import CENTIPAWNS, ChessNetwork
from tengen.nets.fitting import Passes, ResultRecipe, mixed

LOOKED_AT = 1 << 14
"""Positions that are judged at once."""


@dataclass(frozen=True)
class ChessRecipe(ResultRecipe):
    """The recipe of learning."""

    passes: int = 15
    rate: float = 0.002
    rise: int = 200
    floor: float = 0.01
    decay: float = 0.01
    batch: int = 16384


WON = 65_535
"""A win, as `Labelled.returns` has it."""


class Labelled(NamedTuple):
    """n positions. boards: n x 32, uint8, two squares each, a1 in the lower four bits of the first; sides: n, uint8,
    who moves (0 White). For the side to move, scores: n, int16, centipawns; results: n, int8 (1, 0, -1, UNKNOWN);
    returns: n, uint16, the expected result by its search and later ones of its game, 0 to WON."""

    boards: NDArray[np.uint8]
    sides: NDArray[np.uint8]
    scores: NDArray[np.int16]
    results: NDArray[np.int8]
    returns: NDArray[np.uint16]

    def said(self, model: ChessNetwork, chosen: NDArray[np.int64] | slice) -> Tensor:
        """What a network expects of positions, by their numbers, 0..1."""
        found: Tensor = model(self.boards[chosen], self.sides[chosen])
        return found.sigmoid()

    def expected(self, chosen: NDArray[np.int64] | slice, share: float) -> Tensor:
        """The results to learn, 0..1. share: of how games ended, where that is known."""
        returns = self.returns[chosen].astype(np.float32) / WON
        return mixed(returns, self.results[chosen], share)

    def distances(self, found: Tensor, chosen: NDArray[np.int64] | slice) -> Tensor:
        """How far from it is what the search of each position alone expects, 0..1."""
        said = torch.from_numpy(self.scores[chosen].astype(np.float32)).div(CENTIPAWNS).sigmoid()
        return (found - said).abs()


class ChessFitting(Passes):
    """A network that learns from positions. Raises ValueError for fewer positions than a batch has."""

    recipe: ChessRecipe

    def __init__(self, model: ChessNetwork, positions: Labelled, recipe: ChessRecipe) -> None:
        super().__init__(model, len(positions.sides), recipe)
        self.model, self._positions = model, positions

    def error(self, positions: Labelled) -> tuple[float, float]:
        """The mean loss, and the mean distance from what the search alone expected (0..1)."""
        losses = distances = 0.0
        count = len(positions.sides)
        with torch.no_grad():
            for begin in range(0, count, LOOKED_AT):
                part = slice(begin, begin + LOOKED_AT)
                found = positions.said(self.model, part)
                losses += float((found - positions.expected(part, self.recipe.results)).square().double().sum())
                distances += float(positions.distances(found, part).double().sum())
        return losses / count, distances / count

    # -- inside -------------------------------------------------------------------------------------------

    def _judged(self, chosen: NDArray[np.int64]) -> tuple[Tensor, Tensor]:
        found = self._positions.said(self.model, chosen)
        off = found - self._positions.expected(chosen, self.recipe.results)
        loss = off.square().mean()
        return loss, loss.detach()

    def _settle(self) -> None:
        self.model.clip()

    def _seen(self) -> Mapping[str, Any]:
        found = self._positions
        return {
            "count": len(found.sides),
            "scores": int(found.scores.sum(dtype=np.int64)),
            "returns": int(found.returns.sum(dtype=np.int64)),
            "width": self.model.width,
            "kings": self.model.kings,
        }
