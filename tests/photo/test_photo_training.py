"""What the networks of photos are trained on."""

from __future__ import annotations

import tomllib
from argparse import ArgumentParser
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from photo_drawings import drawn, random_labels  # noqa: E402

from tengen.nets.export import save_weights  # noqa: E402
from tengen.nets.photo_compare import CompareNet  # noqa: E402
from tengen.tools.lab.photo import compare, dataset, learning, training  # noqa: E402
from tengen.tools.lab.photo.compare import Points  # noqa: E402
from tengen.tools.lab.photo.samples import finder_sample  # noqa: E402
from tengen.tools.lab.photo.training import Batches, new_network  # noqa: E402
from tengen.tools.photo.geometry import SIZES, Lattice  # noqa: E402
from tengen.tools.photo.results import PhotoError  # noqa: E402


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    """Two boards of lines."""
    for seed in range(2):
        labels = random_labels(seed)
        dataset.save(tmp_path / "lines", f"p_{seed}", *drawn(labels, seed), labels)
    return tmp_path / "lines"


@pytest.fixture
def squares(tmp_path: Path) -> Path:
    """A board of squares."""
    image = np.full((300, 300, 3), 100, np.uint8)
    lattice = Lattice.from_corners([[30, 30], [270, 30], [270, 270], [30, 270]], 8)
    dataset.save(tmp_path / "squares", "p_0", image, lattice, np.zeros((8, 8), np.int8))
    return tmp_path / "squares"


@pytest.mark.parametrize("network, size", [("reader", 9), ("discs", 8)])
def test_readers_learn_from_boards_of_their_kind(network: str, size: int, lines: Path, squares: Path) -> None:
    inputs, labels = next(iter(Batches(network, [str(lines), f"{squares}=3"], None, 3, 1)))
    assert inputs.shape == (3, 6, 16 * (size + 1) + 1, 16 * (size + 1) + 1) and labels.shape == (3, size, size)
    assert new_network(network).eval()(inputs.float()).shape == (3, 4, size, size)


def test_points_are_learned_beside_examples_of_boards_of_lines(lines: Path, squares: Path) -> None:
    inputs, labels = next(iter(Points([str(lines), f"{squares}=3"], 1)))
    assert inputs.shape == (8 * 40, 15, 33, 33) and labels.shape == (8 * 40,) and set(labels.tolist()) == {0, 1, 2}
    assert CompareNet().eval()(inputs[:4]).shape == (4, 4)
    with pytest.raises(PhotoError, match="board of lines"):
        Points([str(squares)], 1)


def test_finders_learn_from_all(lines: Path, squares: Path) -> None:
    batches = iter(Batches("refiner", [str(lines), str(squares)], None, 8, 1))
    kinds = {int(kind) for _ in range(3) for kind in next(batches)[2]}
    assert kinds == {0, 1}


def test_finders_are_shown_every_board_and_small_ones_from_nearer_by() -> None:
    image = np.full((600, 800, 3), 100, np.uint8)
    large = [Lattice.from_corners([[x, 100], [x + 350, 100], [x + 350, 450], [x, 450]], 19) for x in (20, 420)]
    small = Lattice.from_corners([[500, 300], [580, 300], [580, 380], [500, 380]], 9)
    areas = {name: [] for name in ("one", "two", "small")}
    for seed in range(12):
        for name, lattice, others in (("one", large[0], []), ("two", large[0], large[1:]), ("small", small, [])):
            _, heat, kind = finder_sample(image, lattice, np.random.default_rng(seed), others)
            assert kind == SIZES.index(lattice.size)
            areas[name].append(float(heat[2].mean()))
    assert np.mean(areas["two"]) > 1.6 * np.mean(areas["one"])
    assert min(areas["small"]) < 0.03 and max(areas["small"]) > 0.1, "as it is, and from nearer by"


def test_nothing_to_learn_from(lines: Path) -> None:
    with pytest.raises(PhotoError, match="no picture with corners that 'discs' could learn from"):
        Batches("discs", [str(lines)], None, 3, 1)


def test_a_reader_is_trained_without_workers(lines: Path, tmp_path: Path) -> None:
    """In the process itself; the same seed ends with the same weights."""
    parser, kept = ArgumentParser(), []
    training.configure(parser)
    for number in (1, 1, 2):
        words = ["reader", str(lines), "--out", str(tmp_path / "r.npz"), "--steps", "2", "--batch", "1"]
        assert training.run(parser.parse_args([*words, "--workers", "0", "--seed", str(number)])) == 0
        kept.append((tmp_path / "r.npz").read_bytes())
    assert kept[0] == kept[1] != kept[2]


def test_a_classifier_is_learned_and_written_with_its_card(lines: Path, tmp_path: Path) -> None:
    """In a folder that is not there yet."""
    pytest.importorskip("onnx")
    parser = ArgumentParser()
    compare.configure(parser)
    out = tmp_path / "new" / "c.onnx"
    assert compare.run(parser.parse_args([str(lines), "--out", str(out), "--minutes", "0.02", "--workers", "0"])) == 0
    card = tomllib.loads(out.with_suffix(".toml").read_text("utf-8"))
    assert card["name"] == "photo-compare" and card["sha256"] == sha256(out.read_bytes()).hexdigest()
    assert len(card["input"]["channels"]) == card["input"]["shape"][1] == 15
    with pytest.raises(PhotoError, match="--minutes"):
        compare.run(parser.parse_args([str(lines), "--out", str(out), "--minutes", "0"]))
    with pytest.raises(PhotoError, match="--keep"):
        compare.run(parser.parse_args([str(lines), "--out", str(out), "--keep", "0.5"]))


def test_what_is_learned_later_may_keep_a_share_of_its_start(tmp_path: Path) -> None:
    torch.manual_seed(1)
    start, later = CompareNet(), CompareNet()
    save_weights(start, tmp_path / "start.npz")
    old, new = ({name: weights.clone() for name, weights in net.state_dict().items()} for net in (start, later))
    learning.mixed(later, tmp_path / "start.npz", 0.25)
    for name, weights in later.state_dict().items():
        if weights.is_floating_point():
            assert torch.allclose(weights, 0.75 * new[name] + 0.25 * old[name], atol=1e-6)
