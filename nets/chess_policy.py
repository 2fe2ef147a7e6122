"""Networks that say how people move in chess, and the two of the program that this project grew from.

What they see is turned to the side to move, what they say is of the board as it is (engine/core/chess/features.hpp):
the number "black" of a row tells how its policy lies, and the network lays it out; more it does not make of it. Of a
pair of squares a policy has from + 64 to.

`ChessNet` ("chess"): a residual trunk; a move is worth the product of a query where it begins and a key where it ends,
and what pairs of squares are worth anywhere; and the result of the game.
`FromToNet` ("chess-fromto"): two networks of convolutions that know nothing of each other, one for the square that a
move begins on, one for the square it ends on. Their policy is the product of both probabilities, so that learning it
is learning each alone. They say nothing of the result: it is even.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from tengen.engine.sentence import excerpt
from tengen.nets.heads import ValueHead
from tengen.nets.residual import Norm, Pooled, PreResidual, Trunk, conv
from tengen.nets.spec import ModelSpec

if TYPE_CHECKING:
    from tengen.engine._core import FeatureSet

SQUARES, LESSER = 64, 72
"""Squares, and places of promotions to less than a queen: of each such piece, file and direction."""
CHANNELS, NARROW, HIDDEN = (32, 64, 128), 32, 256
"""Of each of the two networks: its convolutions, what a last one leaves of them, and the layer behind it."""
RARE = -8.0
"""The logit of a promotion to less than a queen beside that of its squares, before anything was learned of it."""


class ChessNet(nn.Module):
    """See the module, and `nets.models` of what it answers."""

    results = ("win", "draw", "loss")

    def __init__(self, spec: ModelSpec, planes: int, numbers: int) -> None:
        super().__init__()
        blocks = [
            Pooled(spec.channels, spec.pooled_channels) if spec.pools(block) else PreResidual(spec.channels)
            for block in range(spec.blocks)
        ]
        self.spec = spec
        self.trunk = Trunk(planes, numbers - 1, spec.channels, blocks)
        self.policy = PairHead(spec.channels, spec.head)
        self.values = ValueHead(spec.channels, spec.head, spec.hidden, 0, has_owners=False)

    def forward(self, planes: Tensor, numbers: Tensor) -> dict[str, Tensor]:
        trunk = self.trunk(planes, numbers[:, 1:])
        value, _, _ = self.values(trunk)
        return {"policy": laid_out(self.policy(trunk), self.policy.lesser, numbers), "value": value}


class PairHead(nn.Module):
    """n x 64 x 64 logits of pairs of cells as the side to move sees them, to before from. lesser: of promotions to less
    than a queen, beside that of their squares."""

    def __init__(self, channels: int, inner: int) -> None:
        super().__init__()
        self.conv, self.norm = conv(channels, inner, 1), Norm(inner)
        self.origin, self.target = nn.Conv2d(inner, inner, 1), nn.Conv2d(inner, inner, 1)
        self.usual = nn.Parameter(torch.zeros(SQUARES, SQUARES))
        self.lesser = nn.Parameter(torch.full((LESSER,), RARE))
        self.scale = 1 / math.sqrt(inner)

    def forward(self, trunk: Tensor) -> Tensor:
        points = self.norm(self.conv(trunk))
        origin, target = self.origin(points).flatten(2), self.target(points).flatten(2)
        return torch.matmul(target.transpose(1, 2), origin).float() * self.scale + self.usual


class FromToNet(nn.Module):
    """See the module, and `nets.models` of what it answers."""

    results = ("win", "draw", "loss")

    def __init__(self, planes: int) -> None:
        super().__init__()
        self.origin, self.target = _squares(planes), _squares(planes)

    def forward(self, planes: Tensor, numbers: Tensor) -> dict[str, Tensor]:
        origin, target = (torch.log_softmax(net(planes).float(), 1) for net in (self.origin, self.target))
        pairs = target[:, :, None] + origin[:, None, :]
        policy = laid_out(pairs, pairs.new_full((LESSER,), RARE), numbers)
        return {"policy": policy, "value": torch.zeros_like(policy[:, :3])}


def laid_out(pairs: Tensor, lesser: Tensor, numbers: Tensor) -> Tensor:
    """A policy by index of what is said of cells as they are seen: White sees the eighth rank on top. lesser: see
    `PairHead`."""
    promotions = pairs.flatten(1)[:, _lesser().to(pairs.device)] + lesser
    turned = pairs.reshape(-1, 8, 8, 8, 8).flip(1, 3).reshape(-1, SQUARES, SQUARES)
    is_black = (numbers[:, :1] > 0.5)[:, :, None]
    return torch.cat([torch.where(is_black, pairs, turned).flatten(1), promotions], 1)


def chess(spec: ModelSpec, features: FeatureSet, board: tuple[int, int] | None) -> nn.Module:
    """How people move. Raises ValueError for a feature set that does not say who is to move."""
    _check(spec, features)
    return _begun(ChessNet(spec, len(features.planes), len(features.globals)))


def fromto(spec: ModelSpec, features: FeatureSet, board: tuple[int, int] | None) -> nn.Module:
    """The two networks. Raises ValueError for a feature set that does not say who is to move."""
    _check(spec, features)
    return FromToNet(len(features.planes))


def _begun(model: ChessNet) -> nn.Module:
    """Variances are kept (He et al. 2015), what blocks add is small."""
    for name, module in model.named_modules():
        if isinstance(module, nn.Conv2d | nn.Linear):
            nn.init.kaiming_normal_(module.weight, nonlinearity="relu")
            if module.bias is not None:
                nn.init.zeros_(module.bias)
            is_added = ".blocks." in name and name.endswith((".conv2", ".pool_matrix"))
            is_last = name.endswith((".origin", ".target", ".value"))
            with torch.no_grad():
                module.weight.mul_(model.spec.blocks**-0.5 if is_added else 0.3 if is_last else 1.0)
    return model


def _check(spec: ModelSpec, features: FeatureSet) -> None:
    if features.game != "chess" or list(features.globals[:1]) != ["black"]:
        name = excerpt(features.name, 40)
        raise ValueError(f"a network of the kind {spec.kind} is of chess, and does not take {name}")


def _squares(planes: int) -> nn.Sequential:
    """n x 64 logits of cells."""
    layers: list[nn.Module] = []
    for inputs, outputs in zip((planes, *CHANNELS), CHANNELS, strict=False):
        layers += [nn.Conv2d(inputs, outputs, 3, padding=1), nn.ReLU()]
    layers += [nn.Conv2d(CHANNELS[-1], NARROW, 1), nn.ReLU(), nn.Flatten()]
    return nn.Sequential(*layers, nn.Linear(NARROW * SQUARES, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, SQUARES))


def _lesser() -> Tensor:
    """Where among 64 x 64 pairs as they are seen the squares of each place of a promotion are: from the second row to
    the first. What is off the board is anywhere, since no move is there."""
    sides = [(file, min(max(file + aside, 0), 7)) for file in range(8) for aside in (-1, 0, 1)]
    return torch.tensor([SQUARES * end + 8 + start for start, end in sides] * 3)
