"""An evaluator that says policy and value at once is asked once a position, and grows the tree that batches grow."""

from __future__ import annotations

import _tengen_units as units
import pytest


@pytest.mark.parametrize("playouts", [1, 2, 50, 400, 3000])
def test_it_grows_the_tree_of_a_forest(playouts: int) -> None:
    """The same network behind one tree of a forest, one leaf a batch: the same visits to the root's moves."""
    (forest,) = units.search_forest(1, playouts, 1, 1)
    found = units.search_answering(0, forest.visits)
    assert found.visits == forest.visits and found.asked == forest.answered
    assert sorted(n for n in found.spread if n) == sorted(n for n in forest.spread if n)
    assert found.mean == pytest.approx(forest.mean, abs=1e-9)


def test_a_position_is_asked_about_once() -> None:
    """Simulations that come to an end ask nothing, all others make one node each."""
    found = units.search_answering(4, 2000)
    assert 500 < found.asked < 2000 and found.asked <= found.nodes


@pytest.mark.threads
def test_two_threads_count_every_simulation() -> None:
    found = units.search_answering(4, 3000, threads=2)
    assert found.visits == 3000 and found.asked <= 3000


@pytest.mark.timing
def test_a_full_tree_searches_on() -> None:
    """A megabyte holds a few thousand positions; the other simulations go on among the moves that it has."""
    found = units.search_answering(4, 60000, memory_mb=1)
    assert found.visits >= 60000 and sum(found.spread) >= 59990
