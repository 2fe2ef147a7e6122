"""Local fights in the search of a network, whose answers are made by hand."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
import pytest
from go_boards import board, cell

from tengen.engine._core import GoState, GoTree, StopToken

SLOPE, TRUST = 1.7, 0.95
SPREAD = 0.5 * 9 + 2
"""Standard deviation of the score on 9x9 where the network says none, in points."""

THREE = """
...XO....
XXXXO....
OOOOO....
.........
....X.X..
..X......
.......X.
...X..X..
.........
"""
"""Three points in a row, one eye or two by who plays B9 first."""


def tree_of(**settings: float) -> Any:
    tree: Any = GoTree()
    """Without trust in fights whose walls have gaps, such as those about the walls themselves."""
    given = {"seed": 1, "symmetries": 0, "reading": 30000, "reading_leaf": 10**5, "reading_trust_open": 0}
    for name, value in {**given, **settings}.items():
        tree.set(name, value)
    return tree


def search(tree: Any, state: GoState, visits: int, owner: Any = 0.0, policy: Any = None, **rest: Any) -> Any:
    """Search with a network that says a draw of everything and, for the side to move, these owners and logits."""
    size, cells = state.width, state.width * state.height
    tree.begin(state, visits=visits, **rest)
    planes, numbers = np.zeros((1, 22, size, size), np.float32), np.zeros((1, 19), np.float32)
    sides = np.zeros(1, np.uint8)
    while not tree.is_over:
        if not tree.collect(planes, numbers, None, sides):
            continue
        sign = 1 if sides[0] == 0 else -1
        owners = np.full((1, cells), 0, np.float32) + sign * np.asarray(owner, np.float32)
        logits = np.zeros((1, cells + 1), np.float32) if policy is None else np.asarray([policy], np.float32)
        tree.deliver(logits, np.array([[0.5, 0, 0.5]], np.float32), None, owners)
    tree.end()
    return tree.info(0, True)


def win_of(info: Any) -> float:
    return float(info.win)


def cells_of(state: GoState, words: str) -> list[int]:
    return [cell(state, word) for word in words.split()]


BLACK = "D9 A8 B8 C8 D8"
EYES = "A9 B9 C9"


@pytest.mark.parametrize(("mover", "owner"), [(0, 0.0), (1, 0.0), (0, -0.5), (1, 0.9)])
def test_a_root_is_worth_what_its_mover_gets_of_the_fight(mover: int, owner: float) -> None:
    """Owners of the chain and of its eyes become those of the proof, and the win follows."""
    state = board(THREE, mover)
    cells = cells_of(state, BLACK + " " + EYES)
    said = np.zeros(81)
    said[cells] = owner
    info = search(tree_of(), state, 1, said)
    points = len(cells) * ((TRUST if mover == 0 else -TRUST) - owner)
    black = 1 / (1 + math.exp(-SLOPE * points / SPREAD))
    assert win_of(info) == pytest.approx(black if mover == 0 else 1 - black, abs=1e-3)


def test_without_reading_nothing_changes() -> None:
    assert win_of(search(tree_of(reading=0), board(THREE, 1), 1)) == pytest.approx(0.5)
    assert next(value for name, value, *_ in GoTree().options() if name == "reading") == 0


def test_a_settled_fight_is_worth_the_same_whoever_moves() -> None:
    """The eye is filled in the middle: Black is dead."""
    diagram = THREE.replace("...XO", ".O.XO", 1)
    for mover in (0, 1):
        win = win_of(search(tree_of(), board(diagram, mover), 1))
        assert win < 0.3 if mover == 0 else win > 0.7


@pytest.mark.parametrize("mover", [0, 1])
def test_the_move_that_the_policy_hides_is_found(mover: int) -> None:
    state = board(THREE, mover)
    vital = cell(state, "B9")
    policy = np.zeros(82)
    policy[cells_of(state, "E3 F4")], policy[vital] = 5, -12
    assert search(tree_of(reading=0), state, 120, policy=policy).lines[0].move != vital
    assert search(tree_of(), state, 120, policy=policy).lines[0].move == vital


TWO = """
...XO....
XXXXO....
OOOOO....
.........
.........
.........
....OOOOO
...OXXXXX
...OXX...
"""
"""The fight of above, and the same with more stones in the other corner, about H1."""


def test_of_two_fights_the_mover_takes_the_larger() -> None:
    state = board(TWO, 1)
    small, large = cell(state, "B9"), cell(state, "H1")
    lines = {line.move: line for line in search(tree_of(), state, 200).lines}
    assert lines[large].win > lines[small].win and lines[large].pv[1] == small


def test_runs_repeat() -> None:
    state = board(TWO, 0)
    first, second = (search(tree_of(), state, 150) for _ in range(2))
    assert [(line.move, line.visits, line.win) for line in first.lines] == [
        (line.move, line.visits, line.win) for line in second.lines
    ]


def test_a_stop_ends_reading() -> None:
    """A run that was stopped before reads a few hundred nodes and asks about its root alone."""
    stop = StopToken()
    stop.stop()
    info = search(tree_of(reading=10**9, reading_leaf=10**6), board(TWO, 0), 10**6, stop=stop)
    assert info.visits == 1


def test_a_clock_bounds_reading() -> None:
    """A share of the time of a run, however many nodes are allowed."""
    begun = time.monotonic()
    info = search(tree_of(reading=10**9, reading_leaf=0), board(TWO, 0), 0, seconds=0.5)
    assert info.visits >= 1 and time.monotonic() - begun < 10


def test_ownership_and_rules_do_not_matter_to_reading() -> None:
    wins = set()
    for rules in ({}, {"scoring": "territory"}):
        info = search(tree_of(), board(THREE, 1, **rules), 1)
        assert len(info.ownership) == 81
        wins.add(round(win_of(info), 6))
    assert len(wins) == 1


def test_options_of_reading_are_those_of_go_alone() -> None:
    names = {name for name, *_ in tree_of().options()}
    assert {"reading", "reading_share", "reading_leaf", "reading_question", "reading_urge"} <= names
    assert {"reading_trust", "reading_slope"} <= names
    with pytest.raises(ValueError, match="reading_share must lie between 0"):
        tree_of(reading_share=2)
