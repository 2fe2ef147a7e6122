"""Many trees that one evaluator answers in batches: every answer reaches its leaf, nothing that is awaited is counted."""

from __future__ import annotations

import _tengen_units as units
import pytest

# Trees, leaves asked about, leaves a batch, batches unanswered at once.
SHAPES = [
    (1, 200, 1, 1),
    (1, 200, 8, 1),
    (1, 300, 8, 2),
    (7, 900, 16, 1),
    (7, 900, 16, 2),
    (7, 901, 64, 3),
    (20, 500, 300, 2),
]


@pytest.mark.parametrize("shape", SHAPES)
def test_when_nothing_is_awaited_everything_adds_up(shape: tuple[int, int, int, int]) -> None:
    trees, answers, _, _ = shape
    reports = units.search_forest(*shape)
    assert len(reports) == trees and sum(report.answered for report in reports) == answers
    for report in reports:
        assert report.in_flight == 0
        assert report.visits == report.answered + report.known
        assert sum(report.spread) == report.visits - 1  # the first visit was the root's own
        assert (report.astray, report.foreign) == (0, 0)


@pytest.mark.parametrize("shape", SHAPES)
def test_batches_are_repeatable(shape: tuple[int, int, int, int]) -> None:
    first, second = units.search_forest(*shape), units.search_forest(*shape)
    assert [(report.visits, report.mean, report.spread) for report in first] == [
        (report.visits, report.mean, report.spread) for report in second
    ]


def test_a_tree_alone_does_not_care_how_large_a_batch_may_be() -> None:
    """Side by side or one after the other: 9 trees that give a leaf each to a batch of 9 grow as they would alone."""
    together = units.search_forest(9, 180, 9, 1)
    alone = units.search_forest(1, together[0].answered, 1, 1)
    assert together[0].spread == alone[0].spread and together[0].mean == alone[0].mean


def test_leaves_asked_about_twice_are_counted_and_given_up() -> None:
    """One tree cannot fill a large batch at the start: it has one leaf."""
    (report,) = units.search_forest(1, 100, 64, 1)
    assert report.collisions > 0 and report.answered == 100
    assert sum(one.collisions for one in units.search_forest(9, 90, 1, 1)) == 0


def test_what_is_known_needs_no_answer() -> None:
    """Three men's morris ends: simulations that come to an end are counted without one."""
    (report,) = units.search_forest(1, 3000, 4, 1)
    assert report.known > 0
