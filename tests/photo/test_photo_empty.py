"""An empty board of nine lines is one of eight squares as well: it is Go's unless discs or the user say otherwise."""

from __future__ import annotations

import numpy as np
import pytest
from whole_sets import share_of, some_of

from tengen.tools.lab.photo.render import render_scene
from tengen.tools.photo.pipeline import Settings, read_picture

EMPTY = [("photo", number) for number in (0, 1, 6, 8, 9, 10)] + [("digital", number) for number in (2, 3, 4, 10, 11)]
"""Seeds at which a board of Reversi was seen."""


def empty(style: str, number: int, size: int = 9) -> np.ndarray:
    stones = np.zeros((size, size), np.int8)
    return render_scene(np.random.default_rng([909, number]), style=style, stones=stones, side=700).image


@pytest.mark.parametrize(
    "style, number", [pytest.param(*one, marks=[pytest.mark.slow] if at % 8 else []) for at, one in enumerate(EMPTY)]
)
def test_an_empty_board_of_nine_lines_is_go(style: str, number: int) -> None:
    [reading] = read_picture(empty(style, number))
    assert (reading.size, reading.game) == (9, "go") and not reading.stones.any()
    assert any("--game reversi" in warning for warning in reading.warnings)


@pytest.mark.parametrize("words", ({"game": "reversi"}, {"size": 8}))
def test_the_user_may_say_that_it_is_reversi(words: dict[str, object]) -> None:
    [reading] = read_picture(empty("digital", 2), Settings(**words))  # type: ignore[arg-type]
    assert (reading.size, reading.game) == (8, "reversi")


@pytest.mark.parametrize("number", [0, 1, *(pytest.param(one, marks=pytest.mark.slow) for one in (2, 3, 4, 5))])
def test_discs_say_that_it_is_reversi(number: int) -> None:
    stones = np.zeros((8, 8), np.int8)
    stones[3:5, 3:5] = [[2, 1], [1, 2]]
    image = render_scene(np.random.default_rng([910, number]), style="reversi", stones=stones, side=700).image
    readings = read_picture(image)
    assert readings and all(reading.game == "reversi" for reading in readings)


@pytest.mark.slow
def test_empty_boards_drawn_at_random() -> None:
    """None of 96 empty boards of nine lines is one of Reversi."""
    games = [
        reading.game
        for style in ("photo", "digital")
        for number in some_of(48)
        for reading in read_picture(empty(style, number))
    ]
    assert len(games) >= share_of(80, 96) and set(games) == {"go"}
