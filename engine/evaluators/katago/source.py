"""A whole KataGo network as an OpenVINO model, for `backends.openvino`, or computed at once, for `backends.torch`.

Inputs, as input features V7 have them: "planes" n x 22 x height x width, "globals" n x 19, and "metadata" n x 192 where
the network takes it. Outputs, as they leave the network (`answers` says what they mean):

    policy     n x channels x (points + 1): logits of points, then of a pass
    value      n x 3: logits of win, loss, no result for the side to move
    score      n x 4 or 6: score, its deviation, lead, time left, and errors to come of value and score
    ownership  n x points: above 0 where the side to move will own
    low, high  n x tensors: the extremes of what convolutions take, where they are observed (`rounding`)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

from tengen.engine.evaluators.katago.graph import OPSET, Graph, Node
from tengen.engine.evaluators.katago.heads import PolicyHead, ValueHead
from tengen.engine.evaluators.katago.model import GLOBALS, METADATA, PLANES, MetaEncoder, Model, Trunk
from tengen.engine.evaluators.katago.rounding import Arithmetic, Floats, Observed
from tengen.engine.evaluators.katago.stack import stacked


class KataGoSource:
    """See `backends.base.ModelSource`.

    is_masked: boards may be smaller than the planes; plane 0 says where they are. A network for boards that fill their
    planes is faster without. arithmetic: makes what the convolutions of the trunk are computed in.
    """

    def __init__(self, model: Model, *, is_masked: bool = True, arithmetic: Callable[[], Arithmetic] = Floats) -> None:
        self.model, self.is_masked = model, is_masked
        self._arithmetic = arithmetic

    @property
    def ports(self) -> Mapping[str, tuple[int, ...]]:
        """The shapes of the inputs by name, in order; 0 is any."""
        found: dict[str, tuple[int, ...]] = {"planes": (0, PLANES, 0, 0), "globals": (0, GLOBALS)}
        return found if self.model.trunk.metadata is None else {**found, "metadata": (0, METADATA)}

    def compute(self, ops: Any, inputs: Sequence[Node]) -> dict[str, Node]:
        """The outputs by name for inputs in the order of `ports`."""
        arithmetic = self._arithmetic()
        graph = Graph(ops, inputs[0], is_masked=self.is_masked, arithmetic=arithmetic)
        trunk = _trunk(graph, self.model.trunk, inputs)
        found = {"policy": _policy(graph, self.model.policy, trunk), **_values(graph, self.model.value, trunk)}
        return found | _extremes(ops, arithmetic) if isinstance(arithmetic, Observed) else found

    def __call__(self) -> Node:
        """Build it. OpenVINO is loaded by whoever calls (`backends.openvino` does it quietly)."""
        openvino: Any = import_module("openvino")
        ops: Any = import_module(OPSET)
        inputs = [_input(ops, name, [side or -1 for side in shape]) for name, shape in self.ports.items()]
        found = self.compute(ops, inputs)
        for name, node in found.items():
            node.output(0).get_tensor().set_names({name})
        return openvino.Model([ops.result(node) for node in found.values()], inputs, self.model.header.name)


def _input(ops: Node, name: str, shape: Sequence[int]) -> Node:
    import numpy as np

    made = ops.parameter(shape, np.float32, name)
    made.output(0).get_tensor().set_names({name})
    return made


def _extremes(ops: Node, observed: Observed) -> dict[str, Node]:
    ends = zip(*observed.extremes, strict=True)
    return {name: ops.concat(list(nodes), 1) for name, nodes in zip(("low", "high"), ends, strict=True)}


def _trunk(graph: Graph, trunk: Trunk, inputs: Sequence[Node]) -> Node:
    planes, numbers, *metadata = inputs
    extra = graph.matrix(trunk.matrix, numbers)
    if trunk.metadata is not None:
        extra = graph.ops.add(extra, _metadata(graph, trunk.metadata, metadata[0]))
    points = graph.add_everywhere(graph.trunk_conv(trunk.conv, graph.entering(planes)), extra)
    return graph.activated(trunk.norm, trunk.activation, stacked(graph, trunk.blocks, points))


def _metadata(graph: Graph, encoder: MetaEncoder, numbers: Node) -> Node:
    rows = graph.bias(encoder.bias, graph.matrix(encoder.matrix, numbers))
    rows = graph.bias(encoder.bias2, graph.matrix(encoder.matrix2, graph.row_activation(encoder.activation, rows)))
    return graph.matrix(encoder.matrix3, graph.row_activation(encoder.activation2, rows))


def _policy(graph: Graph, head: PolicyHead, trunk: Node) -> Node:
    ops = graph.ops
    pool = graph.activated(head.pool_norm, head.pool_activation, graph.conv(head.pool_conv, trunk))
    pooled = graph.pooled(pool)
    points = graph.add_everywhere(graph.conv(head.conv, trunk), graph.matrix(head.pool_matrix, pooled))
    logits = graph.conv(head.conv2, graph.activated(head.norm, head.activation, points))
    passing = graph.matrix(head.pass_matrix, pooled)
    if (layer := head.pass_layer) is not None:
        passing = graph.matrix(layer.matrix, graph.row_activation(layer.activation, graph.bias(layer.bias, passing)))
    return ops.concat([ops.reshape(logits, [0, 0, -1], True), ops.unsqueeze(passing, [2])], 2)


def _values(graph: Graph, head: ValueHead, trunk: Node) -> dict[str, Node]:
    points = graph.activated(head.norm, head.activation, graph.conv(head.conv, trunk))
    rows = graph.bias(head.bias, graph.matrix(head.matrix, graph.pooled_values(points)))
    rows = graph.row_activation(head.activation2, rows)
    return {
        "value": graph.bias(head.value_bias, graph.matrix(head.value_matrix, rows)),
        "score": graph.bias(head.score_bias, graph.matrix(head.score_matrix, rows)),
        "ownership": graph.ops.reshape(graph.conv(head.ownership, points), [0, -1], True),
    }
