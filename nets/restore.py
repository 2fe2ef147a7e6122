"""Putting the weights of a network that was written as ONNX back into the model that it came from, to train it on.

The export folds every batch normalisation into the convolution before it. `load_onnx` gives the convolution those
weights and makes the normalisation add their bias, which answers the same in evaluation; `settle_norms` then measures
what passes through, so that it also answers (nearly) the same while it is trained and normalises by batches.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

Layer = tuple[str, nn.Module]


def load_onnx(model: nn.Module, path: Path, example: Tensor) -> None:
    """Give `model` the weights of a file that `export` wrote of one like it; `example` is an input of it.

    Raises ValueError if the file belongs to another model.
    """
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(str(path)).graph
    arrays = {item.name: numpy_helper.to_array(item) for item in graph.initializer}
    named = {name for name, _ in model.named_parameters()}
    folded = [node.input for node in graph.node if node.op_type == "Conv" and node.input[1] not in named]
    try:
        with torch.no_grad():
            for (_, convolution), (_, norm), inputs in _folded(model, example, folded):
                _fold_out(convolution, norm, arrays[inputs[1]], arrays[inputs[2]])
            parameters = dict(model.named_parameters())
            for name in named & set(arrays):
                parameters[name].copy_(_tensor(arrays[name]))
    except (RuntimeError, ValueError, IndexError, KeyError) as error:
        raise ValueError(f"'{path}' holds the weights of another network") from error


def _folded(model: nn.Module, example: Tensor, folded: list[Iterable[str]]) -> Iterator[tuple[Layer, Layer, list[str]]]:
    """Every convolution with the normalisation after it and the names of its weights in the file, as data pass them."""
    order = list(_passed(model, example))
    pairs = [(one, two) for one, two in zip(order, order[1:], strict=False) if isinstance(two[1], nn.BatchNorm2d)]
    for (one, two), inputs in zip(pairs, folded, strict=True):
        yield one, two, list(inputs)


def _passed(model: nn.Module, example: Tensor) -> list[Layer]:
    """The convolutions and normalisations in the order in which data pass them."""
    order: list[Layer] = []
    hooks = [
        module.register_forward_hook(lambda one, _in, _out, name=name: order.append((name, one)))
        for name, module in model.named_modules()
        if isinstance(module, nn.Conv2d | nn.BatchNorm2d)
    ]
    model.eval()
    with torch.no_grad():
        model(example)
    for hook in hooks:
        hook.remove()
    return order


def _fold_out(convolution: nn.Module, norm: nn.Module, weight: np.ndarray, bias: np.ndarray) -> None:
    """A convolution with these weights, and a normalisation that only adds the bias."""
    assert isinstance(convolution, nn.Conv2d) and isinstance(norm, nn.BatchNorm2d)
    convolution.weight.copy_(_tensor(weight))
    _set_norm(norm, torch.zeros(len(bias)), torch.ones(len(bias)), _tensor(bias))


def _set_norm(norm: nn.BatchNorm2d, mean: Tensor, variance: Tensor, bias: Tensor) -> None:
    """A normalisation by this mean and variance that in all only adds `bias`."""
    assert norm.running_mean is not None and norm.running_var is not None
    norm.running_mean.copy_(mean)
    norm.running_var.copy_(variance)
    norm.weight.copy_((variance + norm.eps).sqrt())
    norm.bias.copy_(bias + mean)


def mix(path: Path, other: Path, share: float) -> None:
    """Move the weights in the file `path` towards those of `other`, from which its training went on, by this share.

    What was trained on keeps more of what its start could do (Wortsman et al. 2022). Raises ValueError if the files
    belong to different models.
    """
    import onnx
    from onnx import numpy_helper

    mixed = onnx.load(str(path))
    graphs = (mixed.graph, onnx.load(str(other)).graph)
    weights = [[numpy_helper.to_array(item) for item in graph.initializer] for graph in graphs]
    if [array.shape for array in weights[0]] != [array.shape for array in weights[1]]:
        raise ValueError(f"'{other}' holds the weights of another network")
    for item, new, old in zip(mixed.graph.initializer, *weights, strict=True):
        item.CopyFrom(numpy_helper.from_array(((1 - share) * new + share * old).astype(np.float32), item.name))
    path.write_bytes(mixed.SerializeToString())


def settle_norms(model: nn.Module, inputs: Iterable[Tensor]) -> None:
    """Measure what passes the normalisations and let them normalise by that, so that the answers stay the same."""
    norms = [module for module in model.modules() if isinstance(module, nn.BatchNorm2d)]
    sums: dict[nn.BatchNorm2d, list[Tensor]] = {norm: [] for norm in norms}

    def measure(norm: nn.Module, passed: tuple[Tensor, ...]) -> None:
        assert isinstance(norm, nn.BatchNorm2d)
        value = passed[0].float()
        sums[norm].append(torch.stack([value.mean((0, 2, 3)), value.square().mean((0, 2, 3))]))

    hooks = [norm.register_forward_pre_hook(measure) for norm in norms]
    model.eval()
    with torch.no_grad():
        for one in inputs:
            model(one)
        for norm, parts in sums.items():
            mean, square = torch.stack(parts).mean(0)
            assert norm.running_mean is not None
            bias = norm.bias - norm.running_mean  # what it adds: its weight is its deviation
            _set_norm(norm, mean, (square - mean.square()).clamp_min(1e-6), bias)
    for hook in hooks:
        hook.remove()


def _tensor(array: np.ndarray) -> Tensor:
    return torch.from_numpy(array.astype(np.float32))
