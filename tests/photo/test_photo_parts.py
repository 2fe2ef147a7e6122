"""Pictures of a part of a board: said to be one and put in its place, or refused; never read as a whole board."""

from __future__ import annotations

import json
import re
from pathlib import Path

import cv2
import numpy as np
import pytest
from photo_drawings import diagram
from whole_sets import some_of

from tengen.tools import cli
from tengen.tools.lab.photo.render import Scene, render_scene
from tengen.tools.photo import pipeline
from tengen.tools.photo.board_sides import POINTS, Side, frame, lined, look, stretches
from tengen.tools.photo.edit import parse_window
from tengen.tools.photo.geometry import Image, Lattice, Window
from tengen.tools.photo.grown_lattice import Extent, place
from tengen.tools.photo.pipeline import Settings, read_picture
from tengen.tools.photo.position import checked
from tengen.tools.photo.results import NoBoardError, PartError, PhotoError, Point, Reading


@pytest.mark.parametrize(
    "part",
    [
        Window(6, 7, 18, 18),
        *(
            pytest.param(one, marks=pytest.mark.slow)
            for one in (Window(0, 0, 10, 8), Window(0, 0, 18, 11), Window(9, 0, 18, 11), Window(0, 10, 9, 18))
        ),
    ],
)
def test_a_part_of_a_diagram_is_put_in_its_place(part: Window) -> None:
    image, labels = diagram(part)
    [reading] = read_picture(image)
    assert reading.size == 19 and reading.window == part
    assert np.array_equal(reading.stones, part.only(labels))
    assert any("only the part" in warning for warning in reading.warnings)
    assert not any("outside" in warning for warning in reading.warnings), "what a part leaves out is not missing"


@pytest.mark.slow
def test_a_part_without_an_edge_is_refused_until_its_place_is_said() -> None:
    part = Window(4, 5, 14, 13)
    image, labels = diagram(part)
    with pytest.raises(PartError, match=r"11 columns and 9 rows, and neither the left nor the right edge .*--window"):
        read_picture(image)
    [reading] = read_picture(image, Settings(window=part))
    assert reading.window == part and np.array_equal(reading.stones, part.only(labels))
    with pytest.raises(PartError, match="--window names 3 and 3"):
        read_picture(image, Settings(window=Window(0, 0, 2, 2)))


def test_a_word_says_where_a_part_lies() -> None:
    image, labels = diagram(Window(4, 0, 14, 9))
    [reading] = read_picture(image, Settings(window="right"))
    assert reading.window == Window(8, 0, 18, 9)
    assert np.array_equal(reading.stones[0:10, 8:19], labels[0:10, 4:15])


def test_a_size_says_which_board_a_part_is_of() -> None:
    part = Window(0, 0, 8, 10)
    image, _ = diagram(part, 13)
    [guessed], [told] = read_picture(image), read_picture(image, Settings(size=13))
    assert guessed.size == 19 and any("is a guess" in warning for warning in guessed.warnings)
    assert told.size == 13 and told.window == part and not any("guess" in warning for warning in told.warnings)


EDGE, CUT = np.eye(4)[Side.EDGE], np.eye(4)[Side.CUT]


ADVICE = re.compile(r"--size (\d+) --window ([\w-]+)")


def follow(image: np.ndarray, told: str) -> list[list[Reading]]:
    """What comes of each piece of advice that a refusal prints, word by word."""
    found = ADVICE.findall(told)
    assert len(found) == 2, told
    return [
        read_picture(image, Settings(size=int(size), window=parse_window(window, int(size), None)))
        for size, window in found
    ]


@pytest.mark.slow
@pytest.mark.parametrize("part", [Window(3, 4, 10, 15), Window(4, 5, 14, 13), Window(5, 3, 15, 9), Window(2, 0, 12, 9)])
def test_the_advice_of_a_refusal_works(part: Window) -> None:
    image, _ = diagram(part)
    with pytest.raises(PartError) as refused:
        read_picture(image)
    for readings in follow(image, str(refused.value)):
        assert len(readings) == 1 and readings[0].window is not None


def test_a_long_part_is_counted_with_square_cells() -> None:
    """A view that makes twelve columns as wide as nineteen rows are high shows other lines."""
    part = Window(7, 0, 18, 18)
    image, labels = diagram(part, pitch=34)
    [reading] = read_picture(image)
    assert reading.window == part and np.array_equal(reading.stones, part.only(labels))


def test_corners_and_a_window_are_taken_as_they_are_said() -> None:
    image = np.random.default_rng(3).integers(0, 256, (300, 400, 3)).astype(np.uint8)
    corners = np.array([[60, 50], [340, 50], [340, 250], [60, 250]], float)
    [reading] = read_picture(image, Settings(size=13, window=Window(0, 0, 7, 5), corners=corners))
    assert reading.size == 13 and reading.window == Window(0, 0, 7, 5)
    away = reading.lattice.project(np.array([[0.0, 0], [7, 0], [7, 5], [0, 5]])) - corners
    assert np.abs(away).max() < 0.1


@pytest.mark.parametrize("settings", [
    Settings(), Settings(game="gomoku"), pytest.param(Settings(size=15), marks=pytest.mark.slow)
])  # fmt: skip
def test_fifteen_lines_without_an_edge_are_a_board(settings: Settings) -> None:
    part = Window(2, 2, 16, 16)
    image, labels = diagram(part)
    [reading] = read_picture(image, settings)
    assert reading.size == 15 and reading.window is None
    assert np.array_equal(reading.stones, labels[2:17, 2:17])
    assert bool(reading.warnings) or settings.size == 15


def test_lines_without_a_stone_are_called_so() -> None:
    image = np.full((420, 500, 3), 225, np.uint8)
    for at in range(0, 500, 38):
        cv2.line(image, (at, 0), (at, 419), (90, 90, 90), 2)
        cv2.line(image, (0, at), (499, at), (90, 90, 90), 2)
    try:
        readings = [checked(reading) for reading in read_picture(image)]
    except PartError as error:
        assert "--window" not in str(error)
    else:
        assert all(reading.warnings for reading in readings)


def extent(columns: int, rows: int, sides: str) -> Extent:
    """Of so many lines, with an edge at the sides named (l, t, r, b)."""
    lattice = Lattice(max(columns, rows), np.eye(3))
    return Extent(lattice, Window(0, 0, columns - 1, rows - 1), np.array([EDGE if s in sides else CUT for s in "ltrb"]))


@pytest.mark.parametrize(("columns", "rows", "sides", "size", "said", "placed"), [
    (10, 8, "lt", None, None, Window(0, 0, 9, 7)),
    (10, 8, "rb", None, None, Window(9, 11, 18, 18)),
    (10, 8, "rb", 13, None, Window(3, 5, 12, 12)),
    (9, 6, "ltr", None, None, Window(0, 0, 8, 5)),
    (19, 8, "b", None, None, Window(0, 11, 18, 18)),
    (10, 8, "t", None, "left", Window(0, 0, 9, 7)),
    (10, 8, "", None, "lower-right", Window(9, 11, 18, 18)),
    (10, 8, "", None, Window(3, 4, 12, 11), Window(3, 4, 12, 11)),
    (10, 8, "t", None, None, "neither the left nor the right"),
    (10, 8, "l", None, None, "neither the upper nor the lower"),
    (14, 8, "lt", 13, None, "more than a board of 13"),
    (14, 8, "lrt", None, None, "no board of 14"),
    (10, 8, "lt", None, Window(0, 0, 8, 7), "--window names 9 and 8"),
])  # fmt: skip
def test_where_a_part_lies(
    columns: int, rows: int, sides: str, size: int | None, said: Window | str | None, placed: Window | str
) -> None:
    found = place(extent(columns, rows, sides), size, said)
    if isinstance(placed, str):
        assert isinstance(found, str) and placed in found
    else:
        assert not isinstance(found, str) and found.shown == placed


@pytest.mark.parametrize(("text", "window"), [
    ("A1-K9", Window(0, 10, 9, 18)), ("k19-T11", Window(9, 0, 18, 8)), ("upper-left", "upper-left"),
    ("Bottom right", "lower-right"), ("left", "left"),
])  # fmt: skip
def test_words_of_a_window(text: str, window: Window | str) -> None:
    assert parse_window(text, None, None) == window


@pytest.mark.parametrize("text", ["A1", "Z1-K9", "A1-K20", "left-right", "middle", "upper-upper", ""])
def test_words_that_name_no_window(text: str) -> None:
    with pytest.raises(PhotoError, match="--window"):
        parse_window(text, None, None)


@pytest.mark.parametrize("columns, rows", [(19, 19), (9, 13), (5, 7), (6, 6)])
def test_stretches_cover_a_side(columns: int, rows: int) -> None:
    part = Window(2, 3, 1 + columns, 2 + rows)
    for side, (first, last) in enumerate(((1, 3), (0, 2), (1, 3), (0, 2))):
        found = stretches(part, side)
        assert found[0][first] == part[first] and found[-1][last] >= part[last]
        assert all(after[first] <= before[last] for before, after in zip(found, found[1:], strict=False))
        assert (
            len({frame(stretch, side)[1] for stretch in found}) == 1 and found[0][last] - found[0][first] == POINTS - 1
        )


def test_sides_of_a_whole_board_are_edges_and_lines_within_it_are_not() -> None:
    right = 0
    for number in range(6):
        made = scene(number, "digital" if number % 2 else "photo", 19)
        edges = look(made.image, lined(made.lattice), Window(0, 0, 18, 18))
        inner = look(made.image, lined(made.lattice), Window(4, 5, 13, 12))
        right += bool((edges[:, Side.EDGE] > 0.5).all()) + bool((inner.argmax(1) == Side.MORE).all())
    assert right >= 11


def scene(number: int, style: str, size: int | None = None) -> Scene:
    return render_scene(np.random.default_rng([1019, number]), style=style, size=size, side=700)


@pytest.fixture
def once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command reads each picture once with the same settings."""
    known: dict[tuple[bytes, str], list[Reading]] = {}

    def read(image: Image, settings: Settings) -> list[Reading]:
        key = image.tobytes(), repr(settings)
        if key not in known:
            known[key] = read_picture(image, settings)
        return known[key]

    monkeypatch.setattr(pipeline, "read_picture", read)


def test_a_part_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], once: None) -> None:
    part = Window(9, 0, 18, 8)
    image, labels = diagram(part)
    path, out = str(tmp_path / "part.png"), tmp_path / "part.sgf"
    cv2.imwrite(path, image)
    assert cli.main(["photo", path, "-o", str(out), "--overlay", str(tmp_path / "check.png"), "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    [board] = answer["boards"]
    assert board["window"] == "K11-T19" and board["rows"][0] == "?" * 9 + "".join(".XO"[s] for s in labels[0, 9:])
    assert board["rows"][18] == "?" * 19 and not any(doubt["row"] > 8 for doubt in board["uncertain"])
    assert "SZ[19]" in out.read_text() and "only the part K11-T19" in out.read_text()
    assert cli.main(["photo", path, "--score"]) == 2
    assert "a part of a board has no score" in capsys.readouterr().err
    cv2.imwrite(path, diagram(Window(4, 5, 14, 13))[0])
    assert cli.main(["photo", path, "-o", str(tmp_path / "none.sgf")]) == 3
    told = capsys.readouterr().err
    assert "only a part of a board" in told and "--window" in told and not (tmp_path / "none.sgf").exists()
    assert cli.main(["photo", path, "--window", "E6-P14", "-o", str(tmp_path / "none.sgf")]) == 1
    assert cli.main(["photo", path, "--window", "somewhere"]) == 2


def silently_wrong(made: Scene, readings: list[Reading]) -> bool:
    """Whether a part is reported without a warning or doubt and not as it is."""
    if not readings or readings[0].warnings or readings[0].uncertain:
        return False
    reading = readings[0]
    if reading.size != made.lattice.size:
        return True
    return bool(((reading.stones != made.labels) & (made.labels != Point.HIDDEN)).any())


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 200, 50))
def test_drawn_parts_are_never_silently_wrong(first: int) -> None:
    """The bar: of 200 drawn parts of boards all are right, warned of or refused."""
    wrong = []
    for number in some_of(50):
        made = scene(first + number, "window")
        try:
            readings = [checked(reading) for reading in read_picture(made.image)]
        except (PartError, NoBoardError):
            continue
        if silently_wrong(made, readings):
            wrong.append(first + number)
    assert wrong == []
