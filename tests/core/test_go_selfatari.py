"""Bad self-atari: a table of our own, Pachi's where TENGEN_SHARED is set, and orientation."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from go_boards import board, cell, moved_cell, symmetries
from go_games import choose
from go_pachi import read_table

from tengen.engine._core import GoState

# what, diagram, colour, vertex, whether the move is bad
MOVES = [
    ("an open board", ".....\n.....\n.....\n.....\n.....", 0, "c3", False),
    ("into a tiger's mouth", ".....\n.X.X.\n..X..\n.....\n.....", 1, "c4", True),
    ("suicide", ".X...\nX....\n.....", 1, "a3", True),
    ("a capture", "XO...\n.....\n.....", 1, "a2", False),
    ("taking a ko", ".XO..\nX.XO.\n.XO..", 1, "b2", False),
    ("throwing in where the ko is given for nothing", ".....\n.XO..\nX..O.\n.XO..\n.....", 0, "c3", True),
    ("snapback", ".XO..\nX..O.\nXOOX.\n.XXX.\n.....", 0, "c4", False),
    ("nakade in the middle of three", "XXXX.\nO..X.\nXXXX.\n.....", 1, "b3", False),
    ("the end of the same three makes the enemy's eyes", "XXXX.\nO..X.\nXXXX.\n.....", 1, "c3", True),
    ("filling one's own last but one liberty", "OOO..\nX.O..\nX.O..\nOOO..", 0, "b3", True),
    ("extending out of atari into two liberties", ".....\n.OX..\n..O..\n.....", 0, "d3", False),
]  # fmt: skip

# vertex where a stone makes a snapback
SNAPBACKS = [
    ("two stones and an open mouth", ".XO..\nX..O.\nXOOX.\n.XXX.\n.....", 0, "c4", True),
    ("the other side of the same", ".XO..\nX..O.\nXOOX.\n.XXX.\n.....", 0, "d5", False),
    ("a ko is no snapback", ".....\n.XO..\nX..O.\n.XO..\n.....", 0, "c3", False),
    ("a third liberty spoils it", ".XO..\nX..O.\nXOOX.\n..XX.\n.....", 0, "c4", False),
]


@pytest.mark.parametrize(("name", "diagram", "colour", "vertex", "is_bad"), MOVES, ids=[m[0] for m in MOVES])
def test_moves(name: str, diagram: str, colour: int, vertex: str, is_bad: bool) -> None:
    state = board(diagram)
    point = cell(state, vertex)
    for symmetry in range(symmetries(state)):
        image = state.transform(symmetry)
        assert image.is_self_atari(colour, moved_cell(state, point, symmetry)) is is_bad, (name, symmetry)


@pytest.mark.parametrize(("name", "diagram", "colour", "vertex", "expected"), SNAPBACKS, ids=[s[0] for s in SNAPBACKS])
def test_snapbacks(name: str, diagram: str, colour: int, vertex: str, expected: bool) -> None:
    state = board(diagram)
    assert state.is_snapback(colour, cell(state, vertex)) is expected, name


def test_orientation_does_not_matter() -> None:
    rng = random.Random(2)
    for _ in range(6):
        state = GoState(9, 9)
        for _ in range(rng.randrange(30, 110)):
            state.play(choose(state, rng, passes=0, eyes=0.05))
        images = [state.transform(s) for s in range(8)]
        for point, stone in enumerate(state.stones()):
            if stone:
                continue
            moved = [moved_cell(state, point, s) for s in range(8)]
            for colour in (0, 1):
                assert len({image.is_self_atari(colour, m) for image, m in zip(images, moved, strict=True)}) == 1
                assert len({image.is_snapback(colour, m) for image, m in zip(images, moved, strict=True)}) == 1


def test_errors() -> None:
    state = board("X..\n...\n...")
    with pytest.raises(ValueError, match="occupied"):
        state.is_self_atari(0, 0)
    with pytest.raises(ValueError, match="off the board"):
        state.is_snapback(0, 9)


# Rows that Pachi marks as wishes of its authors and does not pass itself; nor do we.
WISHES = {
    "selfatari.t:1602 !bad_selfatari b c4 1",
    "selfatari.t:1632 !bad_selfatari b c5 0",
}


def test_pachi_table(shared: Callable[[str], Path]) -> None:
    """bad_selfatari, sar (its strict sister) and snapback: every row."""
    rows = read_table(shared("data/go/pachi_unit/selfatari.t"))
    assert len(rows) == 324
    failed = set()
    for row in rows:
        colour, point, expected = "bw".index(row.words[0]), row.cell(row.words[1]), bool(int(row.words[2]))
        judge = row.state.is_snapback if row.command == "snapback" else row.state.is_self_atari
        if judge(colour, point) != expected:
            failed.add(row.place)
    assert failed == WISHES and all("!" in wish for wish in WISHES)
