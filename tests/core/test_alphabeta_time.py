"""How much of its time a move of alpha-beta takes by its numbers: each of them acts."""

from __future__ import annotations

import pytest
from _tengen_units import patience

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


@pytest.mark.parametrize(("name", "value", "steps"), ROWS, ids=[row[0] for row in ROWS])
def test_a_number_acts(name: str, value: float, steps: list[tuple[int, int, int, int]]) -> None:
    assert patience({name: value}, steps) != pytest.approx(patience({}, steps))


def test_doubt_takes_longer() -> None:
    assert patience({}, DOUBT) > patience({}, STEADY) and patience({}, FALLS) > patience({}, STEADY[:3])
    assert patience({}, STEADY) == pytest.approx(0.62 * 0.8 * (1.9 - 1.5 * 0.4))
