"""The weights of a file of KataGo's format put into a network of the kind "katago", to go on training it.

The file must have the network's blocks and channels in the network's order, as every file by `katago_export` of one
like it has. What a file does not hold stays as it was: the opponent's reply, and the heads of further targets.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from tengen.engine.evaluators.katago.layers import BatchNorm, Bias, Conv, Matrix
from tengen.engine.evaluators.katago.model import read_model
from tengen.nets.katago_export import as_katago
from tengen.nets.models import KataGoNet

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

Layer = Conv | Matrix | Bias | BatchNorm


def import_katago(model: nn.Module, path: Path) -> None:
    """Give the network the weights of a file. Raises NetworkError, and ValueError if the file is of another shape; the
    network is then as it was."""
    if not isinstance(model, KataGoNet):
        raise ValueError("only a network of the kind katago can begin with the weights of a file of KataGo's")
    mine, theirs = list(_layers(as_katago(model, "mine"))), list(_layers(read_model(path)))
    if [_shape(layer) for layer in mine] != [_shape(layer) for layer in theirs]:
        raise ValueError(f"'{path}' has other blocks or channels than this network: name those of the file")
    with torch.no_grad():
        for own, other in zip(mine, theirs, strict=True):
            _take(model.get_submodule(own.name.removesuffix(".bias")), other)


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


def _shape(layer: Layer) -> tuple[object, ...]:
    shape = layer.mean.shape if isinstance(layer, BatchNorm) else layer.weights.shape
    return type(layer), *shape


def _take(module: nn.Module, layer: Layer) -> None:
    """Copy what the file has of a layer over what the module has."""
    if isinstance(layer, Conv):
        taken = {"weight": _tensor(layer.weights).permute(3, 2, 0, 1)}
    elif isinstance(layer, Matrix):
        taken = {"weight": _tensor(layer.weights).t()}
    elif isinstance(layer, Bias):
        taken = {"bias": _tensor(layer.weights)}
    else:
        taken = _normalised(layer, float(module.eps))
    for name, values in taken.items():
        weights = getattr(module, name)
        weights[: len(values)].copy_(values)  # a head of several policies has its first one from the file


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
