"""The baseline that classifies one patch of a rectified board: three convolutions, three fully connected layers."""

from __future__ import annotations

import torch
from torch import Tensor, nn

SIDE = 25
"""Pixels a side of a patch: two cells of twelve pixels and the point in the middle."""
CHANNELS = 6
"""Those of `tools.photo.stone_reader.planes`."""


class PatchNet(nn.Sequential):
    """From patches to what their middle points hold.

    Input (n, 6, 25, 25): `tools.photo.stone_reader.planes` around a point. Output (n, 4): logits of
    `tools.photo.results.Point`. `dropout` is that of the two hidden fully connected layers.
    """

    def __init__(self, widths: tuple[int, int, int] = (16, 32, 48), hidden: int = 96, dropout: float = 0.4) -> None:
        layers: list[nn.Module] = []
        inputs, side = CHANNELS, SIDE
        for width in widths:
            layers += [nn.Conv2d(inputs, width, 3, 1, 1), nn.ReLU(inplace=True), nn.MaxPool2d(2)]
            inputs, side = width, side // 2
        layers += [nn.Flatten(), nn.Linear(inputs * side * side, hidden), nn.ReLU(inplace=True), nn.Dropout(dropout)]
        layers += [nn.Linear(hidden, hidden // 2), nn.ReLU(inplace=True), nn.Dropout(dropout)]
        super().__init__(*layers, nn.Linear(hidden // 2, 4))

    def forward(self, input: Tensor) -> Tensor:
        return torch.as_tensor(super().forward((input - 0.5) * 2))
