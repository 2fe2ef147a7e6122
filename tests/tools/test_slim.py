"""Weights that keep fewer bits: what is rounded, by how much, and that files and cards stay a network's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tengen.engine.evaluators.backends.cards import card_path, read_card, sha256_of
from tengen.engine.evaluators.katago.model import parse_model
from tengen.engine.evaluators.katago.tail import parse_tail
from tengen.tools.dev.slim import main, rounded, slimmed

SHIPPED = Path(__file__).parents[2] / "nets" / "weights"
NAME = "tengen-go-9"


@pytest.mark.parametrize("bits", [1, 9, 22])
def test_a_number_moves_by_half_a_step_at_most(bits: int) -> None:
    values = np.random.default_rng(1).normal(size=(100, 100)).astype(np.float32)
    found = rounded(values, bits)
    assert (np.abs(found - values) <= np.abs(values) * 2.0 ** -(bits + 1)).all()
    assert not (found.view(np.uint32) & ((1 << (23 - bits)) - 1)).any() and (found != values).any()


def test_the_nearest_number_is_taken_and_of_two_the_even_one() -> None:
    """With one bit of mantissa there are 1, 1.5, 2, 3, 4, 6 ..."""
    values = np.array([1.0, 1.2, 1.25, 1.3, 1.74, 1.75, 1.8, -2.4, -2.5, 0.0, 5.0], np.float32)
    assert rounded(values, 1).tolist() == [1, 1, 1, 1.5, 1.5, 2, 2, -2, -2, 0, 4]


@pytest.mark.parametrize("bits", [0, 23])
def test_bits_have_bounds(bits: int) -> None:
    with pytest.raises(ValueError, match="1 to 22"):
        rounded(np.ones(1, np.float32), bits)


def test_a_go_network_keeps_its_vectors_and_its_shape() -> None:
    data = (SHIPPED / f"{NAME}.bin.gz").read_bytes()
    before = parse_model(data, NAME)
    after = parse_model(slimmed(data, f"{NAME}.bin.gz", lambda values: rounded(values, 3)), NAME)
    old, new = before.trunk, after.trunk
    assert (new.conv.weights == rounded(old.conv.weights, 3)).all() and (new.conv.weights != old.conv.weights).any()
    assert (new.norm.variance == old.norm.variance).all()
    assert after.header == before.header and len(new.blocks) == len(old.blocks)


def test_a_tail_keeps_its_base() -> None:
    data = (SHIPPED / "tengen-go-people.tail.gz").read_bytes()
    before = parse_tail(data, "before")
    after = parse_tail(slimmed(data, "x.tail.gz", lambda values: rounded(values, 3)), "after")
    assert (after.base, after.sha256, after.channels) == (before.base, before.sha256, before.channels)
    old, new = before.policy.conv.weights, after.policy.conv.weights
    assert (new == rounded(old, 3)).all() and (new != old).any()


def test_an_onnx_network_keeps_its_vectors() -> None:
    onnx = pytest.importorskip("onnx")
    from onnx import numpy_helper

    matrix, vector = (np.full(shape, 1.2, np.float32) for shape in ((2, 3), (3,)))
    named = [numpy_helper.from_array(matrix, "matrix"), numpy_helper.from_array(vector, "vector")]
    graph = onnx.helper.make_graph([], "a graph", [], [], named)
    data = onnx.helper.make_model(graph).SerializeToString()
    held = onnx.load_model_from_string(slimmed(data, "some.onnx", lambda values: rounded(values, 1))).graph.initializer
    assert [numpy_helper.to_array(one).ravel().tolist() for one in held] == [[1.0] * 6, vector.tolist()]


def test_the_card_says_it_once_and_has_the_new_hash(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / f"{NAME}.bin.gz"
    for one in (path, card_path(path)):
        one.write_bytes((SHIPPED / one.name).read_bytes())
    main(["--bits", "8", str(path)])
    main(["--bits", "4", str(path)])
    card = read_card(card_path(path))
    assert card.sha256 == sha256_of(path.read_bytes())
    assert card.command.count("rounded to") == 1 and card.command.endswith("rounded to 4 bits of mantissa")
    assert f"{NAME}.bin.gz: 0." in capsys.readouterr().out


def test_a_file_without_a_card_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / f"{NAME}.bin.gz"
    path.write_bytes((SHIPPED / path.name).read_bytes())
    before = path.read_bytes()
    with pytest.raises(SystemExit, match="2"):
        main([str(path)])
    assert "stays as it is: " in capsys.readouterr().err and path.read_bytes() == before


def test_other_files_are_refused() -> None:
    with pytest.raises(ValueError, match="neither"):
        slimmed(b"", "table.safetensors", lambda values: values)
