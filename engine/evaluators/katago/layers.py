"""The layers that KataGo's blocks are made of, as they stand in a file. Weights are float32, read-only views of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from tengen.engine.evaluators.katago.stream import Damage, Reader, Unknown
from tengen.engine.sentence import excerpt

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

Activation = Literal["identity", "relu", "mish", "silu"]
ACTIVATIONS: dict[str, Activation] = {
    "ACTIVATION_IDENTITY": "identity",
    "ACTIVATION_RELU": "relu",
    "ACTIVATION_MISH": "mish",
    "ACTIVATION_SILU": "silu",
}
NAMED_ACTIVATIONS = 11
"""The version from which on activations have kinds; before all are relu."""
LARGEST_KERNEL = 31


@dataclass(frozen=True, eq=False)
class Conv:
    """A convolution without bias, "same" padding. weights: y, x, inputs, outputs."""

    name: str
    weights: NDArray[float32]
    dilation: tuple[int, int]


@dataclass(frozen=True, eq=False)
class Matrix:
    """weights: inputs x outputs."""

    name: str
    weights: NDArray[float32]


@dataclass(frozen=True, eq=False)
class Bias:
    """Added to every channel."""

    name: str
    weights: NDArray[float32]


@dataclass(frozen=True, eq=False)
class BatchNorm:
    """(x - mean) / sqrt(variance + epsilon) * scale + bias, a channel."""

    name: str
    epsilon: float
    mean: NDArray[float32]
    variance: NDArray[float32]
    scale: NDArray[float32] | None
    bias: NDArray[float32] | None

    def merged(self) -> tuple[NDArray[float32], NDArray[float32]]:
        """Return the factors and the offsets of the merged layers."""
        import numpy as np

        factor = 1 / np.sqrt(self.variance.astype(np.float64) + self.epsilon)
        if self.scale is not None:
            factor = factor * self.scale
        offset = -factor * self.mean if self.bias is None else self.bias - factor * self.mean
        return factor.astype(np.float32), offset.astype(np.float32)


@dataclass(frozen=True, eq=False)
class RmsNorm:
    """x / sqrt(mean of squares + epsilon) * scale + bias; the mean is over the channels of a point or, spatial, of all
    points of the board."""

    name: str
    epsilon: float
    scale: NDArray[float32]
    bias: NDArray[float32] | None = None
    is_spatial: bool = False


Norm = BatchNorm | RmsNorm


def read_conv(reader: Reader, inputs: int | None = None) -> Conv:
    """A convolution; of so many channels, if that is known."""
    name = reader.word("the name of a convolution")
    what = f"convolution {excerpt(name, 60)}"
    height, width = (reader.integer(f"the size of {what}", 1, LARGEST_KERNEL) for _ in range(2))
    if not height % 2 or not width % 2:
        raise Damage(f"the size of {what} is even")
    entering, leaving = (reader.integer(f"the channels of {what}") for _ in range(2))
    agree(what, entering, inputs)
    dilation = reader.integer(f"the dilation of {what}", 1, 8), reader.integer(f"the dilation of {what}", 1, 8)
    return Conv(name, reader.floats(what, height, width, entering, leaving), dilation)


def read_matrix(reader: Reader, inputs: int | None = None, outputs: int | None = None) -> Matrix:
    """A matrix; of so many channels, if that is known."""
    name = reader.word("the name of a matrix")
    what = f"matrix {excerpt(name, 60)}"
    entering, leaving = (reader.integer(f"the channels of {what}") for _ in range(2))
    agree(what, entering, inputs)
    agree(what, leaving, outputs)
    return Matrix(name, reader.floats(what, entering, leaving))


def read_bias(reader: Reader, channels: int) -> Bias:
    """A bias for so many channels."""
    name = reader.word("the name of a bias")
    what = f"bias {excerpt(name, 60)}"
    agree(what, reader.integer(f"the channels of {what}"), channels)
    return Bias(name, reader.floats(what, channels))


def read_batch_norm(reader: Reader, channels: int) -> BatchNorm:
    """A normalisation of so many channels."""
    name = reader.word("the name of a normalisation")
    what = f"normalisation {excerpt(name, 60)}"
    agree(what, reader.integer(f"the channels of {what}"), channels)
    epsilon = reader.positive(f"the epsilon of {what}")
    has_scale, has_bias = (reader.flag(f"a flag of {what}") for _ in range(2))
    mean, variance = (reader.floats(what, channels) for _ in range(2))
    scale = reader.floats(what, channels) if has_scale else None
    bias = reader.floats(what, channels) if has_bias else None
    if (variance < 0).any():
        raise Damage(f"{what} has a variance below 0")
    return BatchNorm(name, epsilon, mean, variance, scale, bias)


def read_rms_norm(reader: Reader, channels: int, *, is_tip: bool = False) -> RmsNorm:
    """A root-mean-square normalisation: the short form of a transformer's blocks, or the long one of a trunk's tip."""
    name = reader.word("the name of a normalisation")
    what = f"normalisation {excerpt(name, 60)}"
    agree(what, reader.integer(f"the channels of {what}"), channels)
    epsilon = reader.positive(f"the epsilon of {what}")
    if not is_tip:
        return RmsNorm(name, epsilon, reader.floats(what, channels))
    is_spatial = reader.flag(f"a flag of {what}")
    if reader.integer(f"the groups of {what}", 0):
        raise Unknown(f"{what} is of version {reader.version} and normalises channels in groups, which is unknown here")
    return RmsNorm(name, epsilon, reader.floats(what, channels), reader.floats(what, channels), is_spatial)


def read_activation(reader: Reader) -> Activation:
    """Read the activation that follows a normalisation."""
    name = reader.word("the name of an activation")
    if reader.version < NAMED_ACTIVATIONS:
        return "relu"
    kind = reader.word(f"the kind of activation {excerpt(name, 60)}")
    if kind not in ACTIVATIONS:
        raise Unknown(f"version {reader.version} has an activation of an unknown kind {excerpt(kind, 60)}")
    return ACTIVATIONS[kind]


def agree(what: str, got: int, wanted: int | None) -> None:
    """Raise Damage unless the channels are what the layers around need."""
    if wanted is not None and got != wanted:
        raise Damage(f"{what} has {got} channels where {wanted} are needed")
