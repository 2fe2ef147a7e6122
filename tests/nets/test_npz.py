"""Files of arrays from anywhere: what numpy writes comes back, what lies is one sentence and costs no memory."""

from __future__ import annotations

import io
import json
import os
import tracemalloc
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tengen.engine import npz
from tengen.engine.npz import Arrays, ArraysError


def npy(array: Any) -> bytes:
    out = io.BytesIO()
    np.lib.format.write_array(out, np.asanyarray(array), version=(1, 0))
    return out.getvalue()


def promise(shape: Sequence[int] | str, kind: str = "'|u1'", order: str = "False", rest: bytes = b"\0" * 16) -> bytes:
    """An array whose header says this, whatever follows."""
    text = (
        f"{{'descr': {kind}, 'fortran_order': {order}, 'shape': {shape if isinstance(shape, str) else tuple(shape)}, }}"
    )
    return b"\x93NUMPY\x01\x00" + (len(text) + 1).to_bytes(2, "little") + text.encode() + b"\n" + rest


def packed(method: int = zipfile.ZIP_DEFLATED, **members: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(f"{name}.npy", data)
    return out.getvalue()


def declared(data: bytes, size: int) -> bytes:
    """A file whose members say that they unpack to so many bytes, in both of their headers."""
    out, at = bytearray(data), 0
    while (at := data.find(b"PK\x03\x04", at)) >= 0:
        out[at + 22 : at + 26] = size.to_bytes(4, "little")
        at += 4
    at = data.rfind(b"PK\x01\x02")
    out[at + 24 : at + 28] = size.to_bytes(4, "little")
    return bytes(out)


def changed(data: bytes, at: int, value: bytes) -> bytes:
    return data[:at] + value + data[at + len(value) :]


GOOD = {
    "a": np.arange(6, dtype="<i2"),
    "b": np.asfortranarray(np.ones((2, 3), "f4")),
    "c": np.zeros((0, 4)),
    "d": np.array(7),
}
EMPTY = packed(a=npy(GOOD["a"]))
PICKLE = b"\x80\x04\x8c\x05posix\x8c\x06system\x93."
DIRECTORY = EMPTY.rfind(b"PK\x01\x02")

LIES: dict[str, bytes] = {
    "nothing": b"",
    "text": b"1 2 3",
    "half of it": EMPTY[: len(EMPTY) // 2],
    "no directory": EMPTY[:DIRECTORY],
    "2^45 rows of 32": packed(a=promise((1 << 45, 32))),
    "2^62 numbers": packed(a=promise((1 << 62,))),
    "a product that overflows": packed(a=promise((1 << 33, 1 << 33, 1 << 33))),
    "more digits than numbers have": packed(a=promise(f"({'9' * 4000},)")),
    "a million axes": packed(a=promise("(" + "1," * 4000 + ")")),
    "a shape below nothing": packed(a=promise((-1,))),
    "two shapes below nothing": packed(a=promise((-4, -4))),
    "a shape of fractions": packed(a=promise("(1.5,)")),
    "a shape of truths": packed(a=promise("(True, 16)")[:60]),
    "a shape that is a number": packed(a=promise("16")),
    "less than it says": packed(a=promise((17,))),
    "more than it says": packed(a=promise((15,))),
    "objects": packed(a=promise((1,), "'|O'", rest=PICKLE)),
    "a pickle alone": packed(a=PICKLE),
    "records": packed(a=promise((2,), "[('x', '<i4'), ('y', '<i4')]")),
    "records of objects": packed(a=promise((2,), "[('x', '|O')]")),
    "records of themselves": packed(a=promise((2,), "[('x', " * 200 + "'<i4'" + ")]" * 200)),
    "texts": packed(a=promise((1,), "'<U4'")),
    "dates": packed(a=promise((2,), "'<M8[s]'")),
    "nothing at all": packed(a=promise((1 << 40,), "'|V0'", rest=b"")),
    "letters of 2^31": packed(a=promise((1 << 40,), "'|S0'", rest=b"")),
    "complex numbers": packed(a=promise((1,), "'<c16'")),
    "a type that nobody knows": packed(a=promise((1,), "'<z9'")),
    "a type that is a number": packed(a=promise((1,), "12")),
    "brackets without end": packed(a=promise("(" * 9000)),
    "signs without end": packed(a=promise("(" + "-" * 9000 + "1,)")),
    "a call": packed(a=promise("(__import__('os').getpid(),)")),
    "no header": packed(a=b"\x93NUMPY\x01\x00"),
    "a header that is cut": packed(a=b"\x93NUMPY\x01\x00\xff\xff{'descr'"),
    "no bytes": packed(a=b""),
    "another version": packed(a=b"\x93NUMPY\x02\x00" + promise((16,))[8:]),
    "a version of tomorrow": packed(a=b"\x93NUMPY\x09\x00" + promise((16,))[8:]),
    "another file within": packed(a=EMPTY),
    "bzip2": packed(zipfile.ZIP_BZIP2, a=npy(GOOD["a"])),
    "lzma": packed(zipfile.ZIP_LZMA, a=npy(GOOD["a"])),
    "a way of packing that nobody knows": changed(changed(EMPTY, DIRECTORY + 10, b"\x63\0"), 8, b"\x63\0"),
    "locked by a word": changed(changed(EMPTY, DIRECTORY + 8, b"\x01\0"), 6, b"\x01\0"),
    "a wrong checksum": changed(changed(EMPTY, DIRECTORY + 16, b"\1\2\3\4"), 14, b"\1\2\3\4"),
    "less than it unpacks to": declared(EMPTY, 20),
    "more than it unpacks to": declared(EMPTY, 4000),
    "4 GB by its own word": declared(EMPTY, 0xFFFFFFF0),
    "a place beyond its end": changed(EMPTY, DIRECTORY + 42, b"\xff\xff\xff\x7f"),
    "damaged within": changed(EMPTY, 60, b"\xff\xff\xff\xff"),
}  # fmt: skip


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_what_numpy_writes_comes_back(method: int, tmp_path: Path) -> None:
    (np.savez if method == zipfile.ZIP_STORED else np.savez_compressed)(tmp_path / "a.npz", **GOOD)
    arrays = npz.read(tmp_path / "a.npz")
    assert list(arrays) == list(GOOD) and len(arrays) == 4
    for name, array in arrays.items():
        assert array.dtype == GOOD[name].dtype and array.shape == GOOD[name].shape and (array == GOOD[name]).all()
    with pytest.raises(KeyError):
        arrays["e"]


@pytest.mark.parametrize("name", LIES)
def test_lies_are_a_sentence_and_cost_nothing(name: str) -> None:
    data = LIES[name]
    tracemalloc.start()
    try:
        with pytest.raises(ArraysError) as error:
            Arrays(data)["a"]
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert "\n" not in str(error.value) and len(str(error.value)) < 400 and most < 20 << 20


def test_what_unpacks_to_too_much_is_refused() -> None:
    bomb = packed(a=npy(np.zeros(1 << 22, "u1")))
    assert len(bomb) < 1 << 14
    with pytest.raises(ArraysError, match="its arrays are larger than 1 MB"):
        Arrays(bomb, 1 << 20)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a.npy", npy(GOOD["a"]))
        archive.writestr("a.txt", b"")
    with pytest.raises(ArraysError, match="something else than arrays"):
        Arrays(out.getvalue())
    with pytest.raises(ArraysError):
        Arrays(packed(**{f"a{number}": b"" for number in range(npz.MOST_ARRAYS + 1)}))


def test_any_changed_byte_is_refused_or_changes_nothing() -> None:
    data = packed(**{name: npy(array) for name, array in GOOD.items()})
    dice = np.random.default_rng(1)
    for at in dice.integers(0, len(data), 400):
        try:
            found = dict(Arrays(changed(data, int(at), bytes([int(dice.integers(0, 256))]))))
        except ArraysError:
            continue
        assert all((found[name] == GOOD[name]).all() for name in found if name in GOOD)


def header(**facts: Any) -> bytes:
    return npy(np.frombuffer(json.dumps(facts).encode(), np.uint8))


POSITIONS = {"version": 1, "game": "chess", "labelled": True}
SHARD = {"version": 1, "game": "go", "rules": ["chinese"]}


@pytest.mark.parametrize("shape", [(1 << 45, 32), (1 << 45,), (-1,), ()])
@pytest.mark.parametrize("facts", [POSITIONS, SHARD, [], "x", {"version": 1, "game": "chess", "labelled": 1}])
def test_positions_and_shards_are_read_with_bounds(facts: Any, shape: tuple[int, ...], tmp_path: Path) -> None:
    from tengen.tools.train.data import positions, shards

    names = {*positions.COLUMNS, *shards.COLUMNS}
    kinds = {**shards.COLUMNS, **positions.COLUMNS}
    members = {name: promise(shape, f"'{np.dtype(kinds[name]).str}'") for name in names}
    head = npy(np.frombuffer(json.dumps(facts).encode(), np.uint8))
    path = tmp_path / "a.npz"
    path.write_bytes(packed(header=head, **members))
    for reader, kind in ((positions.read_named, positions.PositionsError), (shards.read_named, shards.ShardError)):
        with pytest.raises(kind, match="a.npz"):
            reader(path)


def test_one_lying_file_of_a_folder_is_named_by_fit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The kind of the files is asked of the first one's header alone."""
    from tengen.tools.train.commands.fit import CHESS_NETWORK, _kind_of
    from tengen.tools.train.data import positions

    lies = packed(header=header(**POSITIONS), boards=promise((1 << 45, 32)))
    for name in ("1.npz", "2.npz"):
        (tmp_path / name).write_bytes(lies)
    assert _kind_of([str(tmp_path)]) == CHESS_NETWORK
    with pytest.raises(positions.PositionsError, match="1.npz': it is damaged or holds no positions"):
        positions.read_named(tmp_path / "1.npz")
    pytest.importorskip("torch")
    from tengen.tools import cli

    assert cli.main(["train", "fit", str(tmp_path), "-o", str(tmp_path / "x.safetensors")]) == 2
    assert "1.npz': it is damaged or holds no positions" in capsys.readouterr().err


def test_weights_of_the_laboratory_are_read_with_bounds(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    from tengen.nets.export import load_weights, save_weights

    path, model = tmp_path / "a.npz", torch.nn.Linear(2, 3)
    save_weights(model, path)
    other = torch.nn.Linear(2, 3)
    load_weights(other, path)
    assert torch.equal(other.weight, model.weight)
    for lies in (promise((1 << 45, 2), "'<f4'"), promise((1,), "'|O'"), npy(np.zeros((9, 9), "f4"))):
        path.write_bytes(packed(weight=lies, bias=npy(np.zeros(3, "f4"))))
        with pytest.raises(ValueError, match="a.npz'"):
            load_weights(other, path)


def test_the_file_is_a_regular_one(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.npz")
    with pytest.raises(OSError, match="not a regular file"):
        npz.read(tmp_path / "pipe.npz")
