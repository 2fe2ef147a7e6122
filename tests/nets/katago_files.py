"""Tiny KataGo networks with random weights, and their files: binary or text, any version from 8 to 17, any block."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tengen.engine.evaluators.katago.blocks import Attention, Block, Bottleneck, FeedForward, Pooling, Residual
from tengen.engine.evaluators.katago.heads import PassLayer, PolicyHead, ValueHead
from tengen.engine.evaluators.katago.layers import Activation, BatchNorm, Bias, Conv, Matrix, RmsNorm
from tengen.engine.evaluators.katago.model import GLOBALS, METADATA, PLANES, Header, MetaEncoder, Model, Scales, Trunk
from tengen.nets import katago_file

CHANNELS, MIDDLE, POOLED = 8, 6, 4
BLOCKS = ("ordinary", "pooling", "bottleneck", "learned", "fixed", "plain", "feed_forward")


class Maker:
    """Random layers; `activation` is that of all."""

    def __init__(self, seed: int, activation: Activation) -> None:
        self.random = np.random.default_rng(seed)
        self.activation = activation
        self.count = 0

    def name(self) -> str:
        self.count += 1
        return f"layer{self.count}"

    def numbers(self, *shape: int, scale: float = 0.5) -> NDArray[np.float32]:
        return (self.random.normal(size=shape) * scale).astype(np.float32)

    def conv(self, inputs: int, outputs: int, side: int = 3, dilation: int = 1) -> Conv:
        weights = self.numbers(side, side, inputs, outputs, scale=1 / (side * inputs**0.5))
        return Conv(self.name(), weights, (dilation, dilation))

    def matrix(self, inputs: int, outputs: int) -> Matrix:
        return Matrix(self.name(), self.numbers(inputs, outputs, scale=1 / inputs**0.5))

    def bias(self, channels: int) -> Bias:
        return Bias(self.name(), self.numbers(channels))

    def norm(self, channels: int, *, has_scale: bool = True) -> BatchNorm:
        variance = np.abs(self.numbers(channels)) + np.float32(0.5)
        scale = 1 + self.numbers(channels, scale=0.1) if has_scale else None
        return BatchNorm(self.name(), 0.001, self.numbers(channels), variance, scale, self.numbers(channels))

    def rms(self, channels: int) -> RmsNorm:
        return RmsNorm(self.name(), 1e-6, 1 + self.numbers(channels, scale=0.1))

    def blocks(self, kinds: tuple[str, ...], channels: int = CHANNELS) -> tuple[Block, ...]:
        return tuple(self.block(kind, channels) for kind in kinds)

    def block(self, kind: str, channels: int) -> Block:
        act = self.activation
        if kind == "feed_forward":
            wide, gate, narrow = self.matrix(channels, 10), self.matrix(channels, 10), self.matrix(10, channels)
            return FeedForward(self.name(), self.rms(channels), wide, gate, narrow)
        if kind in ("learned", "fixed", "plain"):
            return self.attention(kind, channels)
        first = self.name(), self.norm(channels, has_scale=False), act, self.conv(channels, MIDDLE, 3)
        second = self.norm(MIDDLE), act, self.conv(MIDDLE, channels)
        if kind == "bottleneck":
            inner = self.blocks(("ordinary", "learned", "feed_forward", "pooling"), MIDDLE)
            return Bottleneck(*first[:3], self.conv(channels, MIDDLE, 1), inner, *second)
        if kind == "pooling":
            pool = self.conv(channels, POOLED, 3, 2), self.norm(POOLED), act, self.matrix(3 * POOLED, MIDDLE)
            return Pooling(*first, *pool, *second)
        return Residual(*first, *second)

    def attention(self, kind: str, channels: int) -> Attention:
        heads, keys, size, value_size = 4, 2, 6, 3
        ropes = {"learned": self.numbers(keys, size // 2, 2), "fixed": fixed_rope(size // 2), "plain": None}
        return Attention(
            self.name(), heads, keys, self.rms(channels), self.matrix(channels, heads * size),
            self.matrix(channels, keys * size), self.matrix(channels, keys * value_size),
            self.matrix(heads * value_size, channels), ropes[kind],
        )  # fmt: skip


BASE = 100.0


def fixed_rope(pairs: int) -> NDArray[np.float32]:
    """Of 3 pairs: one turns with y by 1, two with x by 1 and by 100 ** (-2 / 3)."""
    assert pairs == 3
    return np.array([[[1, 0], [0, 1], [0, BASE ** (-2 / 3)]]], np.float32)


def network(
    kinds: tuple[str, ...],
    version: int,
    *,
    activation: Activation = "mish",
    norm: str = "batch",
    has_metadata: bool = False,
    policies: int = 2,
) -> Model:
    """A network of these blocks. norm: at the tip of the trunk, batch, rms or spatial."""
    make = Maker(len(kinds) + version, activation)
    act = activation
    tip = make.norm(CHANNELS)
    tips = {
        "batch": tip,
        **{
            n: replace(make.rms(CHANNELS), bias=make.numbers(CHANNELS), is_spatial=n == "spatial")
            for n in ("rms", "spatial")
        },
    }
    encoder = MetaEncoder(
        "meta",
        make.matrix(METADATA, 5),
        make.bias(5),
        act,
        make.matrix(5, 7),
        make.bias(7),
        act,
        make.matrix(7, CHANNELS),
    )
    trunk = Trunk(
        "trunk", make.conv(PLANES, CHANNELS, 5), make.matrix(GLOBALS, CHANNELS), encoder if has_metadata else None,
        make.blocks(kinds), tips[norm], act,
    )  # fmt: skip
    outputs = policies if version >= 17 else 4 if version == 16 else 2 if version >= 12 else 1
    deep = PassLayer(make.bias(MIDDLE), act, make.matrix(MIDDLE, outputs)) if version >= 15 else None
    policy = PolicyHead(
        "policy", make.conv(CHANNELS, MIDDLE, 1), make.conv(CHANNELS, POOLED, 1), make.norm(POOLED), act,
        make.matrix(3 * POOLED, MIDDLE), make.norm(MIDDLE), act, make.conv(MIDDLE, outputs, 1),
        make.matrix(3 * POOLED, MIDDLE if deep else outputs), deep,
    )  # fmt: skip
    scores = 6 if version >= 9 else 4
    value = ValueHead(
        "value", make.conv(CHANNELS, MIDDLE, 1), make.norm(MIDDLE), act, make.matrix(3 * MIDDLE, 9), make.bias(9), act,
        make.matrix(9, 3), make.bias(3), make.matrix(9, scores), make.bias(scores), make.conv(MIDDLE, 1, 1),
    )  # fmt: skip
    scales = Scales(21.0, 22.0, 23.0, 24.0, 41.0, 0.5, 60.0) if version >= 13 else Scales()
    return Model(Header("tiny-net", version, scales, has_metadata, version >= 15), trunk, policy, value)


class Writer(katago_file.Writer):
    """Writes what no network of ours has, too."""

    def _rmsnorm(self, layer: RmsNorm) -> None:
        self.words(layer.name, len(layer.scale), layer.epsilon)
        if layer.bias is not None:
            self.words(layer.is_spatial, 0)
        self.array(layer.scale)
        if layer.bias is not None:
            self.array(layer.bias)

    def _bottleneck(self, b: Bottleneck) -> None:
        self.words("nested_bottleneck_block", b.name, len(b.blocks))
        self.write(b.norm, b.activation, b.conv, *b.blocks, b.norm2, b.activation2, b.conv2)

    def _attention(self, b: Attention) -> None:
        size, value_size = b.query.weights.shape[1] // b.query_heads, b.value.weights.shape[1] // b.key_heads
        is_learned = b.rope is not None and len(b.rope) == b.key_heads
        self.words("transformer_attention_block", b.name, b.query_heads, b.key_heads, size, value_size)
        self.words(b.rope is not None, is_learned)
        self.write(b.norm, b.query, b.key, b.value, b.out)
        if b.rope is not None and is_learned:
            self.words("freqs", *b.rope.shape)
            self.array(b.rope[:, :, ::-1])  # x before y
        elif b.rope is not None:
            self.words("theta", BASE)

    def _feedforward(self, b: FeedForward) -> None:
        self.words("transformer_ffn_block", b.name, len(b.wide.weights), b.wide.weights.shape[1], 1)
        self.write(b.norm, b.wide, b.gate, b.narrow)

    def _metaencoder(self, m: MetaEncoder) -> None:
        self.words(m.name, METADATA)
        self.write(m.matrix, m.bias, m.activation, m.matrix2, m.bias2, m.activation2, m.matrix3)


def file_of(model: Model, *, is_text: bool = False, is_packed: bool = True) -> bytes:
    """The bytes of its file."""
    return katago_file.file_of(model, Writer(model.header.version, is_text=is_text), is_packed=is_packed)
