"""Reversi by patterns: what lies on each of 46 places of the board, looked up in tables, one for each phase of a game.

The patterns are the core's (`core/reversi/patterns.hpp`), so that the tables learned here are those that it reads.
Mirror images share a weight. A position is worth the sum over its places and a number by its empty cells, in discs.
A table is the sum of three that learn: its phase's own, one of some phases together, and one of the whole game, so that
what is rarely seen in a phase is worth there what it is worth elsewhere. The file has the sums alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from tengen.engine._core import (
    REVERSI_WEIGHT_UNIT,
    reversi_pattern_places,
    reversi_pattern_rows,
    reversi_pattern_weights,
)
from tengen.nets import safetensors
from tengen.nets.spec import ModelSpec

if TYPE_CHECKING:
    from tengen.engine._core import FeatureSet

FEATURES, OWN, ENEMY, EMPTY = "reversi-v1", 1, 2, 9
"""The feature set that it takes, and its planes that are looked at."""
CELLS, COUNTS = 64, 61
"""Numbers of empty cells: 0 to 60."""
PHASES, STRETCHES = 30, 6
"""The phases of the game, each with a table of its own; and phases together."""
EVALUATOR = "patterns"
"""The evaluator of the core that plays by the tables."""


class Patterns(nn.Module, ABC):
    """A network that evaluates a position by the patterns on its places.

    Answers "evaluation": n, the margin at the end, in discs, for the side to move. It says nothing of moves.
    count: of what has a weight of its own.
    """

    results = ("win", "draw", "loss")
    powers: Tensor
    packed: Tensor
    starts: Tensor

    def __init__(self) -> None:
        super().__init__()
        places, packed = reversi_pattern_places(), torch.from_numpy(reversi_pattern_weights()).long()
        powers = torch.zeros(CELLS, len(places))
        sizes = [3 ** len(cells) for _, cells in places]
        begins, at = dict[int, int](), 0
        for (of, _), size in zip(places, sizes, strict=True):
            if of not in begins:
                begins[of], at = at, at + size
        for place, (_, cells) in enumerate(places):
            for digit, cell in enumerate(cells):
                powers[cell, place] = 3**digit
        centres = [(size - 1) // 2 for size in sizes]
        self.register_buffer("powers", powers, persistent=False)
        self.register_buffer("packed", packed, persistent=False)
        starts = [begins[of] + centre for (of, _), centre in zip(places, centres, strict=True)]
        self.register_buffer("starts", torch.tensor(starts), persistent=False)
        self.count = int(packed.max()) + 1

    def forward(self, planes: Tensor, numbers: Tensor | None = None) -> dict[str, Tensor]:
        return {"evaluation": self.evaluation(*self.seen(planes))}

    def seen(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """Indices and empty cells, as `evaluation` takes them, of rows of the feature set."""
        with torch.no_grad(), torch.autocast(planes.device.type, enabled=False):
            planes = planes.float()
            discs = (planes[:, OWN] - planes[:, ENEMY]).flatten(1)
            empties = (planes[:, EMPTY].flatten(1)[:, 0] * CELLS).round().long().clamp(0, COUNTS - 1)
            return self.indices(discs), empties

    def indices(self, discs: Tensor) -> Tensor:
        """n x places, which weight is looked up. discs: n x 64, 1 own, -1 the enemy's, 0 none."""
        with torch.no_grad():
            return self.packed[(discs @ self.powers).round().long() + self.starts]

    @abstractmethod
    def said(self, sides: NDArray[np.uint64]) -> Tensor:
        """n, in discs, computed by the core as far as that is faster. sides: n x 2, as `reversi_sides_of_games` has
        them. Gradients can be asked for the last call alone."""

    @abstractmethod
    def evaluation(self, indices: Tensor, empties: Tensor) -> Tensor:
        """n, in discs. indices: n x places; empties: n, empty cells."""

    @abstractmethod
    def arrays(self) -> dict[str, NDArray[Any]]:
        """As the core reads them."""


class PatternNet(Patterns):
    """A number for each pattern, phase by phase."""

    stretches: Tensor

    def __init__(self, phases: int = PHASES) -> None:
        super().__init__()
        self.phases = phases
        self.table = nn.Embedding(phases, self.count)
        self.stretch = nn.Embedding(min(STRETCHES, phases), self.count)
        self.common = nn.Embedding(1, self.count)
        self.bias = nn.Embedding(COUNTS, 1)
        for one in (self.table, self.stretch, self.common, self.bias):
            nn.init.zeros_(one.weight)
        stretches = torch.arange(phases) * len(self.stretch.weight) // phases
        self.register_buffer("stretches", stretches, persistent=False)

    def evaluation(self, indices: Tensor, empties: Tensor) -> Tensor:
        rows = indices + (phase_of(empties, self.phases) * self.count)[:, None]
        found = functional.embedding_bag(rows, self.tables().reshape(-1, 1), mode="sum") + self.bias(empties)
        return found[:, 0]

    def said(self, sides: NDArray[np.uint64]) -> Tensor:
        rows, empties = np.empty((len(sides), len(self.starts)), np.int32), np.empty(len(sides), np.uint8)
        reversi_pattern_rows(sides, rows, empties)
        return self.evaluation(torch.from_numpy(rows).long(), torch.from_numpy(empties).long())

    def tables(self) -> Tensor:
        """phases x weights, in discs."""
        return self.table.weight + self.stretch(self.stretches) + self.common.weight

    def arrays(self) -> dict[str, NDArray[Any]]:
        table = self.tables().detach().cpu().numpy()
        bias = self.bias.weight.detach().cpu().numpy()[:, 0]
        return {"patterns": _rounded(table), "bias": _rounded(bias)}


def phase_of(empties: Tensor, phases: int) -> Tensor:
    """Return the phase by the empty cells, 60 at the beginning; as the core has it."""
    return ((COUNTS - 1 - empties) * phases // COUNTS).clamp(0, phases - 1)


def _rounded(values: NDArray[np.float32]) -> NDArray[np.int16]:
    """In the core's unit."""
    return np.asarray(np.clip(np.rint(values * REVERSI_WEIGHT_UNIT), -32768, 32767), np.int16)


def patterns(spec: ModelSpec, features: FeatureSet, board: tuple[int, int] | None) -> PatternNet:
    """A line of `models.KINDS`. Raises ValueError for another feature set."""
    check(spec.kind, features)
    return PatternNet()


def check(kind: str, features: FeatureSet) -> None:
    """Raises ValueError for a feature set that models by patterns do not take."""
    if features.name != FEATURES:
        raise ValueError(f"a network of the kind {kind} takes {FEATURES}, not {features.name}")


def export_patterns(model: Patterns, path: Path, card: Mapping[str, object]) -> None:
    """Write the arrays for the core and their card, which names the evaluator that reads them."""
    safetensors.save(path, model.arrays(), card)
