"""The board found by its lines and stones, without any network: on boards drawn here."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tengen.tools.lab.photo import label
from tengen.tools.photo.find import discs, lines, stones
from tengen.tools.photo.find.extents import extents
from tengen.tools.photo.find.refine import refine
from tengen.tools.photo.find.support import support
from tengen.tools.photo.geometry import Floats, Image, Lattice

SIZES = (9, 13, 15, 17, 19)
STARS = {9: (2, 4, 6), 13: (3, 6, 9), 15: (3, 7, 11), 17: (3, 8, 13), 19: (3, 9, 15)}
WOOD = (120, 180, 215)


def board(size: int, seed: int, turn: float = 0.0) -> Lattice:
    """A lattice in perspective in a picture of 640 x 640, turned by degrees."""
    rng = np.random.default_rng(seed)
    quad = np.array([[150.0, 130], [490, 130], [540, 520], [100, 520]]) + rng.uniform(-20, 20, (4, 2))
    angle = np.deg2rad(turn)
    spin = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return Lattice.from_corners((quad - 320) @ spin.T * (0.85 if turn % 90 else 1.0) + 320, size)


def draw(lattice: Lattice, position: np.ndarray, seed: int, line: tuple[int, int, int] = (40, 60, 70)) -> Image:
    """A picture (640, 640, 3) of a wooden board on a grey table; `position` (size, size) holds 0, 1 black, 2 white."""
    rng = np.random.default_rng(seed)
    size = lattice.size
    scale = 2
    image = np.full((640 * scale, 640 * scale, 3), (130, 125, 120), np.uint8)
    big = lattice.scaled(scale)

    def pixel(x: float, y: float) -> tuple[int, int]:
        at = big.project(np.array([x, y], float))
        return round(float(at[0])), round(float(at[1]))

    end = size - 1
    edge = [pixel(-0.9, -0.9), pixel(end + 0.9, -0.9), pixel(end + 0.9, end + 0.9), pixel(-0.9, end + 0.9)]
    cv2.fillConvexPoly(image, np.array(edge), WOOD, cv2.LINE_AA)
    for index in range(size):
        cv2.line(image, pixel(index, 0), pixel(index, end), line, 2, cv2.LINE_AA)
        cv2.line(image, pixel(0, index), pixel(end, index), line, 2, cv2.LINE_AA)
    for column in STARS[size]:
        for row in STARS[size]:
            cv2.circle(image, pixel(column, row), round(0.12 * big.cell()), line, -1, cv2.LINE_AA)
    for row, column in zip(*np.nonzero(position), strict=True):
        centre = np.array([column, row]) + rng.uniform(-0.1, 0.1, 2)
        ring = [pixel(*(centre + 0.46 * np.array([np.cos(t), np.sin(t)]))) for t in np.linspace(0, 2 * np.pi, 24)]
        colour = (35, 30, 30) if position[row, column] == 1 else (235, 240, 240)
        cv2.fillConvexPoly(image, np.array(ring), colour, cv2.LINE_AA)
    small = cv2.resize(image, (640, 640), interpolation=cv2.INTER_AREA).astype(np.float32)
    return np.clip(small + rng.normal(0, 4, small.shape), 0, 255).astype(np.uint8)


def sprinkled(size: int, share: float, seed: int) -> np.ndarray:
    """A position with this share of the points taken."""
    rng = np.random.default_rng(seed)
    return np.where(rng.random((size, size)) < share, rng.integers(1, 3, (size, size)), 0)


def error(found: Lattice, true: Lattice) -> float:
    """The largest distance of a corner from its place, in cells, however the board is turned; infinite for a size."""
    if found.size != true.size:
        return float("inf")
    quad, right = found.corners(), true.corners()
    turns = [np.roll(order, turn, 0) for order in (quad, quad[::-1]) for turn in range(4)]
    return float(min(np.linalg.norm(turned - right, axis=1).max() for turned in turns) / true.cell())


def shaken(lattice: Lattice, cells: float, seed: int) -> Lattice:
    """The lattice with every corner moved by so many cells in any direction."""
    angles = np.random.default_rng(seed).uniform(0, 2 * np.pi, 4)
    end = lattice.size - 1.0
    corners = np.array([[0, 0], [end, 0], [end, end], [0, end]]) + cells * np.stack([np.cos(angles), np.sin(angles)], 1)
    return Lattice.from_corners(lattice.project(corners), lattice.size)


@pytest.mark.parametrize("size, share, seed", [(19, 0.0, 1), (19, 0.4, 2), (19, 0.7, 3), (13, 0.3, 4), (9, 0.5, 5)])
def test_a_shaken_lattice_goes_back_to_the_lines(size: int, share: float, seed: int) -> None:
    true = board(size, seed)
    image = draw(true, sprinkled(size, share, seed), seed)
    assert error(refine(image, shaken(true, 0.35, seed)), true) < 0.1


@pytest.mark.parametrize("size", (3, 4, 5, 6))
@pytest.mark.filterwarnings("error")
def test_a_small_part_of_a_board_is_refined_too(size: int) -> None:
    true = board(19, 5)
    image = draw(true, sprinkled(19, 0.1, 5), 5)
    part = Lattice(size, true.shifted(5, 7).homography)
    assert error(refine(image, shaken(part, 0.15, 5)), part) < 0.3


def test_light_lines_are_lines_too() -> None:
    true = board(19, 6)
    image = draw(true, sprinkled(19, 0.3, 6), 6, (215, 240, 250))
    assert error(refine(image, shaken(true, 0.3, 6)), true) < 0.1


def test_a_picture_without_lines_leaves_the_start_as_it_is() -> None:
    start = board(19, 7)
    image = np.full((640, 640, 3), WOOD, np.uint8)
    assert error(refine(image, start), start) < 1e-6


def test_the_squares_of_a_reversi_board_are_refined_by_their_lines() -> None:
    outer = board(9, 8)
    image = draw(outer, np.zeros((9, 9), int), 8)
    true = Lattice.from_corners(outer.corners(), 8)
    start = Lattice.from_corners(shaken(outer, 0.25, 8).corners(), 8)
    assert error(refine(image, start), true) < 0.1


@pytest.mark.parametrize("size, share", [(19, 0.3), (9, 0.2), pytest.param(13, 0.5, marks=pytest.mark.slow)])
def test_the_right_size_and_offset_have_the_best_support(size: int, share: float) -> None:
    true = board(size, 9)
    image = draw(true, sprinkled(size, share, 9), 9)
    right = support(image, true).score
    shifts = [support(image, true.shifted(*step)).score for step in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1))]
    inner = support(image, replace(true.shifted(1, 1), size=size - 2)).score
    outer = support(image, replace(true.shifted(-1, -1), size=size + 2)).score
    others = [support(image, true.resized(other)).score for other in SIZES if other != size]
    assert right > 1.6
    assert right > max([*shifts, inner, outer, *others]) + 0.2


@pytest.mark.parametrize("size", SIZES)
def test_the_extents_of_a_board_are_found_from_a_part_of_it(size: int) -> None:
    true = board(size, 10)
    image = draw(true, sprinkled(size, 0.3, 10), 10)
    part = replace(true.shifted(1, 2), size=max(5, size - 6))
    best, _ = extents(image, part, SIZES)[0]
    assert error(best, true) < 0.01


@pytest.mark.parametrize("size, share, turn", [
    (19, 0.1, 0), (19, 0.3, 30), (13, 0.0, 0), pytest.param(15, 0.2, 75, marks=pytest.mark.slow)
])  # fmt: skip
def test_a_board_is_found_by_its_lines(size: int, share: float, turn: float) -> None:
    true = board(size, 11, turn)
    found = lines.find(draw(true, sprinkled(size, share, 11), 11), SIZES)
    assert found and error(found[0].lattice, true) < 0.2
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    assert len(found) <= 5


@pytest.mark.parametrize("size, share, turn", [
    (19, 0.6, 0), (19, 0.3, 40), pytest.param(13, 0.5, 0, marks=pytest.mark.slow)
])  # fmt: skip
def test_a_board_is_found_by_its_stones(size: int, share: float, turn: float) -> None:
    true = board(size, 12, turn)
    found = stones.find(draw(true, sprinkled(size, share, 12), 12), SIZES)
    assert found and error(found[0].lattice, true) < 0.2


def test_nothing_is_found_where_nothing_is() -> None:
    plain = np.full((480, 640, 3), 128, np.uint8)
    assert lines.find(plain, SIZES) == []
    assert stones.find(plain, SIZES) == []


@pytest.mark.parametrize("seed", range(6))
def test_a_lattice_fits_on_the_middles_of_stones(seed: int) -> None:
    """With every offset that the picture has room for, and some stones that lie beside the board."""
    rng = np.random.default_rng(seed)
    true = board(19, seed)
    taken = np.argwhere(sprinkled(19, 0.4, seed) > 0)[:, ::-1] + rng.normal(0, 0.06, (1, 2))
    beside = rng.uniform([0, 0], [60, 640], (5, 2))
    found = stones.fit(np.concatenate([true.project(taken.astype(float)), beside]), SIZES, (640, 640))
    assert min(error(one.lattice, true) for one in found) < 0.3


def test_five_stones_are_too_few_for_a_lattice() -> None:
    points: Floats = np.array([[0.0, 0], [1, 0], [2, 0], [0, 1], [1, 1]]) * 30
    assert stones.fit(points, SIZES, (640, 640)) == []


def test_discs_tell_black_from_white() -> None:
    image = np.full((120, 120), 0.0, np.float32)
    cv2.circle(image, (30, 30), 9, -1.0, -1, cv2.LINE_AA)
    cv2.circle(image, (80, 70), 9, 1.0, -1, cv2.LINE_AA)
    found = discs.detect(image, 9)
    assert [(round(x), round(y), bool(dark)) for (x, y), dark in zip(found.middles, found.dark, strict=True)] == [
        (30, 30, True),
        (80, 70, False),
    ]


def labelled(folder: Path, true: Lattice, position: np.ndarray, extra: str = "") -> dict[str, object] | None:
    """What `label` writes for a drawn board whose stones are boxed."""
    cv2.imwrite(str(folder / "one.png"), draw(true, position, 1))
    boxes = [
        f"{position[row, column] - 1} {x / 640} {y / 640} 0.03 0.03"
        for row, column in np.argwhere(position > 0)
        for x, y in [true.project(np.array([column, row], float)) + 0.5]
    ]
    (folder / "one.txt").write_text("\n".join(boxes) + extra)
    parser = ArgumentParser()
    label.configure(parser)
    label.run(parser.parse_args([str(folder), "--out", str(folder / "out")]))
    written = folder / "out" / "one.json"
    return json.loads(written.read_text()) if written.exists() else None


def test_boxed_stones_become_a_label(tmp_path: Path) -> None:
    true, position = board(13, 13), sprinkled(13, 0.4, 13)
    made = labelled(tmp_path, true, position)
    assert made is not None and made["size"] == 13
    assert made["rows"] == ["".join(".XO"[stone] for stone in row) for row in position]
    assert np.abs(np.array(made["corners"]) - true.corners()).max() < 0.15 * true.cell()


def test_a_stone_far_from_any_point_makes_no_label(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    true = board(13, 14)
    x, y = true.project(np.array([5.5, 5.5])) + 0.5
    position = sprinkled(13, 0.4, 14)
    position[5:7, 5:7] = 0
    assert labelled(tmp_path, true, position, f"\n0 {x / 640} {y / 640} 0.03 0.03") is None
    assert "on no point" in capsys.readouterr().out


def test_a_stone_boxed_twice_is_one_stone(tmp_path: Path) -> None:
    true, position = board(13, 15), sprinkled(13, 0.4, 15)
    row, column = np.argwhere(position == 1)[0]
    x, y = true.project(np.array([column, row], float)) + 1.5
    made = labelled(tmp_path, true, position, f"\n0 {x / 640} {y / 640} 0.03 0.03")
    assert made is not None
    assert made["rows"] == ["".join(".XO"[stone] for stone in row) for row in position]


@pytest.mark.slow
def test_refinement_on_photos(shared: Callable[[str], Path]) -> None:
    """Most of the labelled photos: their own labels are right to some 0.1 cell, a few to 0.35."""
    errors = []
    for path in sorted(shared("photos/dev").glob("*.corners.json"))[::3]:
        base = path.name.removesuffix(".corners.json")
        size = int((path.parent / f"{base}.txt").read_text().split()[0])
        picture = cv2.imread(str(path.parent / f"{base}.jpg"))
        assert picture is not None
        true = Lattice.from_corners(json.loads(path.read_text()), size)
        if size != 8:
            errors.append(error(refine(np.asarray(picture, np.uint8), shaken(true, 0.3, 1)), true))
    assert np.mean(np.array(errors) < 0.2) > 0.7
