"""The weights of a file of KataGo's format put into a network of the kind "katago", to go on training it.

The file must have the network's blocks in the network's order, as every file by `katago_export` of one like it has. A
network may have more channels than the file, and more blocks behind the file's: it then answers as the file does until
it learns. The file's channels read nothing of the new ones at first, which begin with random weights, and new blocks
add nothing (after "Net2Net", Chen et al. 2016, which copies channels instead). What a file does not hold stays as it
was: the opponent's reply, and the heads of further targets.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from tengen.engine.evaluators.katago.layers import BatchNorm, Bias, Conv, Matrix
from tengen.engine.evaluators.katago.reading import read_model
from tengen.nets.katago_export import as_katago
from tengen.nets.models import KataGoNet

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

Layer = Conv | Matrix | Bias | BatchNorm
AFTER_POOLING, POOLED_PARTS = ("pool_matrix", "pass_matrix", "values.matrix"), 3
"""Layers whose inputs are so many numbers of every pooled channel, first the one of all channels, then the next."""


def import_katago(model: nn.Module, path: Path) -> None:
    """Give the network the weights of a file. Raises NetworkError, and ValueError if the file has other blocks or more
    channels; the network is then as it was."""
    if not isinstance(model, KataGoNet):
        raise ValueError("only a network of the kind katago can begin with the weights of a file of KataGo's")
    own, other = as_katago(model, "mine"), read_model(path)
    count = len(other.trunk.blocks)
    begun = replace(own, trunk=replace(own.trunk, blocks=own.trunk.blocks[:count]))
    mine, theirs = list(_layers(begun)), list(_layers(other))
    if len(mine) != len(theirs) or not all(map(_holds, mine, theirs)):
        raise ValueError(f"'{path}' has other blocks or more channels than this network: name those of the file")
    with torch.no_grad():
        for layer, taken in zip(mine, theirs, strict=True):
            name = layer.name.removesuffix(".bias")
            _take(model.get_submodule(name), taken, POOLED_PARTS if name.endswith(AFTER_POOLING) else 1)
        for number in range(count, len(own.trunk.blocks)):
            model.get_submodule(f"trunk.blocks.{number}.conv2").weight.zero_()


def _layers(part: object) -> Iterator[Layer]:
    """Everything with weights, in the order of the file; options of blocks are compared by their layers alone."""
    if isinstance(part, Conv | Matrix | Bias | BatchNorm):
        yield part
    elif isinstance(part, tuple):
        for one in part:
            yield from _layers(one)
    elif is_dataclass(part):
        for field in fields(part):
            yield from _layers(getattr(part, field.name))


def _holds(mine: Layer, theirs: Layer) -> bool:
    """Whether a layer of the network has room for that of the file."""
    own, other = _shape(mine), _shape(theirs)
    if type(mine) is not type(theirs) or len(own) != len(other):
        return False
    inner = isinstance(mine, Conv)  # its first two numbers are the sides of the window
    return own[: 2 * inner] == other[: 2 * inner] and all(a >= b for a, b in zip(own, other, strict=True))


def _shape(layer: Layer) -> tuple[int, ...]:
    return layer.mean.shape if isinstance(layer, BatchNorm) else layer.weights.shape


def _take(module: nn.Module, layer: Layer, parts: int) -> None:
    """Copy what the file has of a layer over what the module has. parts: of its inputs, each with new ones at its
    end."""
    if isinstance(layer, Conv):
        taken = {"weight": _tensor(layer.weights).permute(3, 2, 0, 1)}
    elif isinstance(layer, Matrix):
        taken = {"weight": _tensor(layer.weights).t()}
    elif isinstance(layer, Bias):
        taken = {"bias": _tensor(layer.weights)}
    else:
        taken = _normalised(layer, float(module.eps))
    for name, values in taken.items():
        weights = getattr(module, name)[: len(values)]  # a head of several policies has its first one from the file
        if values.dim() == 1:
            weights.copy_(values)
            continue
        weights.zero_()
        for own, other in zip(weights.chunk(parts, 1), values.chunk(parts, 1), strict=True):
            own[:, : other.shape[1]].copy_(other)


def _normalised(layer: BatchNorm, epsilon: float) -> dict[str, Tensor]:
    """The file's normalisation by the module's epsilon: what it answers in evaluation is the same."""
    ones = torch.ones(len(layer.mean))
    scale = ones if layer.scale is None else _tensor(layer.scale)
    bias = 0 * ones if layer.bias is None else _tensor(layer.bias)
    variance = _tensor(layer.variance)
    factor = ((variance + epsilon) / (variance + layer.epsilon)).sqrt()
    return {"running_mean": _tensor(layer.mean), "running_var": variance, "weight": scale * factor, "bias": bias}


def _tensor(values: NDArray[float32]) -> Tensor:
    return torch.from_numpy(values.copy())
