"""Weights as NAME.safetensors (`engine/evaluators/safetensors.py`): for an evaluator of the core, with a card; and
checkpoints (`nets.checkpoint`)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine import atomic
from tengen.engine.evaluators.safetensors import parse
from tengen.nets.cards import write_card

TYPES = {"float32": "F32", "int32": "I32", "int16": "I16", "int8": "I8"}


def dumps(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """The file. Raises ValueError for an array of another type than TYPES."""
    header, parts, at = {}, [], 0
    for name, array in arrays.items():
        if array.dtype.name not in TYPES:
            raise ValueError(f"the array '{name}' is of {array.dtype.name}, not of {', '.join(TYPES)}")
        parts.append(np.ascontiguousarray(array, array.dtype.newbyteorder("<")).tobytes())
        place = [at, at + len(parts[-1])]
        header[name] = {"dtype": TYPES[array.dtype.name], "shape": list(array.shape), "data_offsets": place}
        at = place[1]
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + b"".join(parts)


def loads(data: bytes) -> dict[str, NDArray[Any]]:
    """The arrays of a file by name, read-only. Raises ValueError with the reason in one clause."""
    kinds = {short.lower(): np.dtype(kind).newbyteorder("<") for kind, short in TYPES.items()}
    return {
        one.name: np.frombuffer(data, kinds[one.type], prod(one.shape), one.begin).reshape(one.shape)
        for one in parse(data)
    }


def save(path: Path, arrays: Mapping[str, NDArray[Any]], card: Mapping[str, object]) -> None:
    """Write the arrays to `path` (.safetensors) and the card beside it, to which the hash is added."""
    path.parent.mkdir(parents=True, exist_ok=True)
    atomic.write(path, dumps(arrays))
    write_card(path, card)
