"""Tails: the last blocks and heads of a network over the first blocks of another file."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import pytest
from katago_files import network

from tengen.engine.evaluators.backends.base import NetworkError
from tengen.engine.evaluators.backends.cards import sha256_of
from tengen.engine.evaluators.katago.model import Model, glance
from tengen.engine.evaluators.katago.reading import read_model
from tengen.engine.evaluators.katago.tail import is_tail, parse_tail, tail_of
from tengen.nets.katago_file import file_of, tail_file_of

FIRST = 2
"""The first block of the tail."""


def made(folder: Path) -> tuple[Model, Path]:
    """A network, and its last two blocks and heads as a tail; the base is a network with heads of its own."""
    whole, other = network(("ordinary", "pooling", "ordinary", "pooling"), 10), network(("ordinary",), 10)
    trunk = replace(whole.trunk, blocks=whole.trunk.blocks[:FIRST], norm=other.trunk.norm)
    base = file_of(Model(replace(whole.header, name="base"), trunk, other.policy, other.value))
    (folder / "base.bin.gz").write_bytes(base)
    path = folder / "more.tail.gz"
    path.write_bytes(tail_file_of(tail_of(whole, FIRST, "base", sha256_of(base))))
    return whole, path


def test_a_tail_and_its_base_are_the_whole_network(tmp_path: Path) -> None:
    whole, path = made(tmp_path)
    found = read_model(path)
    assert file_of(found) == file_of(whole) and is_tail(path)
    assert len(path.read_bytes()) < len(file_of(whole))
    assert glance(path).blocks == FIRST, "of the tail alone"


def refused(path: Path) -> str:
    with pytest.raises(NetworkError) as caught:
        read_model(path)
    said = str(caught.value)
    assert "\n" not in said and "more.tail.gz" in said
    return said


def test_the_base_must_be_there_and_the_same(tmp_path: Path) -> None:
    _, path = made(tmp_path)
    base = tmp_path / "base.bin.gz"
    whole = base.read_bytes()
    base.write_bytes(file_of(network(("ordinary",), 10)))
    assert "goes on from another 'base.bin.gz'" in refused(path)
    base.unlink()
    assert "goes on from another one beside it: cannot read the network 'base.bin.gz': No such file" in refused(path)
    base.write_bytes(whole)
    read_model(path)


def test_a_damaged_tail_is_one_sentence(tmp_path: Path) -> None:
    _, path = made(tmp_path)
    whole = gzip.decompress(path.read_bytes())
    for cut in (0, 3, 30, 100, len(whole) // 2, len(whole) - 4):
        path.write_bytes(gzip.compress(whole[:cut]))
        refused(path)
    for base in (b"../base", b"x" * 300, b"/base", b".base", b"..", b"a\\b"):
        path.write_bytes(gzip.compress(whole.replace(b"\nbase\n", b"\n" + base + b"\n", 1)))
        refused(path)
    path.write_bytes(gzip.compress(whole + b"1"))
    assert "more behind its end" in refused(path)
    path.unlink()
    assert "cannot read the network" in refused(path)


def test_a_tail_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    _, path = made(tmp_path)
    other = network(("ordinary", "ordinary", "pooling"), 14)
    path.write_bytes(tail_file_of(tail_of(other, FIRST, "base", sha256_of((tmp_path / "base.bin.gz").read_bytes()))))
    assert "does not fit the one that it goes on from" in refused(path)


def test_a_base_has_a_name_that_is_read_again(tmp_path: Path) -> None:
    whole, _ = made(tmp_path)
    assert parse_tail(tail_file_of(tail_of(whole, FIRST, "a-b_c.1", "0" * 64)), "x").base == "a-b_c.1"
    for name in ("../a", "a b", ""):
        with pytest.raises(ValueError, match="cannot be the name of a base"):
            tail_of(whole, FIRST, name, "0" * 64)
