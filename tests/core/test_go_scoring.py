"""Scoring: a written table of areas, territory, dead stones, seki, bent four, prisoners and taxes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from go_boards import board, mask, show, stones_of

from tengen.engine._core import GoMcts, GoState

AREA = {"scoring": "area"}
TERRITORY = {"scoring": "territory", "tax": "seki"}
STONES = {"scoring": "area", "tax": "all"}

PRISONERS = {"scoring": "territory"}
AREA_SEKI = {"scoring": "area", "tax": "seki"}

SIMPLE = """
..XO.
..XO.
.XXO.
XXOOO
..XO.
"""
UNFINISHED = """
.OXO.
..XO.
.XXOX
XXOOO
..XO.
"""
# Two stones against five with two liberties in common: whoever plays there is taken.
SEKI = """
...OX.O
..OOX.O
..OXOOO
..OXXXX
..OX...
..OXXXX
..OX...
"""
# One eye each and one common liberty.
SEKI_WITH_EYES = """
.X.O.
XXOOO
OOXXX
.OX.X
OOXXX
.OX.X
OOXXX
.OX..
"""
# Bent four in the corner (Japanese rules 1989, commentary on article 7): White is dead as it stands.
BENT_FOUR = """
XX.OX...
XOOOX...
.OXXX...
OOX.....
XXX.....
........
........
"""
BENT_FOUR_PLAYED_OUT = """
XX..X...
X...X...
..XXX...
..X.....
XXX.....
........
........
"""
# Black's halves have an eye each and two neutral points in common: one group with two eyes.
JOINED = """
.X.X.
XX.XX
OOOOO
O.O.O
OOOOO
"""


class Case(NamedTuple):
    """`alive`: the diagram without the dead stones. Points are (black, white), komi not included."""

    name: str
    diagram: str
    rules: dict[str, Any]
    points: tuple[float, float]
    alive: str = ""


CASES = [
    Case("empty board", "...\n...\n...", AREA, (0, 0)),
    Case("empty board, territory", "...\n...\n...", TERRITORY, (0, 0)),
    Case("one stone owns all", "...\n.X.\n...", AREA, (9, 0)),
    Case("one stone owns all but itself", "...\n.X.\n...", TERRITORY, (8, 0)),
    Case("neutral points", "X.O\nX.O\nX.O", AREA, (3, 3)),
    Case("neutral points, territory", "X.O\nX.O\nX.O", TERRITORY, (0, 0)),
    Case("area", SIMPLE, AREA, (14, 11)),
    Case("territory", SIMPLE, TERRITORY, (7, 4)),
    Case("group tax", SIMPLE, STONES, (12, 9)),
    Case("dead stones, area", UNFINISHED, AREA, (14, 11), SIMPLE),
    Case("dead stones, territory", UNFINISHED, TERRITORY, (8, 5), SIMPLE),
    Case("seki, area", SEKI, AREA, (19, 28)),
    Case("seki, territory", SEKI, TERRITORY, (6, 15)),
    Case("seki with eyes, area", SEKI_WITH_EYES, AREA, (22, 17)),
    Case("seki with eyes, area with tax", SEKI_WITH_EYES, AREA_SEKI, (21, 16)),
    Case("seki with eyes, territory", SEKI_WITH_EYES, TERRITORY, (4, 3)),
    Case("seki with eyes, territory without tax", SEKI_WITH_EYES, PRISONERS, (5, 4)),
    Case("seki with eyes, stone scoring", SEKI_WITH_EYES, STONES, (19, 14)),
    Case("two halves that join at will", JOINED, TERRITORY, (2, 2)),
    Case("two halves that join at will, group tax", JOINED, STONES, (6, 13)),
    Case("bent four as it stands, area", BENT_FOUR, AREA, (47, 7)),
    Case("bent four as it stands, territory", BENT_FOUR, TERRITORY, (35, 0)),
    Case("bent four, area", BENT_FOUR, AREA, (56, 0), BENT_FOUR_PLAYED_OUT),
    Case("bent four, territory", BENT_FOUR, TERRITORY, (51, 0), BENT_FOUR_PLAYED_OUT),
]

# position and the stones in seki
SEKI_STONES = [
    ("none in a finished game", SIMPLE, "....." + "\n....." * 4),
    ("no eyes", SEKI, "....1.1\n....1.1\n....111" + "\n......." * 4),
    ("an eye each, but joined", JOINED, "....." + "\n....." * 4),
    ("an eye each", SEKI_WITH_EYES, ".1.1.\n11111" + "\n....." * 6),
    ("bent four looks like one", BENT_FOUR, "11.1....\n1111....\n.1......\n11......" + "\n........" * 3),
    ("a neutral point beside two eyes is none", "X.XOO\nXXXO.\n.X.OO\nXXXO.", "....." + "\n....." * 3),
]


def dead_stones(state: GoState, alive: str) -> bytes:
    """The mask of the stones of `state` that the diagram `alive` lacks."""
    left = stones_of(alive)[2] if alive else state.stones()
    return bytes(int(stone != kept) for stone, kept in zip(state.stones(), left, strict=True))


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_points(case: Case) -> None:
    state = board(case.diagram, komi=5.5, **case.rules)
    dead = dead_stones(state, case.alive)
    assert state.score(dead) == case.points
    if not any(dead):
        assert state.result() == case.points[0] - case.points[1] - 5.5
    for symmetry in range(8 if state.width == state.height else 4):
        image = state.transform(symmetry)
        if not any(dead):
            assert image.score() == case.points


@pytest.mark.parametrize("size", [5, 9, 13, 19, 25])
@pytest.mark.parametrize("komi", [-40.5, -7.5, 0.0, 7.5, 40.5])
@pytest.mark.parametrize("to_move", [0, 1])
def test_searches_take_komi_off_black(size: int, komi: float, to_move: int) -> None:
    """A settled board, on which both have passed once two moves on: every leaf counts the same margin."""
    black = size // 2
    rows = ["." * size if row in (0, size - 1) else "X" * size if row < black else "O" * size for row in range(size)]
    rows[0], rows[-1] = (".X" * size)[:size], (".O" * size)[:size]
    state = board("\n".join(rows), to_move, komi=komi)
    lead = size * black - size * (size - black) - komi
    sign = 1 - 2 * to_move
    for evaluator in ("uniform", "tactical"):
        search = GoMcts(evaluator)
        search.set("seed", 1)
        search.run(state, playouts=60)
        info = search.info()
        passes = next(line for line in info.lines if line.move == state.pass_move)
        assert info.score * sign == pytest.approx(lead, abs=4), evaluator
        assert (passes.score > 0) == (lead * sign > 0) and (info.win > 0.5) == (lead * sign > 0)


@pytest.mark.parametrize(("name", "diagram", "stones"), SEKI_STONES, ids=[s[0] for s in SEKI_STONES])
def test_seki(name: str, diagram: str, stones: str) -> None:
    state = board(diagram)
    assert mask(state, state.seki()) == stones, name


def test_prisoners_count_under_territory_scoring_only() -> None:
    for rules, points in ((AREA, (9, 0)), (TERRITORY, (8, 0))):
        state = GoState(3, 3, **rules)
        for colour, move in ((1, 0), (0, 1), (0, 3)):  # Black takes the corner stone
            state.play_as(colour, move)
        assert (state.captured(0), state.captured(1)) == (0, 1)
        assert state.score() == points


def test_area_array() -> None:
    state = board("X.O..\n.XO..\n..O.X\nOOO..", komi=0.5)
    assert state.area().dtype == np.int8
    assert ["".join(map(str, row)) for row in state.area().tolist()] == ["10200", "01200", "00201", "22200"]


def test_bad_masks() -> None:
    with pytest.raises(ValueError, match="wrong number of cells"):
        GoState(3, 3).score(b"\0")
    assert show(GoState(2, 2)) == "..\n.."
