"""How much of its time a move of alpha-beta takes by its numbers: each of them acts."""

from __future__ import annotations

import pytest
from _tengen_units import time_of_move

from tengen.engine._core import ChessAlphaBeta, ChessState

STEADY = [(1, 40, 100, 0)] * 6
FALLS = [(1, 40, 100, 100), (1, 40, 100, 100), (1, 40, 100, 60)]
SOARS = [(1, 40, 100, 0), (1, 40, 100, 0), (1, 40, 100, 200)]
DOUBT, HARDLY, ALONE = [(1, 40, 100, 0), (2, 40, 100, 0)], [(1, 0, 100, 0)], [(1, 100, 100, 0)]

# Name, another value, the steps in which it acts: best move, its nodes, all nodes, score
ROWS = [
    ("time_scale", 1, STEADY),
    ("time_steady_0", 3, DOUBT),
    ("time_steady_1", 3, [*DOUBT, (2, 40, 100, 0)]),
    ("time_steady_2", 3, STEADY[:3]),
    ("time_steady_3", 3, STEADY[:4]),
    ("time_steady_4", 3, STEADY),
    ("time_nodes_base", 1.7, STEADY),
    ("time_nodes_slope", 1, STEADY),
    ("time_nodes_least", 0.2, ALONE),
    ("time_nodes_most", 3, HARDLY),
    ("time_fall_slope", 0.2, FALLS),
    ("time_fall_unit", 400, FALLS),
    ("time_fall_least", 0.1, SOARS),
    ("time_fall_most", 1.1, FALLS),
    ("time_memory", 0, [(1, 40, 100, 0), (1, 40, 100, 100), (1, 40, 100, 60)]),
]


def seconds(
    values: dict[str, float], steps: list[tuple[int, int, int, int]], plan: float = 1, most: float = 100
) -> float:
    """After which no step of a move begins."""
    return float(time_of_move(values, steps, plan, most))


@pytest.mark.parametrize(("name", "value", "steps"), ROWS, ids=[row[0] for row in ROWS])
def test_a_number_acts(name: str, value: float, steps: list[tuple[int, int, int, int]]) -> None:
    assert seconds({name: value}, steps) != pytest.approx(seconds({}, steps))


def test_doubt_takes_longer() -> None:
    assert seconds({}, DOUBT) > seconds({}, STEADY) and seconds({}, FALLS) > seconds({}, STEADY[:3])
    assert seconds({}, STEADY) == pytest.approx(0.62 * 0.8 * (1.9 - 1.5 * 0.4))


def test_without_a_plan_a_share_of_the_time_decides() -> None:
    for share in (0.01, 0.4, 1):
        assert seconds({"time_soft": share}, STEADY, plan=0, most=20) == pytest.approx(20 * share)
        assert seconds({"time_soft": share}, STEADY) == seconds({}, STEADY)
    assert seconds({}, DOUBT, plan=0, most=20) == seconds({}, STEADY, plan=0, most=20) == pytest.approx(12)


def test_no_step_of_a_search_begins_after_that_share() -> None:
    search = ChessAlphaBeta("tables")
    search.set("time_soft", 0.01)
    search.run(ChessState(), seconds=60.0, early_stop=True)
    assert 0.6 < search.info().seconds < 50
