"""The network that sees a point beside what empty, black and white points of the same board look like.

Trained by `python -m tengen.tools.lab.photo compare`, it reaches the product as an ONNX file (`tengen.nets.export`).
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from tengen.nets.blocks import Block, Residual

SIDE = 33
"""Pixels a side of a patch: two cells of 16 pixels and the point in the middle."""
CHANNELS = 15
"""Those of `tools.photo.compare.planes`."""


class CompareNet(nn.Module):
    """From patches, each beside the board's own examples, to what their middle points hold.

    Input (n, CHANNELS, SIDE, SIDE): `tools.photo.compare.planes`. Output `points` (n, 4): logits of
    `tools.photo.results.Point`.
    """

    def __init__(self, widths: tuple[int, int, int] = (24, 48, 64), hidden: int = 96) -> None:
        super().__init__()
        a, b, c = widths
        self.trunk = nn.Sequential(
            Block(CHANNELS, a, 2), Residual(a), Block(a, b, 2), Residual(b), Block(b, c, 2), Residual(c)
        )
        side = -(-SIDE // 8)
        self.head = nn.Sequential(
            nn.Flatten(), nn.Linear(c * side * side, hidden), nn.ReLU(inplace=True), nn.Dropout(0.2),
            nn.Linear(hidden, 4),
        )  # fmt: skip

    def forward(self, x: Tensor) -> Tensor:
        return torch.as_tensor(self.head(self.trunk((x - 0.5) * 2)))
