"""A tail: the last blocks and the heads of a network that has its first blocks from another file, its base.

Two networks that differ in nothing else so need the weights of one and a little more. A tail is written as a network
of KataGo's format is (`model`), under a name that no reader of that format takes (NAME.tail.gz): its header and the
numbers of its trunk, in place of the first layers the name of the base and the SHA-256 of its file, then its blocks,
the last normalisation and the heads. The base lies beside it as BASE.bin.gz.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

from tengen.engine.evaluators.backends.base import NetworkError
from tengen.engine.evaluators.katago.blocks import Block, read_blocks
from tengen.engine.evaluators.katago.heads import PolicyHead, ValueHead, read_policy_head, read_value_head
from tengen.engine.evaluators.katago.layers import Activation, Norm, read_activation, read_batch_norm
from tengen.engine.evaluators.katago.model import Header, Model, read_header, read_parts, read_shape
from tengen.engine.evaluators.katago.stream import Damage, Reader
from tengen.engine.sentence import excerpt

ENDING = ".tail.gz"
_BASE = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}")
"""Names of bases: of files in the same folder, whatever a damaged file says."""
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, eq=False)
class Tail:
    """What a file of a tail holds. base: the name of the network that it goes on from. sha256: of that one's file."""

    header: Header
    base: str
    sha256: str
    channels: int
    blocks: tuple[Block, ...]
    norm: Norm
    activation: Activation
    policy: PolicyHead
    value: ValueHead


def tail_of(model: Model, first: int, base: str, sha256: str) -> Tail:
    """The blocks of a network from number `first` on and its heads, over the base of this name and digest. Raises
    ValueError for a name that no tail may have as its base."""
    if not _BASE.fullmatch(base):
        raise ValueError(
            f"{excerpt(base)} cannot be the name of a base: letters, digits, '-', '_' and '.' can be in it"
        )
    trunk = model.trunk
    parts = trunk.blocks[first:], trunk.norm, trunk.activation, model.policy, model.value
    return Tail(model.header, base, sha256, trunk.conv.weights.shape[3], *parts)


def is_tail(path: Path | str) -> bool:
    """Whether a file is a tail, by its name."""
    return Path(path).name.endswith(ENDING)


def parse_tail(data: bytes, name: str) -> Tail:
    """The tail of a file's bytes; its name is for the sentence. Raises NetworkError."""
    return read_parts(data, name, _tail)


def joined(base: Model, tail: Tail, name: str) -> Model:
    """The base's blocks, then the tail's. Raises NetworkError where they do not fit."""
    trunk, channels = base.trunk, base.trunk.conv.weights.shape[3]
    if channels != tail.channels or replace(base.header, name=tail.header.name) != tail.header:
        raise NetworkError(f"the network {excerpt(name, 100)} does not fit the one that it goes on from")
    whole = replace(trunk, blocks=trunk.blocks + tail.blocks, norm=tail.norm, activation=tail.activation)
    return Model(tail.header, whole, tail.policy, tail.value)


def _tail(reader: Reader) -> Tail:
    header = read_header(reader)
    reader.word("the name of the trunk")
    count, channels = read_shape(reader)
    base, digest = reader.word("the name of its base"), reader.word("the SHA-256 of its base")
    if not _BASE.fullmatch(base) or not _SHA256.fullmatch(digest):
        raise Damage("it does not say which network it goes on from")
    blocks = read_blocks(reader, count, channels)
    norm = read_batch_norm(reader, channels)
    activation = read_activation(reader)
    policy, value = read_policy_head(reader, channels), read_value_head(reader, channels)
    return Tail(header, base, digest, channels, blocks, norm, activation, policy, value)
