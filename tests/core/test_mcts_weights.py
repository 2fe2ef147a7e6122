"""How visits weigh and how far values scatter, against closed forms; the keys and the room of the cache of answers."""

from __future__ import annotations

import math

import _tengen_units as units
import numpy as np
import pytest


def puct(**values: float) -> units.PuctSettings:
    made = units.PuctSettings()
    for name, value in values.items():
        setattr(made, name, value)
    return made


VISITS = [(0, 0.75, 1.0), (1, 0.5, 4.0), (0, 0.25, 0.5), (2, 1.0, 8.0), (0, 0.625, 2.0), (1, 0.0, 0.25)]
PRIORS = [0.4, 0.3, 0.2, 0.1]


def test_means_are_weighted() -> None:
    got = units.weigh(puct(c=1), 4, VISITS, False, True, PRIORS)
    values, weights = 1 - np.array([v for _, v, _ in VISITS]), np.array([w for _, _, w in VISITS])
    assert got.weight == pytest.approx(weights.sum())
    assert got.mean == pytest.approx(np.average(values, weights=weights), abs=1e-5)
    assert got.square == pytest.approx(np.average(values**2, weights=weights), abs=1e-5)
    for move in range(3):
        mine = [(v, w) for m, v, w in VISITS if m == move]
        assert got.worth[move] == pytest.approx(sum(v * w for v, w in mine) / sum(w for _, w in mine), abs=1e-5)


def test_equal_weights_are_visits() -> None:
    even = [(move, value, 1.0) for move, value, _ in VISITS]
    weighed, counted = (units.weigh(puct(c=1), 4, even, False, spread, PRIORS) for spread in (True, False))
    assert weighed.worth == counted.worth and weighed.bonus == counted.bonus and weighed.mean == counted.mean


def test_exploration_grows_with_the_weight() -> None:
    weight = sum(w for _, _, w in VISITS)
    got = units.weigh(puct(c=0.7), 4, VISITS, False, True, PRIORS)
    assert got.bonus == pytest.approx(0.7 * math.sqrt(weight), rel=1e-5)
    got = units.weigh(puct(c=0.7, c_log=0.45, c_base=10), 4, VISITS, False, True, PRIORS)
    assert got.bonus == pytest.approx((0.7 + 0.45 * math.log((weight + 10) / 10)) * math.sqrt(weight), rel=1e-5)


@pytest.mark.parametrize("scale", [0.0, 0.5, 0.85, 1.0])
@pytest.mark.parametrize("spread", [0.1, 0.2])
@pytest.mark.parametrize("count", [1, 2, 6])
def test_exploration_follows_the_spread(scale: float, spread: float, count: int) -> None:
    """The standard deviation of values, with what is expected as two visits (KataGo's dynamic cPUCT)."""
    visits = VISITS[:count]
    got = units.weigh(puct(c=1, c_spread=scale, spread=spread), 4, visits, False, True, PRIORS)
    values, weights = 1 - np.array([v for _, v, _ in visits]), np.array([w for _, _, w in visits])
    total, mean, square = weights.sum(), np.average(values, weights=weights), np.average(values**2, weights=weights)
    found = spread
    if total > 1:
        found = math.sqrt(max(0, ((mean**2 + spread**2) * 2 + square * total) / (2 + total - 1) - mean**2))
    wanted = (1 + scale * (found / spread - 1)) * math.sqrt(total)
    assert got.bonus == pytest.approx(wanted, rel=1e-4)


@pytest.mark.parametrize("at_root", [False, True])
@pytest.mark.parametrize("by_policy", [0, 1])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_first_play_urgency_falls_with_the_policy_visited(count: int, by_policy: int, at_root: bool) -> None:
    visits = [(move, value, 1.0) for move, value, _ in VISITS[:count]]
    settings = puct(fpu_reduction=0.2, root_fpu_reduction=0.05, fpu_by_policy=by_policy)
    got = units.weigh(settings, 4, visits, at_root, False, PRIORS)
    mass = sum(PRIORS[move] for move in {move for move, _, _ in visits}) if by_policy else 1.0
    parent = np.mean([value for _, value, _ in visits])
    assert got.worth[3] == pytest.approx(parent - (0.05 if at_root else 0.2) * math.sqrt(mass), abs=1e-5)


# Settings, error of the value, of the score, points beyond the root's lead, weight.
WEIGHTS = [
    ({}, 0.25, 1.0, 0.0, 1.0),  # not asked for
    ({"uncertainty": 0.25}, 0.0, 5.0, 0.0, 8.0),
    ({"uncertainty": 0.25}, 0.25, 5.0, 0.0, 0.25 / (0.25 + 0.25 / 8)),
    ({"uncertainty": 0.25}, 1.0, 5.0, 0.0, 0.25 / (1 + 0.25 / 8)),
    ({"uncertainty": 0.5, "most_weight": 4}, 0.25, 0.0, 0.0, 0.5 / (0.25 + 0.125)),
    ({"uncertainty": 0.25, "score_utility": 0.2, "points": 5}, 0.25, 10.0, 0.0, 0.25 / (0.2 + 0.2 * 2 + 0.25 / 8)),
    ({"uncertainty": 0.25, "score_utility": 0.2, "points": 5}, 0.25, 10.0, -5.0, 0.25 / (0.2 + 0.1 + 0.25 / 8)),
]  # fmt: skip


@pytest.mark.parametrize(("values", "value_error", "score_error", "ahead", "weight"), WEIGHTS)
def test_answers_weigh_by_their_error(
    values: dict[str, float], value_error: float, score_error: float, ahead: float, weight: float
) -> None:
    assert units.answer_weight(puct(**values), value_error, score_error, ahead) == pytest.approx(weight, rel=1e-5)


# The cache of answers


def test_every_number_is_in_the_key() -> None:
    """Also where it is, whether it is a plane's or a global's, and whether a root is asked about."""
    planes, numbers = [0.0, 1.0, 0.0, 1.0, 0.0], [0.5, 0.0]
    keys = {units.answer_key(planes, numbers, False), units.answer_key(planes, numbers, True)}
    for at in range(5):
        keys.add(units.answer_key([1 - one if i == at else one for i, one in enumerate(planes)], numbers, False))
    for at in range(2):
        keys.add(units.answer_key(planes, [one + 0.25 if i == at else one for i, one in enumerate(numbers)], False))
    keys.add(units.answer_key([0.0, 1.0, 0.0, 0.0, 1.0], numbers, False))
    keys.add(units.answer_key([*planes, 0.5], [0.0, 0.0], False))
    assert len(keys) == 2 + 5 + 2 + 2 - 1  # the last is the same numbers in a row


def test_no_two_of_many_keys_are_alike() -> None:
    rng = np.random.default_rng(1)
    halves = [units.answer_key(list(row), [], False) for row in (rng.random((20000, 30)) < 0.1).astype(float)]
    distinct = len({tuple(row) for row in (np.random.default_rng(1).random((20000, 30)) < 0.1)})
    assert len({low for low, _ in halves}) == len({high for _, high in halves}) == distinct


@pytest.mark.parametrize(("bytes_", "answers"), [(1 << 20, 500), (1 << 16, 500), (1 << 12, 50), (100, 5), (0, 5)])
def test_what_is_kept_is_bounded_and_right(bytes_: int, answers: int) -> None:
    capacity, found = units.kept_answers(bytes_, answers)
    entry = 4 * (82 + 81)
    assert capacity * entry <= bytes_ and capacity > bytes_ / (entry + 64) - 4
    assert len(found) <= min(capacity, answers) and len(set(found)) == len(found) and -1 not in found
    if capacity > 2 * answers:
        assert len(found) > 0.98 * answers
    elif capacity:
        assert len(found) > capacity * 0.8 and answers - 1 in found, "the newest are"
