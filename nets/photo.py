"""The networks that read photos of boards: one finds lattices, the other the stones on a lattice.

Both are fully convolutional with batch normalisation, trained from rendered and labelled boards by
`python -m tengen.tools.lab.photo train`, and reach the product as ONNX files (`tengen.nets.export`).
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from tengen.nets.blocks import Block, Residual, Up

HEATS = ("points", "corners", "board")
"""The channels of a `LatticeNet`'s heat maps."""
KINDS = 7
"""Board sizes that a `LatticeNet` tells apart: those of `tools.photo.geometry.SIZES` in order, then "no board"."""


class LatticeNet(nn.Module):
    """A U-Net from a picture to heat maps of the lattice, and the size of its board.

    Input (n, 3, h, w): blue-green-red / 255, sides multiples of 32. Outputs: `heat` (n, 3, h/s, w/s), logits of HEATS
    where s is `stride` (2 or 4), cell (i, j) over the pixels around (s i + (s-1)/2, s j + (s-1)/2); `kind` (n, KINDS),
    logits.
    """

    def __init__(self, stride: int = 4, widths: tuple[int, int, int, int, int] = (16, 32, 64, 96, 128)) -> None:
        super().__init__()
        self.stride = stride
        a, b, c, d, e = widths
        self.down1 = nn.Sequential(Block(3, a, 2), Block(a, a))
        self.down2 = nn.Sequential(Block(a, b, 2), Block(b, b))
        self.down3 = nn.Sequential(Block(b, c, 2), Residual(c))
        self.down4 = nn.Sequential(Block(c, d, 2), Residual(d))
        self.down5 = nn.Sequential(Block(d, e, 2), Residual(e), Residual(e))
        self.up4 = Up(e, d, d)
        self.up3 = Up(d, c, c)
        self.up2 = Up(c, b, b)
        self.up1 = Up(b, a, 24) if stride == 2 else None
        self.heat = nn.Conv2d(24 if stride == 2 else b, len(HEATS), 1)
        self.kind = nn.Sequential(nn.Linear(2 * e + c, 64), nn.ReLU(inplace=True), nn.Linear(64, KINDS))
        nn.init.constant_(self.heat.bias, -3.0)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        one = self.down1((x - 0.5) * 4)
        two = self.down2(one)
        three = self.down3(two)
        four = self.down4(three)
        five = self.down5(four)
        up = self.up4(five, four)
        fine = self.up3(up, three)
        up = self.up2(fine, two)
        if self.up1 is not None:
            up = self.up1(up, one)
        pooled = torch.cat([five.mean((2, 3)), five.amax((2, 3)), fine.mean((2, 3))], 1)
        return self.heat(up), self.kind(pooled)


class StoneNet(nn.Module):
    """From a rectified board to what each of its points holds.

    Input (n, 6, 16 (k + 1) + 1, 16 (k + 1) + 1) for a board of k x k points, one cell of margin, 16 pixels a cell: the
    picture / 255, then the same stretched so that its 0.5th and 99.5th percentiles become 0 and 1. Output `points`
    (n, 4, k, k): logits of `tools.photo.results.Point`. Each sees about five cells around it and, by the means and
    maxima of the features, what the whole board looks like.
    """

    def __init__(self, widths: tuple[int, int, int, int] = (24, 40, 64, 96)) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        inputs = 6
        for width in widths:
            layers += [Block(inputs, width, 2), Block(width, width)]
            inputs = width
        self.trunk = nn.Sequential(*layers)
        self.context = nn.Linear(2 * inputs, inputs)
        self.mix = nn.Sequential(Residual(inputs), Residual(inputs))
        self.head = nn.Sequential(nn.Dropout2d(0.1), nn.Conv2d(inputs, 4, 1))

    def forward(self, x: Tensor) -> Tensor:
        near = self.trunk((x - 0.5) * 4)
        board = self.context(torch.cat([near.mean((2, 3)), near.amax((2, 3))], 1))
        return torch.as_tensor(self.head(self.mix(near + board[:, :, None, None])[:, :, 1:-1, 1:-1]))
