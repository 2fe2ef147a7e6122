"""Pages of diagrams: every one is read, or told of."""

from __future__ import annotations

import numpy as np
import pytest
from photo_drawings import rimmed, sheet

from tengen.tools.photo.find.rectangles import Grid
from tengen.tools.photo.find.rims import rimless, rims
from tengen.tools.photo.find.sheet import figures
from tengen.tools.photo.pipeline import Settings, read_picture


def test_every_diagram_of_a_page_is_read_or_told_of() -> None:
    page, boards = sheet(6)
    readings = read_picture(page, Settings(boards=20))
    missing = len(boards) - len(readings)
    told = [warning for reading in readings for warning in reading.warnings if "not read" in warning]
    assert missing <= 2 and len(told) == (missing > 0) and all(f"{missing} of 6" in warning for warning in told)
    assert all(any(np.array_equal(reading.stones, board) for board in boards) for reading in readings)


def test_diagrams_beyond_those_asked_for_are_told() -> None:
    page, boards = sheet(6)
    readings = read_picture(page, Settings(boards=2))
    assert 1 <= len(readings) <= 2 and any("of 6 diagrams were not read" in warning for warning in readings[0].warnings)
    assert any(np.array_equal(readings[0].stones, board) for board in boards)


def test_a_single_board_is_no_sheet() -> None:
    image, _ = rimmed()
    assert figures(image) == []


@pytest.mark.parametrize("settings", [
    Settings(), *(pytest.param(one, marks=pytest.mark.slow) for one in (Settings(game="gomoku"), Settings(size=15)))
])  # fmt: skip
def test_the_rim_of_the_wood_is_no_line(settings: Settings) -> None:
    image, labels = rimmed()
    [reading] = read_picture(image, settings)
    assert reading.size == 15 and np.array_equal(reading.stones, labels)


def test_rims_are_sides_that_no_line_reaches() -> None:
    image, _ = rimmed(pitch=44)
    for out, found in ((1, [0, 1, 2, 3]), (0, [])):
        homography = np.array([[44.0, 0, (2 - out) * 44], [0, 44, (2 - out) * 44], [0, 0, 1]])
        grid = Grid(15 + 2 * out, 15 + 2 * out, homography)
        assert rims(image, grid) == found
        assert (rimless(image, grid).columns, rimless(image, grid).rows) == (15, 15)
