"""The classic finder: it does find a plain board, and says nothing where there is none."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tengen.tools.photo.find import classic, get_finder
from tengen.tools.photo.geometry import SIZES, Image, Lattice, apply


def board(size: int, pitch: int = 34, turn: float = 0.0) -> tuple[Image, Lattice]:
    """A board without stones, turned by some degrees but seen from straight above.

    In perspective, where lines fall between the directions that are counted, the finder loses some of them.
    """
    lines = size + 1 if size == 8 else size
    far = 60 + pitch * (lines - 1)
    image = np.full((far + 60, far + 60, 3), (130, 180, 210), np.uint8)
    for line in range(lines):
        cv2.line(image, (60, 60 + pitch * line), (far, 60 + pitch * line), (30, 30, 30), 2, cv2.LINE_AA)
        cv2.line(image, (60 + pitch * line, 60), (60 + pitch * line, far), (30, 30, 30), 2, cv2.LINE_AA)
    spin = np.vstack([cv2.getRotationMatrix2D(((far + 60) / 2, (far + 60) / 2), turn, 0.9), [0, 0, 1]])
    seen = cv2.warpPerspective(image, spin, (far + 60, far + 60), borderValue=(130, 180, 210))
    frame = np.array([[60.0, 60], [far, 60], [far, far], [60, far]])
    return np.asarray(seen, np.uint8), Lattice.from_corners(apply(spin, frame), size)


@pytest.mark.parametrize("size, turn", [(19, 0), (17, 0), (15, 0), (13, 5), (9, 12)])
def test_a_plain_board_is_found(size: int, turn: float) -> None:
    image, true = board(size, 700 // size, turn)
    (found,) = get_finder("classic")(image, SIZES)
    assert found.lattice.size == size
    assert np.abs(found.lattice.corners() - true.corners()).max() < 0.15 * true.cell()
    assert found.score > 0.9


def test_a_board_of_squares_looks_like_9x9() -> None:
    image, true = board(8, 80)
    (found,) = classic.find(image, (8,))
    assert found.lattice.cells and np.abs(found.lattice.corners() - true.corners()).max() < 0.1 * true.cell()
    assert classic.find(image, SIZES)[0].lattice.size == 9


def test_a_large_picture_is_found_in_its_own_pixels() -> None:
    image, true = board(13, 60)
    image, true = cv2.resize(image, None, fx=2.0, fy=2.0), true.scaled(2.0)
    (found,) = classic.find(np.asarray(image, np.uint8), (13,))
    assert np.abs(found.lattice.corners() - true.corners()).max() < 0.15 * true.cell()


def test_there_is_nothing_in_a_picture_without_lines() -> None:
    noise = np.random.default_rng(1).integers(0, 255, (300, 400, 3), np.uint8)
    for image in (np.zeros((1, 1, 3), np.uint8), np.full((300, 400, 3), 128, np.uint8), noise):
        assert classic.find(image, SIZES) == []


def test_lines_of_one_direction_are_no_board() -> None:
    image = np.full((600, 600, 3), 255, np.uint8)
    for y in range(50, 600, 50):
        cv2.line(image, (0, y), (600, y), (0, 0, 0), 2)
    assert classic.find(image, SIZES) == []


@pytest.mark.parametrize(
    "count, size", [(361, 19), (300, 17), (250, 15), (169, 13), (100, 9), (81, 9), (82, 9), (4, 8)]
)
def test_the_size_is_guessed_from_the_number_of_intersections(count: int, size: int) -> None:
    assert classic.nearest_size(count, (9, 13, 15, 17, 19) if size > 8 else (8,)) == size


def test_intersections_of_two_pencils() -> None:
    upright, level = np.array([[10.0, 0.0], [-30.0, np.pi]]), np.array([[7.0, np.pi / 2]])
    assert classic.intersections(upright, level) == pytest.approx(np.array([[10.0, 7.0], [30.0, 7.0]]))
    assert classic.intersections(upright[:1], np.array([[9.0, 0.2]])).shape == (0, 2)
