"""Writing a trained network as an ONNX file with its card, and its weights as a plain archive of arrays.

The card is written by `tengen.nets.cards`.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from tengen.engine import atomic, npz
from tengen.nets.cards import write_card

OPSET = 18


def export(
    model: nn.Module, path: Path, example: Tensor | Mapping[str, Tensor], outputs: Sequence[str],
    card: Mapping[str, object], *, free: Sequence[int] = (0,),
) -> None:  # fmt: skip
    """Write `path` (.onnx) and the card `path` with .toml, to which the hash is added.

    `example` is what the network takes: its inputs by name, or the one called `input`; their axes named in `free` may
    have any length later. The network is written in evaluation mode, float32.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    model.eval()
    names = {0: "batch", 2: "height", 3: "width"}
    inputs = {"input": example} if isinstance(example, Tensor) else dict(example)
    axes = {name: {axis: names[axis] for axis in free if axis < value.dim()} for name, value in inputs.items()}
    axes |= {name: {0: "batch"} for name in outputs if 0 in free}
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            model, tuple(inputs.values()), str(path), input_names=list(inputs), output_names=list(outputs),
            dynamic_axes=axes, opset_version=OPSET, dynamo=False,
        )  # fmt: skip
    write_card(path, card)


def save_weights(model: nn.Module, path: Path) -> None:
    """Keep the parameters and running statistics of a model as a .npz file, whole or not at all."""
    buffer = io.BytesIO()
    np.savez(buffer, **{name: value.detach().float().numpy() for name, value in model.state_dict().items()})
    atomic.write(path, buffer.getvalue())


def load_weights(model: nn.Module, path: Path) -> None:
    """Put them back. Raises ValueError if the file belongs to another model or is damaged, OSError."""
    try:
        state = {name: torch.as_tensor(array.copy()) for name, array in npz.read(path).items()}
    except npz.ArraysError as error:
        raise ValueError(f"'{path}': {error}") from None
    try:
        model.load_state_dict(state)
    except RuntimeError as error:
        raise ValueError(f"'{path}' holds the weights of another network") from error
