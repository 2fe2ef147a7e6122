"""The photo laboratory: labelled folders, what a reading is worth, and the baseline that classifies patches."""

from __future__ import annotations

import json
import math
import re
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from tengen.engine.evaluators.backends.cards import read_network
from tengen.tools.photo.geometry import Image, Lattice, apply, homography_of
from tengen.tools.photo.lab import dataset, evaluate, patch_data, patches, score
from tengen.tools.photo.lab.dataset import Labelled, Labels
from tengen.tools.photo.lab.evaluate import Measured, measure
from tengen.tools.photo.reader import planes
from tengen.tools.photo.reading import PhotoError, Point, Reading

PITCH = 20
ROWS = """\
9
. . . . . . . . .
. X . . . . . O .
. . X . . . O . .
. . . . . . . . .
. . . X O . . . .
. . . . . . ? ? .
. O . . . . ? ? .
. . . . . . . X .
. . . . . . . . .
"""


def straight(size: int, at: float = 30.0) -> Lattice:
    """A board seen from above whose first point is at pixel (at, at)."""
    far = at + PITCH * (size - 1)
    return Lattice.from_corners([[at, at], [far, at], [far, far], [at, far]], size)


def drawn(labels: Labels, seed: int = 0) -> tuple[Image, Lattice]:
    """A plain picture of a board with lines and stones."""
    rng, size = np.random.default_rng(seed), len(labels)
    side = 60 + PITCH * (size - 1)
    wood = rng.integers(120, 200)
    image = np.full((side, side, 3), (wood - 60, wood - 20, wood), np.uint8)
    lattice = straight(size)
    for line in range(size):
        at, far = 30 + PITCH * line, 30 + PITCH * (size - 1)
        cv2.line(image, (30, at), (far, at), (40, 40, 40), 1)
        cv2.line(image, (at, 30), (at, far), (40, 40, 40), 1)
    for row, column in np.argwhere(labels != Point.EMPTY):
        tone = 30 if labels[row, column] == Point.BLACK else 235
        cv2.circle(image, (30 + PITCH * int(column), 30 + PITCH * int(row)), 9, (tone, tone, tone), -1, cv2.LINE_AA)
    noise = rng.normal(0, 6, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8), lattice


def random_labels(seed: int, size: int = 9) -> Labels:
    return np.random.default_rng(seed).choice([0, 1, 2], (size, size), p=[0.6, 0.2, 0.2]).astype(np.int8)


def reading(labels: Labels, lattice: Lattice, confidence: float = 0.999, found: float = 0.9, warnings: Sequence[str] = ()) -> Reading:
    """What a reader says that is equally sure of every point."""
    probabilities = np.full((*labels.shape, 4), 0.0, np.float32)
    np.put_along_axis(probabilities, labels[..., None].astype(np.int64), confidence, -1)
    probabilities[..., Point.HIDDEN] += 1 - confidence
    return Reading(lattice, probabilities, found, "go", tuple(warnings))


# labelled folders


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


# what a reading is worth


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
    counts = {key: row[key]["count"] for key in ("right_size", "right", "at_most_2_wrong", "corners_close", "corners_near")}
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


def test_the_command_prints_and_writes(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
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


# the baseline that classifies patches


def test_a_patch_shows_its_point_in_the_middle_row_by_row() -> None:
    labels = np.zeros((9, 9), np.int8)
    labels[2, 5], labels[6, 0] = Point.WHITE, Point.BLACK
    cut = patch_data.cut(*drawn(labels))
    assert cut.shape == (81, 6, patch_data.SIDE, patch_data.SIDE) and cut.dtype == np.uint8
    middles = patch_data.decoded(cut)[:, :3, 11:14, 11:14].mean((1, 2, 3))
    assert middles.argmax() == 2 * 9 + 5 and middles.argmin() == 6 * 9


def test_patches_keep_the_values_that_a_network_takes() -> None:
    image, lattice = drawn(random_labels(1))
    flat = lattice.rectify(image, patch_data.PITCH, 1.0)
    patches = patch_data.decoded(patch_data.cut(image, lattice))
    assert patches[0] == pytest.approx(planes(flat)[:, : patch_data.SIDE, : patch_data.SIDE], abs=0.005)


@pytest.mark.parametrize("photos, counts", [(3, (1, 1, 1)), (10, (8, 1, 1)), (50, (40, 5, 5)), (63, (51, 6, 6))])
def test_the_split_is_8_1_1_of_whole_photos(photos: int, counts: tuple[int, int, int]) -> None:
    owners = np.repeat(np.arange(photos), 81)
    parts = patch_data.split(owners, seed=4)
    assert tuple(len(np.unique(owners[part])) for part in parts) == counts
    assert sorted(np.concatenate(parts)) == list(range(len(owners)))
    assert all(len(part) == 81 * count for part, count in zip(parts, counts, strict=True))
    again, other = patch_data.split(owners, seed=4), patch_data.split(owners, seed=5)
    assert all(np.array_equal(*pair) for pair in zip(parts, again, strict=True))
    assert photos == 3 or not np.array_equal(parts[0], other[0])


def test_the_recipes_split_mixes_the_patches_of_a_photo() -> None:
    owners = np.repeat(np.arange(10), 81)
    parts = patch_data.split(owners, seed=4, by="patch")
    assert [len(part) for part in parts] == [648, 81, 81]
    assert all(len(np.unique(owners[part])) == 10 for part in parts)


def test_too_few_photos_to_split() -> None:
    with pytest.raises(PhotoError, match="at least three photos"):
        patch_data.split(np.repeat(np.arange(2), 81), seed=1)
    with pytest.raises(PhotoError, match="no picture has marked corners"):
        patch_data.cut_all([Labelled("p", Path("p.jpg"), 9, random_labels(1), None)])


def test_the_confusion_matrix() -> None:
    there, predicted = np.array([0, 0, 1, 2, 2, 2]), np.array([0, 1, 1, 2, 2, 0])
    matrix = patches.confusion(there, predicted)
    assert matrix.tolist() == [[1, 1, 0, 0], [0, 1, 0, 0], [1, 0, 2, 0], [0, 0, 0, 0]]
    assert [line.split() for line in patches.confusion_text(matrix)[1:]] == [
        ["empty", "1", "1", "0", "0", "50.00", "%"],
        ["black", "0", "1", "0", "0", "100.00", "%"],
        ["white", "1", "0", "2", "0", "66.67", "%"],
        ["hidden", "0", "0", "0", "0", "-"],
        ["right", "50.00", "%", "50.00", "%", "100.00", "%", "-"],
    ]


def test_the_eight_symmetries_are_different_and_keep_the_middle() -> None:
    torch = pytest.importorskip("torch")
    from tengen.tools.photo.lab.patch_training import symmetric

    patch = torch.arange(9.0).reshape(1, 1, 3, 3)
    turned = [symmetric(patch, way) for way in range(8)]
    assert len({tuple(one.flatten().tolist()) for one in turned}) == 8
    assert all(one[0, 0, 1, 1] == 4 for one in turned)


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve drawn boards, seen at an angle."""
    folder = tmp_path_factory.mktemp("boards")
    rng = np.random.default_rng(0)
    for seed in range(12):
        labels = random_labels(seed)
        image, lattice = drawn(labels, seed)
        side = image.shape[0]
        frame = np.array([[0, 0], [side, 0], [side, side], [0, side]], float)
        tilt = homography_of(frame, frame + rng.uniform(0, 25, (4, 2)))
        tilted = cv2.warpPerspective(image, tilt, (side + 30, side + 30), borderValue=(90, 90, 90))
        moved = Lattice.from_corners(apply(tilt, lattice.corners()), 9)
        dataset.save(folder, f"p_{seed:02}", np.asarray(tilted, np.uint8), moved, labels)
    return folder


def train_patches(boards: Path, out: Path, *words: str) -> int:
    parser = ArgumentParser()
    patches.configure(parser)
    return patches.run(parser.parse_args([str(boards), "--out", str(out), *words]))


def test_the_baseline_learns_drawn_boards(boards: Path) -> None:
    pytest.importorskip("torch")
    from tengen.tools.photo.lab.patch_training import Recipe, predict, train

    data = patch_data.cut_all(dataset.read_folder(boards))
    training, validation, test = patch_data.split(data.photos, seed=3)
    model, epochs = train(data, training, validation, Recipe(epochs=5, batch=16, seed=3))
    assert epochs[-1].validation_accuracy > 0.9
    assert (predict(model, data.patches[test]).argmax(1) == data.labels[test]).mean() > 0.9


def test_the_command_is_repeatable_and_writes_a_network_with_its_card(boards: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("matplotlib")
    for name in ("one", "two"):
        assert train_patches(boards, tmp_path / name, "--epochs", "1") == 0
    for name in ("patch.onnx", "patch.toml", "report.txt", "samples.png", "confusion.png"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes(), name
    text = (tmp_path / "two" / "report.txt").read_text()
    assert capsys.readouterr().out == text + text
    right, total = map(int, re.findall(r"test: (\d+) of (\d+) patches right", text)[0])
    card, _ = read_network(tmp_path / "one" / "patch.onnx")
    assert card.shape == (0, 6, patch_data.SIDE, patch_data.SIDE)
    assert card.figures["measured"].startswith(f"{100 * right / total:.2f} %")
    assert str(boards.parent) not in (tmp_path / "one" / "patch.toml").read_text()
    for name in ("confusion.png", "samples.png"):
        assert cv2.imread(str(tmp_path / "one" / name)) is not None


def test_training_ends_when_validation_no_longer_gets_better(boards: Path) -> None:
    pytest.importorskip("torch")
    from tengen.tools.photo.lab.patch_training import Recipe, predict, train

    data = patch_data.cut_all(dataset.read_folder(boards)[:3])
    training, validation, test = patch_data.split(data.photos, seed=1)
    flipped = patch_data.Cut(data.patches, np.where(np.isin(np.arange(243), validation), 3, data.labels), data.photos, data.names)
    model, epochs = train(flipped, training, validation, Recipe(epochs=30, patience=2, batch=32))
    losses = [epoch.validation_loss for epoch in epochs]
    assert len(epochs) < 30 and losses.index(min(losses)) == len(losses) - 3
    assert predict(model, data.patches[test]).shape == (81, 4)


def test_the_network_takes_the_patches_that_are_cut() -> None:
    pytest.importorskip("torch")
    from tengen.nets import photo_patch

    assert (photo_patch.SIDE, photo_patch.CHANNELS) == (patch_data.SIDE, 6)


@pytest.mark.parametrize("word", ["--epochs=0", "--patience=0", "--batch=0", "--rate=0", "--rate=nan"])
def test_settings_that_do_not_do(boards: Path, tmp_path: Path, word: str) -> None:
    pytest.importorskip("torch")
    with pytest.raises(PhotoError, match="must be positive"):
        train_patches(boards, tmp_path, word)
