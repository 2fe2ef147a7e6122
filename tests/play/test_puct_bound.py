"""The move by its lower bound: closed forms over answers that a test makes up, and when it goes before the most visited."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from puct_searches import empty

from tengen.engine._core import GoTree

SIZE = 5
RISKY, SAFE = 6, 18
"""Black's two moves: one better in the mean, whose answers scatter, and one whose answers do not."""


def doubtful(move: int | None, count: int) -> tuple[float, float]:
    return ((0.95, 0.15)[count % 2] if move == RISKY else 0.5), 0.0


def searched(
    visits: int,
    answer: Callable[[int | None, int], tuple[float, float]] = doubtful,
    priors: tuple[float, float] = (0.5, 0.5),
    **options: float,
) -> tuple[Any, dict[int | None, list[float]]]:
    """The report, and what was said of the chances below each of the two moves, for Black.

    answer: of a move (None: before it) and how many answers it had before, Black's chance to win and lead. priors: of RISKY and SAFE.
    """
    tree: Any = GoTree()
    for name, value in {"symmetries": 0, "seed": 1, "cache_mb": 0, "score_utility": 0, "c": 3, **options}.items():
        tree.set(name, value)
    tree.begin(empty(SIZE), visits=visits)
    planes, numbers = np.zeros((1, 22, SIZE, SIZE), np.float32), np.zeros((1, 19), np.float32)
    said: dict[int | None, list[float]] = defaultdict(list)
    while not tree.is_over:
        if not tree.collect(planes, numbers):
            continue
        is_black = planes[0, 1:3].sum() % 2 == 0  # to move: nobody passes
        stones = planes[0, 1 if is_black else 2].ravel()
        below = next((move for move in (RISKY, SAFE) if stones[move]), None)
        black, lead = answer(below, len(said[below]))
        said[below].append(black)
        policy = np.full((1, SIZE * SIZE + 1), -50, np.float32)
        policy[0, [RISKY, SAFE]] = np.log(priors)
        if below is not None:
            policy[0, :-1] = 0
        win, score = (black, lead) if is_black else (1 - black, -lead)
        tree.deliver(policy, np.array([[win, 0, 1 - win]], np.float32), np.array([score], np.float32))
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


def decided(ahead: float, scatter: float) -> Callable[[int | None, int], tuple[float, float]]:
    """A game that Black has won, whatever he plays: RISKY leads by so many points more, give or take `scatter`."""
    return lambda move, count: (1.0, 20 + (ahead if move == RISKY else 0) + scatter * (-1) ** count)


@pytest.mark.parametrize(
    ("ahead", "scatter", "best"), [(0.2, 0, SAFE), (0.2, 4, SAFE), (3, 0, RISKY), (3, 20, SAFE)]
)  # fmt: skip
def test_in_a_decided_game_a_lead_must_be_sure_and_clear(ahead: float, scatter: float, best: int) -> None:
    """The move that was visited less goes first by a lead above its error and above the network's own."""
    info, said = searched(120, decided(ahead, scatter), (0.3, 0.7), lcb=5, score_utility=0.29)
    assert 0.15 * len(said[SAFE]) < len(said[RISKY]) < len(said[SAFE])
    assert info.lines[0].move == best
