"""The two heads of a KataGo network, as they stand in a file."""

from __future__ import annotations

from dataclasses import dataclass

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
)
from tengen.engine.evaluators.katago.stream import Reader, Unknown

VALUES = 3
"""Win, loss, no result."""
DEEP_PASS = 15
"""The version from which on a pass has a layer more."""
MORE_OPTIONS = 17


@dataclass(frozen=True, eq=False)
class PassLayer:
    """Between the first matrix for a pass and the logits."""

    bias: Bias
    activation: Activation
    matrix: Matrix


@dataclass(frozen=True, eq=False)
class PolicyHead:
    """Logits for points and pass in several channels: the policy, the optimistic one if there are 2, and predictions
    of the value and the score of moves if there are 4."""

    name: str
    conv: Conv
    pool_conv: Conv
    pool_norm: Norm
    pool_activation: Activation
    pool_matrix: Matrix
    norm: Norm
    activation: Activation
    conv2: Conv
    pass_matrix: Matrix
    pass_layer: PassLayer | None


@dataclass(frozen=True, eq=False)
class ValueHead:
    """Result, scores and owners of points."""

    name: str
    conv: Conv
    norm: Norm
    activation: Activation
    matrix: Matrix
    bias: Bias
    activation2: Activation
    value_matrix: Matrix
    value_bias: Bias
    score_matrix: Matrix
    score_bias: Bias
    ownership: Conv


def read_policy_head(reader: Reader, channels: int) -> PolicyHead:
    """The policy head behind a trunk of so many channels. Raises Damage."""
    name = reader.word("the name of the policy head")
    outputs = _policies(reader)
    conv, pool_conv = read_conv(reader, channels), read_conv(reader, channels)
    inner, pooled = conv.weights.shape[3], pool_conv.weights.shape[3]
    pool_norm, pool_activation = read_batch_norm(reader, pooled), read_activation(reader)
    pool_matrix = read_matrix(reader, 3 * pooled, inner)
    norm, activation, conv2 = read_batch_norm(reader, inner), read_activation(reader), read_conv(reader, inner)
    agree("the last convolution of the policy head", conv2.weights.shape[3], outputs)
    is_deep = reader.version >= DEEP_PASS
    pass_matrix = read_matrix(reader, 3 * pooled, None if is_deep else outputs)
    pass_layer = _pass_layer(reader, pass_matrix.weights.shape[1], outputs) if is_deep else None
    return PolicyHead(
        name, conv, pool_conv, pool_norm, pool_activation, pool_matrix, norm, activation, conv2, pass_matrix, pass_layer
    )


def _policies(reader: Reader) -> int:
    """The number of channels of the policy."""
    if reader.version >= MORE_OPTIONS:
        count = reader.integer("the channels of the policy")
        if count not in (2, 4):
            raise Unknown(f"version {reader.version} has a policy head of {count} channels, not 2 or 4")
        options(reader, 3, "the policy head")
        return count
    return 4 if reader.version == 16 else 2 if reader.version >= 12 else 1


def _pass_layer(reader: Reader, inner: int, outputs: int) -> PassLayer:
    return PassLayer(read_bias(reader, inner), read_activation(reader), read_matrix(reader, inner, outputs))


def read_value_head(reader: Reader, channels: int) -> ValueHead:
    """The value head behind a trunk of so many channels. Raises Damage."""
    name = reader.word("the name of the value head")
    if reader.version >= MORE_OPTIONS:
        options(reader, 3, "the value head")
    conv = read_conv(reader, channels)
    inner = conv.weights.shape[3]
    norm, activation, matrix = read_batch_norm(reader, inner), read_activation(reader), read_matrix(reader, 3 * inner)
    inner2 = matrix.weights.shape[1]
    bias, activation2 = read_bias(reader, inner2), read_activation(reader)
    value = read_matrix(reader, inner2, VALUES), read_bias(reader, VALUES)
    scores = 6 if reader.version >= 9 else 4
    score = read_matrix(reader, inner2, scores), read_bias(reader, scores)
    ownership = read_conv(reader, inner)
    agree("the convolution of ownership", ownership.weights.shape[3], 1)
    return ValueHead(name, conv, norm, activation, matrix, bias, activation2, *value, *score, ownership)


def options(reader: Reader, count: int, where: str) -> None:
    """Read words that are 0 in every known version; the features that they would turn on do not exist."""
    for place in range(1, count + 1):
        found = reader.word(f"an option of {where}")
        if found != "0":
            raise Unknown(f"version {reader.version} turns on the unknown option {place} of {where}")
