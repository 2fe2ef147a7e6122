"""Local fights read exactly: classic shapes, and claims of captures played out against random defence."""

from __future__ import annotations

import random

import pytest
from go_boards import board, cell
from go_games import choose

from tengen.engine._core import GoState

Fight = tuple[list[int], str, str, list[int], int]

# Eye spaces of Black in the upper left corner; White has closed all around. Who moves, what becomes of the chain if that
# side plays there first, and if it does not, the moves that do it. All as in any book of life and death.
WALL = "OOOOO....\nOOOOOOOOO\n.........\n........."
CORNERS = [
    ("straight three", 1, "...XO....\nXXXXO....", WALL, "D7", "dead", "alive", {"B7"}),
    (
        "straight four",
        1,
        "....XO...\nXXXXXO...",
        "OOOOOO...\nOOOOOOOOO\n.........\n.........",
        "E7",
        "alive",
        "alive",
        set(),
    ),
    (
        "square four",
        0,
        "..XO.....\n..XO.....\nXXXO.....",
        "OOOO.....\nOOOOOOOOO\n.........\n.........",
        "C7",
        "dead",
        "dead",
        set(),
    ),
    (
        "bent three",
        1,
        "..XO.....\n.XXO.....\nXXOO.....",
        "OOO......\nOOOOOOOOO\n.........\n.........",
        "C7",
        "dead",
        "alive",
        {"A7"},
    ),
    (
        "bent four",
        1,
        "...XO....\n.XXXO....\nXXOOO....",
        "OOO......\nOOOOOOOOO\n.........\n.........",
        "D7",
        "ko",
        "alive",
        {"B7"},
    ),
    ("bulky five", 1, "..XXO....\n...XO....\nXXXXO....", WALL, "D7", "dead", "alive", {"B6"}),
    ("rectangular six, no liberty outside", 1, "...XO....\n...XO....\nXXXXO....", WALL, "D7", "dead", "alive", {"B6"}),
    (
        "rectangular six, one liberty outside",
        1,
        "...XO....\n...XO....\nXXXXO....",
        "OO.OO....\nOOOOOOOOO\n.........\n.........",
        "D7",
        "ko",
        "alive",
        {"B7"},
    ),
    (
        "rectangular six, two liberties outside",
        1,
        "...XO....\n...XO....\nXXXXO....",
        "O.O.O....\nOOOOOOOOO\n.........\n.........",
        "D7",
        "alive",
        "alive",
        set(),
    ),
]


def fight_at(state: GoState, place: int, nodes: int = 20000) -> Fight | None:
    """Return what is read of the chain on a cell."""
    return next((fight for fight in state.fights(nodes) if place in fight[0]), None)


@pytest.mark.parametrize("row", CORNERS, ids=[row[0] for row in CORNERS])
def test_eye_spaces_in_the_corner(row: tuple[str, int, str, str, str, str, str, set[str]]) -> None:
    _, to_move, shape, wall, place, first, second, moves = row
    diagram = shape + "\n" + wall
    rows = diagram.count("\n") + 1
    state = board(diagram, to_move)
    vertex = place[0] + str(int(place[1:]) + rows - 7)
    found = fight_at(state, cell(state, vertex))
    assert found is not None
    assert (found[1], found[2]) == (first, second)
    assert {divmod(move, state.width) for move in found[3]} == {
        (7 - int(move[1:]), "ABCDEFGHJ".index(move[0])) for move in moves
    }


def test_reading_stops_at_its_nodes() -> None:
    state = board("...XO....\n...XO....\nXXXXO....\nOO.OO....\nOOOOOOOOO\n.........\n.........", 1)
    found = fight_at(state, cell(state, "D7"), nodes=30)
    assert found is not None and "unknown" in found[1:3] and found[4] <= 200


def test_the_same_nodes_find_the_same() -> None:
    state = GoState(9, 9)
    rng = random.Random(5)
    for _ in range(40):
        state.play(choose(state, rng, passes=0, eyes=0.02))
    assert state.fights(3000) == state.fights(3000)


@pytest.mark.parametrize("seed", range(40))
def test_what_is_dead_is_captured_whatever_its_owner_plays(seed: int) -> None:
    """The side that read a capture plays what it reads, anew before each move; the other side plays at random."""
    rng = random.Random(seed)
    state = GoState(5, 5)
    for _ in range(rng.randrange(10, 19)):
        state.play(choose(state, rng, passes=0, eyes=0.02))
    if state.is_terminal:
        return
    owner = 1 - state.to_move
    dead = [f for f in state.fights(20000) if f[1] == "dead" and state.stones()[f[0][0]] == owner + 1]
    for fight in dead:
        line, place = state.copy(), fight[0][0]
        for _ in range(40):
            found = fight_at(line, place)
            assert found is not None and found[1] == "dead", (seed, place)
            line.play(found[3][0] if found[3] else line.pass_move)
            if line.stones()[place] != owner + 1 or line.is_terminal:
                break
            line.play(choose(line, rng, passes=0.1, eyes=0.02))
            if line.stones()[place] != owner + 1 or line.is_terminal:
                break
