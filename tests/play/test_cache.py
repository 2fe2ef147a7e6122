"""Answers that are kept: the same tree as if everything had been asked, with less asked."""

from __future__ import annotations

import _tengen_toy as toy
import networks
import pytest
from checkout import needs_openvino
from puct_searches import after, empty, facts, run, search
from stand_ins import StandIn, Turning, forest, nodes, roots

from tengen.engine.search.base import Root
from tengen.engine.search.forest import drive


@pytest.mark.parametrize("turns", [False, True])
@pytest.mark.parametrize("evaluator", [StandIn, Turning])
@pytest.mark.parametrize("cache_mb", [1.0, 0.02])
def test_a_tree_is_the_same_with_and_without(evaluator: type[StandIn], turns: bool, cache_mb: float) -> None:
    """However small the cache is; an answer through another symmetry would show."""
    cached = 0
    for start in roots(9):
        plain = toy.MorrisForest([start], memory_mb=1, turns=turns)
        kept = toy.MorrisForest([start], memory_mb=1, turns=turns, cache_mb=cache_mb)
        drive(kept, evaluator(), 150, room=1, in_flight=1)
        answered, _, _ = kept.counts(0)
        drive(plain, evaluator(), answered + kept.cached(0), room=1, in_flight=1)
        assert nodes(plain) == nodes(kept) and answered == 150
        cached += kept.cached(0)
    assert cached > 0


def test_a_hit_takes_no_room_in_a_batch() -> None:
    """Five trees of one position: what one has asked the others know, and batches are full of other leaves."""
    starts = [roots(1)[0] for _ in range(5)]
    made, evaluator = toy.MorrisForest(starts, memory_mb=1, cache_mb=1), StandIn()
    drive(made, evaluator, 300, room=1, in_flight=1)
    assert sum(evaluator.batches) == 300 and set(evaluator.batches) == {1}
    assert sum(made.cached(tree) for tree in range(5)) > 4 * 300 * 0.8
    assert len({str(tree) for tree in nodes(made)}) <= 2, "as far as they came, all are the same tree"
    for number, tree in enumerate(nodes(made)):
        answered, known, _ = made.counts(number)
        assert tree[0].visits == answered + known + made.cached(number)
        assert not any(node.in_flight for node in tree)


@pytest.mark.parametrize("room", [1, 16])
def test_it_is_repeatable(room: int) -> None:
    first, second = forest(7, cache_mb=1), forest(7, cache_mb=1)
    for made in (first, second):
        drive(made, StandIn(), 600, room=room)
    assert nodes(first) == nodes(second)
    assert sum(first.cached(tree) for tree in range(7)) > 0


def test_none_is_kept_unless_asked_for() -> None:
    made = forest(2)
    drive(made, StandIn(), 300)
    assert made.cached(0) == made.cached(1) == 0
    with pytest.raises(ValueError, match="cache_mb"):
        forest(1, cache_mb=-1.0)


# Live games of Go


def test_a_position_that_comes_back_is_not_asked_about_again() -> None:
    """After an undo the tree is gone, its answers are not; without a cache everything is asked again."""
    needs_openvino()
    for cache_mb, kept in ((16, True), (0, False)):
        made = search(batch=1, cache_mb=cache_mb)
        first = run(made, empty(), visits=80)
        run(made, after(empty(), "E5 C3 C4"), visits=20)
        before = made.tree.cached
        again = run(made, empty(), visits=80)
        assert (made.tree.cached - before > 30) == kept and again.visits == 80
        assert {(line.move, line.prior) for line in again.lines[:3]} <= {
            (line.move, line.prior) for line in first.lines
        }
        assert facts(run(made, empty(), visits=80)) == facts(again)


def test_all_that_is_encoded_counts() -> None:
    """The same stones with another past or komi are another question."""
    needs_openvino()
    state = after(empty(), "E5 C3 G7 C7")
    asked = [
        (Root(state, recent=[], komi_shift=0.0), False),
        (Root(state, recent=[40, 60, 24, 20], komi_shift=0.0), False),
        (Root(state, recent=[24, 60, 40, 20], komi_shift=0.0), False),
        (Root(state, recent=[40, 60, 24, 20], komi_shift=2.0), False),
        (Root(state, recent=[40, 60, 24, 20], komi_shift=0.0), True),
    ]
    made = search(batch=1)
    for root, is_known in asked:
        run(made, empty(), visits=1)  # elsewhere, so that the tree is another
        before = made.tree.cached
        run(made, root, visits=1)
        assert (made.tree.cached > before) == is_known


def test_another_network_gives_other_answers() -> None:
    needs_openvino()
    made = search(batch=1)
    run(made, empty(), visits=30)
    made.use(lambda _size: networks.guide())
    run(made, empty(), visits=30)
    assert made.tree.cached < 30
