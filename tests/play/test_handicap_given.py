"""How many handicap stones a game had, by its set-up and its first moves."""

from __future__ import annotations

import pytest
from go_boards import board, cell

from tengen.engine.games.go.handicap import given

EMPTY = "....\n....\n....\n...."
GAMES = [
    ("an even game", EMPTY, "b:a1 w:b2 b:c3", 0),
    ("no move", EMPTY, "", 0),
    ("set up", "X..X\n....\n....\n....", "w:b2 b:c3", 2),
    ("one stone is none", "X...\n....\n....\n....", "w:b2", 0),
    ("played in a row", EMPTY, "b:a1 b:d4 b:c3 w:b2 b:b1", 3),
    ("set up and played", "X...\n....\n....\n....", "b:d4 w:b2", 2),
    ("White passes among them", EMPTY, "b:a1 w:pass b:d4 w:b2", 2),
    ("Black's passes are none", EMPTY, "b:a1 b:pass b:d4 w:b2", 2),
    ("all moves so far", EMPTY, "b:a1 b:d4", 2),
    ("White was set up: a problem", "X..X\n....\n..O.\n....", "b:b2", 0),
    ("White plays in a row: a problem", EMPTY, "b:a1 b:d4 w:b2 w:c3", 0),
    ("White is first", EMPTY, "w:a1 b:d4", 0),
]


@pytest.mark.parametrize(("name", "diagram", "moves", "stones"), GAMES, ids=[row[0] for row in GAMES])
def test_given(name: str, diagram: str, moves: str, stones: int) -> None:
    start = board(diagram)
    played = [("bw".index(word[0]), cell(start, word[2:])) for word in moves.split()]
    assert given(start, played) == stones
