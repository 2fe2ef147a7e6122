"""A teacher on a GPU: a network of KataGo's format whose blocks are bottlenecks of attention and feed-forward blocks.

It computes what `engine/evaluators/katago/source.py` describes, in bfloat16 with PyTorch's own attention. Compiled,
KataGo's b10c384h6nbttflrs labels 14,000 positions of 19x19 a second on one H100. The torch back end computes the same
operator by operator.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from tengen.engine.evaluators.katago.blocks import Attention, Bottleneck, FeedForward
from tengen.engine.evaluators.katago.layers import Activation, BatchNorm, RmsNorm
from tengen.engine.evaluators.katago.model import Model
from tengen.tools.train.teaching.komi import LEAST_STDEV, SUREST

KO, TERRITORY = 6, 9
"""Globals of katago-v7: 0 under the simple ko rule; 1 where territory scores."""
WIN, LOSS, NONE = range(3)


class Labels(NamedTuple):
    """Labels of n positions for the side to move: policy n x moves, value n x 3 (win, loss, no result), lead n, said
    n x 4 (the columns of `nets.targets.SAYS`), owners n x points from -1 to 1."""

    policy: Tensor
    value: Tensor
    lead: Tensor
    said: Tensor
    owners: Tensor


class Teacher:
    """Labels positions. A network with other blocks raises ValueError."""

    def __init__(self, model: Model, device: str, precision: torch.dtype = torch.bfloat16) -> None:
        trunk = model.trunk
        if not isinstance(trunk.norm, RmsNorm) or not trunk.norm.is_spatial or trunk.metadata is not None:
            raise ValueError("a teacher's trunk ends with a normalisation over the whole board and takes no players")
        layer = model.policy.pass_layer
        if model.header.version < 15 or layer is None:
            raise ValueError("a teacher is a network of version 15 or later")
        self.model, self.device, self.precision = model, device, precision
        self._attended: Callable[..., Tensor] = _attended
        self._fed: Callable[..., Tensor] = _fed
        self._stem = self._half(trunk.conv.weights.transpose(3, 2, 0, 1)), self._half(trunk.matrix.weights)
        self._blocks = [self._bottleneck(block) for block in trunk.blocks]
        self._tables: dict[tuple[int, int, int], tuple[Tensor, Tensor]] = {}
        head, values = model.policy, model.value
        assert trunk.norm.bias is not None
        self._tip = self._half(trunk.norm.scale), self._half(trunk.norm.bias)
        self._policy = [self._half(conv.weights[0, 0]) for conv in (head.conv, head.pool_conv, head.conv2)]
        self._policy_norms = self._merged(head.pool_norm), self._merged(head.norm)
        rows = head.pool_matrix.weights, head.pass_matrix.weights, layer.bias.weights, layer.matrix.weights[:, :1]
        self._rows = [self._whole(array) for array in rows]
        self._values = self._half(values.conv.weights[0, 0]), self._half(values.ownership.weights[0, 0])
        self._values_norm = self._merged(values.norm)
        answers = values.value_matrix, values.value_bias, values.score_matrix, values.score_bias
        self._value_rows = [self._whole(one.weights) for one in (values.matrix, values.bias, *answers)]

    def compile(self) -> None:
        """Fuse the blocks by PyTorch's compiler: 1.8 times as fast on an H100, after 4 to 7 s for each board size."""
        self._attended = torch.compile(_attended, dynamic=False)
        self._fed = torch.compile(_fed, dynamic=False)

    def labels(self, planes: Tensor, asked: Tensor, points: Tensor) -> Labels:
        """Label n positions. planes: n x 22 x height x width. asked: n x 19, globals at the komi that the teacher is
        asked about. points: n, how much more the komi of the game is worth to the side to move; the answer is moved by
        them, as `teaching/komi.py` does it."""
        with torch.inference_mode():
            return self._labels(*self.raw(planes, asked), asked, points)

    def _labels(
        self, policy: Tensor, value: Tensor, score: Tensor, owners: Tensor, asked: Tensor, points: Tensor
    ) -> Labels:
        can_be_without = (asked[:, KO] == 0) | (asked[:, TERRITORY] != 0)
        value[:, NONE].masked_fill_(~can_be_without, -math.inf)
        value = value.softmax(1)
        decided, scales = 1 - value[:, NONE], self.model.header.scales
        mean = score[:, 0] * scales.score_mean * decided + points
        stdev = functional.softplus(score[:, 1]) * scales.score_stdev
        lead = score[:, 2] * scales.lead * decided + points
        errors = [
            functional.softplus(score[:, column] / 2) * math.sqrt(scale)
            for column, scale in ((4, scales.shortterm_value_error), (5, scales.shortterm_score_error))
        ]
        return Labels(
            policy.softmax(1), _moved(value, points, stdev), lead, torch.stack([mean, stdev, *errors], 1), owners.tanh()
        )

    def raw(self, planes: Tensor, numbers: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """The outputs that `katago/source.py` names, of the first policy alone: n x moves, n x 3, n x 6, n x points."""
        height, width = planes.shape[2:]
        trunk = self.model.trunk
        conv, matrix = self._stem
        points = functional.conv2d(planes.to(self.precision), conv, padding=conv.shape[2] // 2)
        tokens = points.flatten(2).transpose(1, 2) + (numbers.to(self.precision) @ matrix)[:, None]
        tokens = tokens.contiguous()
        for block in self._blocks:
            tokens = tokens + block(tokens, height, width)
        assert isinstance(trunk.norm, RmsNorm)
        square = tokens.float().square().mean((1, 2), keepdim=True)
        scaled = (tokens.float() * torch.rsqrt(square + trunk.norm.epsilon)).to(self.precision)
        tokens = _activated(trunk.activation, scaled * self._tip[0] + self._tip[1])
        excess = (math.sqrt(height * width) - 14) / 10
        policy = self._policy_of(tokens, excess)
        return policy, *self._values_of(tokens, excess)

    def _policy_of(self, tokens: Tensor, excess: float) -> Tensor:
        head = self.model.policy
        assert head.pass_layer is not None
        conv, pool_conv, conv2 = self._policy
        pool_norm, norm = self._policy_norms
        pool_matrix, pass_matrix, pass_bias, pass_matrix2 = self._rows
        pool = _activated(head.pool_activation, torch.addcmul(pool_norm[1], tokens @ pool_conv, pool_norm[0])).float()
        mean = pool.mean(1)
        pooled = torch.cat([mean, mean * excess, pool.amax(1)], 1)
        points = tokens @ conv + (pooled @ pool_matrix)[:, None].to(self.precision)
        logits = (_activated(head.activation, torch.addcmul(norm[1], points, norm[0])) @ conv2)[:, :, 0].float()
        passing = _activated(head.pass_layer.activation, pooled @ pass_matrix + pass_bias) @ pass_matrix2
        return torch.cat([logits, passing], 1)

    def _values_of(self, tokens: Tensor, excess: float) -> tuple[Tensor, Tensor, Tensor]:
        head = self.model.value
        conv, ownership = self._values
        matrix, bias, value, value_bias, score, score_bias = self._value_rows
        factor, offset = self._values_norm
        points = _activated(head.activation, torch.addcmul(offset, tokens @ conv, factor))
        mean = points.float().mean(1)
        pooled = torch.cat([mean, mean * excess, mean * (excess * excess - 0.1)], 1)
        rows = _activated(head.activation2, pooled @ matrix + bias)
        return rows @ value + value_bias, rows @ score + score_bias, (points @ ownership)[:, :, 0].float()

    # Blocks -----------------------------------------------------------------------------------------------------

    def _bottleneck(self, block: object) -> Callable[[Tensor, int, int], Tensor]:
        """What a block adds to the trunk's tokens on a board of some height and width."""
        if not isinstance(block, Bottleneck) or block.conv.weights.shape[:2] != (1, 1):
            raise ValueError("a teacher's blocks are bottlenecks of 1x1 convolutions")
        first, last = self._merged(block.norm), self._merged(block.norm2)
        enter, leave = self._half(block.conv.weights[0, 0]), self._half(block.conv2.weights[0, 0])
        inner = [self._inner(one) for one in block.blocks]

        def added(tokens: Tensor, height: int, width: int) -> Tensor:
            found = _activated(block.activation, torch.addcmul(first[1], tokens, first[0])) @ enter
            for one in inner:
                found = one(found, height, width)
            return _activated(block.activation2, torch.addcmul(last[1], found, last[0])) @ leave

        return added

    def _inner(self, block: object) -> Callable[[Tensor, int, int], Tensor]:
        if isinstance(block, FeedForward):
            scale, narrow = self._half(block.norm.scale), self._half(block.narrow.weights)
            wide = self._half(np.concatenate([block.wide.weights, block.gate.weights], 1))
            epsilon = block.norm.epsilon
            return lambda tokens, height, width: self._fed(tokens, scale, epsilon, wide, narrow)
        if not isinstance(block, Attention) or block.query_heads != block.key_heads or block.rope is None:
            raise ValueError("a teacher's bottlenecks hold attention with a key a query, and feed-forward blocks")
        return self._attention(block, block.query_heads, torch.from_numpy(np.array(block.rope)))

    def _attention(self, block: Attention, heads: int, rope: Tensor) -> Callable[[Tensor, int, int], Tensor]:
        channels = len(block.query.weights)

        def turned(weights: NDArray[np.float32]) -> NDArray[np.float32]:
            """The channels of a head in the order of `katago/attention.py`: first numbers of all pairs, then second."""
            return weights.reshape(channels, heads, -1, 2).transpose(0, 1, 3, 2).reshape(channels, -1)

        parts = turned(block.query.weights), turned(block.key.weights), block.value.weights
        entering, leaving = self._half(np.concatenate(parts, 1)), self._half(block.out.weights)
        scale, epsilon = self._half(block.norm.scale), block.norm.epsilon

        def attended(tokens: Tensor, height: int, width: int) -> Tensor:
            key = (id(block), height, width)
            if key not in self._tables:
                angles = _angles(rope, height, width)
                cosine, sine = (one.to(self.device, self.precision) for one in (angles.cos(), angles.sin()))
                self._tables[key] = cosine, sine
            return self._attended(tokens, scale, epsilon, entering, leaving, *self._tables[key], heads)

        return attended

    def _merged(self, norm: object) -> tuple[Tensor, Tensor]:
        if not isinstance(norm, BatchNorm):
            raise ValueError("a teacher's heads and bottlenecks have batch normalisations")
        factor, offset = norm.merged()
        return self._half(factor), self._half(offset)

    def _half(self, array: NDArray[Any]) -> Tensor:
        return self._whole(array).to(self.precision)

    def _whole(self, array: NDArray[Any]) -> Tensor:
        return torch.from_numpy(np.array(array, np.float32, order="C")).to(self.device)


def _activated(kind: Activation, node: Tensor) -> Tensor:
    make = {"relu": functional.relu, "mish": functional.mish, "silu": functional.silu}
    return make[kind](node) if kind in make else node


def _angles(rope: Tensor, height: int, width: int) -> Tensor:
    """1 x heads (or 1) x points x pairs."""
    rows = torch.arange(height)[None, :, None, None] * rope[:, None, None, :, 0]
    columns = torch.arange(width)[None, None, :, None] * rope[:, None, None, :, 1]
    return (rows + columns).reshape(1, len(rope), height * width, -1)


def _attended(
    tokens: Tensor, scale: Tensor, epsilon: float, entering: Tensor, leaving: Tensor, cosine: Tensor, sine: Tensor,
    heads: int,
) -> Tensor:  # fmt: skip
    n, points, channels = tokens.shape
    seen = functional.rms_norm(tokens, (channels,), scale, epsilon) @ entering
    query, key, value = seen.view(n, points, 3, heads, channels // heads).permute(2, 0, 3, 1, 4).unbind(0)
    half = query.shape[-1] // 2

    def turned(x: Tensor) -> Tensor:
        first, second = x[..., :half], x[..., half:]
        return torch.cat([first * cosine - second * sine, first * sine + second * cosine], -1)

    found = functional.scaled_dot_product_attention(turned(query), turned(key), value)
    return tokens + found.transpose(1, 2).reshape(n, points, channels) @ leaving


def _fed(tokens: Tensor, scale: Tensor, epsilon: float, wide: Tensor, narrow: Tensor) -> Tensor:
    first, gate = (functional.rms_norm(tokens, (tokens.shape[-1],), scale, epsilon) @ wide).chunk(2, -1)
    return tokens + (functional.silu(first) * gate) @ narrow


def _moved(value: Tensor, points: Tensor, stdev: Tensor) -> Tensor:
    """Win, loss and no result for a side that gets so many points more (`teaching/komi.py`)."""
    least = torch.special.ndtr(torch.tensor(-SUREST, dtype=torch.float64)).item()
    decided = 1 - value[:, NONE]
    chance = (value[:, WIN] / (value[:, WIN] + value[:, LOSS])).double().clamp(least, 1 - least)
    shift = points.double() / stdev.double().clamp_min(LEAST_STDEV)
    won = torch.special.ndtr(torch.special.ndtri(chance) + shift).float()
    moved = torch.stack([decided * won, decided * (1 - won), value[:, NONE]], 1)
    return torch.where((points != 0)[:, None], moved, value)
