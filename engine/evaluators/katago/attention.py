"""The transformer blocks of a KataGo network as an OpenVINO graph, written out as products and a softmax.

OpenVINO's own attention operator is avoided: in bf16 it has ended the process.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen.engine.evaluators.katago.blocks import Attention, FeedForward
from tengen.engine.evaluators.katago.graph import Graph, Node

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray


def fed_forward(graph: Graph, block: FeedForward, tokens: Node) -> Node:
    """Return the feed-forward block's contribution to the trunk."""
    entering = graph.token_norm(block.norm, tokens)
    wide = graph.activation("silu", graph.matrix(block.wide, entering))
    return graph.matrix(block.narrow, graph.ops.multiply(wide, graph.matrix(block.gate, entering)))


def attended(graph: Graph, block: Attention, tokens: Node) -> Node:
    """Return the attention block's contribution to the trunk: each group of query heads looks with the key and the
    value of one head."""
    import numpy as np

    ops, keys = graph.ops, block.key_heads
    group = block.query_heads // keys
    entering = graph.token_norm(block.norm, tokens)
    size = block.query.weights.shape[1] // block.query_heads
    weights = block.query.weights / np.sqrt(np.float32(size))
    query = _heads(graph, weights, entering, block.query_heads, block.rope is not None)
    key = _heads(graph, block.key.weights, entering, keys, block.rope is not None)
    value = _heads(graph, block.value.weights, entering, keys, False)
    if block.rope is not None:
        query, key = _rotated(graph, block.rope, query, group), _rotated(graph, block.rope, key, 1)
    # n x key heads x (group x points) x size: a group is more rows for the same key, which is not repeated
    shares = ops.softmax(_scores(graph, ops.reshape(query, [0, keys, -1, size], True), key), 3)
    seen = ops.matmul(shares, value, False, False)
    value_size = block.value.weights.shape[1] // keys
    points = ops.multiply(*graph.sides)
    shape = ops.concat([graph.integers([0, block.query_heads]), points, graph.integers([value_size])], 0)
    apart = ops.reshape(seen, shape, True)
    rows = ops.reshape(ops.transpose(apart, [0, 2, 1, 3]), [0, 0, -1], True)
    return graph.matrix(block.out, rows)


def _heads(graph: Graph, weights: NDArray[float32], tokens: Node, heads: int, is_turned: bool) -> Node:
    """n x heads x points x size of tokens. To be turned, the channels of a head are put in another order: the first of
    every pair, then the second; a product of two such is the same."""
    ops = graph.ops
    channels = len(weights)
    if is_turned:
        weights = weights.reshape(channels, heads, -1, 2).transpose(0, 1, 3, 2).reshape(channels, -1)
    rows = ops.matmul(tokens, graph.constant(weights), False, False)
    return ops.transpose(ops.reshape(rows, [0, 0, heads, -1], True), [0, 2, 1, 3])


def _scores(graph: Graph, query: Node, key: Node) -> Node:
    """n x key heads x (group x points) x points."""
    ops = graph.ops
    scores = ops.matmul(query, key, False, True)
    if not graph.is_masked:
        return scores
    return ops.add(scores, ops.reshape(graph.outside, [0, 1, 1, -1], True))


def _rotated(graph: Graph, rope: NDArray[float32], heads: Node, group: int) -> Node:
    """Heads with every pair of channels turned by an angle of the point's place."""
    ops = graph.ops
    cosine, sine = _turns(graph, rope, group)
    first, second = ops.split(heads, graph.integers(3), 2).outputs()
    return ops.concat(
        [
            ops.subtract(ops.multiply(first, cosine), ops.multiply(second, sine)),
            ops.add(ops.multiply(first, sine), ops.multiply(second, cosine)),
        ],
        3,
    )


def _turns(graph: Graph, rope: NDArray[float32], group: int) -> tuple[Node, Node]:
    """Cosine and sine of the angles, 1 x heads x points x pairs. They are constants once the shape is known."""
    ops = graph.ops
    by_head = rope.repeat(group, 0) if len(rope) > 1 else rope
    angles = []
    for axis, shape in ((0, [1, 1, -1, 1, 1]), (1, [1, 1, 1, -1, 1])):
        side = ops.squeeze(graph.sides[axis], [0])
        places = ops.range(graph.integers(0), side, graph.integers(1), "f32")
        steps = graph.constant(by_head[:, :, axis][None, :, None, None])
        angles.append(ops.multiply(ops.reshape(places, shape, False), steps))
    whole = ops.reshape(ops.add(*angles), [1, len(by_head), -1, by_head.shape[1]], False)
    return ops.cos(whole), ops.sin(whole)
