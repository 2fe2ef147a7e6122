"""What a KataGo network computes, written down directly in numpy: one board at a time, no padding, float64."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tengen.engine.evaluators.katago.blocks import Attention, Block, Bottleneck, FeedForward, Pooling
from tengen.engine.evaluators.katago.heads import PolicyHead, ValueHead
from tengen.engine.evaluators.katago.layers import BatchNorm, Bias, Conv, Matrix, Norm
from tengen.engine.evaluators.katago.model import Model

Array = Any
"""Boards are y, x, channel."""


def act(kind: str, x: Array) -> Array:
    sigmoid = 1 / (1 + np.exp(-x))
    return {"relu": np.maximum(x, 0), "mish": x * np.tanh(np.log1p(np.exp(x))), "silu": x * sigmoid, "identity": x}[
        kind
    ]


def conv(layer: Conv, x: Array) -> Array:
    height, width, _, outputs = layer.weights.shape
    found = np.zeros((*x.shape[:2], outputs))
    for y, x0 in np.ndindex(*x.shape[:2]):
        for dy, dx in np.ndindex(height, width):
            row, column = y + (dy - height // 2) * layer.dilation[0], x0 + (dx - width // 2) * layer.dilation[1]
            if 0 <= row < x.shape[0] and 0 <= column < x.shape[1]:
                found[y, x0] += x[row, column] @ layer.weights[dy, dx]
    return found


def norm(layer: Norm, x: Array) -> Array:
    if isinstance(layer, BatchNorm):
        scaled = (
            (x - layer.mean) / np.sqrt(layer.variance + layer.epsilon) * (1 if layer.scale is None else layer.scale)
        )
    else:
        mean = (x**2).mean() if layer.is_spatial else (x**2).mean(-1, keepdims=True)
        scaled = x / np.sqrt(mean + layer.epsilon) * layer.scale
    return scaled if layer.bias is None else scaled + layer.bias


def pool(x: Array, *, is_value: bool = False) -> Array:
    mean, side = x.mean((0, 1)), np.sqrt(x.shape[0] * x.shape[1]) - 14
    last = mean * (side**2 / 100 - 0.1) if is_value else x.max((0, 1))
    return np.concatenate([mean, mean * side / 10, last])


def apply(layer: Matrix | Bias, x: Array) -> Array:
    return x @ layer.weights if isinstance(layer, Matrix) else x + layer.weights


def stack(blocks: Sequence[Block], x: Array) -> Array:
    for block in blocks:
        if isinstance(block, Attention):
            x = x + attention(block, x)
        elif isinstance(block, FeedForward):
            inner = norm(block.norm, x)
            x = x + apply(block.narrow, act("silu", apply(block.wide, inner)) * apply(block.gate, inner))
        else:
            entering = act(block.activation, norm(block.norm, x))
            middle = conv(block.conv, entering)
            if isinstance(block, Pooling):
                pooled = act(block.pool_activation, norm(block.pool_norm, conv(block.pool_conv, entering)))
                middle = middle + apply(block.pool_matrix, pool(pooled))
            if isinstance(block, Bottleneck):
                middle = stack(block.blocks, middle)
            x = x + conv(block.conv2, act(block.activation2, norm(block.norm2, middle)))
    return x


def turned(block: Attention, rows: Array, places: Array, head: int) -> Array:
    """The pairs of a head as complex numbers, turned."""
    if block.rope is None:
        return rows
    rope = block.rope[head if len(block.rope) > 1 else 0].astype(float)
    pairs = (rows[:, 0::2] + 1j * rows[:, 1::2]) * np.exp(1j * (places @ rope.T))
    return np.stack([pairs.real, pairs.imag], 2).reshape(rows.shape)


def attention(block: Attention, x: Array) -> Array:
    rows = norm(block.norm, x).reshape(-1, x.shape[2])
    places = np.array(list(np.ndindex(*x.shape[:2])), float)
    queries = np.split(apply(block.query, rows), block.query_heads, 1)
    keys, values = (np.split(apply(layer, rows), block.key_heads, 1) for layer in (block.key, block.value))
    found = []
    for number, query in enumerate(queries):
        head = number * block.key_heads // block.query_heads
        scores = (
            turned(block, query, places, head) @ turned(block, keys[head], places, head).T / np.sqrt(query.shape[1])
        )
        shares = np.exp(scores - scores.max(1, keepdims=True))
        found.append(shares / shares.sum(1, keepdims=True) @ values[head])
    return apply(block.out, np.concatenate(found, 1)).reshape(x.shape)


def outputs(model: Model, planes: Array, numbers: Array, metadata: Array = None) -> dict[str, Array]:
    """Of one board, planes x height x width, as `source` names them."""
    trunk, meta = model.trunk, model.trunk.metadata
    x = conv(trunk.conv, planes.transpose(1, 2, 0).astype(float)) + apply(trunk.matrix, numbers)
    if meta is not None:
        inner = act(meta.activation, apply(meta.bias, apply(meta.matrix, metadata)))
        x = x + apply(meta.matrix3, act(meta.activation2, apply(meta.bias2, apply(meta.matrix2, inner))))
    x = act(trunk.activation, norm(trunk.norm, stack(trunk.blocks, x)))
    return {"policy": policy(model.policy, x), **values(model.value, x)}


def policy(head: PolicyHead, x: Array) -> Array:
    pooled = pool(act(head.pool_activation, norm(head.pool_norm, conv(head.pool_conv, x))))
    points = conv(head.conv, x) + apply(head.pool_matrix, pooled)
    logits = conv(head.conv2, act(head.activation, norm(head.norm, points)))
    passing = apply(head.pass_matrix, pooled)
    if head.pass_layer:
        inner = act(head.pass_layer.activation, apply(head.pass_layer.bias, passing))
        passing = apply(head.pass_layer.matrix, inner)
    return np.concatenate([logits.reshape(-1, len(passing)), passing[None]]).T


def values(head: ValueHead, x: Array) -> dict[str, Array]:
    points = act(head.activation, norm(head.norm, conv(head.conv, x)))
    rows = act(head.activation2, apply(head.bias, apply(head.matrix, pool(points, is_value=True))))
    value, score = (
        apply(head.value_bias, apply(head.value_matrix, rows)),
        apply(head.score_bias, apply(head.score_matrix, rows)),
    )
    return {"value": value, "score": score, "ownership": conv(head.ownership, points).ravel()}
