"""The operators of OpenVINO that networks are described by, computed at once by PyTorch.

Only those that `katago/source.py` and what it calls make use of. Shapes and axes are whole numbers on the CPU, floats
lie on the device. Constants are made once: a network asks for the same ones in the same order whatever the batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any, NamedTuple

Tensor = Any


class Outputs(NamedTuple):
    """The results of an operator with several outputs."""

    parts: Sequence[Tensor]

    def outputs(self) -> Sequence[Tensor]:
        return self.parts


class TorchOps:
    """One network's; `begin` comes before each batch."""

    def __init__(self, device: str) -> None:
        self.torch: Any = import_module("torch")
        self.device = device
        self._constants: list[Tensor] = []
        self._at = 0
        names = "multiply subtract add divide minimum exp sqrt cos sin relu".split()
        for name in names:
            setattr(self, name, getattr(self.torch, name))
        self.mish, self.swish = self.torch.nn.functional.mish, self.torch.nn.functional.silu

    def begin(self) -> None:
        """From now on constants are those of before."""
        self._at = 0

    def constant(self, values: Any) -> Tensor:
        if self._at == len(self._constants):
            made = self.torch.as_tensor(values.copy())
            self._constants.append(made.to(self.device) if made.is_floating_point() else made)
        self._at += 1
        return self._constants[self._at - 1]

    def shape_of(self, node: Tensor, kind: str) -> Tensor:
        return self.torch.tensor(node.shape)

    def gather(self, node: Tensor, indices: Tensor, axis: Tensor) -> Tensor:
        return self.torch.index_select(node, int(axis), indices)

    def slice(self, node: Tensor, start: list[int], stop: list[int], step: list[int], axes: list[int]) -> Tensor:
        return node.narrow(axes[0], start[0], stop[0] - start[0])

    def convert(self, node: Tensor, kind: str) -> Tensor:
        return node.to(self.device, self.torch.float32)

    def reshape(self, node: Tensor, shape: Any, special_zero: bool) -> Tensor:
        sides = [int(side) for side in shape]
        return node.reshape([node.shape[at] if special_zero and not side else side for at, side in enumerate(sides)])

    def unsqueeze(self, node: Tensor, axes: list[int]) -> Tensor:
        for axis in sorted(axes):
            node = node.unsqueeze(axis)
        return node

    def squeeze(self, node: Tensor, axes: list[int]) -> Tensor:
        return node.squeeze(axes[0])

    def transpose(self, node: Tensor, order: list[int]) -> Tensor:
        return node.permute(order)

    def concat(self, nodes: list[Tensor], axis: int) -> Tensor:
        return self.torch.cat(nodes, axis)

    def split(self, node: Tensor, axis: Tensor, parts: int) -> Outputs:
        return Outputs(node.chunk(parts, int(axis)))

    def range(self, start: Tensor, stop: Tensor, step: Tensor, kind: str) -> Tensor:
        return self.torch.arange(int(start), int(stop), int(step), dtype=self.torch.float32, device=self.device)

    def reduce_sum(self, node: Tensor, axes: list[int], keep_dims: bool = False) -> Tensor:
        return node.sum(axes, keep_dims)

    def reduce_mean(self, node: Tensor, axes: list[int], keep_dims: bool = False) -> Tensor:
        return node.mean(axes, keep_dims)

    def reduce_max(self, node: Tensor, axes: list[int], keep_dims: bool = False) -> Tensor:
        return node.amax(axes, keep_dims)

    def softmax(self, node: Tensor, axis: int) -> Tensor:
        return node.softmax(axis)

    def matmul(self, left: Tensor, right: Tensor, turn_left: bool, turn_right: bool) -> Tensor:
        left = left.transpose(-1, -2) if turn_left else left
        return self.torch.matmul(left, right.transpose(-1, -2) if turn_right else right)

    def convolution(
        self,
        node: Tensor,
        filters: Tensor,
        strides: list[int],
        begin: list[int],
        end: list[int],
        dilations: list[int],
        auto_pad: str,
    ) -> Tensor:
        return self.torch.nn.functional.conv2d(node, filters, None, strides, "same", dilations)
