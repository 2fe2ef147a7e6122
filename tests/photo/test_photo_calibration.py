"""The fits that make stated probabilities true: on answers whose truth is known."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

import cv2
import numpy as np
import pytest

pytest.importorskip("openvino")

from photo_drawings import drawn, random_labels  # noqa: E402

from tengen.tools.lab.photo import calibration, dataset  # noqa: E402
from tengen.tools.photo import stone_reader  # noqa: E402
from tengen.tools.photo.results import PhotoError, Point  # noqa: E402


@pytest.mark.parametrize("true", (0.5, 1.0, 1.7))
def test_the_temperature_that_made_the_labels_is_found(true: float) -> None:
    rng = np.random.default_rng(3)
    answers = np.repeat(rng.normal(0, 3, (1, 20_000, 4)), 2, 0).astype(np.float32)
    chances = stone_reader.shares(answers, true)
    labels = (rng.random((20_000, 1)) > chances.cumsum(1)).sum(1).clip(max=3)
    assert calibration.best_temperature(answers, labels) == pytest.approx(true, abs=0.051)


def test_shares_are_the_mean_of_the_symmetries() -> None:
    answers = np.zeros((8, 1, 4), np.float32)
    answers[:4, 0, Point.BLACK] = 50
    assert stone_reader.shares(answers, 1.0)[0] == pytest.approx([0.125, 0.625, 0.125, 0.125])


def test_the_weights_that_made_the_lattices_right_are_found() -> None:
    rng = np.random.default_rng(4)
    scores, clear = rng.normal(1, 0.3, 20_000), rng.normal(4, 1, 20_000)
    right = rng.random(20_000) < calibration.chances(-16 + 12 * scores + 1.0 * clear)
    proposals = list(zip(scores.tolist(), clear.tolist(), right.tolist(), strict=True))
    weights = calibration.regression(proposals)
    assert weights == pytest.approx([-16, 12, 1.0], rel=0.08)
    lines = list(calibration.table(proposals, weights))
    assert len(lines) == 7 and "0.00-0.10" in lines[0] and "0.99-1.00" in lines[-1]
    assert float(lines[0].split()[-2]) < 0.1 and float(lines[-1].split()[-2]) > 0.99


def test_lattices_that_part_exactly_have_finite_weights() -> None:
    weights = calibration.regression([(0.2, 1.0, False), (0.4, 1.0, False), (1.1, 1.0, True), (1.3, 1.0, True)])
    assert np.isfinite(weights).all() and weights[1] > 1


def test_the_command_measures_folders(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for seed in range(2):
        labels = random_labels(seed)
        dataset.save(tmp_path / "boards", f"p_{seed}", *drawn(labels, seed), labels)
    (tmp_path / "clutter").mkdir()
    cv2.imwrite(str(tmp_path / "clutter/c.jpg"), np.full((300, 300, 3), 90, np.uint8))
    parser = ArgumentParser()
    calibration.configure(parser)
    words = [str(tmp_path / "boards"), "--clutter", str(tmp_path / "clutter")]
    assert calibration.run(parser.parse_args(words)) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("reader: temperature ") and "of 162 points are certain" in lines[0]
    assert lines[1].startswith("LIKELY (") and lines[1].endswith("2 right")
    (tmp_path / "clutter/c.jpg").write_text("no picture")
    with pytest.raises(PhotoError, match="not a picture that can be read"):
        calibration.run(parser.parse_args(words))
