"""Back ends run network files: planes in, named arrays out. A network is NAME.onnx with its card NAME.toml beside it.

`load` reads and checks both. Where shipped networks lie is the caller's business (`tengen.nets.weights`): the engine
knows files only. A new back end is one module and one line here. numpy and a back end's package load on use.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, cast

from tengen.engine.evaluators.backends.base import BUCKETS, Backend, MakeBackend, NetworkError, Precision
from tengen.engine.evaluators.backends.cards import Card, read_card, read_network
from tengen.engine.evaluators.backends.features import check

__all__ = [
    "BACKENDS",
    "BUCKETS",
    "Backend",
    "Card",
    "Network",
    "NetworkError",
    "backend_for",
    "fast_precisions",
    "load",
    "make_backend",
    "read_card",
]

BACKENDS: dict[str, str] = {
    "openvino": "tengen.engine.evaluators.backends.openvino:OpenVinoBackend",
    "openvino-gpu": "tengen.engine.evaluators.backends.openvino:OpenVinoGpu",
    "openvino-npu": "tengen.engine.evaluators.backends.openvino:OpenVinoNpu",
    "torch": "tengen.engine.evaluators.backends.torch:TorchBackend",
}
"""Name -> "module:attribute" of what makes a back end; the first is the default."""


class Network(NamedTuple):
    """A network ready to run."""

    card: Card
    backend: Backend


def make_backend(name: str | None = None) -> MakeBackend:
    """Return the function that makes a back end from the bytes of an ONNX file. Raises NetworkError for an unknown
    name."""
    target = BACKENDS.get(name or next(iter(BACKENDS)))
    if target is None:
        from tengen.engine.config import nearest

        raise NetworkError(f"unknown back end '{name}'{nearest(str(name), BACKENDS)}")
    module, _, attribute = target.partition(":")
    return cast(MakeBackend, getattr(import_module(module), attribute))


def backend_for(device: str) -> str:
    """The back end of a device: cpu, gpu (OpenVINO's, else one with CUDA), npu. Raises NetworkError for one that is not
    there."""
    if device == "cpu":
        return next(iter(BACKENDS))
    name = f"openvino-{device}"
    try:
        make_backend(name).check_device()
    except NetworkError:
        if device != "gpu" or not import_module("tengen.engine.evaluators.backends.torch").has_cuda():
            raise
        return "torch"
    return name


def fast_precisions(name: str | None = None) -> Sequence[Precision]:
    """The precisions that a back end is fast in on this machine, f32 first. Raises NetworkError as it is made."""
    return make_backend(name).fast_precisions()


def load(
    path: Path | str,
    *,
    backend: str | None = None,
    threads: int | None = None,
    precision: Precision = "f32",
    buckets: Sequence[int] = BUCKETS,
) -> Network:
    """The network of an ONNX file, checked against the card beside it. See `MakeBackend` for the rest.

    Raises NetworkError with one sentence when the file or its card is missing or unreadable, when the file is not
    the one that the card describes, when the back end's package is not installed, or when a network that plays does not
    fit this build (`features.check`).
    """
    file = Path(path)
    card, model = read_network(file)
    make = make_backend(backend)
    made = make(model, file.name, threads=threads, precision=precision, buckets=buckets)
    try:
        check(card, made, file.name)
    except NetworkError:
        made.close()
        raise
    return Network(card, made)
