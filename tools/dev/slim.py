"""Round the weights of networks so that their files pack better: a wheel holds ten networks and should stay small.

    python -m tengen.tools.dev.slim FILE.onnx FILE.bin.gz [--bits 10]

Weights of convolutions and matrices keep so many bits of mantissa (float32 has 23, half precision 10, bfloat16 7);
vectors, which are few and of any scale, stay as they are. Files and cards are rewritten in place, and the card says so.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tengen.engine import toml
from tengen.engine.evaluators.backends.cards import card_path
from tengen.engine.evaluators.katago.model import parse_model
from tengen.engine.evaluators.katago.tail import ENDING as TAIL
from tengen.engine.evaluators.katago.tail import parse_tail

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

MANTISSA = 23
"""Bits of the mantissa of float32, without the leading one."""
KATAGO = ".bin.gz"
SAID = "; weights of convolutions and matrices rounded to {} bits of mantissa"
"""What a card says of it, behind the command that made the network."""
_SAID = re.compile(re.escape(SAID).replace(r"\{\}", r"\d+") + "$")

Rounding = Callable[["NDArray[float32]"], "NDArray[float32]"]


def rounded(values: NDArray[float32], bits: int) -> NDArray[float32]:
    """Return finite values with `bits` of mantissa (1 to 22): the nearest such numbers, of two equally near ones the
    even. A number keeps its value to a share of 2 ** -(bits + 1)."""
    import numpy as np

    if not 0 < bits < MANTISSA:
        raise ValueError(f"the bits of mantissa are 1 to {MANTISSA - 1}")
    dropped = MANTISSA - bits
    raw = np.ascontiguousarray(values, np.float32).view(np.uint32)
    is_odd = (raw >> dropped) & 1
    half = np.uint32((1 << (dropped - 1)) - 1)
    kept = (raw + half + is_odd) >> dropped << dropped
    return kept.astype(np.uint32).view(np.float32).reshape(values.shape)


def slimmed(data: bytes, name: str, change: Rounding) -> bytes:
    """Return the bytes of a network's file (ONNX, KataGo's format or a tail, by its name) with its matrices changed.
    Raises NetworkError, ValueError."""
    if name.endswith(TAIL):
        from tengen.nets.katago_file import tail_file_of

        return tail_file_of(_changed(parse_tail(data, name), change))
    if name.endswith(KATAGO):
        from tengen.nets.katago_file import file_of

        try:
            return file_of(_changed(parse_model(data, name), change))
        except AttributeError:  # the writer has no method for the block
            raise ValueError("it has nested blocks or attention, which nothing here writes") from None
    if not name.endswith(".onnx"):
        raise ValueError(f"'{name}' is neither .onnx nor {KATAGO} nor {TAIL}")
    return _slimmed_onnx(data, change)


def slim(path: Path, bits: int) -> tuple[int, int]:
    """Rewrite a network and its card; the bytes of the file before and after. Raises NetworkError, ValueError,
    OSError."""
    from tengen.engine.atomic import write
    from tengen.nets.cards import write_card

    data, card = path.read_bytes(), toml.read(card_path(path))
    made = slimmed(data, path.name, lambda values: rounded(values, bits))
    write(path, made)
    training: Any = card["training"]
    training["command"] = _SAID.sub("", training["command"]) + SAID.format(bits)
    write_card(path, card)
    return len(data), len(made)


def _changed(part: Any, change: Rounding) -> Any:
    """A part of a network of KataGo's format with its matrices changed."""
    import numpy as np

    if isinstance(part, np.ndarray):
        return change(part) if part.ndim > 1 else part
    if isinstance(part, tuple) and not hasattr(part, "_fields"):
        return tuple(_changed(one, change) for one in part)
    if is_dataclass(part) and not isinstance(part, type):
        return replace(part, **{field.name: _changed(getattr(part, field.name), change) for field in fields(part)})
    return part


def _slimmed_onnx(data: bytes, change: Rounding) -> bytes:
    import onnx
    from onnx import numpy_helper

    model = onnx.load_model_from_string(data)
    for tensor in model.graph.initializer:
        if tensor.data_type == onnx.TensorProto.FLOAT and len(tensor.dims) > 1:
            values = change(numpy_helper.to_array(tensor))
            tensor.CopyFrom(numpy_helper.from_array(values, tensor.name))
    return bytes(model.SerializeToString(deterministic=True))


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, help="networks with a card beside them")
    parser.add_argument("--bits", type=int, default=10, help="of mantissa (%(default)s)")
    asked = parser.parse_args(arguments)
    for path in asked.files:
        try:
            before, after = slim(path, asked.bits)
        except (OSError, ValueError) as error:
            parser.error(f"'{path}' stays as it is: {error}")
        print(f"{path.name}: {before / 1e6:.2f} MB, {after / 1e6:.2f} MB now")


if __name__ == "__main__":
    main()
