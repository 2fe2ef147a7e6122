"""Residual blocks that normalise first, some of which pool from the whole board (Wu 2019, "Accelerating Self-Play
Learning in Go", section 3.3), as KataGo's files have them (`engine/evaluators/katago/stack.py`)."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn import functional

EPSILON = 1e-4


class Norm(nn.BatchNorm2d):
    """Batch normalisation and ReLU."""

    def __init__(self, channels: int) -> None:
        super().__init__(channels, eps=EPSILON)

    def forward(self, input: Tensor) -> Tensor:
        return functional.relu(super().forward(input), inplace=True)


def conv(inputs: int, outputs: int, side: int = 3) -> nn.Conv2d:
    """A convolution without bias that keeps the size of the board."""
    return nn.Conv2d(inputs, outputs, side, 1, side // 2, bias=False)


def matrix(inputs: int, outputs: int) -> nn.Linear:
    """A matrix without bias."""
    return nn.Linear(inputs, outputs, bias=False)


def excess(points: Tensor) -> float:
    """How much the board's side is above 14, in tens."""
    return (math.sqrt(points.shape[2] * points.shape[3]) - 14) / 10


def pooled(points: Tensor) -> Tensor:
    """n x 3 channels, float32: mean, mean by the size of the board, maximum."""
    mean = points.mean((2, 3), dtype=torch.float32)
    return torch.cat([mean, mean * excess(points), points.amax((2, 3)).float()], 1)


def pooled_values(points: Tensor) -> Tensor:
    """n x 3 channels, float32: mean, and twice the mean by the size of the board."""
    mean, by = points.mean((2, 3), dtype=torch.float32), excess(points)
    return torch.cat([mean, mean * by, mean * (by * by - 0.1)], 1)


def everywhere(points: Tensor, rows: Tensor) -> Tensor:
    """Add n x channels to every point."""
    return points + rows[:, :, None, None].to(points.dtype)


class PreResidual(nn.Module):
    """Normalise, activate, convolve, twice; added to what came in."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.norm, self.conv = Norm(channels), conv(channels, channels)
        self.norm2, self.conv2 = Norm(channels), conv(channels, channels)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.conv2(self.norm2(self.conv(self.norm(x))))


class Pooled(nn.Module):
    """The same, whose middle gets a bias from the whole board."""

    def __init__(self, channels: int, pooled: int) -> None:
        super().__init__()
        middle = channels - pooled
        self.norm, self.conv = Norm(channels), conv(channels, middle)
        self.pool_conv, self.pool_norm = conv(channels, pooled), Norm(pooled)
        self.pool_matrix = matrix(3 * pooled, middle)
        self.norm2, self.conv2 = Norm(middle), conv(middle, channels)

    def forward(self, x: Tensor) -> Tensor:
        entering = self.norm(x)
        board = self.pool_matrix(pooled(self.pool_norm(self.pool_conv(entering))))
        return x + self.conv2(self.norm2(everywhere(self.conv(entering), board)))


class Trunk(nn.Module):
    """Planes by a convolution, numbers of the whole position by a matrix, added; blocks; a last normalisation."""

    def __init__(self, planes: int, numbers: int, channels: int, blocks: list[nn.Module]) -> None:
        super().__init__()
        self.conv = conv(planes, channels)
        self.matrix = matrix(numbers, channels) if numbers else None
        self.blocks = nn.Sequential(*blocks)
        self.norm = Norm(channels)

    def entering(self, planes: Tensor, numbers: Tensor | None = None) -> Tensor:
        """What goes into the first block: n x channels x h x w."""
        points = self.conv(planes)
        if self.matrix is not None and numbers is not None:
            points = everywhere(points, self.matrix(numbers))
        return torch.as_tensor(points)

    def forward(self, planes: Tensor, numbers: Tensor | None = None) -> Tensor:
        return torch.as_tensor(self.norm(self.blocks(self.entering(planes, numbers))))
