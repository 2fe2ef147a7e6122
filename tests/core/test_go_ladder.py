"""Ladders: tables of our own, and Pachi's where TENGEN_SHARED is set."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from go_boards import board, cell, moved_cell, symmetries
from go_pachi import Row, read_table

from tengen.engine._core import GoState

# what, diagram, chain, whether it is captured; in atari its owner moves first, with two liberties the opponent
LADDERS = [
    ("out of the corner of a net", ".....\n..O..\n.OX..\n..OO.\n.....", "c3", True),
    ("a stone on the way", ".......\n.....X.\n.......\n..O....\n.OX....\n..OO...\n.......", "c3", False),
    ("three liberties are no ladder", ".....\n.....\n..X..\n..O..\n.....", "c3", False),
    ("two liberties, the attacker to move", ".....\n.....\n..OX.\n...O.\n.....", "d3", True),
    ("along the edge", "....\n.O..\n.XO.\n.O..", "b2", True),
    ("the attacker's stone can be taken at once", ".......\n.......\n.......\n.XO....\n.OX....\n..OO...\n.......", "c3", False),
    ("two steps and a friend", ".....\n..O..\nXOX.X\n..OO.\n.....", "c3", False),
]  # fmt: skip


@pytest.mark.parametrize(("name", "diagram", "vertex", "is_captured"), LADDERS, ids=[x[0] for x in LADDERS])
def test_ladders(name: str, diagram: str, vertex: str, is_captured: bool) -> None:
    state = board(diagram)
    point = cell(state, vertex)
    count = symmetries(state)
    for symmetry in range(count):
        image = state.transform(symmetry)
        moved = moved_cell(state, point, symmetry)
        assert image.ladder(moved) == ("captured" if is_captured else "escapes"), (name, symmetry)


def test_errors() -> None:
    state = GoState(5, 5)
    with pytest.raises(ValueError, match="no stone there"):
        state.ladder(0)
    with pytest.raises(ValueError, match="off the board"):
        state.ladder(25)


def test_reading_ends_on_any_board() -> None:
    """Deep or cyclic ladders (kos, long runs on the largest board) come back and leave the state alone."""
    rng = random.Random(1)
    for _ in range(40):
        state = GoState(25, 25)
        for _ in range(250):
            state.play(rng.choice(state.legal_moves()[:-1]))
        key = state.state_key
        for point, stone in enumerate(state.stones()):
            if stone:
                state.ladder(point)
        assert state.state_key == key
        state.check()


def ladder(row: Row) -> bool:
    return row.state.ladder(row.cell(row.words[1])) == "captured"


def wouldbe_ladder(row: Row) -> bool:
    return row.state.ladder_start("bw".index(row.words[0]), row.cell(row.words[1])) == "ladder"


def wouldbe_ladder_any(row: Row) -> bool:
    return row.state.ladder_start("bw".index(row.words[0]), row.cell(row.words[1])) != "escapes"


def can_countercap(row: Row) -> bool:
    return row.state.can_countercapture(row.cell(row.words[0]))


PACHI = {
    "ladder.t": ({"ladder": ladder, "ladder_any": ladder}, 26),
    "ladder_any.t": ({"ladder_any": ladder}, 25),
    "wouldbe_ladder.t": ({"wouldbe_ladder": wouldbe_ladder}, 5),
    "wouldbe_ladder_any.t": ({"wouldbe_ladder_any": wouldbe_ladder_any}, 6),
    "can_countercap.t": ({"can_countercap": can_countercap}, 8),
}


@pytest.mark.parametrize("table", PACHI)
def test_pachi_tables(table: str, shared: Callable[[str], Path]) -> None:
    """Every row, the two included that Pachi itself does not pass (`!`)."""
    commands, count = PACHI[table]
    rows = read_table(shared(f"data/go/pachi_unit/{table}"))
    assert len(rows) == count
    assert [row.place for row in rows if commands[row.command](row) != bool(int(row.words[-1]))] == []
