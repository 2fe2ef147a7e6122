"""Files of named arrays in the layout of safetensors, read with every bound checked and nothing executed.

    8 bytes   length of the header, little-endian
    header    a JSON object: name -> {"dtype": "F32", "shape": [9], "data_offsets": [begin, end]}; spaces may follow.
              "__metadata__", an object of texts, is passed over
    data      the arrays, row-major and little-endian, one behind the other without gaps; offsets count from here

https://huggingface.co/docs/safetensors. Left out: types other than TYPES.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import prod
from typing import Any, NamedTuple

from tengen.engine.sentence import excerpt, excerpt_of

TYPES: Mapping[str, tuple[str, int]] = {"F32": ("f32", 4), "I32": ("i32", 4), "I16": ("i16", 2), "I8": ("i8", 1)}
"""Type of an array in the file -> what the core calls it, and its bytes."""
PREFIX = 8
LARGEST_HEADER = 1 << 20
MOST_AXES = 8
_KEYS = {"dtype", "shape", "data_offsets"}


class Tensor(NamedTuple):
    """An array of a file: its bytes are data[begin:end] of the whole file."""

    name: str
    type: str
    shape: tuple[int, ...]
    begin: int
    end: int


def parse(data: bytes) -> list[Tensor]:
    """The arrays of a file, in the order of their places. Raises ValueError with the reason in one clause."""
    header, start = _header(data)
    found = [_tensor(name, entry, start) for name, entry in header.items() if name != "__metadata__"]
    found.sort(key=lambda tensor: (tensor.begin, tensor.end))
    at = start
    for tensor in found:
        if tensor.begin != at:
            what = "overlaps what is before it" if tensor.begin < at else "leaves a gap before it"
            raise ValueError(f"the array {excerpt(tensor.name)} {what}")
        at = tensor.end
    if at != len(data):
        raise ValueError(f"its arrays end at {at} of {len(data)} bytes")
    return found


def _header(data: bytes) -> tuple[dict[str, Any], int]:
    """The JSON object, and where the data begin."""
    size = int.from_bytes(data[:PREFIX], "little")
    if len(data) < PREFIX or size > len(data) - PREFIX:
        raise ValueError("it is cut short")
    if size > LARGEST_HEADER:
        raise ValueError(f"its header is larger than {LARGEST_HEADER >> 10} kB")
    try:
        header = json.loads(data[PREFIX : PREFIX + size].decode("utf-8"), object_pairs_hook=_without_doubles)
    except _Double:
        raise
    except (ValueError, RecursionError):
        raise ValueError("its header is no JSON") from None
    if not isinstance(header, dict):
        raise ValueError("its header is no JSON object")
    return header, PREFIX + size


class _Double(ValueError):
    """A name that comes twice."""


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Double("a name comes twice in its header")
    return found


def _tensor(name: str, entry: object, start: int) -> Tensor:
    if any("\ud800" <= letter <= "\udfff" for letter in name):  # JSON can spell half a letter, the core cannot
        raise ValueError("the name of an array is no text")
    if not isinstance(entry, dict) or set(entry) != _KEYS:
        raise ValueError(f"the array {excerpt(name)} needs dtype, shape and data_offsets, and nothing else")
    if not isinstance(entry["dtype"], str) or entry["dtype"] not in TYPES:
        raise ValueError(f"the array {excerpt(name)} is of {excerpt_of(entry['dtype'])}, not of {', '.join(TYPES)}")
    kind, size = TYPES[entry["dtype"]]
    shape, places = _integers(name, "shape", entry["shape"]), _integers(name, "data_offsets", entry["data_offsets"])
    if len(shape) > MOST_AXES or len(places) != 2 or places[1] - places[0] != size * prod(shape):
        raise ValueError(f"the array {excerpt(name)} does not fill its place")
    return Tensor(name, kind, shape, start + places[0], start + places[1])


def _integers(name: str, key: str, value: object) -> tuple[int, ...]:
    """A list of integers from 0 on that the core can count with."""
    if isinstance(value, list) and all(type(one) is int and 0 <= one < 2**48 for one in value):
        return tuple(value)
    raise ValueError(f"the {key} of the array {excerpt(name)} is no list of sizes")
