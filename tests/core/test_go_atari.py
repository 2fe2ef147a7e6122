"""Ataris, as far as they are facts: which chains, whether a ladder follows, whether it is a snapback.

Of Pachi's tables this leaves out what is neither rules, eyes, ladders nor self-atari but Pachi's own choice of moves:
the classes `and_cap`, `and_cap2` of atari.t (is what can be taken next worth it?), `ladder_safe`, `ladder_cut` and
`ladder_big` beyond their ladder (is the chain important?), useful_ladder.t beyond its ladders (does running in a lost
one win something?), and the tables of seki, bent four and passing, which judge its playouts.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from go_boards import board, cell
from go_pachi import Row, read_table

from tengen.engine._core import GoState


def chains_in_atari(state: GoState, colour: int) -> set[int]:
    """The least cell of every chain of this colour that has one liberty."""
    liberties = state.liberties().ravel()
    return {min(state.chain(i)) for i, stone in enumerate(state.stones()) if stone == colour + 1 and liberties[i] == 1}


def put_in_atari(state: GoState, colour: int, point: int) -> set[int]:
    """The chains that this move newly puts in atari."""
    after = state.copy()
    after.play_as(colour, point)
    return chains_in_atari(after, 1 - colour) - chains_in_atari(state, 1 - colour)


def is_double_atari(state: GoState, colour: int, point: int) -> bool:
    """Two chains newly in atari that no single move can save by joining them."""
    after = state.copy()
    after.play_as(colour, point)
    return len({tuple(after.liberties_of(chain)) for chain in put_in_atari(state, colour, point)}) >= 2


def is_winning_snapback(state: GoState, colour: int, point: int) -> bool:
    """A snapback whose victim cannot first take something beside it and so get away."""
    if not state.is_snapback(colour, point):
        return False
    after = state.copy()
    after.play_as(colour, point)
    return not any(can_take_elsewhere(after, chain, point) for chain in put_in_atari(state, colour, point))


def can_take_elsewhere(state: GoState, chain: int, bait: int) -> bool:
    """Whether the owner of the chain captures another neighbour than the bait and is then out of atari."""
    colour = state.stones()[chain] - 1
    for move in state.legal_moves()[:-1]:
        after = state.copy()
        after.play_as(colour, move)
        if after.stones()[bait] and after.captured(1 - colour) > state.captured(1 - colour):
            if after.liberties().ravel()[chain] > 1:
                return True
    return False


def atari_class(row: Row) -> bool | None:
    """Whether the row's claim holds; None where it is none of our business."""
    state, colour, point = row.state, "bw".index(row.words[0]), row.cell(row.words[1])
    claim = row.words[2]
    if claim.startswith("atari:ladder"):
        return state.ladder_start(colour, point) != "escapes"
    if claim == "atari:snapback":
        return is_winning_snapback(state, colour, point)
    if claim in ("atari:double", "atari:some"):
        return is_double_atari(state, colour, point) is (claim == "atari:double")
    if claim == "-1":
        return state.is_self_atari(colour, point) or not is_winning_snapback(state, colour, point)
    assert claim.lstrip("!") in ("atari:and_cap", "atari:and_cap2")
    return None


def test_pachi_ataris(shared: Callable[[str], Path]) -> None:
    rows = read_table(shared("data/go/pachi_unit/atari.t"))
    judged = [(row.place, atari_class(row)) for row in rows]
    assert len(rows) == 29 and sum(holds is not None for _, holds in judged) == 16
    assert [place for place, holds in judged if holds is False] == []


def test_pachi_useful_ladders(shared: Callable[[str], Path]) -> None:
    """Every row runs in a ladder: the chain whose last liberty it names is in atari and captured all the same."""
    rows = read_table(shared("data/go/pachi_unit/useful_ladder.t"))
    assert len(rows) == 8
    for row in rows:
        point = row.cell(row.words[1])
        colour = "bw".index(row.words[0])
        mine = [chain for chain in chains_in_atari(row.state, colour) if row.state.liberties_of(chain) == [point]]
        assert mine and all(row.state.ladder(chain) == "captured" for chain in mine), row.place


SNAPBACKS = [
    ("two stones caught", ".XO..\nX..O.\nXOOX.\n.XXX.\n.....", 0, "c4", True),
    ("they take something first", ".XO..\nX..O.\nOOOX.\nXXXO.\n.OO..", 0, "c4", False),
]


def test_ataris_by_table() -> None:
    single = board("..XX.\n.X.OX\n..O..\n.XX..\n.....")
    assert put_in_atari(single, 0, cell(single, "c4")) == {cell(single, "d4")}
    double = board(".....\nXO.OX\nXX.XX\n.....\n.....")
    assert put_in_atari(double, 0, cell(double, "c4")) == {cell(double, "b4"), cell(double, "d4")}
    assert is_double_atari(double, 0, cell(double, "c4"))


@pytest.mark.parametrize(("name", "diagram", "colour", "vertex", "expected"), SNAPBACKS, ids=[s[0] for s in SNAPBACKS])
def test_winning_snapbacks(name: str, diagram: str, colour: int, vertex: str, expected: bool) -> None:
    state = board(diagram)
    assert is_winning_snapback(state, colour, cell(state, vertex)) is expected, name
