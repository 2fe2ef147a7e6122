"""The networks of the small AlphaZero programs AlphaZero_Gomoku and CleverGo: three convolutions and two heads of
matrices, for boards of one size.

Their value is one number, tanh(x) from -1, lost, to 1, won. As results, which is how networks answer here, it is won by
(1 + tanh(x)) / 2, lost by the rest, and never drawn: logits of x, nothing and -x. So what these make one expect is
tanh(x), and the loss of the originals, its squared error, is the recipe's `value_loss = "square"`; cross entropy is not
for them where games are drawn. Weights begin as torch has them, as those of the originals.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import torch
from torch import Tensor, nn

from tengen.engine.sentence import excerpt
from tengen.nets.spec import ModelSpec

if TYPE_CHECKING:
    from tengen.engine._core import FeatureSet

CHANNELS = (32, 64, 128)
NOTHING = -30.0
"""The logit of what never is."""


class Heads(NamedTuple):
    """Channels of each head's 1x1 convolution, and its hidden layers."""

    policy: int
    policy_hidden: tuple[int, ...]
    value: int
    value_hidden: tuple[int, ...]


ALPHAZERO_GOMOKU = Heads(policy=4, policy_hidden=(), value=2, value_hidden=(64,))
CLEVERGO = Heads(policy=8, policy_hidden=(256,), value=4, value_hidden=(128, 64))


class ClassicNet(nn.Module):
    """See the module, and `nets.models` for its outputs."""

    results = ("win", "draw", "loss")

    def __init__(self, heads: Heads, planes: int, points: int, moves: int) -> None:
        super().__init__()
        self.trunk = nn.Sequential()
        for inputs, outputs in zip((planes, *CHANNELS), CHANNELS, strict=False):
            self.trunk.extend([nn.Conv2d(inputs, outputs, 3, padding=1), nn.ReLU()])
        self.policy = _head(heads.policy, points, heads.policy_hidden, moves)
        self.value = _head(heads.value, points, heads.value_hidden, 1)

    def forward(self, planes: Tensor, numbers: Tensor | None = None) -> dict[str, Tensor]:
        trunk = self.trunk(planes)
        x = self.value(trunk).float()
        return {"policy": self.policy(trunk).float(), "value": torch.cat([x, torch.full_like(x, NOTHING), -x], 1)}


def alphazero_gomoku(spec: ModelSpec, features: FeatureSet, board: tuple[int, int] | None) -> nn.Module:
    """AlphaZero_Gomoku's, on boards of 8x8 there. Raises ValueError for other feature sets, and without a size."""
    return _network(ALPHAZERO_GOMOKU, spec, features, board)


def clevergo(spec: ModelSpec, features: FeatureSet, board: tuple[int, int] | None) -> nn.Module:
    """CleverGo's, on boards of 9x9 there, by any set of its family. Raises ValueError as `alphazero_gomoku`."""
    return _network(CLEVERGO, spec, features, board)


def _network(heads: Heads, spec: ModelSpec, features: FeatureSet, board: tuple[int, int] | None) -> nn.Module:
    wanted = f"{spec.kind}-v1"
    if features.name != wanted and not features.name.startswith(f"{wanted}-"):
        raise ValueError(f"a network of the kind {spec.kind} takes {wanted}, not {excerpt(features.name, 40)}")
    if board is None:
        raise ValueError(f"a network of the kind {spec.kind} needs the size of its board")
    return ClassicNet(heads, len(features.planes), board[0] * board[1], features.policy_size(*board))


def _head(channels: int, points: int, hidden: Sequence[int], outputs: int) -> nn.Sequential:
    """A 1x1 convolution, and matrices over the whole board."""
    layers: list[nn.Module] = [nn.Conv2d(CHANNELS[-1], channels, 1), nn.ReLU(), nn.Flatten()]
    inputs = channels * points
    for width in hidden:
        layers += [nn.Linear(inputs, width), nn.ReLU()]
        inputs = width
    return nn.Sequential(*layers, nn.Linear(inputs, outputs))
