"""Corners that the user gave, by hand: off by half a cell, by a line, or nowhere near the lines."""

from __future__ import annotations

import numpy as np
import pytest
from photo_reader import wrong

from tengen.tools.lab.photo.render import Scene, render_scene
from tengen.tools.photo.geometry import Lattice
from tengen.tools.photo.pipeline import Settings, read_picture
from tengen.tools.photo.results import Reading

SHAKEN = [(number, "photo" if number % 3 else "digital") for number in range(14)]


def scene(number: int, style: str, size: int | None = None) -> Scene:
    return render_scene(np.random.default_rng([717, number]), style=style, size=size, side=700)


def told(made: Scene, corners: np.ndarray, size: int | None = None) -> Reading:
    [reading] = read_picture(made.image, Settings(corners=corners, size=size or made.lattice.size))
    return reading


@pytest.mark.slow
def test_corners_off_by_half_a_cell_are_moved_to_the_lines() -> None:
    right = exact = 0
    for number, style in SHAKEN:
        made = scene(number, style, (9, 13, 19)[number % 3])
        off = np.random.default_rng(number).choice([-0.5, 0.5], (4, 2)) * made.lattice.cell()
        reading = told(made, made.lattice.corners() + off)
        right += wrong(reading, made.labels) == 0
        exact += wrong(told(made, made.lattice.corners()), made.labels) == 0
        assert np.abs(reading.lattice.corners() - made.lattice.corners()).max() < 0.3 * made.lattice.cell()
    assert right >= exact >= 10, "as many as with the true corners"


@pytest.mark.parametrize("turn", range(4))
def test_the_first_corner_stays_the_upper_left_one(turn: int) -> None:
    made = scene(3, "digital", 9)
    corners = np.roll(made.lattice.corners(), -turn, 0) + 0.4 * made.lattice.cell()
    reading = told(made, corners)
    assert wrong(reading, np.rot90(made.labels, turn)) == 0
    assert (
        np.abs(reading.lattice.corners() - np.roll(made.lattice.corners(), -turn, 0)).max() < 0.3 * made.lattice.cell()
    )


def test_corners_of_the_wood_become_those_of_the_lines_with_a_warning() -> None:
    made = scene(3, "digital", 13)
    wood = Lattice(13, made.lattice.homography).project(np.array([[-1.0, -1], [13, -1], [13, 13], [-1, 13]]))
    reading = told(made, wood)
    assert wrong(reading, made.labels) == 0
    assert any("1.4 cells" in warning and "taken instead" in warning for warning in reading.warnings)


def test_corners_far_from_the_lines_are_kept_with_a_warning() -> None:
    made = scene(3, "digital", 13)
    corners = made.lattice.project(np.array([[-2.5, -2.5], [14.5, -2.5], [14.5, 14.5], [-2.5, 14.5]]))
    reading = told(made, corners)
    assert np.allclose(reading.lattice.corners(), corners, atol=1e-3)
    assert any("which are kept" in warning for warning in reading.warnings)


def test_corners_where_no_lines_are_are_kept_with_a_warning() -> None:
    blank = np.random.default_rng(1).integers(100, 130, (400, 500, 3)).astype(np.uint8)
    corners = np.array([[100.0, 50], [400, 50], [400, 350], [100, 350]])
    [reading] = read_picture(blank, Settings(corners=corners, size=19))
    assert np.allclose(reading.lattice.corners(), corners, atol=1e-3)
    assert any("kept" in warning for warning in reading.warnings)
