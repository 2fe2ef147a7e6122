"""Errors of an evaluator near a last move: values against the recurrence of KataGo's page on methods, computed as it stands."""

from __future__ import annotations

import random
from collections import defaultdict

import _tengen_units as units
import pytest

EXPONENT = 0.85


class Reference:
    """Nodes by their paths; a value is that of the node itself, corrected, with those of its children."""

    def __init__(self, share: float) -> None:
        self.share = share
        self.said: dict[int, tuple[float, float, int]] = {}  # value, weight, locality
        self.used: dict[int, float] = {}
        self.children: dict[int, list[int]] = defaultdict(list)
        self.errors: dict[int, dict[int, tuple[float, float]]] = defaultdict(
            dict
        )  # by locality, then node: weighted, weight

    def weight(self, node: int) -> float:
        return self.said[node][1] + sum(self.weight(child) for child in self.children[node])

    def value(self, node: int) -> float:
        """Of the node's own answer and of what is below, each by its weight."""
        below = sum(self.value(child) * self.weight(child) for child in self.children[node])
        return (self.used[node] * self.said[node][1] + below) / self.weight(node)

    def visit(self, path: list[int], value: float, locality: int, weight: float) -> None:
        leaf = path[-1]
        self.said[leaf], self.used[leaf] = (value, weight, locality), value
        if len(path) > 1:
            self.children[path[-2]].append(leaf)
        for node in reversed(path):
            self.learn(node)

    def learn(self, node: int) -> None:
        value, _, locality = self.said[node]
        if not locality:
            return
        known = self.errors[locality]
        if self.children[node]:
            total = sum(self.weight(child) for child in self.children[node])
            found = sum(self.value(child) * self.weight(child) for child in self.children[node]) / total
            known[node] = (total**EXPONENT * (found - value), total**EXPONENT)
        weights = sum(weight for _, weight in known.values())
        mean = sum(error for error, _ in known.values()) / weights if weights else 0.0
        self.used[node] = min(1.0, max(0.0, value + self.share * mean))


Visit = tuple[list[int], float, int, float]


def grown(count: int, seed: int, *, localities: int, weighted: bool) -> list[Visit]:
    """A random tree, a visit for each new node. Locality 0: nothing is learned there, as at the root."""
    choose = random.Random(seed)
    paths: list[list[int]] = [[0]]
    visits: list[Visit] = [([0], choose.random(), 0, 1.0)]
    for node in range(1, count):
        path = [*choose.choice(paths), node]
        paths.append(path)
        weight = choose.choice([0.5, 1.0, 3.0]) if weighted else 1.0
        visits.append(
            (path, choose.random(), choose.randrange(localities) << 20 | 256 * choose.randrange(1, 4), weight)
        )
    return visits


@pytest.mark.parametrize("share", [0.0, 0.45, 1.0])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_values_are_those_of_the_recurrence(share: float, weighted: bool, seed: int) -> None:
    visits = grown(60, seed, localities=1, weighted=weighted)
    reference = Reference(share)
    for path, value, locality, weight in visits:
        reference.visit(path, value, locality, weight)
    for node, (mean, used) in enumerate(units.biased(share, visits, len(visits))):
        assert used == pytest.approx(reference.used[node] if share else reference.said[node][0], abs=1e-4)
        if node == 0:  # what is below others may have learnt since they were visited
            assert mean == pytest.approx(reference.value(0), abs=2e-3)


def test_what_is_alike_is_corrected_alike() -> None:
    """A move that looked good twice and was bad below: the third time it is believed less."""
    alike, other = 256, 512
    visits: list[Visit] = [
        ([0], 0.5, 0, 1.0), ([0, 1], 0.9, alike, 1.0), ([0, 1, 2], 0.3, other, 1.0),
        ([0, 3], 0.8, alike, 1.0), ([0, 4], 0.8, other, 1.0),
    ]  # fmt: skip
    found = units.biased(0.5, visits, 5)
    assert [used for _, used in found] == pytest.approx([0.5, 0.6, 0.3, 0.5, 0.8], abs=1e-5)
    assert found[0][0] == pytest.approx((0.5 + 0.6 + 0.3 + 0.5 + 0.8) / 5, abs=1e-5)


# Moves on an empty 9x9 board (cells; 81 passes) that lead to what is alike, or is not.
LOCALITIES = [
    ("far stones do not matter", [0, 80, 40, 41], [8, 80, 40, 41], True),
    ("near ones do", [32, 80, 40, 41], [8, 80, 40, 41], False),
    ("the move before counts", [0, 80, 40, 72], [0, 80, 60, 72], False),
    ("who moved counts", [0, 80, 40, 72], [0, 80, 10, 40, 72], False),
    ("the place counts", [0, 80, 40, 20], [0, 80, 40, 24], False),
    ("what is in atari counts", [39, 30, 40, 48, 81, 31, 81, 49, 81, 38, 81, 42], [39, 30, 40, 48, 81, 31, 81, 49, 81, 80, 81, 42], False),
    ("liberties beyond do not", [39, 30, 40, 48, 81, 31, 81, 80, 81, 38, 81, 42], [39, 30, 40, 48, 81, 31, 81, 80, 81, 72, 81, 42], True),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other", "alike"), [row[1:] for row in LOCALITIES], ids=[row[0] for row in LOCALITIES])
def test_what_looks_alike(one: list[int], other: list[int], alike: bool) -> None:
    assert (units.locality(9, one) == units.locality(9, other)) == alike
