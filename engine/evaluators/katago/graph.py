"""The layers of a KataGo network as nodes of a graph, by OpenVINO's operators or others like them (`torch_ops`).

Two layouts: "points" are n x channels x height x width, for convolutions; "tokens" n x points x channels, for
attention. A batch whose boards fill the planes needs no mask; one with smaller boards has it in plane 0, and what lies
outside is 0 wherever a neighbour or a sum could see it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tengen.engine.evaluators.katago.layers import Activation, BatchNorm, Bias, Conv, Matrix, Norm, RmsNorm
from tengen.engine.evaluators.katago.rounding import Arithmetic, Floats

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

OPSET = "openvino.opset13"
UNSEEN = 1e9
Node = Any
"""A node of OpenVINO, which has no types."""


class Graph:
    """Makes nodes over the planes of a batch."""

    def __init__(self, ops: Any, planes: Node, *, is_masked: bool, arithmetic: Arithmetic | None = None) -> None:
        """ops: OpenVINO's module of operators, or what has such functions."""
        self.ops = ops
        self._planes = planes
        self.is_masked = is_masked
        self._arithmetic = arithmetic or Floats()

    # Shapes and masks ------------------------------------------------------------------------------------------

    @cached_property
    def sides(self) -> tuple[Node, Node]:
        """Height and width, integers."""
        shape = self.ops.shape_of(self._planes, "i64")
        height, width = (self.ops.gather(shape, self.integers([side]), self.integers(0)) for side in (2, 3))
        return height, width

    @cached_property
    def mask(self) -> Node:
        """n x 1 x height x width, 1 on the board."""
        return self.ops.slice(self._planes, [0], [1], [1], [1])

    @cached_property
    def outside(self) -> Node:
        """n x 1 x height x width: 0 on the board, and so little elsewhere that it is no maximum and has no share."""
        return self.ops.multiply(self.ops.subtract(self.mask, self.number(1)), self.number(UNSEEN))

    @cached_property
    def area(self) -> Node:
        """Points of a board, n x 1 or 1 x 1."""
        if self.is_masked:
            return self.ops.reduce_sum(self.mask, [2, 3])
        return self.ops.reshape(self.ops.convert(self.ops.multiply(*self.sides), "f32"), [1, 1], False)

    def on_board(self, points: Node) -> Node:
        """The same, 0 outside."""
        return self.ops.multiply(points, self.mask) if self.is_masked else points

    # Layers -----------------------------------------------------------------------------------------------------

    def constant(self, values: NDArray[float32]) -> Node:
        """Weights, copied."""
        import numpy as np

        return self.ops.constant(np.require(values, np.float32, ["C", "A"]))

    def number(self, value: float) -> Node:
        """One float."""
        import numpy as np

        return self.ops.constant(np.float32(value))

    def integers(self, values: int | Sequence[int]) -> Node:
        """Parts of a shape, or one number."""
        import numpy as np

        return self.ops.constant(np.array(values, np.int64))

    def entering(self, points: Node) -> Node:
        """Return the input of `trunk_conv` in the graph's arithmetic: 0 outside the board."""
        return self._arithmetic.entering(self.ops, points)

    def trunk_conv(self, layer: Conv, points: Node) -> Node:
        """Add a convolution of the result of `entering`, in the graph's arithmetic."""
        return self._conv(layer, points, self._arithmetic.weights(self.ops, self._filters(layer)))

    def conv(self, layer: Conv, points: Node) -> Node:
        """One of a head, always of floats. What is outside the board must be 0."""
        return self._conv(layer, points, self._filters(layer))

    def _filters(self, layer: Conv) -> Node:
        return self.constant(layer.weights.transpose(3, 2, 0, 1))

    def _conv(self, layer: Conv, points: Node, filters: Node) -> Node:
        return self.ops.convolution(points, filters, [1, 1], [0, 0], [0, 0], list(layer.dilation), "same_upper")

    def matrix(self, layer: Matrix, rows: Node) -> Node:
        """The last axis is that of channels."""
        return self.ops.matmul(rows, self.constant(layer.weights), False, False)

    def bias(self, layer: Bias, rows: Node) -> Node:
        """n x channels."""
        return self.ops.add(rows, self.constant(layer.weights.reshape(1, -1)))

    def activation(self, kind: Activation, node: Node) -> Node:
        """Apply an activation to a tensor of any shape."""
        make = {"relu": self.ops.relu, "mish": self.ops.mish, "silu": self.ops.swish}
        return make[kind](node) if kind in make else node

    def row_activation(self, kind: Activation, rows: Node) -> Node:
        """Apply an activation to n x channels. OpenVINO 2026.4 cannot compile its own Mish between matrices, so that
        one is written out: tanh(log(1 + e^x)) = w / (w + 2) with w = e^x (e^x + 2)."""
        if kind != "mish":
            return self.activation(kind, rows)
        power = self.ops.exp(self.ops.minimum(rows, self.number(20)))  # from there on the quotient is 1
        product = self.ops.multiply(power, self.ops.add(power, self.number(2)))
        return self.ops.multiply(rows, self.ops.divide(product, self.ops.add(product, self.number(2))))

    def norm(self, layer: Norm, points: Node) -> Node:
        """Without what follows; outside the board it may be anything."""
        if isinstance(layer, BatchNorm):
            factor, offset = (values.reshape(1, -1, 1, 1) for values in layer.merged())
            return self.ops.add(self.ops.multiply(points, self.constant(factor)), self.constant(offset))
        return self._rms(layer, points, self._mean_square(points) if layer.is_spatial else None, (1, -1, 1, 1))

    def token_norm(self, layer: RmsNorm, tokens: Node) -> Node:
        """The same of tokens; never spatial."""
        return self._rms(layer, tokens, None, (1, 1, -1))

    def _rms(self, layer: RmsNorm, node: Node, mean: Node | None, shape: tuple[int, ...]) -> Node:
        if mean is None:
            mean = self.ops.reduce_mean(self.ops.multiply(node, node), [shape.index(-1)], True)
        root = self.ops.sqrt(self.ops.add(mean, self.number(layer.epsilon)))
        scaled = self.ops.multiply(self.ops.divide(node, root), self.constant(layer.scale.reshape(shape)))
        return scaled if layer.bias is None else self.ops.add(scaled, self.constant(layer.bias.reshape(shape)))

    def _mean_square(self, points: Node) -> Node:
        """n x 1 x 1 x 1, over the board."""
        square = self.on_board(self.ops.reduce_mean(self.ops.multiply(points, points), [1], True))
        total = self.ops.reduce_sum(square, [2, 3], True)
        return self.ops.divide(total, self.ops.reshape(self.area, [-1, 1, 1, 1], False))

    def activated(self, norm: Norm, kind: Activation, points: Node) -> Node:
        """Normalised and activated, 0 outside: fit for a convolution or a sum."""
        return self.on_board(self.activation(kind, self.norm(norm, points)))

    def add_everywhere(self, points: Node, rows: Node) -> Node:
        """Add n x channels to every point."""
        return self.ops.add(points, self.ops.unsqueeze(rows, [2, 3]))

    # Pooling ----------------------------------------------------------------------------------------------------

    def pooled(self, points: Node) -> Node:
        """n x 3 channels: mean, mean by the size of the board, maximum. What is outside must be 0."""
        mean, by_size = self._means(points)
        shifted = self.ops.add(points, self.outside) if self.is_masked else points
        return self.ops.concat([mean, by_size, self.ops.reduce_max(shifted, [2, 3])], 1)

    def pooled_values(self, points: Node) -> Node:
        """n x 3 channels: mean, and twice the mean by the size of the board. What is outside must be 0."""
        mean, by_size = self._means(points)
        square = self.ops.multiply(self._excess(), self._excess())
        factor = self.ops.subtract(self.ops.multiply(square, self.number(0.01)), self.number(0.1))
        return self.ops.concat([mean, by_size, self.ops.multiply(mean, factor)], 1)

    def _means(self, points: Node) -> tuple[Node, Node]:
        mean = self.ops.divide(self.ops.reduce_sum(points, [2, 3]), self.area)
        return mean, self.ops.multiply(mean, self.ops.multiply(self._excess(), self.number(0.1)))

    def _excess(self) -> Node:
        """The side of a board, less 14."""
        return self.ops.subtract(self.ops.sqrt(self.area), self.number(14))
