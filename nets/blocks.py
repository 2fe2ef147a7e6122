"""Blocks that networks are made of, whatever they see. The names of their parts are those in weights that were kept."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional


class Block(nn.Sequential):
    """3x3 convolution, batch normalisation, ReLU."""

    def __init__(self, inputs: int, outputs: int, stride: int = 1) -> None:
        super().__init__(
            nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)
        )


class Residual(nn.Module):
    """Two convolutions around which the input passes."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = Block(channels, channels)
        self.second = nn.Sequential(nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels))

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(x + self.second(self.first(x)))


class Up(nn.Module):
    """Twice as large, joined with what the way down saw at that size."""

    def __init__(self, inputs: int, skip: int, outputs: int) -> None:
        super().__init__()
        self.reduce = nn.Conv2d(inputs, outputs, 1, bias=False)
        self.join = Block(outputs + skip, outputs)
        self.mix = Block(outputs, outputs)

    def forward(self, x: Tensor, skip: Tensor) -> Tensor:
        x = functional.interpolate(self.reduce(x), scale_factor=2.0, mode="nearest")
        return self.mix(self.join(torch.cat([x, skip], 1)))
