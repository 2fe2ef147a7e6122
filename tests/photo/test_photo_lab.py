"""The photo laboratory: what a reading is worth, and what a folder of them is."""

from __future__ import annotations

import json
import math
from argparse import ArgumentParser
from pathlib import Path

import cv2
import numpy as np
import pytest
from photo_drawings import PITCH, ROWS, drawn, random_labels, reading, straight

from tengen.tools.lab.photo import dataset, evaluate, score
from tengen.tools.lab.photo.dataset import Labelled, Labels
from tengen.tools.lab.photo.evaluate import Measured, measure
from tengen.tools.photo.geometry import Lattice
from tengen.tools.photo.results import PhotoError, Point


def labelled(name: str = "p_one", size: int = 9, seed: int = 1) -> Labelled:
    return Labelled(name, Path(f"{name}.jpg"), size, random_labels(seed, size), straight(size))


def changed(labels: Labels, count: int) -> Labels:
    """The labels with the first `count` points wrong."""
    wrong = labels.copy()
    wrong.flat[:count] = (wrong.flat[:count] + 1) % 3
    return wrong


def test_a_right_reading() -> None:
    one = labelled()
    outcome = score.judge(one, [reading(one.labels, straight(9))], 0.5)
    assert outcome.is_right and outcome.has_right_size and outcome.has_right_lattice
    assert (outcome.points, outcome.wrong, outcome.corner_error) == (81, 0, pytest.approx(0, abs=1e-4))
    assert outcome.correct.all() and outcome.confidence == pytest.approx(0.999)


def test_wrong_points_are_named_and_hidden_ones_not_counted() -> None:
    labels = dataset.parse_labels(ROWS)
    one = Labelled("p_one", Path("p_one.jpg"), 9, labels, None)
    read = np.where(labels == Point.HIDDEN, Point.WHITE, labels).astype(np.int8)
    read[1, 1], read[8, 8] = Point.EMPTY, Point.WHITE
    outcome = score.judge(one, [reading(read, straight(9))], 0.5)
    assert (outcome.points, outcome.wrong, outcome.corner_error) == (77, 2, None)
    assert outcome.mistakes == ((1, 1, Point.BLACK, Point.EMPTY), (8, 8, Point.EMPTY, Point.WHITE))
    assert score.confusion([outcome]) == {"X>.": 1, ".>O": 1}
    assert len(outcome.correct) == 77 and (~outcome.correct).sum() == 2


def test_a_board_of_another_size_has_no_point_right() -> None:
    one = labelled()
    outcome = score.judge(one, [reading(random_labels(3, 13), straight(13))], 0.5)
    assert (outcome.wrong, outcome.found_size, outcome.has_right_size, outcome.is_right) == (81, 13, False, False)
    assert len(outcome.correct) == 169 and not outcome.correct.any()
    assert outcome.corner_error == pytest.approx(4 * math.sqrt(2), abs=1e-4)


def test_a_refused_picture_is_wrong() -> None:
    outcome = score.judge(labelled(), [], 0.5, "no board in it")
    assert (outcome.wrong, outcome.found_size, outcome.error) == (81, None, "no board in it")
    assert outcome.corner_error == math.inf and not outcome.has_right_lattice


@pytest.mark.parametrize("turns, mirrored", [(1, False), (2, False), (3, False), (0, True), (1, True)])
def test_a_turned_reading_is_wrong_but_its_corners_are_right(turns: int, mirrored: bool) -> None:
    one = labelled()
    board = np.rot90(one.labels.T if mirrored else one.labels, turns)
    quad = straight(9).corners()
    lattice = Lattice.from_corners(np.roll(quad[::-1] if mirrored else quad, turns, 0), 9)
    outcome = score.judge(one, [reading(board, lattice)], 0.5)
    assert outcome.turned and not outcome.is_right and outcome.wrong > 2
    assert outcome.corner_error == pytest.approx(0, abs=1e-4)


def test_the_corner_error_is_that_of_the_worst_corner_in_cells() -> None:
    quad = straight(9).corners()
    quad[2] += (PITCH * 0.3, PITCH * 0.4)
    outcome = score.judge(labelled(), [reading(labelled().labels, Lattice.from_corners(quad, 9))], 0.5)
    assert outcome.corner_error == pytest.approx(0.5, abs=1e-3)


FAKE = {
    "p_right": lambda one: [reading(one.labels, straight(9), found=0.99)],
    "p_warned": lambda one: [reading(one.labels, straight(9), found=0.6, warnings=["dark"])],
    "p_two": lambda one: [reading(changed(one.labels, 2), straight(9, 33), found=0.97)],
    "p_many": lambda one: [reading(changed(one.labels, 9), straight(9), 0.7, found=0.3, warnings=["unsure"])],
    "p_size": lambda one: [reading(random_labels(1, 13), straight(13), 0.7, found=0.2)],
    "d_none": lambda one: [],
    "d_refused": lambda one: (_ for _ in ()).throw(PhotoError("too dark")),
    "d_crash": lambda one: (_ for _ in ()).throw(KeyError("bug")),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a picture for each way to fail."""
    for seed, name in enumerate(FAKE):
        image, lattice = drawn(random_labels(seed), seed)
        dataset.save(tmp_path / "photos", name, image, lattice, random_labels(seed))
    return tmp_path / "photos"


def measured(folder: Path) -> list[Measured]:
    return measure(dataset.read_folder(folder), lambda one, image: FAKE[one.name](one))


def test_figures_of_known_errors(folder: Path) -> None:
    outcomes = [one.outcome for one in measured(folder)]
    assert {name: len(some) for name, some in score.groups(outcomes).items()} == {
        "all": 8, "photo": 5, "digital": 3, "photo 9x9": 5,
    }  # fmt: skip
    row = score.row(outcomes)
    assert row["refused"] == 3
    counts = {
        key: row[key]["count"] for key in ("right_size", "right", "at_most_2_wrong", "corners_close", "corners_near")
    }
    assert counts == {"right_size": 4, "right": 2, "at_most_2_wrong": 3, "corners_close": 3, "corners_near": 4}
    assert row["points_right"] == pytest.approx((4 * 81 - 11) / (8 * 81))
    assert row["points_right_where_right_size"] == pytest.approx((4 * 81 - 11) / (4 * 81))
    assert row["right"]["interval"] == pytest.approx([0.0715, 0.5907], abs=1e-3)  # Wilson's, 2 of 8


def test_calibration_of_known_errors(folder: Path) -> None:
    figures = score.calibration([one.outcome for one in measured(folder)])
    assert figures["certain_share"] == pytest.approx(3 * 81 / (7 * 81 + 169))
    assert figures["certain_share_of_read"] == pytest.approx(3 * 81 / (4 * 81 + 169))
    assert figures["certain_right"] == pytest.approx(1 - 2 / (3 * 81))
    assert figures["certain_wrong"] == 2
    assert (figures["silent"]["count"], figures["silent"]["of"]) == (1, 3)
    low, sure = figures["bins"]
    assert low == pytest.approx([0.5, 0.8, 81 + 169, 0.7, 72 / 250])
    assert sure == pytest.approx([0.995, 1.0, 243, 0.999, 241 / 243], abs=0.005)
    assert [row[2] for row in figures["found_bins"]] == [2, 1, 1, 1]
    assert [row[4] for row in figures["found_bins"]] == [0.5, 1, 1, 1]


def test_crashes_and_refusals_are_findings(folder: Path) -> None:
    notes = {one.outcome.name: evaluate.note(one.outcome) for one in measured(folder)}
    assert notes["d_refused"] == "too dark"
    assert notes["d_crash"] == "CRASH KeyError: 'bug'"
    assert notes["d_none"] == "no board found"
    assert "no warning" in notes["p_two"] and "no warning" not in notes["p_many"]


def test_the_command_prints_and_writes(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(evaluate, "pipeline_reader", lambda values: lambda one, image: FAKE[one.name](one))
    parser = ArgumentParser()
    evaluate.configure(parser)
    words = [str(folder), "--json", str(tmp_path / "all.json"), "--failures", str(tmp_path / "bad.png"), "--only", "p_"]
    assert evaluate.run(parser.parse_args(words)) == 0
    text = capsys.readouterr().out
    assert "2/5 40.0 % [" in text and "d_" not in text and "p_right " not in text
    content = json.loads((tmp_path / "all.json").read_text())
    assert [one["wrong"] for one in content["pictures"]] == [9, 0, 81, 2, 0]
    assert content["summary"]["photo"]["right"]["count"] == 2
    sheet = cv2.imread(str(tmp_path / "bad.png"))
    assert sheet is not None and sheet.shape[0] > sheet.shape[1] // 4
    with pytest.raises(PhotoError, match="not a regular expression"):
        evaluate.run(parser.parse_args([str(folder), "--only", "("]))
    with pytest.raises(PhotoError, match="no picture has"):
        evaluate.run(parser.parse_args([str(folder), "--only", "nothing"]))
