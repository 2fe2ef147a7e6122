"""Tiny networks as ONNX files, written by hand: the few messages of onnx.proto3 that a test needs, and their cards."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tengen.engine.evaluators.backends.cards import sha256_of

FLOAT = 1


def number(value: int) -> bytes:
    """A varint of the protocol buffers."""
    if value < 0x80:
        return bytes([value])
    return bytes([value & 0x7F | 0x80]) + number(value >> 7)


def message(*fields: tuple[int, int | str | bytes]) -> bytes:
    """A message of (field number, value); integers are varints, all else is length-delimited."""
    parts = []
    for key, value in fields:
        if isinstance(value, int):
            parts.append(number(key << 3) + number(value))
        else:
            raw = value.encode() if isinstance(value, str) else value
            parts.append(number(key << 3 | 2) + number(len(raw)) + raw)
    return b"".join(parts)


def tensor(name: str, values: NDArray[np.float32]) -> bytes:
    """TensorProto."""
    dims = [(1, side) for side in values.shape]
    return message(*dims, (2, FLOAT), (8, name), (9, values.astype("<f4").tobytes()))


def value_info(name: str, shape: Sequence[int | str]) -> bytes:
    """ValueInfoProto of float32; a name instead of a number is a free dimension."""
    sides = [(1, message((1 if isinstance(side, int) else 2, side))) for side in shape]
    return message((1, name), (2, message((1, message((1, FLOAT), (2, message(*sides)))))))


def node(operator: str, inputs: Sequence[str], output: str, **given: int | Sequence[int]) -> bytes:
    """NodeProto with attributes that are integers or lists of them."""
    attributes = []
    for name, value in given.items():
        fields = [(3, value), (20, 2)] if isinstance(value, int) else [*((8, one) for one in value), (20, 7)]
        attributes.append((5, message((1, name), *fields)))
    return message(*((1, name) for name in inputs), (2, output), (4, operator), *attributes)


def network(
    batch: int | str = "n",
    side: int | str = "side",
    channels: int = 3,
    filters: int = 4,
    inputs: Sequence[str] = ("x",),
    batches: Sequence[int | str] = (),
) -> bytes:
    """conv 3x3 -> relu: "planes" (n, filters, h, w), and their mean "means" (n, filters, 1, 1). Weights are fixed.

    Several inputs are added first; `batches` are their batch sizes where they differ.
    """
    batches = batches or [batch] * len(inputs)
    weights = np.random.default_rng(5).normal(size=(filters, channels, 3, 3)).astype(np.float32)
    nodes = [
        node("Sum", inputs, "sum"),
        node("Conv", ["sum", "w"], "c", kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
        node("Relu", ["c"], "planes"),
        node("GlobalAveragePool", ["planes"], "means"),
    ]
    graph = message(
        *((1, one) for one in nodes),
        (2, "test"),
        (5, tensor("w", weights)),
        *((11, value_info(name, [n, channels, side, side])) for name, n in zip(inputs, batches, strict=True)),
        (12, value_info("planes", [batch, filters, side, side])),
        (12, value_info("means", [batch, filters, 1, 1])),
    )
    return message((1, 8), (7, graph), (8, message((1, ""), (2, 17))))


def expected(inputs: NDArray[np.float32], filters: int = 4) -> NDArray[np.float32]:
    """The "planes" of `network`, computed here."""
    weights = np.random.default_rng(5).normal(size=(filters, inputs.shape[1], 3, 3)).astype(np.float32)
    height, width = inputs.shape[2:]
    padded = np.pad(inputs, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.stack([padded[..., r : r + height, c : c + width] for r in range(3) for c in range(3)], -1)
    found = np.einsum("ncyxk,fck->nfyx", windows, weights.reshape(filters, inputs.shape[1], 9))
    return np.asarray(np.maximum(found, 0), np.float32)


WIDTHS = {"value": 3, "score": 1}


def playing(
    planes: int, numbers: int, side: int, moves: int, outputs: Sequence[str] = ("policy", "value", "score")
) -> bytes:
    """A linear network that plays: every output is a sum over what it is given. Weights are fixed."""
    rng = np.random.default_rng(7)
    given = [value_info("planes", ["n", planes, side, side]), *[value_info("globals", ["n", numbers])] * bool(numbers)]
    nodes, kept, made = [node("Flatten", ["planes"], "flat")], [], []
    for output in outputs:
        width = WIDTHS.get(output, moves)
        weights = rng.normal(size=(planes * side * side + numbers, width)).astype(np.float32)
        kept.append(tensor(f"{output}.planes", weights[: planes * side * side]))
        nodes.append(node("MatMul", ["flat", f"{output}.planes"], f"{output}.a" if numbers else output))
        if numbers:
            kept.append(tensor(f"{output}.globals", weights[planes * side * side :]))
            nodes.append(node("MatMul", ["globals", f"{output}.globals"], f"{output}.b"))
            nodes.append(node("Add", [f"{output}.a", f"{output}.b"], output))
        made.append(value_info(output, ["n", width]))
    parts = [(1, one) for one in nodes] + [(2, "test")] + [(5, one) for one in kept]
    graph = message(*parts, *((11, one) for one in given), *((12, one) for one in made))
    return message((1, 8), (7, graph), (8, message((1, ""), (2, 17))))


def looking(
    planes: int, *, has_pass: bool, width: int | str = "width", height: int | str = "height", seed: int = 7
) -> bytes:
    """A convolution that plays on boards of any size: policy and value are sums around each cell. Weights are fixed."""
    rng = np.random.default_rng(seed)

    def weights(name: str, count: int) -> bytes:
        return tensor(name, (rng.normal(size=(count, planes, 3, 3)) / np.sqrt(planes)).astype(np.float32))

    nodes = [
        node("Conv", ["planes", "w.cells"], "cells", kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
        node("Flatten", ["cells"], "flat" if has_pass else "policy"),
        node("Conv", ["planes", "w.value"], "values", kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
        node("GlobalAveragePool", ["values"], "mean"),
        node("Flatten", ["mean"], "value"),
    ]
    kept = [weights("w.cells", 1), weights("w.value", 3)]
    if has_pass:
        nodes += [
            node("Conv", ["planes", "w.pass"], "passes", kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
            node("GlobalAveragePool", ["passes"], "pass.mean"),
            node("Flatten", ["pass.mean"], "pass"),
            node("Concat", ["flat", "pass"], "policy", axis=1),
        ]
        kept.append(weights("w.pass", 1))
    given = value_info("planes", ["n", planes, height, width])
    made = [value_info("policy", ["n", "moves"]), value_info("value", ["n", 3])]
    parts = [(1, one) for one in nodes] + [(2, "test")] + [(5, one) for one in kept]
    graph = message(*parts, (11, given), *((12, one) for one in made))
    return message((1, 8), (7, graph), (8, message((1, ""), (2, 17))))


CARD = """name = "{name}"
purpose = "a test"
sha256 = "{digest}"
licence = "MIT"
[input]
shape = {shape}
channels = ["blue", "green", "red"]
normalisation = "none"
[outputs]
planes = "n x 4 x h x w"
means = "n x 4 x 1 x 1"
[training]
data = "none"
credits = ["nobody"]
command = "none"
[figures]
"points right" = 0.5
[settings]
pitch = 12
"""


def write(
    folder: Path,
    name: str = "tiny",
    model: bytes | None = None,
    plays: str = "",
    shape: Sequence[int] = (0, 3, 0, 0),
) -> Path:
    """NAME.onnx and its card in a folder; `plays` is the section of that name."""
    model = network() if model is None else model
    path = folder / f"{name}.onnx"
    path.write_bytes(model)
    path.with_suffix(".toml").write_text(
        CARD.format(name=name, digest=sha256_of(model), shape=list(shape)) + plays, "utf-8"
    )
    return path


def write_player(folder: Path, game: str, features: str, name: str = "", width: int = 0, height: int = 0) -> Path:
    """A network that plays a game by a feature set, on boards of any size or of one; of a set with globals on 8x8."""
    from tengen.engine.evaluators.backends.features import feature_set

    found = feature_set(game, features)
    if found.globals:
        model = playing(len(found.planes), len(found.globals), 8, found.policy_size(8, 8), ("policy", "value"))
        plays = f'[plays]\ngame = "{game}"\nfeatures = "{features}"\n'
        return write(folder, name or features, model, plays, (0, len(found.planes), 8, 8))
    has_pass = found.policy_size(8, 8) > 64
    model = looking(len(found.planes), has_pass=has_pass, width=width or "width", height=height or "height")
    plays = f'[plays]\ngame = "{game}"\nfeatures = "{features}"\n'
    return write(folder, name or features, model, plays, (0, len(found.planes), height, width))
