"""Unconditional life (Benson 1976) and two-eye judgements, as diagrams."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from go_boards import board, cell, mask
from go_games import choose
from go_pachi import read_table

from tengen.engine._core import GoState

# position, colour, what is unconditionally alive (stones and regions)
BENSON = [
    ("two one-point eyes", 0, ".X.X.\nXXXX.\n.....", "1111.\n1111.\n....."),
    ("one eye", 0, ".XX..\nXXX..\n.....", ".....\n.....\n....."),
    ("a false eye joins nothing", 0, ".X...\nX.X..\n.X...\n.....", ".....\n.....\n.....\n....."),
    ("eyes held in common by two chains", 0, ".XO.\nX.XO\n.XXO\nXXOO\nOOO.", "11..\n111.\n111.\n11..\n...."),
    ("prisoners inside do not matter", 0, ".OXX.\nXXX.X\n.XXXX\n.....", "11111\n11111\n.1111\n....."),
    (
        "a two-point eye is vital where both points touch",
        1,
        "..O.O.\nOOOOO.\n......\n......",
        "11111.\n11111.\n......\n......",
    ),
    ("a three-point corner is not: its end touches nothing", 0, "...X.\nXXXX.\n.....", ".....\n.....\n....."),
    ("the whole board, one point free: no second eye", 0, "XXX\nX.X\nXXX", "...\n...\n..."),
    ("two points free apart", 0, ".XX\nXXX\nXX.", "111\n111\n111"),
    ("white", 1, ".O.O\nOOOO\nXXXX\n....", "1111\n1111\n....\n...."),
]


@pytest.mark.parametrize(("name", "colour", "diagram", "alive"), BENSON, ids=[b[0] for b in BENSON])
def test_benson(name: str, colour: int, diagram: str, alive: str) -> None:
    state = board(diagram)
    assert mask(state, state.pass_alive(colour)) == alive, name


@pytest.mark.parametrize("seed", range(60))
def test_pass_alive_stones_survive_an_opponent_who_moves_alone(seed: int) -> None:
    """The definition itself, by random attack: the other side plays every move, suicide allowed in most games."""
    rng = random.Random(seed)
    state = GoState(6, 6, suicide=seed % 3 > 0)
    for _ in range(60):
        state.play(choose(state, rng, passes=0, eyes=0.02))
        if state.passes > 1:
            break
    for colour in (0, 1):
        alive = [
            i
            for i, (a, s) in enumerate(zip(state.pass_alive(colour), state.stones(), strict=True))
            if a and s == colour + 1
        ]
        for _ in range(20):
            attack = state.copy()
            for _ in range(80):
                attack.set_to_move(1 - colour)
                attack.play(choose(attack, rng, passes=0, eyes=1))
                stones = attack.stones()
                assert all(stones[i] == colour + 1 for i in alive)


def test_life_does_not_depend_on_orientation() -> None:
    rng = random.Random(5)
    state = GoState(9, 9)
    for _ in range(120):
        state.play(choose(state, rng, passes=0, eyes=0.01))
    for colour in (0, 1):
        count = sum(state.pass_alive(colour))
        assert [sum(state.transform(s).pass_alive(colour)) for s in range(8)] == [count] * 8


# chain, has two eyes
TWO_EYES = [
    ("two real eyes", ".X.X.\nXXXX.\n.....\n.....", "a3", True),
    ("one eye", ".XX..\nXXX..\n.....\n.....", "a3", False),
    ("one large eye space", "....X\nXXXXX\n.....\n.....", "a3", True),
    ("three in a row are one eye while the enemy may take the middle", "...X.\nXXXX.\nOOOOO\n.....", "a3", False),
    ("a false eye", ".XOO.\nX.XO.\nXXO..\nOO...\n.....", "b3", False),
    ("chains that hang together", "..O..\n.XX..\nX..X.\n.XX..\n.....", "b4", False),
]


@pytest.mark.parametrize(("name", "diagram", "vertex", "expected"), TWO_EYES, ids=[t[0] for t in TWO_EYES])
def test_two_eyes(name: str, diagram: str, vertex: str, expected: bool) -> None:
    state = board(diagram)
    point = cell(state, vertex)
    assert state.two_eyes(point) is expected, name


def test_pachi_two_eyes(shared: Callable[[str], Path]) -> None:
    """Pachi's table of eyes."""
    rows = read_table(shared("data/go/pachi_unit/two_eyes.t"))
    assert len(rows) == 27
    failed = [
        row.place
        for row in rows
        if row.command == "two_eyes" and not row.is_optional
        and row.state.two_eyes(row.cell(row.words[0])) != bool(int(row.words[1]))
    ]  # fmt: skip
    assert failed == []
