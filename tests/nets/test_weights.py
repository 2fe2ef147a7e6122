"""Weights files: written, read back and shared; damaged ones are refused in a sentence."""

from __future__ import annotations

import json
import random
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import _tengen_toy as toy
import numpy as np
import pytest
from numpy.typing import NDArray

from tengen.engine._core import GoMcts, Weights
from tengen.engine.evaluators.backends import NetworkError
from tengen.engine.evaluators.backends.cards import read_card, sha256_of
from tengen.engine.evaluators.safetensors import parse
from tengen.engine.evaluators.weights import read_weights
from tengen.engine.toml import dumps as toml_text
from tengen.nets import safetensors
from tengen.nets.cards import write_card

CARD = {
    "name": "table",
    "purpose": "a test",
    "licence": "MIT",
    "plays": {"game": "morris", "evaluator": "table"},
    "training": {"data": "none", "credits": [], "command": "none"},
}
VALUES = np.arange(9, dtype=np.float32) / 10
ARRAYS: dict[str, NDArray[Any]] = {
    "values": VALUES,
    "small": np.array([[-128, 127, 0]], np.int8),
    "empty": np.zeros((0, 3), np.int16),
    "shorts": np.arange(-6, 6, dtype=np.int16).reshape(2, 3, 2)[::-1],
    "one": np.array(70000, np.int32),
}
NUMPY = {"f32": "<f4", "i32": "<i4", "i16": "<i2", "i8": "i1"}


def written(folder: Path, arrays: dict[str, NDArray[Any]] | None = None, card: dict[str, object] | None = None) -> Path:
    path = folder / "table.safetensors"
    safetensors.save(path, ARRAYS if arrays is None else arrays, CARD if card is None else card)
    return path


def damaged(folder: Path, data: bytes) -> Path:
    """A file with a card that describes it as it is."""
    path = written(folder)
    path.write_bytes(data)
    path.with_suffix(".toml").write_text(toml_text({**CARD, "sha256": sha256_of(data)}), "utf-8")
    return path


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    path = written(tmp_path)
    weights = read_weights(path, "morris", "table")
    assert (weights.name, weights.digest) == ("table", sha256_of(path.read_bytes()))
    assert {name for name, _, _ in weights.arrays} == set(ARRAYS)
    assert weights.memory >= sum(array.nbytes for array in ARRAYS.values())
    for name, kind, shape in weights.arrays:
        found = np.frombuffer(weights.data(name), NUMPY[kind]).reshape(shape)
        assert found.dtype == ARRAYS[name].dtype
        np.testing.assert_array_equal(found, ARRAYS[name])
    with pytest.raises(KeyError):
        weights.data("nothing")


def test_a_card_of_weights_survives_writing(tmp_path: Path) -> None:
    path = written(tmp_path).with_suffix(".toml")
    card = read_card(path)
    assert (card.game, card.evaluator, card.features, card.shape) == ("morris", "table", "", ())
    path.write_text(toml_text(card.as_table()), "utf-8")
    assert read_card(path) == card


def test_a_card_has_the_hash_of_the_file_whatever_hash_was_given(tmp_path: Path) -> None:
    """As a card that was read from older weights and is written with the new ones."""
    path = tmp_path / "w.safetensors"
    path.write_bytes(b"new")
    write_card(path, {"sha256": sha256_of(b"old"), "license": "MIT"})
    rows = tomllib.loads(path.with_suffix(".toml").read_text())
    assert rows == {"sha256": sha256_of(b"new"), "license": "MIT"}


def test_only_what_the_core_knows_is_written() -> None:
    with pytest.raises(ValueError, match="the array 'x' is of float64, not of float32, int32, int16, int8"):
        safetensors.dumps({"x": np.zeros(2)})


def framed(header: object, data: bytes = bytes(8)) -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data


def entry(begin: object = 0, end: object = 8, shape: object = (2,), dtype: object = "F32") -> dict[str, object]:
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


GOOD = safetensors.dumps(ARRAYS)

# What the file is, what is said of it.
DAMAGED: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "it is cut short"),
    "seven bytes": (GOOD[:7], "it is cut short"),
    "no header": (GOOD[:8], "it is cut short"),
    "half a header": (GOOD[:60], "it is cut short"),
    "half of the data": (GOOD[:-5], "its arrays end at"),
    "more behind": (GOOD + b"x", "its arrays end at"),
    "a header beyond the file": ((2**63).to_bytes(8, "little") + GOOD[8:], "it is cut short"),
    "a large header": (framed(b" " * (1 << 20) + b"{}"), "its header is larger than 1024 kB"),
    "no JSON": (framed(b"{x"), "its header is no JSON"),
    "no text": (framed(b"\xff\xfe{}"), "its header is no JSON"),
    "a pickle": (framed(b"\x80\x04K\x01."), "its header is no JSON"),
    "deep": (framed(b"[" * 100_000), "its header is no JSON"),
    "a huge number": (framed(b'{"a": ' + b"9" * 10_000 + b"}"), "its header is no JSON"),
    "a list": (framed([1]), "its header is no JSON object"),
    "twice": (framed(b'{"a": 1, "a": 2}'), "a name comes twice"),
    "no dtype": (framed({"a": {"shape": [2], "data_offsets": [0, 8]}}), "'a' needs dtype, shape and data_offsets"),
    "something else": (framed({"a": {**entry(), "x": 1}}), "'a' needs dtype, shape and data_offsets"),
    "a number": (framed({"a": 3}), "'a' needs dtype, shape and data_offsets"),
    "halves": (framed({"a": entry(0, 4, [2], "F16")}), "'a' is of 'F16', not of F32, I32, I16, I8"),
    "no type": (framed({"a": entry(dtype=["F32"])}), "'a' is of"),
    "a negative side": (framed({"a": entry(shape=[-2])}), "the shape of the array 'a' is no list of sizes"),
    "half a side": (framed({"a": entry(shape=[2.0])}), "the shape of the array 'a' is no list of sizes"),
    "true": (framed({"a": entry(shape=[True])}), "the shape of the array 'a' is no list of sizes"),
    "half a letter": (framed({"\ud800": entry()}), "the name of an array is no text"),
    "no shape": (framed({"a": entry(shape="2")}), "the shape of the array 'a' is no list of sizes"),
    "a beginning below": (framed({"a": entry(-8, 0)}), "the data_offsets of the array 'a' is no list of sizes"),
    "three places": (framed({"a": {**entry(), "data_offsets": [0, 8, 8]}}), "'a' does not fill its place"),
    "too small": (framed({"a": entry(0, 4)}), "'a' does not fill its place"),
    "backwards": (framed({"a": entry(8, 0)}), "'a' does not fill its place"),
    "many axes": (framed({"a": entry(shape=[2] + [1] * 8)}), "'a' does not fill its place"),
    "a great product": (framed({"a": entry(0, 0, [2**47, 2**47, 0])}, b""), "'a' does not fit its place"),
    "beyond the file": (framed({"a": entry(0, 16, [4])}), "its arrays end at"),
    "overlapping": (framed({"a": entry(), "b": entry(4, 12)}, bytes(12)), "'b' overlaps what is before it"),
    "the same place": (framed({"a": entry(), "b": entry()}), "'b' overlaps what is before it"),
    "a gap": (framed({"a": entry(), "b": entry(12, 20)}, bytes(20)), "'b' leaves a gap before it"),
    "a name of control": (framed({"a\n\x1b": 3}), "the array 'a\\?\\?' needs"),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_files(tmp_path: Path, name: str) -> None:
    data, sentence = DAMAGED[name]
    with pytest.raises(NetworkError, match=sentence) as caught:
        read_weights(damaged(tmp_path, data), "morris", "table")
    assert str(caught.value).startswith("cannot read the weights 'table.safetensors': ") and "\n" not in str(
        caught.value
    )


def test_metadata_is_passed_over(tmp_path: Path) -> None:
    data = framed({"__metadata__": {"by": "a test"}, "a": entry()})
    assert read_weights(damaged(tmp_path, data), "morris", "table").arrays == [("a", "f32", [2])]


def test_any_byte_may_be_wrong() -> None:
    """A file with bytes changed, left out or put in is read or refused, never anything else."""
    rng, refused = random.Random(1), 0
    for _ in range(3000):
        data = bytearray(GOOD)
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(data))
            data[at : at + rng.randint(0, 3)] = rng.randbytes(rng.randint(0, 3))
        try:
            Weights("x", "", parse(bytes(data)), bytes(data))
        except ValueError as error:
            refused += 1
            assert "\n" not in str(error)
    assert refused > 1000


def other_card(**changes: object) -> Callable[[Path], Path]:
    return lambda folder: written(folder, card={**CARD, **changes})


def changed(folder: Path) -> Path:
    path = written(folder)
    path.write_bytes(path.read_bytes()[:-1] + b"\1")
    return path


def without_card(folder: Path) -> Path:
    path = written(folder)
    path.with_suffix(".toml").unlink()
    return path


FOREIGN: dict[str, tuple[Callable[[Path], Path], str]] = {
    "another file": (changed, "is not the one that its card describes"),
    "no card": (without_card, "'table.toml' is missing beside it"),
    "no file": (lambda folder: folder / "none.safetensors", "cannot read the network 'none.safetensors': No such file"),
    "another evaluator": (other_card(plays={"game": "morris", "evaluator": "lines"}), "for the evaluator 'lines' of 'morris', not for 'table' of 'morris'"),
    "another game": (other_card(plays={"game": "go", "evaluator": "table"}), "for the evaluator 'table' of 'go', not for"),
    "a network": (other_card(plays={"game": "morris", "features": "morris-v1"}, input={"shape": [], "channels": [], "normalisation": ""}, outputs={}), "for no evaluator"),
}  # fmt: skip


@pytest.mark.parametrize("name", FOREIGN)
def test_weights_of_something_else(tmp_path: Path, name: str) -> None:
    make, sentence = FOREIGN[name]
    with pytest.raises(NetworkError, match=sentence):
        read_weights(make(tmp_path), "morris", "table")


# Arrays that the evaluator `table` of the toy cannot use, and what it says.
MISFITS: dict[str, tuple[dict[str, NDArray[Any]], str]] = {
    "none": ({}, "the weights 'table' lack 'values', f32 of 9"),
    "another name": ({"value": VALUES}, "the weights 'table' lack 'values', f32 of 9"),
    "another type": ({"values": VALUES.astype(np.int16)}, "have 'values' as i16 of 9, not f32 of 9"),
    "another size": ({"values": VALUES[:8]}, "have 'values' as f32 of 8, not f32 of 9"),
    "another shape": ({"values": VALUES.reshape(3, 3)}, "have 'values' as f32 of 3x3, not f32 of 9"),
}


@pytest.mark.parametrize("name", MISFITS)
def test_weights_that_an_evaluator_cannot_read(tmp_path: Path, name: str) -> None:
    """It says so when the search is made, not when it runs."""
    arrays, sentence = MISFITS[name]
    weights = read_weights(written(tmp_path, arrays), "morris", "table")
    with pytest.raises(ValueError, match=sentence):
        toy.ToyMcts("table", weights)


def test_who_reads_weights(tmp_path: Path) -> None:
    weights = read_weights(written(tmp_path), "morris", "table")
    with pytest.raises(ValueError, match="the evaluator uniform reads no weights"):
        toy.ToyMcts("uniform", weights)
    with pytest.raises(ValueError, match="the evaluator tactical reads no weights"):
        GoMcts("tactical", weights)
    with pytest.raises(ValueError, match="the evaluator table needs a file of weights"):
        toy.ToyMcts("table")


def test_one_copy_for_all(tmp_path: Path) -> None:
    """Two searches, four threads and trees made anew: every one holds the object, and lets go of it."""
    weights = read_weights(written(tmp_path), "morris", "table")
    alone = weights.uses
    searches = [toy.ToyMcts("table", weights) for _ in range(2)]
    made = weights.uses
    for search in searches:
        search.set("threads", 4)
        for _ in range(2):
            search.clear()
            search.run(toy.ToyState(), playouts=200)
    assert alone < made < weights.uses < made + 10  # the settings, and the search; the threads are gone
    del searches, search
    assert weights.uses == alone
