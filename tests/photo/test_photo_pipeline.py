"""From pixels to positions with the shipped networks, on rendered boards and (where they are given) on real photos."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from photo_reader import read_or_refuse, wrong
from whole_sets import share_of, some_of

from tengen.tools.lab.photo.dataset import read_folder
from tengen.tools.lab.photo.render import Scene, render_clutter, render_scene
from tengen.tools.photo import confidence, pipeline
from tengen.tools.photo.find import network
from tengen.tools.photo.geometry import Lattice
from tengen.tools.photo.pipeline import Settings, read_picture
from tengen.tools.photo.results import CERTAIN, PhotoError, Point, Reading


def scene(number: int, style: str, size: int | None = None) -> Scene:
    return render_scene(np.random.default_rng([404, number]), style=style, size=size, side=700)


def drawn_board(size: int = 19, pitch: int = 24) -> tuple[np.ndarray, np.ndarray]:
    """A plain diagram and its labels, without the renderer."""
    rng = np.random.default_rng(size)
    image = np.full(((size + 1) * pitch, (size + 1) * pitch, 3), (120, 190, 225), np.uint8)
    for line in range(1, size + 1):
        cv2.line(image, (line * pitch, pitch), (line * pitch, size * pitch), (20, 20, 20), 1, cv2.LINE_AA)
        cv2.line(image, (pitch, line * pitch), (size * pitch, line * pitch), (20, 20, 20), 1, cv2.LINE_AA)
    labels = rng.choice(3, (size, size), p=[0.7, 0.15, 0.15]).astype(np.int8)
    for row, column in np.argwhere(labels > 0):
        middle = (int(column + 1) * pitch, int(row + 1) * pitch)
        colour = (25, 25, 25) if labels[row, column] == Point.BLACK else (240, 240, 240)
        cv2.circle(image, middle, pitch // 2 - 1, colour, -1, cv2.LINE_AA)
        cv2.circle(image, middle, pitch // 2 - 1, (20, 20, 20), 1, cv2.LINE_AA)
    return image, labels


@pytest.mark.parametrize("size", (9, 13, 19, pytest.param(15, marks=pytest.mark.slow)))
def test_a_plain_diagram_is_read(size: int) -> None:
    image, labels = drawn_board(size)
    [reading] = read_picture(image)
    assert reading.size == size and wrong(reading, labels) == 0
    assert reading.found > 0.9
    assert np.abs(reading.lattice.corners() - 24 * np.array([[1, 1], [size, 1], [size, size], [1, size]])).max() < 4


@pytest.mark.parametrize("turn", [1, *(pytest.param(turn, marks=pytest.mark.slow) for turn in (2, 3))])
def test_a_turned_picture_is_read_as_it_stands(turn: int) -> None:
    image, labels = drawn_board(13)
    [reading] = read_picture(np.ascontiguousarray(np.rot90(image, turn)))
    assert wrong(reading, np.rot90(labels, turn)) == 0


def test_a_board_in_perspective_is_read() -> None:
    image, labels = drawn_board(19, 30)
    source = np.array([[0, 0], [600, 0], [600, 600], [0, 600]], np.float32)
    target = np.array([[190, 120], [560, 90], [700, 560], [60, 600]], np.float32)
    matrix = cv2.getPerspectiveTransform(source, target)
    photo = cv2.warpPerspective(image, matrix, (800, 700), flags=cv2.INTER_AREA, borderValue=(60, 70, 80))
    [reading] = read_picture(np.asarray(photo, np.uint8))
    assert wrong(reading, labels) == 0


def test_nothing_is_found_where_nothing_is() -> None:
    blank = np.full((400, 600, 3), 128, np.uint8)
    noise = np.random.default_rng(1).integers(0, 256, (400, 600, 3)).astype(np.uint8)
    assert read_picture(blank) == [] and read_picture(noise) == []


@pytest.mark.slow
def test_hardly_anything_is_found_in_clutter() -> None:
    clutter = [read_or_refuse(render_clutter(np.random.default_rng([505, number]))) for number in some_of(10)]
    assert sum(map(bool, clutter)) <= 1


def test_two_boards_are_two_readings() -> None:
    left, labels = drawn_board(9, 30)
    right, others = drawn_board(13, 22)
    canvas = np.full((360, 700, 3), 90, np.uint8)
    canvas[30 : 30 + len(left), 20 : 20 + len(left)] = left
    canvas[26 : 26 + len(right), 360 : 360 + len(right)] = right
    readings = read_picture(canvas, Settings(boards=4))
    assert sorted(reading.size for reading in readings) == [9, 13]
    assert all(wrong(reading, labels if reading.size == 9 else others) == 0 for reading in readings)


def test_a_small_board_in_a_large_picture_is_looked_at_from_nearer_by() -> None:
    image, labels = drawn_board(9, 10)
    canvas = np.full((900, 1280, 3), (70, 90, 60), np.uint8)
    canvas[600:700, 1000:1100] = image
    assert network.among(canvas, network.propose(network.look(canvas)), (9, 13, 19)) == [], (
        "too small to be seen at once"
    )
    [(left, top, right, bottom)] = network.small_areas(network.look(canvas))
    assert left <= 1000 and top <= 600 and 1100 <= right < 1280 and 700 <= bottom < 900
    [reading] = read_picture(canvas)
    assert wrong(reading, labels) == 0


def test_eight_squares_are_looked_for_by_their_nine_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, ...]] = []
    monkeypatch.setattr(pipeline, "get_finder", lambda name: lambda image, sizes: asked.append(tuple(sizes)) or [])
    blank = np.full((300, 400, 3), 128, np.uint8)
    for game in ("reversi", "gomoku"):
        assert read_picture(blank, Settings(game=game)) == []
    assert asked == [(8, 9), (8, 9), (15, 19), (15, 19)]


@pytest.mark.parametrize("hidden, is_there", [(0, True), (40, True), (41, False)])
def test_a_board_is_judged_by_the_points_that_show(hidden: int, is_there: bool) -> None:
    probabilities = np.full((81, 4), 0.005, np.float32)
    probabilities[:, Point.EMPTY] = 0.985
    probabilities[:hidden] = (0.1, 0.02, 0.02, 0.86)
    lattice = Lattice.from_corners([[0, 0], [80, 0], [80, 80], [0, 80]], 9)
    reading = Reading(lattice, probabilities.reshape(9, 9, 4), 0.5, "go")
    assert confidence.is_board(reading) is is_there
    assert len(confidence.shown(reading.probabilities)) == (81 - hidden if is_there else 81)


def test_given_corners_and_size_are_kept() -> None:
    image, labels = drawn_board(13)
    corners = 24.0 * np.array([[1, 1], [13, 1], [13, 13], [1, 13]])
    [reading] = read_picture(image, Settings(corners=corners, size=13))
    assert np.allclose(reading.lattice.corners(), corners, atol=1e-3) and wrong(reading, labels) == 0
    [guessed] = read_picture(image, Settings(corners=corners))
    assert guessed.size == 13
    with pytest.raises(PhotoError, match="convex"):
        read_picture(image, Settings(corners=corners[[0, 2, 1, 3]], size=13))


@pytest.mark.parametrize("size, game", ((11, None), (8, "go"), (9, "reversi"), (8, "gomoku")))
def test_sizes_that_cannot_be_are_refused(size: int, game: str | None) -> None:
    with pytest.raises(PhotoError, match="size"):
        read_picture(drawn_board(9)[0], Settings(size=size, game=game))


def test_a_hidden_part_is_said_to_be_hidden() -> None:
    image, labels = drawn_board(9, 40)
    [reading] = read_picture(image[:, : 40 * 9 - 16].copy())
    words = ("hidden", "elsewhere", "only the part A1-H9 of a 9x9 board")
    assert any(word in warning for warning in reading.warnings for word in words)


@pytest.mark.slow
def test_rendered_reversi_boards() -> None:
    """The bar: 98 % of rendered Reversi boards fully right."""
    scenes = [scene(number, "reversi") for number in some_of(100)]
    right = 0
    for made in scenes:
        readings = read_picture(made.image, Settings(game="reversi"))
        right += bool(readings) and wrong(readings[0], made.labels) == 0
    assert right >= share_of(98, 100)


@pytest.mark.slow
def test_real_photos(shared: Callable[[str], Path]) -> None:
    """The bars on photos and diagrams that nothing was trained on."""
    counts = {"photo": [0, 0, 0], "digital": [0, 0, 0]}
    sure = points = sure_right = unwarned = unwarned_right = given_right = sized_points = sized_right = 0
    for item in read_folder(shared("photos/dev")):
        assert item.lattice is not None
        image = item.image()
        readings = read_picture(image)
        row = counts["digital" if item.is_digital else "photo"]
        row[0] += 1
        exact = bool(readings) and wrong(readings[0], item.labels) == 0
        row[1] += bool(readings) and readings[0].size == item.size
        row[2] += exact
        if not item.is_digital:
            [told] = read_picture(image, Settings(corners=item.lattice.corners(), size=item.size))
            given_right += wrong(told, item.labels) == 0
        if not readings or readings[0].size != item.size:
            continue
        certain = readings[0].confidence >= CERTAIN
        sure += int(certain.sum())
        points += certain.size
        sure_right += int((readings[0].stones == item.labels)[certain].sum())
        sized_points += item.labels.size
        sized_right += item.labels.size - wrong(readings[0], item.labels)
        if not readings[0].warnings:
            unwarned += 1
            unwarned_right += exact
    photos, sized, right = counts["photo"]
    assert sized >= 0.9 * photos and right >= 0.6 * photos and given_right >= 0.85 * photos
    assert sized_right >= 0.995 * sized_points
    pictures, sized, right = counts["digital"]
    assert sized == pictures and right >= 0.9 * pictures
    assert sure >= 0.97 * points and sure_right >= 0.999 * sure
    assert unwarned_right >= 0.9 * unwarned and unwarned >= 20


@pytest.mark.slow
@pytest.mark.timing
def test_a_large_photo_in_bounded_time_and_memory(tmp_path: Path) -> None:
    """12 megapixels from file to file: under 2 s of processor time a photo on two cores, under 600 MB."""
    made = scene(3, "photo", 19)
    large = cv2.resize(made.image, (4000, 3000), interpolation=cv2.INTER_CUBIC)
    cv2.imwrite(str(tmp_path / "large.jpg"), large)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    # A child's ru_maxrss begins with what its parent held when it forked: the process says its own peak.
    program = (
        "import sys; from tengen.tools.cli import main; code = main(sys.argv[1:]); "
        "peak = [line for line in open('/proc/self/status') if line.startswith('VmHWM')][0]; "
        "print(code, peak.split()[1])"
    )
    words = [sys.executable, "-c", program, "photo", str(tmp_path / "large.jpg"), "-o", str(tmp_path / "large.sgf")]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    code, peak = map(int, done.stdout.split()[-2:])
    assert code in (0, 1), done.stderr
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 4.0
    assert peak < 600 * 1024
    print(f"{after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime:.2f} s, {peak / 1024:.0f} MB")
