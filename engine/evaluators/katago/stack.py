"""The blocks of a KataGo network as an OpenVINO graph: what a stack of them does to the trunk."""

from __future__ import annotations

from collections.abc import Sequence

from tengen.engine.evaluators.katago.attention import attended, fed_forward
from tengen.engine.evaluators.katago.blocks import Attention, Block, Bottleneck, FeedForward, Pooling, Residual
from tengen.engine.evaluators.katago.graph import Graph, Node


def stacked(graph: Graph, blocks: Sequence[Block], points: Node) -> Node:
    """The blocks one behind the other. Runs of transformer blocks stay in their layout, "tokens"."""
    tokens: Node | None = None
    for block in blocks:
        if isinstance(block, Attention | FeedForward):
            entering = _tokens(graph, points) if tokens is None else tokens
            tokens = graph.ops.add(entering, _transformed(graph, block, entering))
        else:
            points, tokens = (points if tokens is None else _points(graph, tokens)), None
            points = graph.ops.add(points, _convolved(graph, block, points))
    return points if tokens is None else _points(graph, tokens)


def _transformed(graph: Graph, block: Attention | FeedForward, tokens: Node) -> Node:
    """What a transformer block adds to the trunk."""
    return attended(graph, block, tokens) if isinstance(block, Attention) else fed_forward(graph, block, tokens)


def _convolved(graph: Graph, block: Residual | Pooling | Bottleneck, points: Node) -> Node:
    """What a block of convolutions adds to the trunk."""
    entering = graph.entering(graph.activated(block.norm, block.activation, points))
    middle = graph.trunk_conv(block.conv, entering)
    if isinstance(block, Pooling):
        pool = graph.activated(block.pool_norm, block.pool_activation, graph.trunk_conv(block.pool_conv, entering))
        middle = graph.add_everywhere(middle, graph.matrix(block.pool_matrix, graph.pooled(pool)))
    if isinstance(block, Bottleneck):
        middle = stacked(graph, block.blocks, middle)
    entering = graph.entering(graph.activated(block.norm2, block.activation2, middle))
    return graph.trunk_conv(block.conv2, entering)


def _tokens(graph: Graph, points: Node) -> Node:
    """n x channels x height x width -> n x points x channels."""
    return graph.ops.transpose(graph.ops.reshape(points, [0, 0, -1], True), [0, 2, 1])


def _points(graph: Graph, tokens: Node) -> Node:
    """The way back."""
    ops = graph.ops
    shape = ops.concat([graph.integers([0, 0]), *graph.sides], 0)
    return ops.reshape(ops.transpose(tokens, [0, 2, 1]), shape, True)
