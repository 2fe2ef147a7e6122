"""The baseline that classifies patches."""

from __future__ import annotations

import re
from argparse import ArgumentParser
from pathlib import Path

import cv2
import numpy as np
import pytest
from photo_drawings import drawn, random_labels

from tengen.engine.evaluators.backends.cards import read_network
from tengen.tools.lab.photo import dataset, patch_data, patches
from tengen.tools.lab.photo.dataset import Labelled
from tengen.tools.photo.geometry import Lattice, apply, homography_of
from tengen.tools.photo.results import PhotoError, Point
from tengen.tools.photo.stone_reader import planes


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
    from tengen.tools.lab.photo.patch_training import symmetric

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
    from tengen.tools.lab.photo.patch_training import Recipe, predict, train

    data = patch_data.cut_all(dataset.read_folder(boards))
    training, validation, test = patch_data.split(data.photos, seed=3)
    model, epochs = train(data, training, validation, Recipe(epochs=5, batch=16, seed=3))
    assert epochs[-1].validation_accuracy > 0.9
    assert (predict(model, data.patches[test]).argmax(1) == data.labels[test]).mean() > 0.9


def test_the_command_is_repeatable_and_writes_a_network_with_its_card(
    boards: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
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
    from tengen.tools.lab.photo.patch_training import Recipe, predict, train

    data = patch_data.cut_all(dataset.read_folder(boards)[:3])
    training, validation, test = patch_data.split(data.photos, seed=1)
    flipped = patch_data.Cut(
        data.patches, np.where(np.isin(np.arange(243), validation), 3, data.labels), data.photos, data.names
    )
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
