"""Renju's fouls: diagrams, disputed positions, other people's, and a slow literal judge on random boards."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from gomoku_boards import SIZES, TWO_THREES, Naive, board, cell, random_stones, show, stones_of, vertex

from tengen.engine._core import GomokuState

# One foul a row: board, the forbidden points with their kinds.
FOULS = [
    # Two threes of three stones each.
    (TWO_THREES, {"e5": "double three"}),
    # A three that the enemy stopped at one side is none.
    ("""
     .........
     ....X....
     ....X....
     .........
     OXX......
     .........
     .........
     .........
     .........""", {}),
    # Two fours.
    ("""
     ....O....
     ....X....
     ....X....
     ....X....
     OXXX.....
     .........
     .........
     .........
     .........""", {"e5": "double four"}),
    # A four and a three are allowed.
    ("""
     .........
     ....X....
     ....X....
     .........
     OXXX.....
     .........
     .........
     .........
     .........""", {}),
    # A five beats the overline and the double four that come with it.
    ("""
     ....O....
     ....X....
     ....X....
     ....X....
     XXXX.XX..
     ....X....
     .........
     .........
     .........""", {"c6": "double three", "d7": "double three"}),
    # The straight four of the column would be an overline's: no three, so no double three.
    ("""
     ....X....
     .........
     ....X....
     ....X....
     .........
     .XX......
     .........
     ....X....
     .........""", {}),
]  # fmt: skip


# The same on one line of a board of five rows: the row, its forbidden points.
LINES = [
    ("X.X.XX..X", {"g3": "double four"}),  # d3 and h3 make a five each, of different fours
    ("X.XX..X..", {"e3": "double four"}),
    ("XXX...XXX", {"e3": "double four"}),
    ("...X.X.X.X.", {"g3": "double four"}),
    ("XXX.XX...", {"d3": "overline"}),
    ("XX.XXX...", {"c3": "overline"}),
    (".XXX..XXX...", {}),  # f3 would join eight, so only a3 makes a five
    (".X.XX.X....", {}),
    (".X.XXX.X.", {}),
    ("X.XX.X.XX", {}),  # e3 is a five
    ("XX.XX....", {}),
]


def line_board(row: str) -> str:
    """Five rows, the middle one given."""
    empty = "." * len(row)
    return "\n".join([empty, empty, row, empty, empty])


@pytest.mark.parametrize(("diagram", "fouls"), FOULS + [(line_board(row), fouls) for row, fouls in LINES])
def test_fouls(diagram: str, fouls: dict[str, str]) -> None:
    state = board(diagram, "renju")
    naive = Naive(*stones_of(diagram), "renju")
    assert {vertex(state, move): state.foul(move) for move in state.forbidden()} == fouls
    for row, column in naive.all_cells():
        if naive.at(row, column) == 0:
            move = row * state.width + column
            assert state.foul(move) == naive.foul((row, column)) == fouls.get(vertex(state, move), "")
    for name, foul in fouls.items():
        move = cell(state, name)
        assert not state.is_legal(move) and move not in state.legal_moves()
        with pytest.raises(ValueError, match=f"^{foul}$"):
            state.play(move)
        state.copy().play_as(1, move)
    free = board(diagram, "freestyle")
    assert free.forbidden() == [] and all(free.foul(move) == "" for move in range(free.cells))


# Where strong programs disagree (random positions, x from the left, rows from the bottom), judged by the text of
# the Renju International Federation's rule 9: position, point, forbidden?, why.
DISPUTED = [
    (0, "d4", True, "row c4 and diagonal c5 each attain a straight four, both allowed; the column is a four, no three"),
    (1, "l9", False, "the diagonal's only straight four is by m8, which makes a five: not a three by definition"),
    (2, "l7", False, "it is a five itself, which beats the two threes"),
    (2, "m8", False, "the antidiagonal's only straight four is by l7, which makes a five: one three is left"),
    (3, "f11", False, "it is a five itself"),
    (4, "l6", True, "column l7 and diagonal k7 attain straight fours that are allowed; the antidiagonal is a four"),
    (5, "d12", False, "the antidiagonal's only straight four is by e13, which makes a five: one three is left"),
    (6, "h6", False, "the antidiagonal's only straight four is by j7, which makes a five: one three is left"),
    (7, "n10", True, "row m10 and antidiagonal m9 attain straight fours, neither forbidden nor a five"),
    (8, "h10", False, "it is a five itself"),
    (8, "j7", False, "it is a five itself, whatever fours it makes besides"),
    (9, "g10", False, "it is a five itself"),
    (10, "m11", False, "the column's straight four m12 is a double four, so only the row is a three"),
    (11, "d6", False, "it is a five itself"),
    (12, "l10", True, "a four in the row (k10) and a four on the antidiagonal (n12)"),
    (13, "d10", True, "row e10; antidiagonal c9, which makes no five, though g13 would: two threes"),
    (14, "g9", True, "diagonal j7 and antidiagonal e7 attain straight fours; the column is a four"),
]


def test_disputed_fouls(shared: Callable[[str], Path]) -> None:
    cases = json.loads(shared("data/gomoku/renju/random_forbidden_disagreements.json").read_text("utf-8"))
    judged: dict[int, set[int]] = {}
    states = []
    for case in cases:
        stones = bytearray(225)
        for number, (x, y) in enumerate(case["moves"]):
            stones[y * 15 + x] = number % 2 + 1
        state = GomokuState(15, 15, "renju")
        state.setup(bytes(stones), 0)
        states.append(state)
    for index, name, forbidden, why in DISPUTED:
        state = states[index]
        move = cell(state, name)
        assert (state.foul(move) != "") == forbidden, why
        assert (move in state.winning_moves(0)) == ("it is a five itself" in why), why
        judged.setdefault(index, set()).add(move)
    for index, (case, state) in enumerate(zip(cases, states, strict=True)):
        opinions = [{y * 15 + x for x, y in case[who]} for who in ("rapfi", "pentazen", "referee")]
        agreed, disputed = set.intersection(*opinions), set.union(*opinions) - set.intersection(*opinions)
        assert disputed == judged[index], "every disputed point is judged above"
        assert agreed <= set(state.forbidden()) <= agreed | disputed
        naive = Naive(15, 15, state.stones(), "renju")
        assert [m for m in range(225) if state.stones()[m] == 0 and naive.foul(divmod(m, 15))] == state.forbidden()


def test_forbidden_sets(shared: Callable[[str], Path]) -> None:
    for case in json.loads(shared("data/gomoku/renju/mintaka_forbidden.json").read_text("utf-8")):
        state = board(case["board"], "renju")
        found = [
            f"{'abcdefghijklmno'[m % 15]}{15 - m // 15}:{state.foul(m).replace(' ', '-')}" for m in state.forbidden()
        ]
        assert sorted(found) == sorted(case["forbidden"]), case["name"]


def test_forbidden_points(shared: Callable[[str], Path]) -> None:
    cases = json.loads(shared("data/gomoku/renju/alphagomoku_forbidden.json").read_text("utf-8"))
    assert len(cases) >= 50
    for case in cases:
        state = board(case["board"], "renju")
        x, y = case["point_xy"]
        assert (state.foul(y * 15 + x) != "") == case["forbidden"], (case["name"], x, y)


@pytest.mark.parametrize("boards", [10, pytest.param(60, marks=pytest.mark.slow)])
def test_fouls_on_random_boards(boards: int) -> None:
    """Boards of black shapes, where fouls, nested ones too, are common."""
    choose = random.Random(9)
    fouls: dict[str, int] = {}
    for number in range(boards):
        width, height = SIZES[number % 4] if number % 3 else (15, 15)
        stones = bytearray(random_stones(choose, width, height, 0.8))
        for move in range(len(stones)):
            if stones[move] == 2 and choose.random() < 0.4:
                stones[move] = 0
        state, naive = GomokuState(width, height, "renju"), Naive(width, height, bytes(stones), "renju")
        state.setup(bytes(stones), 0)
        literal = {m: naive.foul(divmod(m, width)) for m, stone in enumerate(stones) if stone == 0}
        assert {m: state.foul(m) for m in literal} == literal, show(state)
        assert state.forbidden() == [m for m, foul in literal.items() if foul]
        for foul in literal.values():
            fouls[foul] = fouls.get(foul, 0) + 1
    assert all(fouls[kind] > boards // 3 for kind in ("overline", "double four", "double three"))
