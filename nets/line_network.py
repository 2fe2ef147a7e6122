"""Gomoku by a small network over the lines of cells: the core's evaluator `network` of Gomoku, in floats.

Each empty cell gives each side a vector: that of its own row plus that of the enemy's row on the cell, clipped. A row
is what lies on the four lines of a cell as one side sees it (engine/core/gomoku/worth.hpp: two pairs of patterns, here
in either order). Cells that are as on the empty board give nothing. A side's vectors are summed over the board. A
hidden layer, clipped and squared, reads both sums, of the side to move first; its bias says who threatens what. Beside
it the sums count directly, as do the threats.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from tengen.nets import safetensors

GAME, EVALUATOR, KIND = "gomoku", "network", "line-network"
WIDTH, HIDDEN, THREATS = 32, 32, 16
PATTERNS, PAIRS, ROWS, PAIR_BITS = 15, 120, 7260, 7
CELL_UNIT, CELL_MOST, SUM_UNIT, MATRIX_UNIT, UNIT, OUT_UNIT = 64, 127, 16, 8192, 256, 256
"""As the core has them (line_network.hpp)."""
SCORE = 300.0
"""Score units of a unit of log probability."""
_SUM = 16.0
"""The head learns of sums over this, so that its weights are about 1."""
_MOST_CELL, _MOST_HIDDEN, _MOST_BIAS, _MOST_DIRECT, _MOST_OUTPUT, _MOST_THREATS = 4.0, 3.0, 100.0, 2.5, 8.0, 10.0


class Seen(NamedTuple):
    """The input of the network for n positions. own, enemy: u rows each, of the different pairs of rows that cells
    have, as the side to move sees them; cells: which of those, one position's after the other's; starts: n, where each
    one's begin; threats: n x 2, of the side to move and of the other. All int64."""

    own: Tensor
    enemy: Tensor
    cells: Tensor
    starts: Tensor
    threats: Tensor


def _pairs() -> NDArray[np.int64]:
    """120 x 2: the two patterns of each pair."""
    return np.array([(a, b) for a in range(PATTERNS) for b in range(a + 1)])


def _row_pairs() -> NDArray[np.int64]:
    """ROWS x 2: the two pairs of each row."""
    return np.array([(high, low) for high in range(PAIRS) for low in range(high + 1)])


def rows_of(indices: NDArray[np.uint16]) -> NDArray[np.int64]:
    """Return the rows of indices as the core numbers them."""
    a, b = indices.astype(np.int64) & (1 << PAIR_BITS) - 1, indices.astype(np.int64) >> PAIR_BITS
    low, high = np.minimum(a, b), np.maximum(a, b)
    return np.asarray(high * (high + 1) // 2 + low, np.int64)


class LineNetwork(nn.Module):
    """A row's vector is the sum of what its patterns, its pairs and itself add: rare rows learn from the others."""

    def __init__(self) -> None:
        super().__init__()
        self.patterns = nn.Parameter(torch.empty(PATTERNS, 2 * WIDTH).uniform_(-0.05, 0.05) + 0.01)
        self.pairs = nn.Parameter(torch.zeros(PAIRS, 2 * WIDTH))
        self.rows = nn.Parameter(torch.zeros(ROWS, 2 * WIDTH))
        self.hidden = nn.Parameter(torch.empty(HIDDEN, 2 * WIDTH).uniform_(-0.5, 0.5))
        self.hidden_own = nn.Parameter(torch.full((THREATS, HIDDEN), 0.25))
        self.hidden_enemy = nn.Parameter(torch.full((THREATS, HIDDEN), 0.25))
        self.direct = nn.Parameter(torch.empty(2 * WIDTH).uniform_(-0.1, 0.1))
        self.output = nn.Parameter(torch.empty(HIDDEN).uniform_(-0.5, 0.5))
        self.threats = nn.Parameter(torch.zeros(THREATS, THREATS))
        pairs, rows = torch.from_numpy(_pairs()), torch.from_numpy(_row_pairs())
        self.register_buffer("row_pairs", rows, persistent=False)
        counts = functional.one_hot(pairs, PATTERNS).sum(1)[rows].sum(1).float()
        self.register_buffer("row_patterns", counts, persistent=False)

    def table(self) -> Tensor:
        """ROWS x 2 WIDTH: the vectors of all rows, own and enemy's."""
        found: Tensor = self.row_patterns @ self.patterns + self.pairs[self.row_pairs].sum(1) + self.rows
        return found

    def forward(self, seen: Seen) -> Tensor:
        """n: the logit of the expected result for the side to move, a draw counting half."""
        table = self.table()
        mine = table[seen.own, :WIDTH] + table[seen.enemy, WIDTH:]
        theirs = table[seen.enemy, :WIDTH] + table[seen.own, WIDTH:]
        vectors = torch.cat([mine, theirs], 1).clamp(0, CELL_MOST / CELL_UNIT)
        sums = _Sums.apply(vectors, seen.cells, seen.starts) / _SUM
        own, enemy = seen.threats[:, 0], seen.threats[:, 1]
        units = sums @ self.hidden.t() + self.hidden_own[own] + self.hidden_enemy[enemy]
        found: Tensor = sums @ self.direct + units.clamp(0, 1).square() @ self.output + self.threats[own, enemy]
        return found

    def clip(self) -> None:
        """Keep every weight within what the core's sums take; after each step."""
        with torch.no_grad():
            self.hidden.clamp_(-_MOST_HIDDEN, _MOST_HIDDEN)
            self.hidden_own.clamp_(-_MOST_BIAS, _MOST_BIAS)
            self.hidden_enemy.clamp_(-_MOST_BIAS, _MOST_BIAS)
            self.direct.clamp_(-_MOST_DIRECT, _MOST_DIRECT)
            self.output.clamp_(-_MOST_OUTPUT, _MOST_OUTPUT)
            self.threats.clamp_(-_MOST_THREATS, _MOST_THREATS)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """As the core reads them, without the name of the rule."""
        self.clip()
        cells = self.table().clamp(-_MOST_CELL, _MOST_CELL).reshape(ROWS, 2, WIDTH)
        bias_unit = SUM_UNIT * MATRIX_UNIT
        return {
            "cells": _rounded(cells, CELL_UNIT, np.int16),
            "hidden": _rounded(self.hidden.reshape(HIDDEN, 2, WIDTH), MATRIX_UNIT / _SUM, np.int16),
            "hidden_own": _rounded(self.hidden_own, bias_unit, np.int32),
            "hidden_enemy": _rounded(self.hidden_enemy, bias_unit, np.int32),
            "direct": _rounded(self.direct.reshape(2, WIDTH), SCORE * OUT_UNIT / SUM_UNIT / _SUM, np.int16),
            "output": _rounded(self.output, SCORE, np.int16),
            "threats": _rounded(self.threats, SCORE * OUT_UNIT, np.int32),
        }


class _Sums(torch.autograd.Function):
    """Sums of rows of a matrix for each position. The gradient is summed up in the order of rows, which is faster than
    what embedding_bag has for it."""

    @staticmethod
    def forward(ctx: Any, vectors: Tensor, cells: Tensor, starts: Tensor) -> Tensor:
        ctx.save_for_backward(cells, starts)
        ctx.count = len(vectors)
        return functional.embedding_bag(cells, vectors, starts, mode="sum")

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, None, None]:
        cells, starts = ctx.saved_tensors
        counts = torch.diff(starts, append=starts.new_full((1,), len(cells)))
        positions = torch.repeat_interleave(torch.arange(len(starts)), counts)
        order = torch.from_numpy(np.argsort(cells.numpy(), kind="stable"))
        many = torch.bincount(cells, minlength=ctx.count)
        begins = many.cumsum(0) - many
        return functional.embedding_bag(positions[order], grads[0].contiguous(), begins, mode="sum"), None, None


def _rounded(values: Tensor, unit: float, kind: type[Any]) -> NDArray[Any]:
    return np.asarray(np.rint(values.detach().cpu().double().numpy() * unit), kind)


def export_network(
    models: Mapping[str, LineNetwork],
    path: Path,
    card: Mapping[str, object],
    others: Mapping[str, NDArray[Any]] | None = None,
) -> None:
    """Write the networks by rule for the core (.safetensors) and their card, to which is added what plays by them.
    others: arrays of a file, of which those of other rules are written too."""
    arrays = {name: array for name, array in (others or {}).items() if rule_of(name) not in models}
    arrays |= {f"{rule}.{name}": array for rule, model in models.items() for name, array in model.arrays().items()}
    safetensors.save(path, arrays, {**card, "plays": {"game": GAME, "evaluator": EVALUATOR}})


def rule_of(name: str) -> str:
    """The rule of the network that an array of a file belongs to."""
    return name.partition(".")[0]


def evaluated(arrays: Mapping[str, NDArray[Any]], seen: Seen) -> NDArray[np.int64]:
    """n: score units for the side to move, in whole numbers to the last bit as the core computes them. For tests, and
    to see what rounding costs. arrays: `LineNetwork.arrays`."""
    table = arrays["cells"].astype(np.int64)
    own, enemy = seen.own.numpy(), seen.enemy.numpy()
    vectors = np.stack([table[own, 0] + table[enemy, 1], table[enemy, 0] + table[own, 1]], 1).clip(0, CELL_MOST)
    cells, starts = seen.cells.numpy(), seen.starts.numpy()
    totals = np.concatenate([np.zeros((1, 2, WIDTH), np.int64), vectors[cells].cumsum(0)])
    sums = (totals[np.append(starts[1:], len(cells))] - totals[starts]) >> 2
    mine, theirs = seen.threats.numpy().T
    units = np.einsum("nsw,hsw->nh", sums, arrays["hidden"].astype(np.int64))
    units += arrays["hidden_own"].astype(np.int64)[mine] + arrays["hidden_enemy"][theirs]
    active = (units >> 9).clip(0, UNIT) ** 2 >> 8
    out = np.einsum("nsw,sw->n", sums, arrays["direct"].astype(np.int64)) + active @ arrays["output"].astype(np.int64)
    out += arrays["threats"].astype(np.int64)[mine, theirs]
    return np.asarray(np.sign(out) * (np.abs(out) // OUT_UNIT), np.int64)
