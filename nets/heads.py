"""The heads of networks that play: moves, and what the game is worth (Wu 2019, appendix A; KataGo's files)."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from tengen.nets.residual import Norm, conv, everywhere, matrix, pooled, pooled_values


class PolicyHead(nn.Module):
    """n x outputs x moves logits: of all points row by row, then of a pass where the game has one."""

    def __init__(self, channels: int, inner: int, outputs: int, *, has_pass: bool) -> None:
        super().__init__()
        self.conv, self.pool_conv, self.pool_norm = conv(channels, inner, 1), conv(channels, inner, 1), Norm(inner)
        self.pool_matrix, self.norm, self.conv2 = matrix(3 * inner, inner), Norm(inner), conv(inner, outputs, 1)
        self.pass_matrix = matrix(3 * inner, outputs) if has_pass else None

    def forward(self, trunk: Tensor) -> Tensor:
        pool = pooled(self.pool_norm(self.pool_conv(trunk)))
        points = self.norm(everywhere(self.conv(trunk), self.pool_matrix(pool)))
        logits = self.conv2(points).flatten(2).float()
        if self.pass_matrix is None:
            return torch.as_tensor(logits)
        return torch.cat([logits, self.pass_matrix(pool)[:, :, None].float()], 2)


class FlatPolicyHead(nn.Module):
    """n x outputs x moves logits by one matrix over the whole board, for moves that are no points; one size only."""

    def __init__(self, channels: int, inner: int, outputs: int, points: int, moves: int) -> None:
        super().__init__()
        self.conv, self.norm = conv(channels, inner, 1), Norm(inner)
        self.matrix = nn.Linear(inner * points, outputs * moves)
        self.outputs = outputs

    def forward(self, trunk: Tensor) -> Tensor:
        rows = self.matrix(self.norm(self.conv(trunk)).flatten(1))
        return torch.as_tensor(rows.float().unflatten(1, (self.outputs, -1)))


class ValueHead(nn.Module):
    """n x 3 logits of the result, n x scores numbers (or none), n x points owners before tanh (or none)."""

    def __init__(self, channels: int, inner: int, hidden: int, scores: int, *, has_owners: bool) -> None:
        super().__init__()
        self.conv, self.norm = conv(channels, inner, 1), Norm(inner)
        self.matrix = nn.Linear(3 * inner, hidden)
        self.value = nn.Linear(hidden, 3)
        self.score = nn.Linear(hidden, scores) if scores else None
        self.ownership = conv(inner, 1, 1) if has_owners else None

    def forward(self, trunk: Tensor) -> tuple[Tensor, Tensor | None, Tensor | None]:
        points = self.norm(self.conv(trunk))
        rows = torch.relu(self.matrix(pooled_values(points)))
        score = None if self.score is None else self.score(rows).float()
        owners = None if self.ownership is None else self.ownership(points).flatten(1).float()
        return self.value(rows).float(), score, owners


class OwnHead(nn.Module):
    """The head of a target that brings its own (`nets.targets.HEADS`): n numbers, or n x points."""

    def __init__(self, channels: int, inner: int, kind: str) -> None:
        super().__init__()
        self.conv, self.norm = conv(channels, inner, 1), Norm(inner)
        self.answer = conv(inner, 1, 1) if kind == "points" else nn.Linear(3 * inner, 1)

    def forward(self, trunk: Tensor) -> Tensor:
        points = self.norm(self.conv(trunk))
        if isinstance(self.answer, nn.Linear):
            return torch.as_tensor(self.answer(pooled_values(points))[:, 0].float())
        return torch.as_tensor(self.answer(points).flatten(1).float())
