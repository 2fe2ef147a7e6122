"""Writing a network as a file of KataGo's format (`.bin.gz`): what `engine/evaluators/katago` reads, in its order.

https://github.com/lightvector/KataGo. Left out: the blocks of attention and the nested ones, which nothing here trains.
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tengen.engine.atomic import write
from tengen.engine.evaluators.katago.blocks import Block, Pooling, Residual
from tengen.engine.evaluators.katago.heads import DEEP_PASS, MORE_OPTIONS, PolicyHead, ValueHead
from tengen.engine.evaluators.katago.layers import (
    ACTIVATIONS,
    NAMED_ACTIVATIONS,
    Activation,
    BatchNorm,
    Bias,
    Conv,
    Matrix,
    RmsNorm,
)
from tengen.engine.evaluators.katago.model import GLOBALS, PLANES, Header, MetaEncoder, Model, Trunk
from tengen.engine.evaluators.katago.tail import Tail
from tengen.nets.cards import write_card

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

WITH_SCALES, WITH_METADATA = 13, 15
"""The versions from which on the header says the scales of the outputs, and what else the network takes."""
_WORDS: Mapping[Activation, str] = {kind: word for word, kind in ACTIVATIONS.items()}


class Writer:
    """Collects the bytes of a file. Each part that `write` takes has a method, by the name of its class."""

    def __init__(self, version: int, *, is_text: bool = False) -> None:
        self.version, self.is_text = version, is_text
        self.data = bytearray()

    def words(self, *words: object) -> None:
        """A line each; flags are 0 and 1."""
        self.data += "".join(f"{int(word) if isinstance(word, bool) else word}\n" for word in words).encode()

    def array(self, values: NDArray[float32]) -> None:
        """The weights of a layer."""
        if self.is_text:
            self.words(" ".join(f"{value:.9g}" for value in values.ravel()))
        else:
            self.data += b"@BIN@" + values.astype("<f4").tobytes() + b"\n"

    def write(self, *parts: Any) -> None:
        """Write layers and blocks in the order of the file; None is left out."""
        for part in parts:
            if part is not None:
                getattr(self, f"_{type(part).__name__.lower()}")(part)

    def _str(self, kind: Activation) -> None:
        self.words("activation", *([_WORDS[kind]] if self.version >= NAMED_ACTIVATIONS else []))

    def _conv(self, layer: Conv) -> None:
        self.words(layer.name, *layer.weights.shape, *layer.dilation)
        self.array(layer.weights)

    def _matrix(self, layer: Matrix | Bias) -> None:
        self.words(layer.name, *layer.weights.shape)
        self.array(layer.weights)

    _bias = _matrix

    def _batchnorm(self, layer: BatchNorm) -> None:
        self.words(layer.name, len(layer.mean), layer.epsilon, layer.scale is not None, layer.bias is not None)
        for values in (layer.mean, layer.variance, layer.scale, layer.bias):
            if values is not None:
                self.array(values)

    def _residual(self, block: Residual) -> None:
        self.words("ordinary_block", block.name)
        self.write(block.norm, block.activation, block.conv, block.norm2, block.activation2, block.conv2)

    def _pooling(self, block: Pooling) -> None:
        self.words("gpool_block", block.name)
        self.write(block.norm, block.activation, block.conv)
        self.write(block.pool_conv, block.pool_norm, block.pool_activation, block.pool_matrix)
        self.write(block.norm2, block.activation2, block.conv2)

    def _header(self, header: Header) -> None:
        self.words(header.name, header.version, PLANES, GLOBALS)
        if header.version >= WITH_SCALES:
            scales = header.scales
            self.words(scales.td_score, scales.score_mean, scales.score_stdev, scales.lead, scales.variance_time)
            self.words(scales.shortterm_value_error, scales.shortterm_score_error)
        if header.version >= WITH_METADATA:
            self.words(header.has_metadata, header.has_suicide_life, *[0] * 6)

    def _trunk(self, trunk: Trunk) -> None:
        channels = trunk.conv.weights.shape[3]
        regular, pooled = _channels(trunk.blocks, channels)
        self.words(trunk.name, len(trunk.blocks), channels, channels, regular, regular, pooled)
        if self.version >= WITH_METADATA:
            self.words(isinstance(trunk.norm, RmsNorm), *[0] * 5)
        metadata: MetaEncoder | None = trunk.metadata
        self.write(trunk.conv, trunk.matrix, metadata, *trunk.blocks, trunk.norm, trunk.activation)

    def _policyhead(self, head: PolicyHead) -> None:
        self.words(head.name, *([head.conv2.weights.shape[3], 0, 0, 0] if self.version >= MORE_OPTIONS else []))
        self.write(head.conv, head.pool_conv, head.pool_norm, head.pool_activation, head.pool_matrix)
        self.write(head.norm, head.activation, head.conv2, head.pass_matrix)
        if self.version >= DEEP_PASS and head.pass_layer is not None:
            self.write(head.pass_layer.bias, head.pass_layer.activation, head.pass_layer.matrix)

    def _valuehead(self, head: ValueHead) -> None:
        self.words(head.name, *([0, 0, 0] if self.version >= MORE_OPTIONS else []))
        self.write(head.conv, head.norm, head.activation, head.matrix, head.bias, head.activation2)
        self.write(head.value_matrix, head.value_bias, head.score_matrix, head.score_bias, head.ownership)


def _channels(blocks: tuple[Block, ...], channels: int) -> tuple[int, int]:
    """What a header says of blocks that pool: channels that go on, channels that are pooled. Neither may be 0."""
    pools = [block for block in blocks if isinstance(block, Pooling)]
    if not pools:
        return channels, channels
    return pools[0].conv.weights.shape[3], pools[0].pool_conv.weights.shape[3]


def file_of(model: Model, writer: Writer | None = None, *, is_packed: bool = True) -> bytes:
    """The bytes of a network's file: the same for the same network."""
    writer = writer or Writer(model.header.version)
    writer.write(model.header, model.trunk, model.policy, model.value)
    return gzip.compress(bytes(writer.data), mtime=0) if is_packed else bytes(writer.data)


def tail_file_of(tail: Tail) -> bytes:
    """The bytes of a tail's file: the same for the same tail. Raises ValueError for a version that has none."""
    writer = Writer(tail.header.version)
    if writer.version >= WITH_METADATA or isinstance(tail.norm, RmsNorm):
        raise ValueError(f"a tail is of a version before {WITH_METADATA}, not {writer.version}")
    writer.write(tail.header)
    writer.words("trunk", len(tail.blocks), tail.channels, tail.base, tail.sha256)
    writer.write(*tail.blocks, tail.norm, tail.activation, tail.policy, tail.value)
    return gzip.compress(bytes(writer.data), mtime=0)


def save(model: Model, path: Path, card: Mapping[str, object]) -> None:
    """Write `path` (.bin.gz), whole or not at all, and the card beside it, to which the hash is added."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write(path, file_of(model))
    write_card(path, card)
