"""The network that classifies the side of a board in a picture: its edge, or more of the board.

Trained by `python -m tengen.tools.lab.photo sides`, it reaches the product as an ONNX file (`tengen.nets.export`).
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from tengen.nets.blocks import Block, Residual

SIDES = 4
"""Its answers: those of `tools.photo.board_sides.Side` in order."""
HEIGHT = 73
"""Pixels from the outer rim of a strip to its inner one."""


class SideNet(nn.Module):
    """Classifies a strip along the outermost line of a lattice.

    Input (n, 4, HEIGHT, w): the strip as `tools.photo.board_sides.strip` cuts it, outside at the top. Output `side`
    (n, SIDES): logits. It looks at every place along the strip and joins them by their mean and their maximum.
    """

    def __init__(self, widths: tuple[int, int, int] = (12, 24, 40)) -> None:
        super().__init__()
        a, b, c = widths
        self.trunk = nn.Sequential(Block(4, a, 2), Block(a, b, 2), Residual(b), Block(b, c, 2), Residual(c))
        self.column = nn.Sequential(
            nn.Conv2d(c, 96, (-(-HEIGHT // 8), 1), bias=False), nn.BatchNorm2d(96), nn.ReLU(inplace=True),
            nn.Conv2d(96, 64, (1, 5), 1, (0, 2), bias=False), nn.BatchNorm2d(64), nn.ReLU(inplace=True),
        )  # fmt: skip
        self.head = nn.Sequential(nn.Linear(128, 48), nn.ReLU(inplace=True), nn.Linear(48, SIDES))

    def forward(self, x: Tensor) -> Tensor:
        along = self.column(self.trunk((x - 0.5) * 4))
        return torch.as_tensor(self.head(torch.cat([along.mean((2, 3)), along.amax((2, 3))], 1)))
