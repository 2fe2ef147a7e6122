"""A whole KataGo network: header, trunk and heads, as `reading.read_model` finds them in a file of versions 8 to 17.

A file of a later version is read like one of the last that is known: its blocks say what they are, options that it
turns on are refused, and so is a file with more in it than was read.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeVar

from tengen.engine import files
from tengen.engine.evaluators.backends.base import NetworkError
from tengen.engine.evaluators.katago.blocks import MOST_BLOCKS, Block, read_blocks
from tengen.engine.evaluators.katago.heads import PolicyHead, ValueHead, options, read_policy_head, read_value_head
from tengen.engine.evaluators.katago.layers import (
    Activation,
    Bias,
    Conv,
    Matrix,
    Norm,
    agree,
    read_activation,
    read_batch_norm,
    read_bias,
    read_conv,
    read_matrix,
    read_rms_norm,
)
from tengen.engine.evaluators.katago.stream import Damage, Reader, Unknown, unpacked
from tengen.engine.sentence import excerpt, printable

OLDEST, NEWEST = 8, 17
"""Versions of the format: those before take other inputs, those after are read like the last."""
PLANES, GLOBALS = 22, 19
"""The numbers of input features V7; all versions take them."""
METADATA = 192
"""Numbers about the players, which networks that imitate people take too (`MetaEncoder`)."""
LARGEST_VERSION = 1000
GLANCE = 1 << 16
"""Bytes of a file that hold its header, and more."""


@dataclass(frozen=True)
class Scales:
    """The factors of the outputs (`answers`). In files from version 13 on; before, these."""

    td_score: float = 20.0
    score_mean: float = 20.0
    score_stdev: float = 20.0
    lead: float = 20.0
    variance_time: float = 40.0
    shortterm_value_error: float = 0.25
    shortterm_score_error: float = 30.0


@dataclass(frozen=True, eq=False)
class MetaEncoder:
    """The encoder that turns facts about the players into a bias for the trunk: matrix, bias and activation, twice, and
    a matrix."""

    name: str
    matrix: Matrix
    bias: Bias
    activation: Activation
    matrix2: Matrix
    bias2: Bias
    activation2: Activation
    matrix3: Matrix


@dataclass(frozen=True, eq=False)
class Trunk:
    """Planes by a convolution, globals by a matrix, added; blocks; a last normalisation."""

    name: str
    conv: Conv
    matrix: Matrix
    metadata: MetaEncoder | None
    blocks: tuple[Block, ...]
    norm: Norm
    activation: Activation


@dataclass(frozen=True)
class Header:
    """The facts about a network that are known without its weights.

    has_metadata: it takes METADATA too. has_suicide_life: it wants what is alive without answering judged as if suicide
    were legal, whatever the rules.
    """

    name: str
    version: int
    scales: Scales = Scales()
    has_metadata: bool = False
    has_suicide_life: bool = False


@dataclass(frozen=True, eq=False)
class Model:
    """A network as its file has it."""

    header: Header
    trunk: Trunk
    policy: PolicyHead
    value: ValueHead


class Glance(NamedTuple):
    """The facts at the beginning of a network file. blocks and channels are those of the trunk."""

    header: Header
    blocks: int
    channels: int


def glance(path: Path | str) -> Glance:
    """Read the facts at the beginning of a network file: enough to list it. Raises NetworkError."""
    try:
        with files.open_regular(path) as file:
            data = file.read(GLANCE)
    except OSError as error:
        raise unreadable(path, error) from None
    return read_parts(data, Path(path).name, _glance, is_whole=False)


def untold(name: str) -> NetworkError:
    """Return the error for a human network (`Header.has_metadata`) without a profile of the players."""
    return NetworkError(
        f"the network {excerpt(name, 100)} imitates people and has to be told of the players: humanSLProfile "
        "(--human-profile), such as rank_5k, in 'tengen gtp' and 'tengen analysis'"
    )


def parse_model(data: bytes, name: str | os.PathLike[str]) -> Model:
    """The network of a file's bytes; its name is for the sentence. Raises NetworkError."""
    return read_parts(data, name, _model)


T = TypeVar("T")


def read_parts(data: bytes, name: str | os.PathLike[str], take: Callable[[Reader], T], *, is_whole: bool = True) -> T:
    """What is taken off the bytes of a file; of a whole one nothing may be left. Raises NetworkError."""
    try:
        reader = Reader(unpacked(data, is_whole=is_whole))
        taken = take(reader)
        if is_whole:
            reader.end()
    except Damage as damage:
        raise NetworkError(
            f"the network {excerpt(os.fspath(name), 100)} cannot be used: {damage}; {damage.hint}"
        ) from None
    return taken


def _glance(reader: Reader) -> Glance:
    header = read_header(reader)
    reader.word("the name of the trunk")
    return Glance(header, *read_shape(reader))


def unreadable(path: Path | str, error: OSError) -> NetworkError:
    """Return the error for a file that the system does not let be read."""
    return NetworkError(f"cannot read the network {excerpt(Path(path).name, 100)}: {files.reason(error)}")


def _model(reader: Reader) -> Model:
    header = read_header(reader)
    trunk = _trunk(reader, header.has_metadata)
    channels = trunk.conv.weights.shape[3]
    return Model(header, trunk, read_policy_head(reader, channels), read_value_head(reader, channels))


def read_header(reader: Reader) -> Header:
    """The first words of a file. Raises Damage."""
    try:
        name = printable(reader.word("the name of the network"), 100)
        version = reader.version = reader.integer("the version", 0, LARGEST_VERSION)
    except Damage:
        raise Damage("it does not begin with a name and a version of KataGo's format") from None
    if version < OLDEST:
        raise Unknown(f"it is of version {version}, which takes other inputs; versions {OLDEST} to {NEWEST} are known")
    for what, wanted in (("input planes", PLANES), ("input globals", GLOBALS)):
        got = reader.integer(f"the number of {what}", 1)
        if got != wanted:
            raise Unknown(f"it is of version {version} with {got} {what}; those known have {wanted}")
    scales = Scales(*(reader.positive("a scale of the outputs") for _ in range(7))) if version >= 13 else Scales()
    if version < 15:
        return Header(name, version, scales)
    encoder = reader.integer("the version of the metadata encoder", 0, LARGEST_VERSION)
    if encoder > 1:
        raise Unknown(f"version {version} has a metadata encoder of version {encoder}, which is unknown")
    has_suicide_life = reader.flag("a flag of the network")
    options(reader, 6, "the network")
    return Header(name, version, scales, bool(encoder), has_suicide_life)


def read_shape(reader: Reader) -> tuple[int, int]:
    """Blocks and channels of the trunk, behind its name."""
    return reader.integer("the number of blocks", 1, MOST_BLOCKS), reader.integer("the channels of the trunk")


def _trunk(reader: Reader, has_metadata: bool) -> Trunk:
    name = reader.word("the name of the trunk")
    count, channels = read_shape(reader)
    for what in ("middle", "regular", "dilated", "pooled"):
        reader.integer(f"the {what} channels", 0)
    has_rms = False
    if reader.version >= 15:
        kind = reader.integer("the kind of normalisation of the trunk", 0)
        if kind > 1:
            raise Unknown(f"version {reader.version} has a trunk with a normalisation of the unknown kind {kind}")
        has_rms = kind == 1
        options(reader, 5, "the trunk")
    conv = read_conv(reader, PLANES)
    agree("the first convolution", conv.weights.shape[3], channels)
    matrix = read_matrix(reader, GLOBALS, channels)
    metadata = _metadata(reader, channels) if has_metadata else None
    blocks = read_blocks(reader, count, channels)
    norm = read_rms_norm(reader, channels, is_tip=True) if has_rms else read_batch_norm(reader, channels)
    return Trunk(name, conv, matrix, metadata, blocks, norm, read_activation(reader))


def _metadata(reader: Reader, channels: int) -> MetaEncoder:
    name = reader.word("the name of the metadata encoder")
    agree("the metadata encoder", reader.integer("the inputs of the metadata encoder"), METADATA)
    matrix = read_matrix(reader, METADATA)
    inner = matrix.weights.shape[1]
    bias, activation, matrix2 = read_bias(reader, inner), read_activation(reader), read_matrix(reader, inner)
    inner2 = matrix2.weights.shape[1]
    bias2, activation2 = read_bias(reader, inner2), read_activation(reader)
    return MetaEncoder(
        name, matrix, bias, activation, matrix2, bias2, activation2, read_matrix(reader, inner2, channels)
    )
