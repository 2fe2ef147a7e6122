"""Labelled pictures in folders."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from photo_drawings import ROWS, drawn, random_labels, straight

from tengen.tools.lab.photo import dataset
from tengen.tools.photo.geometry import Lattice, Window
from tengen.tools.photo.results import PhotoError, Point


def test_what_is_saved_is_read_again(tmp_path: Path) -> None:
    labels = dataset.parse_labels(ROWS)
    lattice = Lattice.from_corners([[31.25, 40.5], [180, 30], [200, 190], [22, 170]], 9)
    image = drawn(labels)[0]
    dataset.save(tmp_path / "new", "p_one", image, lattice, labels)
    (found,) = dataset.read_folder(tmp_path / "new")
    assert (found.name, found.size, found.is_digital) == ("p_one", 9, False)
    assert np.array_equal(found.labels, labels)
    assert found.lattice is not None
    assert found.lattice.corners() == pytest.approx(lattice.corners(), abs=0.02)
    assert found.image().shape == image.shape
    assert np.abs(found.image().astype(int) - image).mean() < 8  # noise that JPEG smooths
    assert dataset.format_labels(labels) == ROWS


def test_a_board_of_squares_has_its_corners_outside_of_its_points(tmp_path: Path) -> None:
    labels = random_labels(1, 8)
    lattice = Lattice.from_corners([[0, 0], [80, 0], [80, 80], [0, 80]], 8)
    dataset.save(tmp_path, "p_squares", np.zeros((80, 80, 3), np.uint8), lattice, labels)
    (found,) = dataset.read_folder(tmp_path)
    assert found.lattice is not None
    assert found.lattice.points()[0, 0] == pytest.approx([5, 5], abs=0.02)


def test_a_part_of_a_board_keeps_its_window(tmp_path: Path) -> None:
    labels = random_labels(1)
    part = Window(0, 3, 5, 8)
    labels[~part.mask(9)] = Point.HIDDEN
    lattice = Lattice.from_corners([[10, -90], [170, -90], [170, 70], [10, 70]], 9)
    dataset.save(tmp_path, "d_part", np.zeros((80, 120, 3), np.uint8), lattice, labels, window=part)
    (found,) = dataset.read_folder(tmp_path)
    assert found.window == part and np.array_equal(found.labels, labels)
    assert found.lattice is not None and found.lattice.corners() == pytest.approx(lattice.corners(), abs=0.02)


@pytest.mark.parametrize("line", ["window", "window 1 2 3", "window 1 2 3 x", "window 3 0 1 1", "window 0 0 99 1"])
def test_a_window_that_is_none(line: str) -> None:
    with pytest.raises(PhotoError, match="one: "):
        dataset.parse_window(f"2\n..\n..\n{line}\n", "one")


def test_further_boards_of_a_picture_are_kept(tmp_path: Path) -> None:
    lattice = Lattice.from_corners([[10, 10], [60, 10], [60, 60], [10, 60]], 9)
    other = Lattice.from_corners([[70, 10], [110, 10], [110, 60], [70, 60]], 13)
    dataset.save(tmp_path, "r_two", np.zeros((80, 120, 3), np.uint8), lattice, random_labels(1), others=(other,))
    (found,) = dataset.read_folder(tmp_path)
    assert [one.size for one in found.others] == [13]
    assert found.others[0].corners() == pytest.approx(other.corners(), abs=0.02)
    with pytest.raises(PhotoError, match=r"x: not an array of \[size, corners\]"):
        dataset.parse_others("[[13]]", "x")


def test_corners_may_be_missing_and_pictures_without_rows_are_left_out(tmp_path: Path) -> None:
    for name in ("d_b.png", "p_a.png", "unlabelled.png"):
        cv2.imwrite(str(tmp_path / name), np.zeros((9, 9, 3), np.uint8))
    for name in ("p_a.txt", "d_b.txt"):
        (tmp_path / name).write_text("2\n.X\nO ?\n")
    found = dataset.read_folder(tmp_path)
    assert [(one.name, one.is_digital, one.lattice) for one in found] == [("d_b", True, None), ("p_a", False, None)]
    assert found[0].labels.tolist() == [[Point.EMPTY, Point.BLACK], [Point.WHITE, Point.HIDDEN]]


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "first line is not a size"),
        ("x\n", "first line is not a size"),
        ("1\n.\n", "first line is not a size from 2 to 25"),
        ("99999999999999999999\n", "first line is not a size"),
        ("٣\n", "first line is not a size"),
        ("2\n. .\n", "1 rows on a board of size 2"),
        ("2\n. .\n. .\n. .\n", "3 rows on a board of size 2"),
        ("2\n. .\n. . .\n", "row 2 has 3 points, not 2"),
        ("2\n. .\n. B\n", "row 2 has 'B' where"),
    ],
)
def test_malformed_rows_are_told_in_a_sentence(text: str, message: str) -> None:
    with pytest.raises(PhotoError, match=message):
        dataset.parse_labels(text)


@pytest.mark.parametrize(
    "text, message",
    [
        ("[[0,0],[1,0],[1,1]", "not JSON"),
        ("[[0,0],[1,0],[1,1]]", "not four"),
        ('{"a": 1}', "not four"),
        ("[[0,0],[1,0],[1,1],[0]]", "not four"),
        ("[[0,0],[1,0],[1,1],[0,NaN]]", "not four"),
        ("[[0,0],[1,1],[1,0],[0,1]]", "not four"),
        ("null", "not four"),
        ("[" * 100000, "not"),
    ],
)
def test_malformed_corners_are_told_in_a_sentence(text: str, message: str) -> None:
    with pytest.raises(PhotoError, match=message):
        dataset.parse_corners(text, 9)


def test_folders_that_cannot_be_used(tmp_path: Path) -> None:
    with pytest.raises(PhotoError, match="there is no folder"):
        dataset.read_folders([tmp_path / "none"])
    with pytest.raises(PhotoError, match="holds no labelled picture"):
        dataset.read_folders([tmp_path])
    (tmp_path / "a.jpg").write_bytes(b"no picture")
    (tmp_path / "a.txt").write_text("2\n..\n..\n")
    with pytest.raises(PhotoError, match="not a picture"):
        dataset.read_folders([tmp_path])[0].image()
    with pytest.raises(PhotoError, match="labels of shape"):
        dataset.save(tmp_path, "b", np.zeros((9, 9, 3), np.uint8), straight(9), random_labels(1, 13))
