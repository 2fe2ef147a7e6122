"""Labelled positions in the memory of the device, and batches of them through symmetries drawn for each row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from tengen.tools.lab.distil.positions import PLANES, Rows
from tengen.tools.lab.distil.teacher import Labels, Teacher

SYMMETRIES = 8
OWNER = 127
"""A point that is surely the mover's, as it is kept."""


class Batch(NamedTuple):
    """n positions as a network sees them: planes n x 22 x size x size, numbers n x 19, and their labels."""

    planes: Tensor
    numbers: Tensor
    labels: Labels


@dataclass(frozen=True)
class Turns:
    """The symmetries of a board, 8 x points: a turned board has at p what the board has at `there[symmetry, p]`, and
    `back` leads the other way."""

    there: Tensor
    back: Tensor

    @classmethod
    def of(cls, size: int, device: str) -> Turns:
        cells = np.arange(size * size).reshape(size, size)
        boards = [np.rot90(board, turn).ravel() for board in (cells, cells.T) for turn in range(4)]
        there = torch.from_numpy(np.stack(boards)).to(device)
        return cls(there, torch.argsort(there, 1))


class Labeller:
    """Labels rows by a teacher, each through one symmetry that is drawn for it."""

    def __init__(self, teacher: Teacher, shape: int) -> None:
        """shape: rows that the teacher labels at once, however few there are, so that it is compiled once a size."""
        self._teacher, self._shape = teacher, shape
        self._turns: dict[int, Turns] = {}

    def label(self, rows: Rows, size: int) -> list[Tensor]:
        """The columns of `Store` for rows of one size, `shape` at most."""
        device = self._teacher.device
        turns = self._turns.setdefault(size, Turns.of(size, device))
        packed, asked, told, points = (torch.from_numpy(column).to(device) for column in rows)
        count, cells = len(packed), size * size
        with torch.inference_mode():
            turn = torch.randint(0, SYMMETRIES, (count,), device=device)
            planes = unpacked(packed, size, turns.there[turn])
            entering = [_filled(one, self._shape) for one in (planes, asked, points)]
            entering[0] = entering[0].contiguous(memory_format=torch.channels_last)
            policy, value, lead, said, owners = (one[:count] for one in self._teacher.labels(*entering))
            back = turns.back[turn]
            policy = torch.cat([policy[:, :cells].gather(1, back), policy[:, cells:]], 1).half()
            owners = (owners.gather(1, back) * OWNER).round().to(torch.int8)
        return [packed, told, policy, value, lead, said, owners]


class Store:
    """Labelled positions of one size. The first `held` rows are a sample that is never learned from."""

    def __init__(self, parts: Sequence[Sequence[Tensor]], size: int, held: int) -> None:
        columns = [torch.cat(list(column)) for column in zip(*parts, strict=True)]
        order = torch.randperm(len(columns[0]), device=columns[0].device)
        self._columns = [column[order] for column in columns]
        self.size, self.held = size, min(held, len(order) // 4)
        self._turns = Turns.of(size, str(order.device))

    def __len__(self) -> int:
        return len(self._columns[0])

    def batch(self, rows: Tensor, turn: Tensor) -> Batch:
        """The positions of n rows, each through one of the symmetries. It waits for nothing, so that a CUDA graph can
        hold it."""
        packed, told, policy, value, lead, said, owners = (column[rows] for column in self._columns)
        there, cells = self._turns.there[turn], self.size**2
        shares = policy.float()
        shares = torch.cat([shares[:, :cells].gather(1, there), shares[:, cells:]], 1)
        shares = shares / shares.sum(1, keepdim=True)
        turned = owners.gather(1, there).float() / OWNER
        return Batch(unpacked(packed, self.size, there), told, Labels(shares, value, lead, said, turned))


def unpacked(packed: Tensor, size: int, there: Tensor) -> Tensor:
    """Planes n x 22 x size x size, uint8, of rows of bits, turned by n x points."""
    count, cells = len(packed), size * size
    shifts = torch.arange(8, device=packed.device, dtype=torch.uint8)
    bits = ((packed[:, :, None] >> shifts) & 1).reshape(count, -1)[:, : PLANES * cells].reshape(count, PLANES, cells)
    return bits.gather(2, there[:, None].expand(count, PLANES, -1)).reshape(count, PLANES, size, size)


def _filled(rows: Tensor, count: int) -> Tensor:
    """So many rows, the first one again and again at the end."""
    missing = max(0, count - len(rows))
    return torch.cat([rows, rows[:1].expand(missing, *rows.shape[1:])]) if missing else rows
