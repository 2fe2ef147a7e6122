"""Pictures of what programs show over boards, of boards across a room and of boards that touch: their labels are true."""

from __future__ import annotations

import numpy as np
import pytest
from whole_sets import portion

from tengen.tools.lab.photo.render import Scene, render_scene
from tengen.tools.lab.photo.render.camera import draw_camera
from tengen.tools.lab.photo.render.overlays import LAYERS, OVER, POINTED, Diagram, draw_layer, veil
from tengen.tools.lab.photo.render.reversi import draw_lined
from tengen.tools.photo.results import Point


def diagram(stones: np.ndarray) -> Diagram:
    image = np.full((40 * len(stones), 40 * len(stones), 3), (90, 180, 220), np.uint8)
    return Diagram(image, stones, np.array([20.0, 20.0]), 40.0, (90, 180, 220))


@pytest.mark.parametrize("name", sorted({*LAYERS, *POINTED}))
def test_every_overlay_is_seen_and_leaves_the_stones_alone(name: str) -> None:
    stones = np.random.default_rng(1).integers(0, 3, (9, 9)).astype(np.int8)
    for seed in range(5):
        made = diagram(stones.copy())
        before = made.image.copy()
        draw_layer(np.random.default_rng(seed), made, name)
        assert not np.array_equal(made.image, before) and np.array_equal(made.stones, stones)


def test_overlays_come_with_boards_that_are_empty_or_full() -> None:
    for stones in (np.zeros((9, 9), np.int8), np.ones((9, 9), np.int8)):
        for name in (*LAYERS, *POINTED):
            draw_layer(np.random.default_rng(3), diagram(stones), name)


def test_what_is_seen_through_is_between_the_colours() -> None:
    made = diagram(np.zeros((9, 9), np.int8))
    veil(made.image, made.spot(4, 4), 18.0, (0, 0, 0), 0.5, square=False)
    assert made.image[180, 180].tolist() == [45, 90, 110] and made.image[180, 205].tolist() == [90, 180, 220]


@pytest.mark.parametrize("style", OVER)
def test_a_marked_diagram_has_the_labels_of_its_stones(style: str) -> None:
    stones = np.random.default_rng(5).integers(0, 3, (13, 13)).astype(np.int8)
    for seed in range(12):
        got = render_scene(np.random.default_rng(seed), style=style, stones=stones, side=480)
        seen = got.labels != Point.HIDDEN
        assert got.style == "digital" and seen.mean() > 0.8
        assert np.array_equal(got.labels[seen], stones[seen])


def room(style: str, seed: int) -> Scene:
    return render_scene(np.random.default_rng([7, seed]), style=style, side=500)


def test_boards_across_a_room_are_flat_or_small() -> None:
    shares, slopes, boards = [], [], 0
    for seed in range(portion(16)):
        got = room("far", seed)
        wide, tall = np.ptp(got.lattice.corners(), 0)
        shares.append(wide / got.image.shape[1])
        slopes.append(tall / wide)
        boards += len(got.others)
    assert min(shares) < 0.25 < max(shares) and min(slopes) < 0.4
    assert boards > portion(4)


def test_boards_that_touch_are_as_large_and_beside_each_other() -> None:
    for seed in range(8):
        got = room("pair", seed)
        (other,) = got.others
        assert other.size == got.lattice.size
        away = np.abs(got.lattice.locate(other.points().mean((0, 1))) - (other.size - 1) / 2).max()
        assert other.size - 1 < away < 3 * other.size


def test_a_camera_in_the_coordinates_of_another_board_sees_the_same() -> None:
    rng = np.random.default_rng(3)
    board = draw_lined(rng, 40.0)
    camera = draw_camera(rng, board.grid(), board.body(), 600)
    offset, turn = np.array([3.0, -2.0]), 0.7
    moved = camera.at(offset, turn)
    spot = np.array([1.0, 2.0, 0.5])
    c, s = np.cos(turn), np.sin(turn)
    there = np.array([c * 1 - s * 2 + 3.0, s * 1 + c * 2 - 2.0, 0.5])
    assert moved.project(spot) == pytest.approx(camera.project(there))
    assert np.linalg.norm(moved.centre - spot) == pytest.approx(np.linalg.norm(camera.centre - there))
