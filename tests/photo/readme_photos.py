"""The pictures that the README's lines read, drawn under the names that it uses."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from photo_drawings import drawn
from photo_series import positions, random_game

SERIES = 14
"""Moves of the game in game/."""
FINISHED = (
    "..XXO....", "..XO.O...", ".XXOOO...", "..XXXO...", "XX..XO...", "..XXXOOOO", ".XX.XXXO.", "...X..XOO", "......XO.",
)  # fmt: skip


def draw_all(folder: Path) -> None:
    """board.jpg, end.jpg, holiday/ and game/."""
    for name in ("game", "holiday"):
        (folder / name).mkdir()
    draw_boards(folder)
    for number in range(3):
        _draw(folder / "holiday" / f"{number}.jpg", positions("go", 9, random_game("go", 9, 20, number))[-1])
    for number, labels in enumerate(positions("go", 9, random_game("go", 9, SERIES, 3))):
        _draw(folder / "game" / f"{number:02d}.jpg", labels)


def draw_boards(folder: Path) -> None:
    """board.jpg with 19 lines, and end.jpg, a finished game on 9."""
    _draw(folder / "board.jpg", positions("go", 19, random_game("go", 19, 120, 1))[-1])
    _draw(folder / "end.jpg", np.array([[".XO".index(cell) for cell in row] for row in FINISHED], np.int8))


def _draw(path: Path, labels: NDArray[np.int8]) -> None:
    """A board from above on a table."""
    image, _ = drawn(labels)
    large = cv2.resize(image, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    table = cv2.copyMakeBorder(large, 80, 80, 100, 100, cv2.BORDER_CONSTANT, value=(90, 110, 100))
    assert cv2.imwrite(str(path), table)
