"""The steps of the tree search one by one: choosing a child, backing up proofs and AMAF, values, the arena."""

from __future__ import annotations

import math

import _tengen_units as units
import pytest


def child(**facts: float) -> units.Child:
    """`proof`: an exact one."""
    made = units.Child()
    if "proof" in facts:
        exact = facts.pop("proof")
        facts |= {"low": exact, "high": exact}
    for name, value in facts.items():
        setattr(made, name, value)
    return made


def uct(**values: float) -> units.UctSettings:
    made = units.UctSettings()
    for name, value in values.items():
        setattr(made, name, value)
    return made


def puct(**values: float) -> units.PuctSettings:
    made = units.PuctSettings()
    for name, value in values.items():
        setattr(made, name, value)
    return made


# What decides, the children, the settings, which one is visited next.
UCB = [
    ("the better mean", [dict(visits=9, mean=0.4), dict(visits=9, mean=0.6)], {}, 1),
    ("the first of equals", [dict(visits=9), dict(visits=9)], {"c": 1}, 0),
    ("fewer visits, when exploring", [dict(visits=90, mean=0.55), dict(visits=9, mean=0.5)], {"c": 1}, 1),
    ("not when c is 0", [dict(visits=90, mean=0.55), dict(visits=9, mean=0.5)], {"c": 0}, 0),
    ("a child without visits first", [dict(visits=9, mean=0.9), dict()], {"first_play_value": 10}, 1),
    ("or last", [dict(visits=9, mean=0.1), dict()], {"first_play_value": 0}, 0),
    ("priors count as visits", [dict(prior_wins=3, prior_visits=4), dict(prior_wins=2, prior_visits=4)], {}, 0),
    ("visits outweigh priors", [dict(prior_wins=4, prior_visits=4, visits=40, mean=0.1), dict(visits=9)], {}, 1),
    ("a won move before all", [dict(visits=9, mean=0.99), dict(visits=9, mean=0.01, proof=1)], {"c": 1}, 1),
    ("a lost one after all", [dict(visits=9, mean=0.0), dict(visits=9, mean=0.99, proof=-1)], {}, 0),
    ("a drawn one by its mean", [dict(visits=9, mean=0.6), dict(visits=9, mean=0.5, proof=0)], {}, 0),
    ("or first", [dict(visits=9, mean=0.4), dict(visits=9, mean=0.5, proof=0)], {}, 1),
    ("what can be no more than a draw after a drawn one", [dict(visits=9, mean=0.9, high=0), dict(visits=9, mean=0.5, proof=0)], {}, 1),
    ("unless nothing is drawn", [dict(visits=9, mean=0.9, high=0), dict(visits=9, mean=0.5)], {}, 0),
    ("a visit in flight is a loss", [dict(visits=4, in_flight=2, mean=0.6), dict(visits=4, mean=0.5)], {}, 1),
    ("the lost one visited least", [dict(visits=9, proof=-1), dict(visits=3, proof=-1)], {}, 1),
]  # fmt: skip


@pytest.mark.parametrize(("children", "values", "best"), [row[1:] for row in UCB], ids=[row[0] for row in UCB])
def test_ucb_chooses(children: list[dict[str, float]], values: dict[str, float], best: int) -> None:
    assert units.choose_playouts([child(**facts) for facts in children], uct(**values), False) == best


def test_exploration_is_ucb1() -> None:
    """The bonus turns the choice exactly where c * sqrt(ln(N + 1) / n) says, N being the parent's visits."""
    total, bonus = 111, lambda c, n: c * math.sqrt(math.log(111 + 1) / n)
    low, high = 0.0, 2.0
    for _ in range(40):  # the c at which both weigh alike
        c = (low + high) / 2
        low, high = (c, high) if 0.6 + bonus(c, 100) > 0.5 + bonus(c, 10) else (low, c)
    children = [child(visits=100, mean=0.6), child(visits=10, mean=0.5)]
    assert sum(made.visits for made in children) + 1 == total  # the visit that is being made
    assert units.choose_playouts(children, uct(c=low * 0.999), False) == 0
    assert units.choose_playouts(children, uct(c=low * 1.001), False) == 1


AMAF = [
    ("AMAF leads while visits are few", [dict(visits=1, mean=0.6, amaf_visits=50, amaf_wins=10), dict(visits=1, mean=0.5, amaf_visits=50, amaf_wins=40)], 3000, 1),
    ("and fades", [dict(visits=9000, mean=0.6, amaf_visits=50, amaf_wins=10), dict(visits=9000, mean=0.5, amaf_visits=50, amaf_wins=40)], 10, 0),
    ("0 turns it off", [dict(visits=1, mean=0.6, amaf_visits=50, amaf_wins=10), dict(visits=1, mean=0.5, amaf_visits=50, amaf_wins=40)], 0, 0),
]  # fmt: skip


@pytest.mark.parametrize(("children", "equivalence", "best"), [row[1:] for row in AMAF], ids=[row[0] for row in AMAF])
def test_rave_chooses(children: list[dict[str, float]], equivalence: float, best: int) -> None:
    chosen = units.choose_amaf([child(**facts) for facts in children], uct(rave_equivalence=equivalence), False)
    assert chosen == best


PUCT = [
    ("the prior decides first", [dict(prior_wins=0.2), dict(prior_wins=0.7)], {"c": 1}, 1),
    ("visits wear it off", [dict(prior_wins=0.3, visits=1, mean=0.5), dict(prior_wins=0.6, visits=9, mean=0.5)], {"c": 1}, 0),
    ("without exploring, the mean", [dict(prior_wins=0.1, visits=5, mean=0.6), dict(prior_wins=0.9, visits=5, mean=0.5)], {"c": 0}, 0),
    ("a child without visits starts below its parent", [dict(prior_wins=0.1, visits=9, mean=0.5), dict(prior_wins=0.1)], {"c": 0, "fpu_reduction": 0.2}, 0),
    ("at its value without reduction", [dict(visits=9, mean=0.4), dict(visits=1, mean=0.9), dict()], {"c": 0, "fpu_reduction": 0.0}, 1),
]  # fmt: skip


@pytest.mark.parametrize(("children", "values", "best"), [row[1:] for row in PUCT], ids=[row[0] for row in PUCT])
def test_puct_chooses(children: list[dict[str, float]], values: dict[str, float], best: int) -> None:
    assert units.choose_policy([child(**facts) for facts in children], puct(**values), False) == best


AHEAD = [dict(visits=9, mean=0.50, margin=2), dict(visits=9, mean=0.51, margin=-2)]
# What decides, the children (margins are player 0's), the settings, whose move it is, which one is visited next.
POINTS = [
    ("points count for nothing by default", AHEAD, {}, 0, 1),
    ("a little, when they are asked for", AHEAD, {"score_utility": 0.1, "points": 7}, 0, 0),
    ("the other way for the other side", AHEAD, {"score_utility": 0.1, "points": 7}, 1, 1),
    ("winning counts more", [dict(visits=9, mean=0.5, margin=2), dict(visits=9, mean=0.6, margin=-2)],
     {"score_utility": 0.1, "points": 7}, 0, 1),
    ("near the root's lead they count more", [dict(visits=9, mean=0.5, margin=40), dict(visits=9, mean=0.512, margin=35)],
     {"score_utility": 0.1, "points": 7}, 0, 1),
    ("than far from it", [dict(visits=9, mean=0.5, margin=40), dict(visits=9, mean=0.512, margin=35)],
     {"score_utility": 0.1, "points": 7, "root_margin": 37}, 0, 0),
    ("where nobody leads, exploring weighs as without points", [dict(visits=9, mean=0.55, prior_wins=0.1), dict(visits=4, mean=0.5, prior_wins=0.2)],
     {"c": 0.3, "score_utility": 0.5, "points": 7}, 0, 0),
    ("visits in flight lead by nothing", [dict(visits=9, in_flight=3, mean=0.5, margin=9), dict(visits=9, mean=0.4, margin=9)],
     {"score_utility": 0.1, "points": 7}, 0, 1),
    ("a visit on its way counts as lost", [dict(visits=4, in_flight=2, mean=0.6), dict(visits=4, mean=0.5)], {}, 0, 1),
    ("or as a visit alone", [dict(visits=4, in_flight=2, mean=0.6), dict(visits=4, mean=0.5)], {"virtual_loss": 0}, 0, 0),
    ("which wears the prior off", [dict(visits=4, in_flight=8, mean=0.5, prior_wins=0.5), dict(visits=4, mean=0.5, prior_wins=0.5)],
     {"c": 1, "virtual_loss": 0}, 0, 1),
    ("nothing but visits on their way is worth nothing", [dict(in_flight=2), dict(visits=9, mean=0.1)], {"fpu_reduction": 0}, 0, 1),
    ("or what no visits are worth", [dict(in_flight=2), dict(visits=9, mean=0.1)], {"fpu_reduction": 0, "virtual_loss": 0}, 0, 0),
    ("a constant that grows explores more", [dict(visits=4000, mean=0.55, prior_wins=0.5), dict(visits=900, mean=0.5, prior_wins=0.5)],
     {"c": 1}, 0, 0),
    ("with the logarithm of the visits", [dict(visits=4000, mean=0.55, prior_wins=0.5), dict(visits=900, mean=0.5, prior_wins=0.5)],
     {"c": 1, "c_log": 1, "c_base": 500}, 0, 1),
]  # fmt: skip


@pytest.mark.parametrize(
    ("children", "values", "player", "best"), [row[1:] for row in POINTS], ids=[row[0] for row in POINTS]
)
def test_points_and_visits_in_the_choice(
    children: list[dict[str, float]], values: dict[str, float], player: int, best: int
) -> None:
    assert units.choose_policy([child(**facts) for facts in children], puct(**values), False, player) == best


def test_excluded_moves_are_passed_over_at_the_root_only() -> None:
    children = [child(visits=9, mean=0.9, excluded=True), child(move=1, visits=9, mean=0.1)]
    assert units.choose_playouts(children, uct(), True) == 1
    assert units.choose_playouts(children, uct(), False) == 0
    assert units.choose_playouts([children[0]], uct(), True) == -1


WON, DRAWN, LOST, OPEN, NOT_LOST, NOT_WON = (1, 1), (0, 0), (-1, -1), (-1, 1), (0, 1), (-1, 0)
# Bounds of the moves (for who moves there), which one is new, whether no move is missing, the node's own.
PROOFS = [
    ([WON, OPEN, OPEN], 0, True, LOST),  # a won reply loses
    ([WON, OPEN, OPEN], 0, False, LOST),
    ([LOST, OPEN, OPEN], 0, True, OPEN),  # one lost reply says nothing
    ([LOST, LOST, LOST], 2, True, WON),  # all of them lost: won
    ([LOST, LOST, LOST], 2, False, OPEN),  # unless a move was left out
    ([OPEN, OPEN, OPEN], 1, True, OPEN),
    ([DRAWN, OPEN, OPEN], 0, True, NOT_WON),  # who can draw does not lose
    ([DRAWN, LOST, LOST], 0, True, DRAWN),
    ([DRAWN, LOST, LOST], 0, False, NOT_WON),
    ([NOT_WON, LOST, LOST], 0, True, NOT_LOST),
    ([NOT_LOST, LOST, LOST], 0, True, NOT_WON),
    ([NOT_LOST, DRAWN, LOST], 1, True, NOT_WON),
    ([NOT_WON, DRAWN, LOST], 1, True, DRAWN),
]


@pytest.mark.parametrize(("proofs", "reply", "complete", "expected"), PROOFS)
def test_proofs_back_up(proofs: list[tuple[int, int]], reply: int, complete: bool, expected: tuple[int, int]) -> None:
    children = [child(low=low, high=high) for low, high in proofs]
    assert tuple(units.proof_after(children, reply, complete)) == expected


@pytest.mark.parametrize("alone", [True, False])
def test_results_are_counted_when_they_come(alone: bool) -> None:
    """Visits, those in flight, and the means of values, draws and margins."""
    got = units.counted([[1.0, 0.0, 3.0], [0.5, 1.0, 0.0], [0.0, 0.0, -6.0]], alone)
    assert got == pytest.approx([3, 0, 0.5, 1 / 3, -1.0])


@pytest.mark.parametrize("visits", [0.0, 0.5, 7.0, 373.5, 2047.0])
def test_virtual_visits_are_kept_exactly(visits: float) -> None:
    assert units.packed_visits(visits / 2, visits) == [visits / 2, visits]


def test_virtual_visits_beyond_what_is_kept_are_the_most_that_is() -> None:
    assert units.packed_visits(1 / 64 + 1 / 128, 1e6) == [1 / 32, 65535 / 32]
    assert units.packed_policy(0.123456789, 0.0) == pytest.approx([0.123456789, 0.0], rel=1e-7)


def test_amaf_forgets_the_older_half_when_it_is_full() -> None:
    (after,) = units.amaf_after([child(amaf_visits=65535, amaf_wins=30000)], [0], 0, 1.0)
    assert after[0] == 32768 and after[1] == pytest.approx(15000.8, abs=0.5)


def test_amaf_counts_moves_of_the_side_to_move() -> None:
    """The first player of each move: 0, 1 or nobody (-1)."""
    children = [child(move=move) for move in (0, 1, 2)]
    assert units.amaf_after(children, [0, 1, -1], 0, 0.75) == [[1, 0.75], [0, 0], [0, 0]]
    assert units.amaf_after(children, [0, 1, -1], 1, 0.25) == [[0, 0], [1, 0.25], [0, 0]]


# Margin for player 0, weight of margins, cells -> value for player 0.
VALUES = [
    (3.5, 0.0, 81, 1.0),
    (-0.5, 0.0, 81, 0.0),
    (0.0, 0.0, 81, 0.5),
    (40.5, 0.1, 81, 1.0),  # half of the board is all there is
    (-81.0, 0.1, 81, 0.0),
    (8.1, 0.1, 81, 0.96),  # 1 - 0.1 * (1 - 0.6)
]


@pytest.mark.parametrize(("margin", "weight", "cells", "value"), VALUES)
def test_value_of_a_result(margin: float, weight: float, cells: int, value: float) -> None:
    assert units.value_of_result(margin, weight, cells) == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize(("margin", "value"), [(1.0, 1.0), (0.0, 0.5), (-0.5, 0.25), (7.0, 1.0)])
def test_value_of_an_estimate(margin: float, value: float) -> None:
    assert units.value_of_estimate(margin, 0.3, 81) == pytest.approx(value)


SMALLEST = 12288
"""Cells of the smallest arena; two of them are never handed out."""


def test_what_a_tree_is_made_of_is_small() -> None:
    """A move not yet visited takes a cell, a position two."""
    assert (units.CELL, units.EDGE_BYTES, units.NODE_BYTES) == (16, 16, 32)


def test_arena_hands_out_every_cell_once() -> None:
    arena = units.Arena(1)
    assert arena.capacity == SMALLEST
    blocks = []
    while index := arena.new_edges(7):
        blocks.append(index)
    cells = {index + i for index in blocks for i in range(7)}
    assert len(cells) == 7 * len(blocks)
    assert min(cells) == 2 and max(cells) < SMALLEST
    assert len(blocks) == (SMALLEST - 2) // 7


def test_arena_takes_back_a_block_with_all_below_it() -> None:
    arena = units.Arena(1)
    top, below = arena.new_node(), arena.new_edges(3)
    arena.adopt(top, below, 3)
    child, deeper = arena.new_node(), arena.new_edges(5)
    arena.lead(below + 1, child)
    arena.adopt(child, deeper, 5)
    kept = arena.new_node()
    assert (arena.used, arena.nodes) == (2 + 2 + 3 + 2 + 5 + 2, 3)
    arena.release_node(top)
    arena.defragment()
    assert (arena.used, arena.nodes) == (2 + 2, 1)
    assert kept not in {arena.new_node() for _ in range(6)}  # the freed ones


def test_arena_splits_and_joins_free_blocks() -> None:
    arena = units.Arena(1)
    large = arena.new_edges(SMALLEST - 2)
    assert arena.new_node() == 0
    arena.release_edges(large, SMALLEST - 2)
    parts = [arena.new_edges(100) for _ in range((SMALLEST - 2) // 100)]
    assert all(parts)
    for part in parts:
        arena.release_edges(part, 100)
    arena.defragment()
    assert arena.new_edges(SMALLEST - 2)


def test_a_cleared_arena_is_empty() -> None:
    arena = units.Arena(1)
    while arena.new_edges(50):
        pass
    arena.new_node()
    arena.clear()
    assert (arena.used, arena.nodes) == (2, 0)
    assert arena.new_edges(SMALLEST - 2)
