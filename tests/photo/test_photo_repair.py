"""Readings in which a group has no liberty: what they are taken for when they are scored."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("cv2")

from photo_boards import reading  # noqa: E402

from tengen.tools.photo import advice  # noqa: E402
from tengen.tools.photo.groups import breathless  # noqa: E402
from tengen.tools.photo.position import Facts  # noqa: E402
from tengen.tools.photo.repair import LIKELY, with_liberties  # noqa: E402
from tengen.tools.photo.results import PhotoError, Point  # noqa: E402

CORNER = """
X O . . .
O . . . .
. . . . .
. . . . X
. . . X ."""
WALLS = """
. X O O .
. X O X .
. X O O O
. X X X X
. . . . ."""  # sound: D4 has no liberty but by what is at E4
FILLED = WALLS.replace(". X O X .", ". X O X O", 1)


def test_a_sound_position_stays_as_it_is() -> None:
    board = reading(WALLS, "go", doubts=[(1, 3)])
    assert with_liberties(board) == (board, [])


def test_the_likeliest_point_is_taken_for_something_else() -> None:
    board = reading(CORNER, "go", doubts=[(0, 1)])
    repaired, sentences = with_liberties(board)
    assert not breathless(repaired.stones)
    assert sentences == ["B5 is taken for empty, not white as read: a group had no liberty"]
    assert np.argwhere(repaired.stones != board.stones).tolist() == [[0, 1]]
    assert board.stones[0, 1] == Point.WHITE, "what was read stays"


def test_a_group_is_freed_by_one_of_its_own_stones_too() -> None:
    repaired, sentences = with_liberties(reading(FILLED, "go", doubts=[(1, 3)]))
    assert sentences == ["D4 is taken for empty, not black as read: a group had no liberty"]
    assert repaired.stones[1, 3] == Point.EMPTY


@pytest.mark.parametrize("case", ("sure", "edited"))
def test_what_is_sure_is_not_touched(case: str) -> None:
    board = reading(CORNER, "go", doubts=[(0, 0), (0, 1), (1, 0)] if case == "edited" else [])
    if case == "edited":
        board = type(board)(
            board.lattice, board.probabilities, board.found, "go", edits=frozenset({(0, 0), (0, 1), (1, 0)})
        )
    assert board.probabilities[0, 1, 0] < LIKELY or case == "edited"
    assert with_liberties(board) == (board, [])
    with pytest.raises(PhotoError, match="no liberties"):
        advice.score(board, Facts())


def test_several_groups_are_freed() -> None:
    board = reading(CORNER.replace(". . . X .", ". . . X O"), "go", doubts=[(0, 0), (4, 4)])
    repaired, sentences = with_liberties(board)
    assert not breathless(repaired.stones) and [sentence.split()[0] for sentence in sentences] == ["A5", "E1"]


def test_the_score_says_what_was_supposed() -> None:
    lines = advice.score(reading(FILLED, "go", doubts=[(1, 3)]), Facts(komi=0.0)).splitlines()
    assert "D4 is taken for empty, not black as read: a group had no liberty" in lines
    assert lines[-5].split()[4] != "X"
