"""Trees of the toy game, and evaluators that stand in for a network."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from itertools import product
from typing import Any, NamedTuple

import _tengen_toy as toy
import numpy as np
from numpy.typing import NDArray

from tengen.engine._core import FeatureSet
from tengen.engine.evaluators.backends.features import feature_set
from tengen.engine.evaluators.network import Evaluation

MOVES = 90
Floats = NDArray[np.float32]


class Asked(NamedTuple):
    """A batch on its way: it is looked at when the answer is wanted, so that rows reused too early would show."""

    by: StandIn
    planes: Floats
    numbers: Floats

    def wait(self) -> Evaluation:
        self.by.on_their_way -= 1
        return self.by.answers(self.planes, self.numbers)


class StandIn:
    """Implements `BatchEvaluator`: says of every position what the bytes of its encoding say."""

    def __init__(self, features: FeatureSet | None = None) -> None:
        self.features = features or feature_set("morris", "morris-v1")
        self.batches: list[int] = []
        self.on_their_way = self.most = 0

    def submit(self, planes: Floats, numbers: Floats | None = None, *, is_root: Any = False) -> Asked:
        assert numbers is not None and len(planes) == len(numbers) and planes.shape[1:] == (4, 3, 3)
        self.batches.append(len(planes))
        self.on_their_way += 1
        self.most = max(self.most, self.on_their_way)
        return Asked(self, planes, numbers)

    def answers(self, planes: Floats, numbers: Floats) -> Evaluation:
        rows = [self.one(*row) for row in zip(planes, numbers, strict=True)]
        policies, values = (np.stack(part).astype(np.float32) for part in zip(*rows, strict=True))
        return Evaluation(policies, values, None, {})

    def one(self, planes: Floats, numbers: Floats) -> tuple[NDArray[Any], NDArray[Any]]:
        rng = np.random.default_rng(zlib.crc32(planes.tobytes() + numbers.tobytes()))
        return 3 * rng.random(MOVES), rng.dirichlet((2, 1, 2))

    def close(self) -> None:
        pass


CELLS = list(product(range(3), range(3)))
APART = np.array([[(a - c) ** 2 + (b - d) ** 2 for c, d in CELLS] for a, b in CELLS])
"""The square of the distance of two cells, which no symmetry changes."""


class Turning(StandIn):
    """Says of a position turned round the same, turned round. In eighths, so that sums are exact in any order."""

    def one(self, planes: Floats, numbers: Floats) -> tuple[NDArray[Any], NDArray[Any]]:
        own, enemy, recent, placing = planes.reshape(4, 9)
        near = (APART % 7) @ own - (APART % 5) @ enemy + (APART % 3) @ recent + APART[4]
        policy = np.concatenate([near, (near[None, :] - 2 * near[:, None] + APART % 4).reshape(-1)]) / 8
        ahead = float(near @ own - near @ enemy) % 8 + numbers[0] * 3 - numbers[1] * 3 + placing[0]
        return policy, np.array([0.25 + ahead / 64, 0.25, 0.5 - ahead / 64])


def roots(count: int) -> list[Any]:
    """Positions after a move each."""
    states = [toy.ToyState() for _ in range(count)]
    for number, state in enumerate(states):
        state.play(number % 9)
    return states


def forest(count: int, **settings: Any) -> Any:
    return toy.MorrisForest(roots(count), memory_mb=1, **settings)


class Node(NamedTuple):
    """A row of `toy.walk`."""

    path: Sequence[int]
    visits: int
    in_flight: int
    mean: float
    draw: float
    is_proved: bool
    moves: Sequence[int]
    priors: Sequence[float]


def nodes(trees: Any) -> list[list[Node]]:
    """Every node of every tree."""
    return [[Node(*row) for row in toy.walk(trees, tree)] for tree in range(len(trees))]
