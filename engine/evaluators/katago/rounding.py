"""Whole numbers of 8 bits in place of floats: what a trunk's convolutions take and their weights, as OpenVINO marks it.

Weights are rounded by output channel, symmetrically; what comes in by one range for a tensor, from the least to the
largest that was seen of real positions (`calibration`). Heads, normalisations, attention and the matrices around it
stay floats: rounding them too made transformers 1.1 times as fast and wrong by ten times as much.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from tengen.engine import cpu
from tengen.engine.evaluators.katago.blocks import Attention, Block, Bottleneck, FeedForward, Pooling, Residual

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from tengen.engine.evaluators.katago.model import Model

Node = Any
LEVELS, WEIGHT_LEVELS = 256, 255
WHOLE, HALF = 1.0, 0.5
"""Share of the levels that weights take up. Without VNNI two products are added in 16 bits, which 8 bits overflow:
weights have 7 there. (By the number of levels it cannot be said: of 127 OpenVINO makes floats.)"""
LEAST = 1e-6
"""The least size of a range: a tensor that is 0 everywhere has one too."""


class Range(NamedTuple):
    """The range of the values of a tensor; it contains 0."""

    low: float
    high: float


def tensors(model: Model) -> int:
    """Count the ranges of a network: its planes, and two for each block of convolutions."""
    return 1 + sum(2 for block in blocks(model.trunk.blocks) if not isinstance(block, Attention | FeedForward))


def is_faster(model: Model) -> bool:
    """Whether 8 bits are faster than floats for this network on this CPU, as measured (docs/benchmarks.md).

    They are not for networks with attention, and without VNNI only for those with no activation below 0.
    """
    features = cpu.usable()
    kinds = list(blocks(model.trunk.blocks))
    if features is None or any(isinstance(block, Attention | FeedForward) for block in kinds):
        return False
    return bool(features & cpu.VNNI) or ("avx2" in features and all(_is_relu(block) for block in kinds))


def blocks(stack: Sequence[Block]) -> Iterator[Block]:
    """The blocks of a stack, and those within them."""
    for block in stack:
        yield block
        if isinstance(block, Bottleneck):
            yield from blocks(block.blocks)


def _is_relu(block: Block) -> bool:
    return isinstance(block, Residual | Pooling | Bottleneck) and {block.activation, block.activation2} == {"relu"}


def fingerprint(model: Model) -> str:
    """The SHA-256 of what ranges depend on: the weights of the trunk and of the policy, name by name."""
    import hashlib

    found = hashlib.sha256()
    pending: list[Any] = [model.trunk, model.policy]
    while pending:
        part = pending.pop()
        if hasattr(part, "tobytes"):
            found.update(part.tobytes())
        elif is_dataclass(part):
            pending += [getattr(part, one.name) for one in fields(part)]
        elif isinstance(part, tuple):
            pending += part
        else:
            found.update(repr(part).encode())
    return found.hexdigest()


class Arithmetic(Protocol):
    """The arithmetic of a trunk's convolutions."""

    def entering(self, ops: Any, points: Node) -> Node:
        """Return the input of a convolution. Called once for each such tensor, in the order of the network."""

    def weights(self, ops: Any, values: Node) -> Node:
        """Weights of a convolution, outputs first."""


class Floats:
    """Leave the numbers as floats."""

    def entering(self, ops: Any, points: Node) -> Node:
        return points

    def weights(self, ops: Any, values: Node) -> Node:
        return values


@dataclass
class Observed(Floats):
    """Leave the numbers as floats, and remember their range: n x 1 least and largest of each tensor."""

    extremes: list[tuple[Node, Node]] = field(default_factory=list)

    def entering(self, ops: Any, points: Node) -> Node:
        found = (reduce(points, [1, 2, 3], False) for reduce in (ops.reduce_min, ops.reduce_max))
        low, high = (ops.unsqueeze(one, [1]) for one in found)
        self.extremes.append((low, high))
        return points


class Rounded:
    """To 8 bits."""

    def __init__(self, ranges: Sequence[Range], *, share: float = WHOLE) -> None:
        self._ranges = iter(ranges)
        self._share = share

    def entering(self, ops: Any, points: Node) -> Node:
        return _rounded(ops, points, *_aligned(next(self._ranges)), LEVELS)

    def weights(self, ops: Any, values: Node) -> Node:
        import numpy as np

        data = values.data
        largest = np.maximum(np.abs(data).max((1, 2, 3), keepdims=True), np.float32(LEAST))
        end = largest / np.float32(self._share)
        return _rounded(ops, values, -end, end, WEIGHT_LEVELS)


def weight_share() -> float:
    """The share of the levels of int8 that this CPU multiplies without overflow."""
    features = cpu.usable()
    return WHOLE if features is None or features & cpu.VNNI else HALF


def _aligned(span: Range) -> tuple[NDArray[float32], NDArray[float32]]:
    """The range as arrays, moved so that 0 is one of its levels."""
    import numpy as np

    high = max(span.high, span.low + LEAST)
    step = (high - span.low) / (LEVELS - 1)
    low = round(span.low / step) * step
    return np.array(low, np.float32), np.array(low + step * (LEVELS - 1), np.float32)


def _rounded(ops: Any, node: Node, low: NDArray[float32], high: NDArray[float32], levels: int) -> Node:
    ends = [ops.constant(low), ops.constant(high)]
    return ops.fake_quantize(node, *ends, *ends, levels)
