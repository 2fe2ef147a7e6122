"""What `tengen tune` moves in: scales, options by name, and the optimiser."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.engine.options import check, number
from tengen.tools.tune.space import Parameter, choose
from tengen.tools.tune.spsa import Spsa, result

OPTIONS = (
    number("mcts.c", 0.4, 0.0, 10.0, ""),
    number("mcts.prior_a", 10.0, 0.0, 30.0, ""),
    number("mcts.prior_b", -2.0, -8.0, 8.0, ""),
    number("mix.square", 0.02, -10.0, 10.0, ""),
    number("mcts.threads", 1.0, 1.0, 256.0, "", is_whole=True),
    number("mcts.seed", 0.0, 0.0, 2.0**53, "", is_whole=True),
    number("lab.count", 4.0, 1.0, 9.0, "", is_whole=True),
    check("lab.switch", True, ""),
)


@given(st.floats(0, 1), st.floats(-100, 100), st.floats(0.001, 1000), st.none() | st.floats(1e-5, 0.01))
def test_scales_go_both_ways(unit: float, low: float, width: float, offset: float | None) -> None:
    low = low if offset is None else abs(low)
    row = Parameter("x", low, low, low + width, offset and offset * width)
    value = row.value(unit)
    assert row.low <= value <= row.high and 0 <= row.unit(value) <= 1
    assert row.unit(row.low) == 0 and row.unit(row.high) == pytest.approx(1)
    assert row.value(row.unit(value)) == pytest.approx(value, abs=2e-3 * width)
    assert row.value(0) == pytest.approx(row.low, abs=1e-3 * width)
    assert row.value(1) == pytest.approx(row.high, abs=1e-3 * width)


@given(st.floats(0, 1), st.floats(0.01, 1000), st.floats(0.005, 0.5))
def test_scales_around_zero_go_both_ways(unit: float, high: float, share: float) -> None:
    row = Parameter("x", 0.0, -high / 2, high, share * high)
    assert row.value(row.unit(row.value(unit))) == pytest.approx(row.value(unit), abs=2e-3 * high)
    assert row.unit(0.0) == pytest.approx(1 - Parameter("x", 0.0, -high, high / 2, share * high).unit(0.0))


def test_wide_ranges_are_scaled_by_the_logarithm() -> None:
    c, a, b = choose(OPTIONS, ["mcts.*"], {"mcts.c": 10.0})
    assert (c.name, c.start, c.offset) == ("mcts.c", 10.0, pytest.approx(0.02))
    assert (a.start, a.offset, b.start, b.offset) == (10.0, None, -2.0, None)
    (square,) = choose(OPTIONS, ["mix.*"], {})
    assert square.offset == 0.1 and square.value(0.5) == 0 and square.value(0.6) == pytest.approx(0.127, rel=0.01)
    assert square.value(1) == -square.value(0) == 10
    assert c.value(0.5) == pytest.approx(0.428, rel=0.01) and a.value(0.5) == 15.0 and b.value(0.25) == -4.0


@pytest.mark.parametrize(
    ("patterns", "wanted"),
    [
        ("mcts.c", {"mcts.c": (0.0, 10.0)}),
        ("mcts.prior_?", {"mcts.prior_a": (0.0, 30.0), "mcts.prior_b": (-8.0, 8.0)}),
        ("mcts.c=0.1:3", {"mcts.c": (0.1, 3.0)}),
        ("mcts.c=0.1:3,m*[ab]", {"mcts.c": (0.1, 3.0), "mcts.prior_a": (0.0, 30.0), "mcts.prior_b": (-8.0, 8.0)}),
    ],
)
def test_options_are_chosen_by_name(patterns: str, wanted: dict[str, tuple[float, float]]) -> None:
    rows = choose(OPTIONS, patterns.split(","), {})
    assert {row.name: (row.low, row.high) for row in rows} == wanted


@pytest.mark.parametrize(
    ("pattern", "says"),
    [
        ("mcts.d", "no option is called 'mcts.d' (did you mean 'mcts.c'?)"),
        ("max.*", "no option is called 'max.*'"),
        ("mcts.threads", "is nothing to tune"),
        ("mcts.s*", "is nothing to tune"),
        ("lab.switch", "'lab.switch' is nothing to tune: it is no number"),
        ("lab.count=2.2:2.8", "the range 2.2:2.8 holds no whole numbers"),
        ("mcts.c=", "'' is not a range"),
        ("mcts.c=1", "'1' is not a range"),
        ("mcts.c=1:x", "not a range"),
        ("mcts.c=3:1", "not within 0:10"),
        ("mcts.c=0:11", "not within 0:10"),
        ("mcts.c=nan:1", "not within 0:10"),
        ("mcts.c=1:2", "the start 0.4 is not within 1:2"),
    ],
)
def test_options_that_are_refused(pattern: str, says: str) -> None:
    with pytest.raises(ValueError) as error:
        choose(OPTIONS, [pattern], {})
    assert says in str(error.value)


def test_whole_numbers_stay_whole() -> None:
    (count,) = choose(OPTIONS, ["lab.*"], {})
    assert {count.value(step / 100) for step in range(101)} == set(range(1, 10))
    (part,) = choose(OPTIONS, ["lab.count=1.5:5.5"], {})
    assert (part.low, part.high) == (2, 5)


# The optimiser


def test_the_optimum_of_a_noisy_function_is_found() -> None:
    best = (0.2, 0.7, 0.5)
    spsa, dice = Spsa(iterations=400, seed=3), random.Random(1)
    points = [(0.9, 0.1, 0.5)]
    for iteration in range(spsa.iterations):
        plus, minus = spsa.sides(points[-1], iteration)
        worth = [sum((unit - wanted) ** 2 for unit, wanted in zip(side, best, strict=True)) for side in (plus, minus)]
        score = max(-1.0, min(1.0, 5 * (worth[1] - worth[0]) + dice.gauss(0, 0.25)))
        points.append(spsa.update(points[-1], iteration, score))
    assert result(points) == pytest.approx(best, abs=0.1)
    assert all(0 <= unit <= 1 for point in points for unit in point)


def test_the_schedule() -> None:
    spsa = Spsa(iterations=100, seed=1, step=0.2, rate=2.0)
    assert spsa.perturbation(0) == 0.2 and spsa.gain(0) == pytest.approx(0.4)
    gains = [spsa.gain(number) for number in range(100)]
    assert gains == sorted(gains, reverse=True) and 0 < gains[-1] < gains[0] / 4
    assert spsa.signs(7, 30) == spsa.signs(7, 30) != spsa.signs(8, 30) and set(spsa.signs(7, 30)) == {-1.0, 1.0}
    assert spsa.update((0.5, 0.5), 7, 0.0) == (0.5, 0.5) and result([(0.5,), (0.1,)]) == (0.1,)
