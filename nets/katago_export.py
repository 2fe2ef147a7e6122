"""A network of the kind "katago" as what a file of KataGo's format holds. Learned in torch, played without it.

Version 10: one policy, and short-term errors as square roots of what is learned (`katago.answers`); every KataGo since
1.9 reads it. Batch normalisations are written with their running statistics; the opponent's reply is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from torch import nn

from tengen.engine.atomic import write
from tengen.engine.evaluators.backends.cards import sha256_of
from tengen.engine.evaluators.katago.blocks import Block, Pooling, Residual
from tengen.engine.evaluators.katago.heads import PolicyHead, ValueHead
from tengen.engine.evaluators.katago.layers import BatchNorm, Bias, Conv, Matrix
from tengen.engine.evaluators.katago.model import Header, Model, Trunk
from tengen.engine.evaluators.katago.tail import ENDING, tail_of
from tengen.nets import residual
from tengen.nets.cards import write_card
from tengen.nets.heads import PolicyHead as TorchPolicy
from tengen.nets.katago_file import save, tail_file_of
from tengen.nets.models import KataGoNet

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray
    from torch import Tensor

VERSION = 10
RELU: Literal["relu"] = "relu"


def export_katago(model: nn.Module, path: Path, card: Mapping[str, object]) -> None:
    """Write the network's .bin.gz and its card beside it; the file calls it by its name without the ending."""
    if not isinstance(model, KataGoNet):
        raise ValueError("only a network of the kind katago can be written as a file of KataGo's")
    name = path.name.removesuffix(".gz").removesuffix(".bin")
    save(as_katago(model, "-".join(name.split()) or "network"), path, {"name": name, **card})


def export_tail(model: KataGoNet, first: int, base: Path, path: Path, card: Mapping[str, object]) -> None:
    """Write the network's blocks from number `first` on and its heads as NAME.tail.gz, with its card; the blocks before
    are those of the file `base`, which has to lie beside it. Raises ValueError, OSError."""
    name, begun = path.name.removesuffix(ENDING), base.name.removesuffix(".bin.gz")
    if name == path.name or begun == base.name:
        raise ValueError(f"a tail is called NAME{ENDING}, and the file that it goes on from NAME.bin.gz")
    data = tail_file_of(tail_of(as_katago(model, name), first, begun, sha256_of(base.read_bytes())))
    path.parent.mkdir(parents=True, exist_ok=True)
    write(path, data)
    write_card(path, {"name": name, **card})


def as_katago(model: KataGoNet, name: str) -> Model:
    """Its weights as they are now, copied."""
    layers = {id(module): path for path, module in model.named_modules()}
    return _Reader(layers).model(model, name)


class _Reader:
    """Takes layers off a module; they are called in the file as they are in the module."""

    def __init__(self, names: Mapping[int, str]) -> None:
        self._names = names

    def model(self, model: KataGoNet, name: str) -> Model:
        trunk, policy = model.trunk, model.policy
        assert isinstance(trunk.matrix, nn.Linear) and isinstance(policy, TorchPolicy)
        stem = self.conv(trunk.conv), self.matrix(trunk.matrix)
        blocks = tuple(self.block(block) for block in trunk.blocks)
        made = Trunk("trunk", *stem, None, blocks, self.norm(trunk.norm), RELU)
        return Model(Header(name, VERSION), made, self.policy(policy), self.value(model.values))

    def block(self, block: nn.Module) -> Block:
        assert isinstance(block, residual.PreResidual | residual.Pooled)
        name, conv = self._names[id(block)], self.conv(block.conv)
        first, second = (
            (name, self.norm(block.norm), RELU, conv),
            (self.norm(block.norm2), RELU, self.conv(block.conv2)),
        )
        if isinstance(block, residual.PreResidual):
            return Residual(*first, *second)
        pool = self.conv(block.pool_conv), self.norm(block.pool_norm), RELU, self.matrix(block.pool_matrix)
        return Pooling(*first, *pool, *second)

    def policy(self, head: TorchPolicy) -> PolicyHead:
        """The first of its policies alone."""
        assert isinstance(head.pass_matrix, nn.Linear)
        conv2, passing = self.conv(head.conv2), self.matrix(head.pass_matrix)
        return PolicyHead(
            "policy", self.conv(head.conv), self.conv(head.pool_conv), self.norm(head.pool_norm), RELU,
            self.matrix(head.pool_matrix), self.norm(head.norm), RELU,
            Conv(conv2.name, conv2.weights[..., :1], (1, 1)), Matrix(passing.name, passing.weights[:, :1]), None,
        )  # fmt: skip

    def value(self, head: nn.Module) -> ValueHead:
        return ValueHead(
            "value", self.conv(head.conv), self.norm(head.norm), RELU,
            self.matrix(head.matrix), self.bias(head.matrix), RELU,
            self.matrix(head.value), self.bias(head.value), self.matrix(head.score), self.bias(head.score),
            self.conv(head.ownership),
        )  # fmt: skip

    def conv(self, layer: nn.Module) -> Conv:
        """y, x, inputs, outputs."""
        return Conv(self._names[id(layer)], _array(layer.weight.permute(2, 3, 1, 0)), (1, 1))

    def matrix(self, layer: nn.Module) -> Matrix:
        return Matrix(self._names[id(layer)], _array(layer.weight.t()))

    def bias(self, layer: nn.Module) -> Bias:
        return Bias(f"{self._names[id(layer)]}.bias", _array(layer.bias))

    def norm(self, layer: nn.Module) -> BatchNorm:
        assert isinstance(layer, residual.Norm)
        statistics = _array(layer.running_mean), _array(layer.running_var)
        return BatchNorm(self._names[id(layer)], layer.eps, *statistics, _array(layer.weight), _array(layer.bias))


def _array(values: Tensor | None) -> NDArray[float32]:
    assert values is not None
    import numpy as np

    return np.array(values.detach().float().cpu().numpy(), np.float32, order="C")
