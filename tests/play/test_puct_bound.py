"""The move by its lower bound: closed forms over answers that a test makes up, and when it goes before the most visited."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import Any

import numpy as np
import pytest
from puct_searches import empty

from tengen.engine._core import GoTree

SIZE = 5
RISKY, SAFE = 6, 18
"""Black's two moves: one better in the mean, whose answers scatter, and one whose answers do not."""


def searched(visits: int, **options: float) -> tuple[Any, dict[int, list[float]]]:
    """The report, and what was said below each of the two moves, for Black."""
    tree: Any = GoTree()
    for name, value in {"symmetries": 0, "seed": 1, "cache_mb": 0, "score_utility": 0, "c": 3, **options}.items():
        tree.set(name, value)
    tree.begin(empty(SIZE), visits=visits)
    planes, numbers = np.zeros((1, 22, SIZE, SIZE), np.float32), np.zeros((1, 19), np.float32)
    said: dict[int, list[float]] = defaultdict(list)
    while not tree.is_over:
        if not tree.collect(planes, numbers):
            continue
        is_black = planes[0, 1:3].sum() % 2 == 0  # to move: nobody passes
        stones = planes[0, 1 if is_black else 2].ravel()
        below = next((move for move in (RISKY, SAFE) if stones[move]), None)
        black = 0.5
        if below is not None:
            black = (0.95, 0.15)[len(said[RISKY]) % 2] if below == RISKY else 0.5
            said[below].append(black)
        policy = np.full((1, SIZE * SIZE + 1), -50, np.float32)
        policy[0, [RISKY, SAFE]] = 0
        if below is not None:
            policy[0, :-1] = 0
        win = black if is_black else 1 - black
        tree.deliver(policy, np.array([[win, 0, 1 - win]], np.float32))
    tree.end()
    return tree.info(), said


@pytest.mark.parametrize("errors", [1.0, 5.0])
def test_the_bound_is_standard_errors_below_the_mean(errors: float) -> None:
    info, said = searched(60, lcb=errors)
    assert {line.move for line in info.lines} == {RISKY, SAFE}
    for line in info.lines:
        values, n = np.array(said[line.move]), line.visits
        assert n == len(values) and line.win == pytest.approx(values.mean(), abs=1e-4)
        variance = values.var() + 0.25 / n**2 / (n + n**-2)
        assert line.lcb == pytest.approx(max(0.0, values.mean() - errors * math.sqrt(variance / n)), abs=1e-4)


@pytest.mark.parametrize(("errors", "best"), [(0.0, RISKY), (0.01, RISKY), (5.0, SAFE)])
def test_what_is_good_for_sure_goes_first(errors: float, best: int) -> None:
    info, said = searched(61, lcb=errors)
    assert np.mean(said[RISKY]) > 0.51 and len(said[RISKY]) > len(said[SAFE])
    assert info.lines[0].move == best
