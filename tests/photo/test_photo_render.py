"""Synthetic pictures of boards: the labels must be those of the pictures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from whole_sets import portion

from tengen.tools.lab.photo.render import STYLES, Scene, render_clutter, render_scene
from tengen.tools.lab.photo.render.camera import draw_camera
from tengen.tools.lab.photo.render.framing import MISFIT, misfit, waved
from tengen.tools.lab.photo.render.laying import side_by_side
from tengen.tools.lab.photo.render.lines import line_cover
from tengen.tools.lab.photo.render.moulded import draw_moulded, relief
from tengen.tools.lab.photo.render.positions import draw_position
from tengen.tools.lab.photo.render.reversi import draw_field_look, draw_lined
from tengen.tools.lab.photo.render.shot import Shot, labelled, under
from tengen.tools.lab.photo.render.stones import Lamp, StoneLook, draw_stones, outlines, stand
from tengen.tools.photo.geometry import Lattice, Window
from tengen.tools.photo.results import Point

SIDE = 480


def scene(seed: int, **options: object) -> Scene:
    return render_scene(np.random.default_rng(seed), side=SIDE, **options)  # type: ignore[arg-type]


def brightness(picture: Scene, at: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean brightness of the middle of the points `at` (n, 2), (column, row)."""
    grey = cv2.cvtColor(picture.image, cv2.COLOR_BGR2GRAY).astype(np.float32)
    reach = max(1, round(picture.lattice.cell() * 0.3))
    smooth = cv2.blur(grey, (2 * reach + 1,) * 2)
    x, y = np.round(picture.lattice.project(at)).astype(int).T
    return smooth[np.clip(y, 0, len(grey) - 1), np.clip(x, 0, grey.shape[1] - 1)]


@pytest.mark.parametrize("style", [None, *STYLES])
def test_the_same_state_gives_the_same_picture(style: str | None) -> None:
    first, second = scene(1, style=style), scene(1, style=style)
    assert np.array_equal(first.image, second.image)
    assert np.array_equal(first.labels, second.labels)
    assert np.array_equal(first.lattice.homography, second.lattice.homography)
    assert not np.array_equal(first.image.ravel()[:5000], scene(2, style=style).image.ravel()[:5000])


@pytest.mark.parametrize(
    "style, sizes", [("photo", (9, 13, 15, 17, 19)), ("reversi", (8,)), ("digital", (8, 9, 13, 15, 17, 19))]
)
def test_a_scene_is_what_was_asked_for(style: str, sizes: tuple[int, ...]) -> None:
    for size in sizes:
        got = scene(size, style=style, size=size)
        assert (got.style, got.lattice.size, got.lattice.cells) == (style, size, size == 8)
        assert got.labels.shape == (size, size) and got.labels.dtype == np.int8
        assert set(np.unique(got.labels)) <= set(Point)
        assert got.image.dtype == np.uint8 and got.image.ndim == 3
        assert abs(max(got.image.shape) - SIDE) <= 32
        first = got.lattice.corners()
        assert np.array_equal(got.lattice.oriented().corners().round(2), first.round(2)), "oriented"


@pytest.mark.parametrize("seed", (696, 1563, 2722, 3675))
def test_a_field_of_squares_that_are_not_square_fits_its_board(seed: int) -> None:
    board = draw_lined(np.random.default_rng([9, seed]), 30.0)
    assert board.aspect > 1
    assert min(board.margins) >= 0.5 and min(board.margins[1], board.margins[3]) >= 0.5 * board.aspect
    assert board.texture.shape[0] == round((7 * board.aspect + board.margins[1] + board.margins[3]) * 30)


def test_positions_of_one_colour_are_drawn_too() -> None:
    rng = np.random.default_rng(1)
    drawn = [draw_position(rng, 9) for _ in range(300)]
    colours = [frozenset(np.unique(stones[stones > 0]).tolist()) for stones in drawn]
    assert colours.count(frozenset({1})) > 2 and colours.count(frozenset({2})) > 2
    assert colours.count(frozenset({1, 2})) > 200


def test_discs_lie_beside_each_other_and_not_in_each_other() -> None:
    rng = np.random.default_rng(2)
    grid = np.stack(np.meshgrid(np.arange(8.0), np.arange(8.0)), -1).reshape(-1, 2)
    for diameter in (0.7, 0.9):
        spots = grid + np.clip(rng.normal(0, 0.12, grid.shape), -0.3, 0.3)
        apart = side_by_side(spots, diameter)
        away = np.linalg.norm(apart[:, None] - apart[None], axis=-1) + 9 * np.eye(64)
        assert away.min() > diameter - 0.06
        assert np.abs(apart - grid).max() < 0.45, "each in its square"
    alone = np.array([[1.3, 1.2], [5.0, 5.0]])
    assert np.array_equal(side_by_side(alone, 0.9), alone) and side_by_side(np.zeros((0, 2)), 0.9).shape == (0, 2)


def test_faces_that_all_mirror_a_lamp_still_tell_black_from_white() -> None:
    look = StoneLook(0.8, 0.1, 0.5, True, ((20, 20, 20), (240, 240, 240)), (1.0, 0.5), False, 0.0)
    rng = np.random.default_rng(3)
    board = draw_lined(rng, 40.0)
    camera = draw_camera(rng, board.grid(), board.body(), 600)
    towards = -camera.forward * np.array([1.0, 1.0, -1.0])
    mirrored = np.array([-towards[0], -towards[1], towards[2]])
    lamps = [Lamp(mirrored / np.linalg.norm(mirrored), 1.0, (0.3, 0.3), True)]
    image = np.full((camera.height, camera.width, 3), 110, np.uint8)
    places = stand(look, np.array([[2.0, 3.0], [5.0, 3.0]]))
    draw_stones(np.random.default_rng(1), image, camera, look, lamps, places, [1, 2])
    (black, white), _ = outlines(camera, places, look)
    at = [image[round(y), round(x)].astype(float).mean() for x, y in (black, white)]
    assert at[1] - at[0] > 50


def test_discs_are_black_and_white() -> None:
    rng = np.random.default_rng(1)
    for look in (draw_field_look(rng) for _ in range(300)):
        black, white = (np.array(colour) for colour in look.colours)
        assert np.ptp(black) <= 60 and np.ptp(white) <= 60 and white.mean() > black.mean() + 60


def test_moulded_squares_are_dishes_with_edges() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        gain = relief(rng, 320, 400)
        assert gain.shape == (320, 400) and 0.2 <= gain.min() < gain.max() <= 2.0
        assert np.allclose(gain[120:160, 150:200], gain[160:200, 200:250], atol=0.05), (
            "squares without a star are alike"
        )
        middle, edge = gain[15:25, 20:30], gain[15:25, 46:54]
        assert np.ptp(middle) < 0.02 < np.ptp(edge)


def test_moulded_boards_show_their_squares_where_they_say() -> None:
    for seed in range(30):
        board = draw_moulded(np.random.default_rng(seed), 40.0)
        left, top, right, bottom = board.margins
        height, width = board.texture.shape[:2]
        assert (board.size, board.cells, left, top) == (8, True, right, bottom) and min(board.margins) >= 0.5
        assert abs(width - (7 + 2 * left) * 40) <= 1 and abs(height - (7 * board.aspect + 2 * top) * 40) <= 1
        x, y = np.round((np.arange(8) + left) * 40).astype(int), np.round((np.arange(8) * board.aspect + top) * 40)
        middles = board.texture[y.astype(int)[:, None], x].reshape(-1, 3).astype(float)
        assert np.ptp(middles, 0).max() < 110, "one felt"


def test_discs_of_two_sides_show_the_other_colour_below() -> None:
    look = StoneLook(0.8, 0.25, 0.5, True, ((20, 20, 20), (240, 240, 240)), (0.0, 0.0), False, 0.0)
    rng = np.random.default_rng(3)
    board = draw_lined(rng, 40.0)
    cameras = [draw_camera(rng, board.grid(), board.body(), 600) for _ in range(8)]
    camera = min(cameras, key=lambda camera: abs(camera.forward[2]))
    lamp = [Lamp(np.array([0, 0, 1.0]), 1.0, (0.1, 0.1), True)]
    shown = []
    for two_sided in (False, True):
        image = np.full((camera.height, camera.width, 3), 110, np.uint8)
        places = stand(look, np.array([[3.0, 3.0], [4.0, 4.0]]))
        draw_stones(np.random.default_rng(1), image, camera, replace(look, two_sided=two_sided), lamp, places, [1, 1])
        shown.append(image.max(-1))
    assert shown[0].max() < 150 < shown[1].max()
    assert (shown[0] < 60).sum() * 0.8 < (shown[1] < 60).sum(), "the face stays black"


@pytest.mark.parametrize("options", [
    {"style": "oil"}, {"size": 10}, {"style": "photo", "size": 8}, {"style": "reversi", "size": 19},
    {"size": 19, "stones": np.zeros((9, 9), np.int8)}, {"stones": np.zeros((9, 13), np.int8)},
])  # fmt: skip
def test_what_cannot_be_drawn_is_refused(options: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        scene(0, **options)


@pytest.mark.parametrize("style, size", [("photo", 19), ("photo", 9), ("reversi", 8), ("digital", 13)])
def test_stones_are_where_the_labels_say(style: str, size: int) -> None:
    """Black stones are darker than the white ones around: with the labels, not with those of a turned board."""
    right, turned, count = 0, 0, 0
    for seed in range(portion(12)):
        stones = np.random.default_rng(seed).integers(1, 3, (size, size)).astype(np.int8)
        got = scene(100 + seed, style=style, stones=stones)
        rows, columns = np.nonzero(got.labels != Point.HIDDEN)
        tone = np.full((size, size), np.nan)
        tone[rows, columns] = brightness(got, np.stack([columns, rows], -1).astype(float))
        for r, c in zip(rows, columns, strict=True):
            near = tone[max(0, r - 2) : r + 3, max(0, c - 2) : c + 3]
            black = tone[r, c] < (np.nanmin(near) + np.nanmax(near)) / 2
            right += black == (got.labels[r, c] == Point.BLACK)
            turned += black == (np.rot90(got.labels)[r, c] == Point.BLACK)
            count += 1
    assert right > 0.93 * count
    assert turned < 0.65 * count


def test_the_lattice_lies_on_the_lines() -> None:
    """An empty board is darkest on its lines: halfway between points, half a cell off the line is brighter."""
    wins = []
    for seed in range(16):
        got = scene(seed, style="digital", size=19, stones=np.zeros((19, 19), np.int8))
        columns, rows = (a.ravel() for a in np.meshgrid(np.arange(1, 17) + 0.5, np.arange(2.0, 17)))
        on = brightness_of_pixels(got, np.stack([columns, rows], -1))
        off = brightness_of_pixels(got, np.stack([columns, rows + 0.5], -1))
        wins.append(abs(np.median(on - off)) > 1.5)
    assert np.mean(wins) > 0.8


def brightness_of_pixels(picture: Scene, at: NDArray[np.float64]) -> NDArray[np.float64]:
    grey = cv2.cvtColor(picture.image, cv2.COLOR_BGR2GRAY).astype(np.float64)
    x, y = np.round(picture.lattice.project(at)).astype(int).T
    inside = (x >= 0) & (y >= 0) & (x < grey.shape[1]) & (y < grey.shape[0])
    return np.where(inside, grey[np.clip(y, 0, len(grey) - 1), np.clip(x, 0, grey.shape[1] - 1)], np.nan)


def test_points_outside_are_hidden_and_few() -> None:
    outside = total = 0
    for seed in range(24):
        got = scene(seed)
        points = got.lattice.points()
        low, high = points.min(-1) * 0, np.array(got.image.shape[1::-1]) - 1
        beyond = np.maximum(-points, points - high).max(-1) / got.lattice.cell()
        assert (got.labels[beyond > 0.3] == Point.HIDDEN).all()
        outside += int((beyond > 0).sum())
        total += low.size
    assert outside < 0.03 * total


def test_points_under_a_hand_are_hidden() -> None:
    points = np.stack(np.meshgrid(np.arange(9) * 20.0 + 10, np.arange(9) * 20.0 + 10), -1)
    cover = np.zeros((180, 180), np.uint8)
    cover[:, :50] = 255
    hidden = under(cover, points, 20)
    assert hidden[:, :2].all() and not hidden[:, 3:].any()


def turned_points(points: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.rot90(points).copy()


def mirrored_points(points: NDArray[np.float64]) -> NDArray[np.float64]:
    return points[:, ::-1].copy()


@pytest.mark.parametrize("change", [turned_points, mirrored_points, lambda p: p])
def test_labels_follow_the_points_however_these_are_numbered(
    change: Callable[[NDArray[np.float64]], NDArray[np.float64]],
) -> None:
    points = np.stack(np.meshgrid(np.arange(9) * 20.0 + 10, np.arange(9) * 20.0 + 10), -1)
    stones = np.zeros((9, 9), np.int8)
    stones[0, 3] = Point.BLACK
    numbered, moved = change(points), change(stones[..., None].astype(float))[..., 0].astype(np.int8)
    shot = Shot(np.zeros((180, 180, 3), np.uint8), numbered, moved, np.zeros((9, 9), np.bool_), "photo")
    got = labelled(shot)
    assert got.lattice.points()[0, 0] == pytest.approx([10, 10], abs=1e-3)
    assert np.array_equal(got.labels, stones)


def test_a_sheet_that_is_not_flat_still_fits_its_lattice() -> None:
    corners = [(30, 40), (400, 35), (410, 380), (25, 370)]
    points = Lattice.from_corners(corners, 13).points()
    image = np.full((420, 440, 3), 255, np.uint8)
    for x, y in points.reshape(-1, 2):
        cv2.circle(image, (round(x), round(y)), 4, (0, 0, 0), -1)
    moved = 0
    for seed in range(8):
        shot = Shot(image, points, np.zeros((13, 13), np.int8), np.zeros((13, 13), np.bool_), "photo")
        got = waved(np.random.default_rng(seed), shot)
        assert misfit(got.points) <= MISFIT
        x, y = np.round(got.points.reshape(-1, 2)).astype(int).T
        assert (got.image[y, x] < 60).all(), "every dot is still at its point"
        moved += not np.array_equal(got.points, points)
    assert moved >= 4


def test_clutter_is_a_picture() -> None:
    for seed in range(12):
        image = render_clutter(np.random.default_rng(seed), 320)
        assert image.dtype == np.uint8 and max(image.shape[:2]) == 320
        assert np.array_equal(image, render_clutter(np.random.default_rng(seed), 320))


def test_a_window_is_what_shows_of_the_board() -> None:
    kinds = set()
    for seed in range(30):
        got = scene(seed, style="window")
        assert got.window is not None
        size = got.lattice.size
        part = got.window.mask(size)
        assert (got.labels[~part] == Point.HIDDEN).all(), "what is left out is not read"
        assert min(part.any(0).sum(), part.any(1).sum()) >= 4
        points = got.lattice.points()[part]
        inside = ((points > -30) & (points < np.array(got.image.shape[1::-1]) + 30)).all(-1)
        assert inside.mean() > 0.5
        kinds.add(got.window.open_sides(size))
    assert len(kinds) > 6


def test_lines_of_a_book_run_out_where_the_board_goes_on() -> None:
    rng = np.random.default_rng(4)
    part = Window(0, 5, 9, 18)
    cover = line_cover(rng, 19, 1.0, 20.0, (1.0, 1.0 - 5), (16 * 20, 12 * 20), window=part)
    middle = 20 * 7
    assert cover[middle + 10, : 20 - 2].max() == 0, "closed on the left: nothing beyond the edge"
    assert cover[20 * 3, 20 * 10 + 3] > 0.5, "open on the right: the row runs out"
    assert cover[20 - 3, 20 * 3] > 0.5 and cover[20 * 14 + 5, 20 * 3] == 0, "open above, closed below"
    assert cover[: 20 - 15].max() == 0, "and ends"
