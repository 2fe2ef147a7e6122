"""Parts of self-play: what a search explores with, temperatures, drawing, openings, surprise and weights."""

from __future__ import annotations

import math

import _tengen_units as units
import pytest

# Settings -> (moves so far, cells, temperature)
TEMPERATURES = [
    ({}, 0, 361, 0.75),
    ({}, 19, 361, 0.45),  # a half-life
    ({}, 38, 361, 0.30),
    ({}, 9, 81, 0.45),  # shorter on a smaller board
    ({}, 1000, 81, 0.15),
    ({"temperature": 1, "last_temperature": 0, "half_life": 38}, 38, 361, 0.5),
    ({"temperature": 0, "last_temperature": 0}, 0, 81, 0),
]


@pytest.mark.parametrize(("settings", "moves", "cells", "expected"), TEMPERATURES)
def test_the_temperature_falls(settings: dict[str, float], moves: int, cells: int, expected: float) -> None:
    assert units.temperature_at(settings, moves, cells) == pytest.approx(expected, abs=1e-6)


# Effort -> root temperature, noise, forced visits, Gumbel, visits
EXPLORING = {"full": [1.1, 0.25, 2, 1, 50], "cheap": [1, 0, 0, 1, 9], "opening": [1, 0, 0, 0, 1]}


@pytest.mark.parametrize("effort", EXPLORING)
def test_only_full_searches_explore(effort: str) -> None:
    """Gumbel chooses where anything is searched."""
    assert units.exploring({"visits": 50, "cheap_visits": 9, "gumbel": 1}, effort) == EXPLORING[effort]


# Shares, temperature -> shares of what is drawn
DRAWS = [
    ([0.5, 0.25, 0.25, 0], 1, [0.5, 0.25, 0.25, 0]),
    ([0.6, 0.3, 0.1], 0.5, [36 / 46, 9 / 46, 1 / 46]),
    ([0.16, 0.64, 0.2], 2, [0.4 / 1.6472, 0.8 / 1.6472, 0.4472 / 1.6472]),
    ([0.2, 0.5, 0.3], 0, [0, 1, 0]),
    ([0.2, 0.4, 0.4], 0, [0, 1, 0]),
]


@pytest.mark.parametrize(("shares", "temperature", "expected"), DRAWS)
def test_moves_are_drawn(shares: list[float], temperature: float, expected: list[float]) -> None:
    drawn = units.draws(shares, temperature, 20000)
    assert [count / 20000 for count in drawn] == pytest.approx(expected, abs=0.015)


# Share of surprise, surprise of each move (-1: no full search) -> weights
WEIGHTS = [
    (0.5, [1, 1, -1, 1], [1, 1, 0, 1]),
    (0.5, [3, 1, -1, 0, 0], [2, 1, 0, 0.5, 0.5]),
    (1.0, [3, 1, 0, 0], [3, 1, 0, 0]),
    (0.0, [3, 1, 0, -1], [1, 1, 1, 0]),
    (0.5, [0, 0, -1], [1, 1, 0]),  # nothing surprised
    (0.5, [-1, -1], [0, 0]),
    (0.5, [], []),
]


@pytest.mark.parametrize(("share", "surprises", "expected"), WEIGHTS)
def test_surprise_weighs(share: float, surprises: list[float], expected: list[float]) -> None:
    assert units.weights(surprises, share) == pytest.approx(expected)


def test_divergence() -> None:
    assert units.divergence([(4, 0.5), (5, 0.5)], [0.5, 0.5]) == 0
    assert units.divergence([(4, 1.0), (5, 0.0)], [0.25, 0.75]) == pytest.approx(math.log(4))
    assert units.divergence([(4, 0.5), (5, 0.5)], [0.75, 0.25]) == pytest.approx(0.5 * math.log(4 / 3))
    assert 10 < units.divergence([(4, 1.0), (5, 0.0)], [0.0, 1.0]) < 30, "a policy without a chance is no infinity"


@pytest.mark.parametrize(("share", "cells"), [(0.04, 81), (0.1, 361), (0, 81)])
def test_openings_are_exponentially_long(share: float, cells: int) -> None:
    """The part of a whole number: its mean is that of a geometric distribution."""
    lengths = units.openings({"opening_share": share}, cells, 20000)
    mean = share * cells
    expected = 1 / (math.exp(1 / mean) - 1) if mean else 0
    assert sum(lengths) / 20000 == pytest.approx(expected, rel=0.04, abs=1e-9)
    assert lengths.count(0) / 20000 == pytest.approx(1 - math.exp(-1 / mean) if mean else 1, abs=0.015)
