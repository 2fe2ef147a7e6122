"""What a game knows for certain beside an evaluator: the shift of an outcome, a move that is urged, owners that are seen."""

from __future__ import annotations

import math

import _tengen_units as units
import pytest

SLOPE = 1.7


def logit(win: float) -> float:
    return math.log(win / (1 - win))


@pytest.mark.parametrize("win", [0.02, 0.5, 0.9])
@pytest.mark.parametrize("points", [-30.0, 4.0, 12.5])
def test_an_outcome_moves_by_points_on_a_logistic_curve(win: float, points: float) -> None:
    """Of a final score whose standard deviation is known: 5 points."""
    found = units.shifted(win, 2.0, 3.0, 3.0**2 + 5.0**2, points, True, 81, SLOPE)
    assert logit(found[0]) - logit(win) == pytest.approx(SLOPE * points / 5)
    assert found[1:] == pytest.approx([2 + points, 3 + points, (3 + points) ** 2 + 25])


def test_without_a_deviation_one_is_taken_by_the_size_of_the_board() -> None:
    small, large = (units.shifted(0.5, 0, 0, -1, 10, True, cells, SLOPE)[0] for cells in (81, 361))
    assert logit(small) == pytest.approx(SLOPE * 10 / (0.5 * 9 + 2))
    assert logit(large) == pytest.approx(SLOPE * 10 / (0.5 * 19 + 2))


def test_a_small_deviation_does_not_make_sure() -> None:
    assert logit(units.shifted(0.5, 0, 1, 1, 1, True, 361, SLOPE)[0]) == pytest.approx(SLOPE / 3)


def test_a_margin_that_is_no_score_stays_a_value() -> None:
    win, margin, *_ = units.shifted(0.3, -0.4, 0, -1, 20, False, 81, SLOPE)
    assert margin == pytest.approx(2 * win - 1) and win > 0.9


def test_a_game_that_is_lost_can_be_turned() -> None:
    assert units.shifted(0.0, -1, 0, -1, 60, False, 81, SLOPE)[0] > 0.9


def test_no_points_change_nothing() -> None:
    assert units.shifted(0.25, 3, 1, 7, 0, True, 81, SLOPE) == [0.25, 3, 1, 7]


def test_a_move_that_the_policy_hides_is_urged() -> None:
    """Its logit is so far below the largest, at most, and the search looks at it."""
    _, priors, visits, _ = units.search_with_hint(60, False, 0, -1, 1, 0)
    (hidden, before), index = min((pair, i) for i, pair in enumerate(sorted(priors, key=lambda pair: pair[1])[:1]))
    assert index == 0 and before < 0.05
    _, urged, spread, _ = units.search_with_hint(60, True, 0, hidden, 1, 0)
    after = dict(urged)
    assert after[hidden] == pytest.approx(math.exp(-1) * max(after.values()), rel=1e-4)
    place, was = [move for move, _ in urged].index(hidden), [move for move, _ in priors].index(hidden)
    assert spread[place] > visits[was]


def test_a_move_that_is_likely_is_left_as_it_is() -> None:
    _, priors, visits, _ = units.search_with_hint(60, False, 0, -1, 1, 0)
    best = max(priors, key=lambda pair: pair[1])[0]
    assert units.search_with_hint(60, True, 0, best, 1, 0)[1:3] == (priors, visits)


def test_points_reach_the_root() -> None:
    """+ is player 0, who is to move: the mean is for the other."""
    plain, ahead, behind = (units.search_with_hint(60, True, points, -1, 1, 0)[0] for points in (0, 4, -4))
    assert ahead < plain < behind


def test_owners_are_those_of_the_answer_as_player_0_sees_them() -> None:
    assert units.search_with_hint(1, True, 0, -1, 1, 0.25)[3] == pytest.approx([0.25] * 9)
