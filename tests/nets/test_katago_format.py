"""KataGo's files: every kind of block is read as it was written, computes what it should, and damage gets a sentence."""

from __future__ import annotations

import gzip
import struct
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import katago_files
import katago_numpy
import numpy as np
import pytest
from katago_files import BLOCKS, file_of, network
from whole_sets import EVERY

from tengen.engine.evaluators.backends.base import NetworkError
from tengen.engine.evaluators.backends.openvino import OpenVinoBackend
from tengen.engine.evaluators.katago.model import GLOBALS, METADATA, PLANES, Model, parse_model
from tengen.engine.evaluators.katago.reading import read_model
from tengen.engine.evaluators.katago.source import KataGoSource

# What a network has, as `katago_files.network` takes it.
NETWORKS: dict[str, dict[str, Any]] = {
    "version 8": {"kinds": ("ordinary", "pooling"), "version": 8, "activation": "relu"},
    "version 9": {"kinds": ("pooling",), "version": 9, "activation": "relu"},
    "version 10": {"kinds": ("ordinary",), "version": 10, "activation": "relu"},
    "version 11": {"kinds": ("ordinary",), "version": 11, "activation": "identity"},
    "version 12": {"kinds": ("bottleneck",), "version": 12},
    "version 13": {"kinds": ("bottleneck",), "version": 13, "activation": "silu"},
    "version 14": {"kinds": ("bottleneck", "pooling", "bottleneck"), "version": 14},
    "version 15": {"kinds": ("bottleneck", "learned"), "version": 15, "norm": "rms", "activation": "silu"},
    "metadata": {"kinds": ("ordinary",), "version": 15, "has_metadata": True},
    "version 16": {"kinds": ("fixed", "feed_forward"), "version": 16, "norm": "spatial"},
    "version 17": {"kinds": ("plain", "feed_forward", "learned"), "version": 17},
    "four policies": {"kinds": ("feed_forward", "ordinary"), "version": 17, "policies": 4},
    "transformers in an old version": {
        "kinds": ("learned", "fixed", "feed_forward"),
        "version": 8,
        "activation": "relu",
    },
    "every kind of block": {"kinds": BLOCKS, "version": 17, "norm": "spatial", "has_metadata": True},
    "a version to come": {"kinds": BLOCKS, "version": 18},
}


def assert_same(found: Any, wanted: Any) -> None:
    assert type(found) is type(wanted)
    if is_dataclass(wanted):
        for field in fields(wanted):
            assert_same(getattr(found, field.name), getattr(wanted, field.name))
    elif isinstance(wanted, tuple):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            assert_same(one, other)
    elif isinstance(wanted, np.ndarray):
        assert found.dtype == np.float32
        np.testing.assert_allclose(found, wanted, rtol=1e-7)
    else:
        assert found == wanted


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("is_text", (False, True), ids=("binary", "text"))
def test_a_file_is_read_as_it_was_written(tmp_path: Path, name: str, is_text: bool) -> None:
    """Text or binary and packed or not, whatever its name ends with."""
    model = network(**NETWORKS[name])
    for is_packed in (True, False):
        path = tmp_path / "anything.gz"
        path.write_bytes(file_of(model, is_text=is_text, is_packed=is_packed))
        assert_same(read_model(path), model)


def board(model: Model, seed: int, height: int, width: int) -> tuple[Any, Any, Any]:
    random = np.random.default_rng(seed)
    planes = (random.random((PLANES, height, width)) < 0.3).astype(np.float32)
    planes[0] = 1
    metadata = random.normal(size=METADATA).astype(np.float32) if model.header.has_metadata else None
    return planes, random.normal(size=GLOBALS).astype(np.float32), metadata


def inputs(boards: list[tuple[Any, Any, Any]], height: int, width: int) -> dict[str, Any]:
    """A batch of planes of this size, boards in their upper left corner."""
    found = {"planes": np.zeros((len(boards), PLANES, height, width), np.float32)}
    for rows, (planes, _, _) in zip(found["planes"], boards, strict=True):
        rows[:, : planes.shape[1], : planes.shape[2]] = planes
    found["globals"] = np.stack([numbers for _, numbers, _ in boards])
    if boards[0][2] is not None:
        found["metadata"] = np.stack([metadata for _, _, metadata in boards])
    return found


def cut(rows: Any, size: tuple[int, int], whole: tuple[int, int]) -> Any:
    """What belongs to the board of flattened points, with what follows them."""
    points = rows[..., : whole[0] * whole[1]].reshape(*rows.shape[:-1], *whole)[..., : size[0], : size[1]]
    return np.concatenate([points.reshape(*rows.shape[:-1], -1), rows[..., whole[0] * whole[1] :]], -1)


BATCHES = {
    "smaller boards": ([(5, 5), (3, 4), (4, 6)], (5, 6), True),
    "boards that fill the planes": ([(5, 5), (5, 5)], (5, 5), False),
}
"""Sizes of boards, the planes', and whether there is a mask."""
WITHOUT_A_MASK = (
    NETWORKS if EVERY == 1 else ("version 8", "metadata", "four policies", "every kind of block", "a version to come")
)
"""Those that are asked with boards that fill the planes too; all blocks are in them."""


@pytest.mark.parametrize(
    ("name", "batch"),
    [(name, batch) for batch, names in zip(BATCHES, (NETWORKS, WITHOUT_A_MASK), strict=True) for name in names],
)
def test_a_network_computes_what_its_layers_say(name: str, batch: str) -> None:
    """Every kind of block, against numpy that goes point by point."""
    sizes, whole, is_masked = BATCHES[batch]
    model = network(**NETWORKS[name])
    read = parse_model(file_of(model), "tiny")
    backend = OpenVinoBackend(KataGoSource(read, is_masked=is_masked), threads=1, buckets=(1, 4))
    boards = [board(model, seed, *size) for seed, size in enumerate(sizes)]
    found = backend.run(inputs(boards, *whole))
    for row, (size, (planes, numbers, metadata)) in enumerate(zip(sizes, boards, strict=True)):
        wanted = katago_numpy.outputs(model, planes, numbers, metadata)
        assert set(found) == set(wanted)
        for output, rows in found.items():
            mine = cut(rows[row], size, whole) if output in ("policy", "ownership") else rows[row]
            np.testing.assert_allclose(mine, wanted[output], atol=2e-4, rtol=2e-4, err_msg=output)
    backend.close()


def test_a_position_counts_its_board_only() -> None:
    """A mistake that the test above must be able to see: without a mask, smaller boards give something else."""
    model = network(("ordinary",), 14)
    boards = [board(model, 1, 4, 4)]
    masked, unmasked = (
        OpenVinoBackend(KataGoSource(model, is_masked=flag), threads=1).run(inputs(boards, 6, 6))["value"]
        for flag in (True, False)
    )
    assert np.abs(masked - unmasked).max() > 1e-3


# Damaged files ------------------------------------------------------------------------------------------------------

SMALL = file_of(network(("ordinary", "learned", "feed_forward"), 17))
PLAIN = gzip.decompress(SMALL)
TEXT = file_of(network(("ordinary",), 17), is_text=True, is_packed=False)
Damaged = Callable[[], bytes]


def swapped(old: str, new: str, data: bytes = PLAIN) -> Damaged:
    """The file with one line for another, the first time it comes."""
    wanted = f"\n{old}\n".encode()
    assert data.count(wanted), old
    return lambda: data.replace(wanted, f"\n{new}\n".encode(), 1)


def flipped(place: float, bit: int) -> Damaged:
    def made() -> bytes:
        data = bytearray(SMALL)
        data[int(place * len(data))] ^= 1 << bit
        return bytes(data)

    return made


def cut_off(share: float, data: bytes) -> Damaged:
    return lambda: data[: int(share * len(data))]


def with_weight(value: float) -> Damaged:
    at = PLAIN.index(b"@BIN@") + 5
    return lambda: PLAIN[:at] + struct.pack("<f", value) + PLAIN[at + 4 :]


def ordinary(new: str) -> Damaged:
    return swapped("ordinary_block", new)


CONV = "3\n3\n8\n6\n1\n1"
"""The first convolution of a block."""
DAMAGED: dict[str, tuple[Damaged, str]] = {
    "empty": (lambda: b"", "it is empty"),
    "two bytes of gzip": (lambda: b"\x1f\x8b", "cut short"),
    "cut after a hundredth": (cut_off(0.01, SMALL), "cut short|cannot unpack"),
    "cut in the middle": (cut_off(0.5, SMALL), "it is cut short"),
    "cut at the end": (lambda: SMALL[:-1], "it is cut short"),
    "cut before the checksum": (lambda: SMALL[:-8], "it is cut short"),
    "plain, cut in the header": (cut_off(0.001, PLAIN), "it ends before"),
    "plain, cut early": (cut_off(0.1, PLAIN), "it ends within the weights of convolution"),
    "plain, cut in the middle": (cut_off(0.5, PLAIN), "it ends within|it ends before"),
    "plain, cut at the end": (lambda: PLAIN[:-3], "it ends within the weights of convolution"),
    "text, cut in the middle": (cut_off(0.5, TEXT), "it ends within the weights"),
    "text, cut at the end": (cut_off(0.99, TEXT), "it ends within the weights|it ends before"),
    "a bit in the method": (flipped(0, 1), "does not begin with|cannot unpack"),
    "a bit early": (flipped(0.1, 3), "cannot unpack"),
    "a bit in the middle": (flipped(0.5, 0), "cannot unpack"),
    "a bit late": (flipped(0.9, 7), "cannot unpack"),
    "a bit in the checksum": (lambda: SMALL[:-8] + bytes([SMALL[-8] ^ 1]) + SMALL[-7:], "cannot unpack"),
    "a bit in the length": (lambda: SMALL[:-1] + bytes([SMALL[-1] ^ 1]), "cannot unpack"),
    "zeros": (lambda: bytes(100_000), "does not begin with a name and a version"),
    "a bomb of zeros": (lambda: gzip.compress(bytes(1 << 25)), "unpacks to more than 1 MB, which no network does"),
    "a bomb of blanks": (lambda: gzip.compress(b" " * 900_000), "does not begin with a name and a version"),
    "a web page": (lambda: b"<!DOCTYPE html>\n<html><body>Not found</body></html>\n", "does not begin with"),
    "an ONNX file": (lambda: b"\x08\x0a\x12\x07pytorch\x1a\x052.1.0:\xff\x00", "does not begin with"),
    "version 3": (swapped("17", "3"), "version 3, which takes other inputs; versions 8 to 17"),
    "a version without end": (swapped("17", "9" * 4000), "does not begin with"),
    "other inputs": (swapped("22", "13"), "version 17 with 13 input planes; those known have 22"),
    "an unknown block": (ordinary("quantum_block"), "version 17 has a block of an unknown kind 'quantum_block'; there are ordinary_block,"),
    "an unknown activation": (swapped("ACTIVATION_MISH", "ACTIVATION_GELU"), "version 17 has an activation of an unknown kind 'ACTIVATION_GELU'"),
    "an unknown option": (swapped("0\n0\n0\n0\n0\n0\ntrunk", "0\n0\n1\n0\n0\n0\ntrunk"), "version 17 turns on the unknown option 3 of the network"),
    "an unknown metadata encoder": (swapped("60.0\n0\n1", "60.0\n2\n1"), "metadata encoder of version 2"),
    "a scale below 0": (swapped("21.0", "-21.0"), "a scale of the outputs is '-21.0', not a number above 0"),
    "channels without end": (swapped(CONV, "3\n3\n8\n99999999999\n1\n1"), "the channels of convolution 'layer[0-9]+' is 99999999999, not from 1 to"),
    "more weights than there are": (swapped(CONV, "3\n3\n8\n16000\n1\n1"), "it ends within the weights of convolution"),
    "a kernel of 9999": (swapped(CONV, "9999\n3\n8\n6\n1\n1"), "the size of convolution 'layer[0-9]+' is 9999, not from 1 to 31"),
    "an even kernel": (swapped(CONV, "2\n2\n8\n6\n1\n1"), "is even"),
    "channels that do not fit": (swapped(CONV, "3\n3\n6\n8\n1\n1"), "convolution 'layer[0-9]+' has 6 channels where 8 are needed"),
    "blocks without end": (swapped("trunk\n3", "trunk\n1000000"), "the number of blocks is 1000000, not from 1 to 1000"),
    "one block too many": (swapped("trunk\n3", "trunk\n4"), "block of an unknown kind"),
    "one block too few": (swapped("trunk\n3", "trunk\n2"), "."),
    "feed-forward without a gate": (swapped("8\n10\n1", "8\n10\n0"), "version 17 is a feed-forward block without SwiGLU"),
    "heads that do not divide": (swapped("4\n2\n6\n3\n1\n1", "3\n2\n6\n3\n1\n1"), "has 3 heads of queries for 2 of keys"),
    "a weight that is no number": (with_weight(float("nan")), "convolution 'layer[0-9]+' has a weight that is no number"),
    "a weight without end": (with_weight(float("inf")), "has a weight that is no number"),
    "a word for a weight": (lambda: TEXT.replace(b"1\n1\n", b"1\n1\nweight ", 1), "has a weight that is no number"),
    "more behind the end": (lambda: PLAIN + b"another_head\n", "there is more behind its end"),
    "a stack of stacks": (ordinary("nested_bottleneck_block\n" * 50), "."),
}  # fmt: skip


FOREIGN = {
    "version 3", "other inputs", "an unknown block", "an unknown activation", "an unknown option",
    "an unknown metadata encoder", "feed-forward without a gate", "one block too many",
}  # fmt: skip
"""Those that may well be whole, but hold what is not known here."""


def test_there_are_forty_damaged_files() -> None:
    assert len(DAMAGED) >= 40
    parse_model(SMALL, "small"), parse_model(PLAIN, "plain"), parse_model(TEXT, "text")


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_file_gets_one_sentence(tmp_path: Path, name: str) -> None:
    damage, sentence = DAMAGED[name]
    path = tmp_path / "net.bin.gz"
    path.write_bytes(damage())
    with pytest.raises(NetworkError, match=sentence) as caught:
        read_model(path)
    said = str(caught.value)
    assert said.startswith("the network 'net.bin.gz' cannot be used: ") and "\n" not in said and len(said) < 400
    hint = "; take another network, or a newer tengen" if name in FOREIGN else "; fetch it again: "
    assert said.isprintable() and hint in said


@pytest.mark.parametrize("base", (SMALL, PLAIN, TEXT), ids=("packed", "plain", "text"))
def test_mutations_end_in_a_network_or_a_sentence(base: bytes) -> None:
    """Bytes changed, left out and put in at random; a packed file is never read as another network."""
    random = np.random.default_rng(12)
    refused, whole = 0, file_of(parse_model(base, "net"))
    for _ in range(300):
        data, place, kind = bytearray(base), int(random.integers(len(base))), random.integers(3)
        if kind == 0:
            data[place] ^= 1 << int(random.integers(8))
        elif kind == 1:
            del data[place : place + int(random.integers(1, 50))]
        else:
            data[place:place] = random.bytes(int(random.integers(1, 9)))
        try:
            model = parse_model(bytes(data), "net")
        except NetworkError as error:
            assert str(error).isprintable() and len(str(error)) < 400
            refused += 1
        else:
            assert base != SMALL or gzip.decompress(file_of(model)) == gzip.decompress(whole)
    assert refused > 100


def test_nested_stacks_end() -> None:
    """A file of stacks in stacks is refused before Python's own stack is full."""
    make = katago_files.Maker(1, "mish")
    shell = katago_files.Writer(17, is_text=False)
    for _ in range(3000):
        shell.words("nested_bottleneck_block", "nest", 1)
        shell.write(make.norm(8), "mish", make.conv(8, 8, 1))
    with pytest.raises(NetworkError, match="its blocks are nested more than 4 deep"):
        parse_model(PLAIN.replace(b"ordinary_block\n", bytes(shell.data), 1), "net")


@pytest.mark.parametrize("name", ("missing.bin.gz", ""))
def test_a_file_that_is_not_there(tmp_path: Path, name: str) -> None:
    with pytest.raises(
        NetworkError, match="cannot read the network '.*': (No such file|Is a directory|it is not a regular file)"
    ):
        read_model(tmp_path / name)
