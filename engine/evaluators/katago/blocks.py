"""The kinds of block that a trunk is made of, and how each is read. A new kind is a class, a function and a line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tengen.engine.evaluators.katago.layers import (
    Activation,
    Conv,
    Matrix,
    Norm,
    RmsNorm,
    agree,
    read_activation,
    read_batch_norm,
    read_conv,
    read_matrix,
    read_rms_norm,
)
from tengen.engine.evaluators.katago.stream import Damage, Reader, Unknown
from tengen.engine.sentence import excerpt

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

DEEPEST = 4
"""Stacks within stacks: nobody has made a network with more than 2."""
MOST_BLOCKS = 1000


@dataclass(frozen=True, eq=False)
class Residual:
    """Normalise, activate, convolve, twice; added to what came in."""

    name: str
    norm: Norm
    activation: Activation
    conv: Conv
    norm2: Norm
    activation2: Activation
    conv2: Conv


@dataclass(frozen=True, eq=False)
class Pooling:
    """A residual block whose middle gets a bias from the whole board: mean, mean by size, and maximum of channels."""

    name: str
    norm: Norm
    activation: Activation
    conv: Conv
    pool_conv: Conv
    pool_norm: Norm
    pool_activation: Activation
    pool_matrix: Matrix
    norm2: Norm
    activation2: Activation
    conv2: Conv


@dataclass(frozen=True, eq=False)
class Bottleneck:
    """A residual block with a stack of blocks between its two convolutions, on fewer channels."""

    name: str
    norm: Norm
    activation: Activation
    conv: Conv
    blocks: tuple[Block, ...]
    norm2: Norm
    activation2: Activation
    conv2: Conv


@dataclass(frozen=True, eq=False)
class Attention:
    """Attention of every point to every point. Each of the key heads serves query heads // key heads of the others.

    rope: angle a step of y and a step of x, key heads (or 1 for all) x pairs of a query's channels x 2; None: positions
    are not told.
    """

    name: str
    query_heads: int
    key_heads: int
    norm: RmsNorm
    query: Matrix
    key: Matrix
    value: Matrix
    out: Matrix
    rope: NDArray[float32] | None


@dataclass(frozen=True, eq=False)
class FeedForward:
    """(silu(x wide) * (x gate)) narrow, added to what came in (SwiGLU)."""

    name: str
    norm: RmsNorm
    wide: Matrix
    gate: Matrix
    narrow: Matrix


Block = Residual | Pooling | Bottleneck | Attention | FeedForward


def read_blocks(reader: Reader, count: int, channels: int, depth: int = 0) -> tuple[Block, ...]:
    """A stack of so many blocks on so many channels. Raises Damage."""
    if depth > DEEPEST:
        raise Damage(f"its blocks are nested more than {DEEPEST} deep")
    found: list[Block] = []
    for _ in range(count):
        kind = reader.word("the kind of a block")
        if kind not in _KINDS:
            known = ", ".join(_KINDS)
            raise Unknown(
                f"version {reader.version} has a block of an unknown kind {excerpt(kind, 60)}; there are {known}"
            )
        found.append(_KINDS[kind](reader, channels, depth))
    return tuple(found)


def _residual(reader: Reader, channels: int, depth: int) -> Residual:
    name = reader.word("the name of a block")
    norm, activation, conv = read_batch_norm(reader, channels), read_activation(reader), read_conv(reader, channels)
    return Residual(name, norm, activation, conv, *_second_half(reader, conv.weights.shape[3], channels))


def _pooling(reader: Reader, channels: int, depth: int) -> Pooling:
    name = reader.word("the name of a block")
    norm, activation, conv = read_batch_norm(reader, channels), read_activation(reader), read_conv(reader, channels)
    middle = conv.weights.shape[3]
    pool_conv = read_conv(reader, channels)
    pooled = pool_conv.weights.shape[3]
    pool_norm, pool_activation = read_batch_norm(reader, pooled), read_activation(reader)
    matrix = read_matrix(reader, 3 * pooled, middle)
    second = _second_half(reader, middle, channels)
    return Pooling(name, norm, activation, conv, pool_conv, pool_norm, pool_activation, matrix, *second)


def _bottleneck(reader: Reader, channels: int, depth: int) -> Bottleneck:
    name = reader.word("the name of a block")
    count = reader.integer(f"the number of blocks of {excerpt(name, 60)}", 1, MOST_BLOCKS)
    norm, activation, conv = read_batch_norm(reader, channels), read_activation(reader), read_conv(reader, channels)
    middle = conv.weights.shape[3]
    blocks = read_blocks(reader, count, middle, depth + 1)
    return Bottleneck(name, norm, activation, conv, blocks, *_second_half(reader, middle, channels))


def _second_half(reader: Reader, middle: int, channels: int) -> tuple[Norm, Activation, Conv]:
    norm, activation, conv = read_batch_norm(reader, middle), read_activation(reader), read_conv(reader, middle)
    agree(f"convolution {excerpt(conv.name, 60)}", conv.weights.shape[3], channels)
    return norm, activation, conv


def _attention(reader: Reader, channels: int, depth: int) -> Attention:
    name = reader.word("the name of a block")
    what = f"block {excerpt(name, 60)}"
    heads, keys = (reader.integer(f"the heads of {what}", 1, 1024) for _ in range(2))
    if heads % keys:
        raise Damage(f"{what} has {heads} heads of queries for {keys} of keys")
    query_size, value_size = (reader.integer(f"the size of a head of {what}", 1, 4096) for _ in range(2))
    has_rope, is_learned = (reader.flag(f"a flag of {what}") for _ in range(2))
    if has_rope and query_size % 2:
        raise Damage(f"{what} rotates heads of an odd size")
    norm = read_rms_norm(reader, channels)
    query = read_matrix(reader, channels, heads * query_size)
    key = read_matrix(reader, channels, keys * query_size)
    value = read_matrix(reader, channels, keys * value_size)
    out = read_matrix(reader, heads * value_size, channels)
    rope = (_learned_rope if is_learned else _fixed_rope)(reader, keys, query_size // 2) if has_rope else None
    return Attention(name, heads, keys, norm, query, key, value, out, rope)


def _learned_rope(reader: Reader, keys: int, pairs: int) -> NDArray[float32]:
    """The file has x before y."""
    name = reader.word("the name of rotary frequencies")
    what = f"rotary frequencies {excerpt(name, 60)}"
    for wanted in (keys, pairs, 2):
        agree(what, reader.integer(f"the size of {what}"), wanted)
    return reader.floats(what, keys, pairs, 2)[:, :, ::-1]


def _fixed_rope(reader: Reader, keys: int, pairs: int) -> NDArray[float32]:
    """The first half of the pairs turns with y, the other with x, each slower by a factor than the one before."""
    import numpy as np

    name = reader.word("the name of a rotary base")
    base = reader.positive(f"the rotary base {excerpt(name, 60)}")
    rope = np.zeros((1, pairs, 2), np.float32)
    rows = pairs // 2
    for axis, first, count in ((0, 0, rows), (1, rows, pairs - rows)):
        rope[0, first : first + count, axis] = base ** (-2 * np.arange(count) / pairs)
    return rope


def _feed_forward(reader: Reader, channels: int, depth: int) -> FeedForward:
    name = reader.word("the name of a block")
    what = f"block {excerpt(name, 60)}"
    agree(what, reader.integer(f"the channels of {what}"), channels)
    inner = reader.integer(f"the channels of {what}")
    if not reader.flag(f"a flag of {what}"):
        raise Unknown(f"{what} of version {reader.version} is a feed-forward block without SwiGLU, which is unknown")
    norm = read_rms_norm(reader, channels)
    wide, gate = (read_matrix(reader, channels, inner) for _ in range(2))
    return FeedForward(name, norm, wide, gate, read_matrix(reader, inner, channels))


_KINDS: dict[str, Callable[[Reader, int, int], Block]] = {
    "ordinary_block": _residual,
    "gpool_block": _pooling,
    "nested_bottleneck_block": _bottleneck,
    "transformer_attention_block": _attention,
    "transformer_ffn_block": _feed_forward,
}
