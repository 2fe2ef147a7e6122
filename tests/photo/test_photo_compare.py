"""The second look at screenshots: what a point is compared with, and that stones seen through are not read in silence."""

from __future__ import annotations

import numpy as np
import pytest
from photo_reader import read_or_refuse

from tengen.tools.lab.photo.render import render_scene
from tengen.tools.photo import compare, stone_reader
from tengen.tools.photo.geometry import Lattice
from tengen.tools.photo.results import Point


def board(kinds: np.ndarray, tones: np.ndarray) -> np.ndarray:
    """Patches (size, size, 3, SIDE, SIDE), each of one tone."""
    size = len(kinds)
    return np.broadcast_to(tones[:, :, None, None, None], (size, size, 3, compare.SIDE, compare.SIDE)).astype(
        np.float32
    )


def example(inputs: np.ndarray, at: tuple[int, int], kind: Point) -> tuple[float, float]:
    """Its tone, and whether there is one."""
    of = inputs[at][3 + 3 * kind : 6 + 3 * kind]
    assert np.ptp(of) == 0
    return float(of[0, 0, 0]), float(inputs[at][12 + kind, 0, 0])


def test_patches_are_around_their_points() -> None:
    rng = np.random.default_rng(1)
    flat = rng.random((3, 16 * 10 + 1, 16 * 10 + 1)).astype(np.float32)
    patches = compare.cut(flat)
    assert patches.shape == (9, 9, 3, 33, 33)
    for row, column in ((0, 0), (4, 7), (8, 8)):
        assert np.array_equal(patches[row, column, :, 16, 16], flat[:, 16 * (row + 1), 16 * (column + 1)])


def test_a_point_is_no_example_of_itself_where_few_are() -> None:
    kinds, tones = np.zeros((9, 9), np.int8), np.full((9, 9), 0.7)
    kinds[0, 0], kinds[0, 1], tones[0, 0], tones[0, 1] = 1, 1, 0.1, 0.3
    kinds[5, 5], tones[5, 5] = 2, 0.9
    kinds[6, 6], tones[6, 6] = -1, 0.2
    inputs = compare.planes(board(kinds, tones), kinds)
    assert example(inputs, (0, 0), Point.BLACK) == pytest.approx((0.3, 1))
    assert example(inputs, (0, 1), Point.BLACK) == pytest.approx((0.1, 1))
    assert example(inputs, (5, 5), Point.WHITE) == (0.5, 0)
    assert example(inputs, (0, 0), Point.WHITE) == pytest.approx((0.9, 1))
    assert example(inputs, (6, 6), Point.BLACK) == pytest.approx((0.2, 1))
    assert example(inputs, (6, 6), Point.EMPTY) == pytest.approx((0.7, 1))


def test_what_is_not_sure_is_no_example() -> None:
    shares = np.zeros((9, 9, 4), np.float32)
    shares[..., Point.EMPTY] = 1
    shares[0, 0] = (0.2, 0.8, 0, 0)
    shares[0, 1] = (0.02, 0.98, 0, 0)
    shares[0, 2] = (0, 0, 0, 1)
    assert compare.thought(shares)[0, :4].tolist() == [-1, Point.BLACK, -1, Point.EMPTY]


@pytest.mark.parametrize(
    "corners, lean",
    [
        ([[20, 30], [380, 30], [380, 390], [20, 390]], 0),
        ([[20, 30], [381, 31], [380, 390], [20, 389]], 0.05),
        ([[20, 30], [380, 30], [380, 350], [20, 350]], 0),  # cells that are not square are a screenshot's too
        ([[380, 30], [380, 390], [20, 390], [20, 30]], 0),  # and so is a board that is turned by a quarter
        ([[20, 30], [380, 36], [374, 396], [14, 390]], 0.3),  # one degree
        ([[26, 30], [374, 30], [380, 390], [20, 390]], 0.31),  # a tilted camera
    ],
)
def test_screenshots_are_upright(corners: list[list[float]], lean: float) -> None:
    assert compare.leaning(Lattice.from_corners(corners, 19)) == pytest.approx(lean, abs=0.03)


@pytest.mark.parametrize("number", [
    46, 103, *(pytest.param(one, marks=pytest.mark.slow) for one in (18, 111, 123, 150, 175, 182))
])  # fmt: skip
def test_what_was_misread_in_silence_is_not_any_more(number: int) -> None:
    """Ghost stones, a hint's disc, large marks on stones, as two averaged networks alone read them wrongly and surely."""
    made = render_scene(np.random.default_rng([9120, number, 0]), style="marked")
    found = read_or_refuse(made.image)
    wrong = (found[0].stones != made.labels) & (made.labels != Point.HIDDEN)
    assert not wrong.any() or found[0].warnings


@pytest.mark.parametrize(
    "lean, white, wanted",
    [
        (0.0, 0.73, (0.635, 0, 0.365, 0)),
        (0.15, 0.73, (0.365, 0, 0.635, 0)),
        (2.0, 0.73, (0.27, 0, 0.73, 0)),  # not read surely before
        (2.0, 1.0, (0.3, 0, 0.7, 0)),
    ],
)
def test_boards_that_lean_keep_what_was_read(
    lean: float, white: float, wanted: tuple[float, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A point read as white that is empty at the second look."""
    shares = np.full((9, 9, 4), 0.01, np.float32)
    shares[..., Point.EMPTY] = 0.97
    shares[2, 3] = (1 - white, 0, white, 0)
    second = np.zeros((81, 4), np.float32)
    second[:, Point.EMPTY] = 9
    monkeypatch.setattr(compare, "run", lambda name, inputs: {"points": second})
    joined = compare.joined(shares, np.zeros((3, 161, 161), np.float32), lean)
    assert joined[2, 3] == pytest.approx(wanted, abs=0.01)
    assert joined[5, 5].argmax() == Point.EMPTY


@pytest.mark.parametrize("first, second, wanted", [(0.99, 0.99, 0.99), (0.78, 0.99, 0.7), (0.99, 0.9, 0.7)])
def test_a_screenshot_is_as_sure_as_its_least_sure_look(
    first: float, second: float, wanted: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A black point, by two looks."""
    shares = np.full((9, 9, 4), 0.001, np.float32)
    shares[..., Point.EMPTY] = 0.997
    again = shares.copy()
    for look, black in ((shares, first), (again, second)):
        look[2, 3] = (0, black, 0, 1 - black)
    monkeypatch.setattr(compare, "run", lambda name, inputs: {"points": np.log(again.reshape(81, 4) + 1e-9)})
    joined = compare.joined(shares, np.zeros((3, 161, 161), np.float32), 0.0)
    assert joined[2, 3, Point.BLACK] == pytest.approx(wanted, abs=1e-3) and joined[2, 3].sum() == pytest.approx(1)
    assert joined[5, 5, Point.EMPTY] == pytest.approx(0.997, abs=1e-3)


def test_nobody_settles_a_quarrel() -> None:
    """Two networks that are sure of different things leave a point unclear, whatever the second look says."""
    white, empty, unsure = (0, 0, 0.9, 0.1), (0.9, 0, 0.1, 0), (0.6, 0, 0.4, 0)
    joined = np.tile(np.array([0.97, 0.01, 0.01, 0.01], np.float32), (3, 1, 1))
    first, second = (np.array([[one], [two], [three]], np.float32) for one, two, three in
                     ((white, empty, white), (empty, empty, unsure)))  # fmt: skip
    out = stone_reader.settled([first, second], joined)
    assert out[:, 0, 0] == pytest.approx([0.7, 0.97, 0.97], abs=1e-3) and out.sum(-1) == pytest.approx(1)


def test_boards_known_to_be_real_are_not_asked_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    made = render_scene(np.random.default_rng([9120, 46, 0]), style="marked")
    asked: list[int] = []
    joined = compare.joined
    monkeypatch.setattr(compare, "joined", lambda *shares, **how: asked.append(1) or joined(*shares, **how))
    stone_reader.read(made.image, made.lattice, is_real=True)
    assert asked == []
    stone_reader.read(made.image, made.lattice)
    assert asked == [1]
