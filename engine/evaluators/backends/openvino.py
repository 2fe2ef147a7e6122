"""Networks on the CPU by OpenVINO: one compiled model a shape, precision and threads explicit, nothing printed."""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from tengen.engine import extras
from tengen.engine.evaluators.backends.base import BUCKETS, NetworkError, Precision

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

KEPT_SHAPES = 8
"""Compiled shapes that are kept, the last used ones: each holds its own scratch memory."""
LARGEST_BATCH = 1024
_CONVERTER = "openvino.tools.ovc"


class OpenVinoBackend:
    """See `base.Backend` and `base.MakeBackend`.

    Every shape is static when it is compiled: dynamic ones are compiled again and again inside, and grow.
    """

    def __init__(
        self,
        model: bytes,
        name: str = "network",
        *,
        threads: int | None = None,
        precision: Precision = "f32",
        buckets: Sequence[int] = BUCKETS,
    ) -> None:
        if precision not in ("f32", "bf16"):
            raise ValueError(f"precision must be f32 or bf16, not '{precision}'")
        if threads is not None and threads < 1:
            raise ValueError("threads must be at least 1")
        self._name = name
        self._settings: dict[str, Any] = {
            "INFERENCE_PRECISION_HINT": precision,
            "PERFORMANCE_HINT": "LATENCY",
            "NUM_STREAMS": 1,
            "ENABLE_CPU_PINNING": False,  # several processes would all be pinned to the first cores
        }
        if threads is not None:
            self._settings["INFERENCE_NUM_THREADS"] = threads
        self._model: Any = _read(model, name)
        self._shape = _input_shape(self._model, name)
        self._outputs = tuple(_name_of(output, index) for index, output in enumerate(self._model.outputs))
        self._buckets = _checked_buckets(buckets, self._shape[0])
        self._requests: OrderedDict[tuple[int, ...], Any] = OrderedDict()

    @property
    def outputs(self) -> tuple[str, ...]:
        return self._outputs

    def run(self, inputs: NDArray[float32]) -> Mapping[str, NDArray[float32]]:
        """See `Backend.run`."""
        import numpy as np

        if self._model is None:
            raise RuntimeError(f"the network '{self._name}' is closed")
        self._check(inputs)
        parts = [self._run_part(inputs[start:stop], bucket) for start, stop, bucket in self._parts(len(inputs))]
        return {name: np.concatenate([part[index] for part in parts]) for index, name in enumerate(self._outputs)}

    def close(self) -> None:
        """See `Backend.close`."""
        self._requests.clear()
        self._model = None

    def _parts(self, count: int) -> Iterator[tuple[int, int, int]]:
        """(start, stop, bucket) of the runs that `count` rows take."""
        largest = self._buckets[-1]
        for start in range(0, count, largest):
            rows = min(largest, count - start)
            yield start, start + rows, next(bucket for bucket in self._buckets if bucket >= rows)

    def _run_part(self, rows: NDArray[float32], bucket: int) -> list[NDArray[float32]]:
        """The outputs of at most `bucket` rows, in order; fresh arrays."""
        import numpy as np

        batch = np.ascontiguousarray(rows)
        if len(rows) < bucket:
            batch = np.zeros((bucket, *rows.shape[1:]), np.float32)
            batch[: len(rows)] = rows
        request = self._request(batch.shape)
        try:
            request.infer([batch], share_inputs=True)
            found = [request.get_output_tensor(index).data for index in range(len(self._outputs))]
        except Exception as error:
            raise RuntimeError(f"the network '{self._name}' failed: {_first_line(error)}") from None
        for name, values in zip(self._outputs, found, strict=True):
            if not values.ndim or len(values) != bucket:
                raise RuntimeError(f"the output '{name}' of the network '{self._name}' has no row for each input")
        return [np.array(values[: len(rows)], np.float32) for values in found]

    def _request(self, shape: tuple[int, ...]) -> Any:
        """What infers batches of this shape, compiled now unless it is kept."""
        request = self._requests.pop(shape, None)
        if request is None:
            while len(self._requests) >= KEPT_SHAPES:
                self._requests.popitem(last=False)
            request = self._compiled(shape)
        self._requests[shape] = request
        return request

    def _compiled(self, shape: tuple[int, ...]) -> Any:
        try:
            model = self._model.clone()
            if not model.inputs[0].partial_shape.is_static:
                model.reshape(list(shape))
            return _core().compile_model(model, "CPU", self._settings).create_infer_request()
        except Exception as error:
            raise RuntimeError(
                f"the network '{self._name}' cannot be compiled for {'x'.join(map(str, shape))}: {_first_line(error)}"
            ) from None

    def _check(self, inputs: NDArray[float32]) -> None:
        shape = inputs.shape
        fits = len(shape) == len(self._shape) and all(
            own in (0, side) for own, side in zip(self._shape[1:], shape[1:], strict=True)
        )
        if inputs.dtype.name != "float32" or not fits or 0 in shape:
            wanted = "x".join(("n", *(str(side or "any") for side in self._shape[1:])))
            got = "x".join(map(str, shape))
            raise ValueError(f"the network '{self._name}' takes float32 {wanted}, not {inputs.dtype.name} {got}")


@lru_cache(maxsize=1)
def _core() -> Any:
    """The one OpenVINO of this process. Raises NetworkError when it is not installed.

    Its model converter is left out of the import: it takes half of the time, and it is what brings telemetry.
    """
    try:
        with _hidden(_CONVERTER):
            openvino: Any = import_module("openvino")
    except ImportError as error:
        named = type(error)(str(error), name="openvino")
        raise NetworkError(extras.sentence("a network", named) or str(error)) from None
    core = openvino.Core()
    core.set_property({"LOG_LEVEL": "LOG_NONE"})
    return core


@contextmanager
def _hidden(module: str) -> Iterator[None]:
    """While it lasts, importing `module` raises ImportError, unless it is loaded already."""
    if module in sys.modules:
        yield
        return
    sys.modules[module] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        sys.modules.pop(module, None)


def _read(model: bytes, name: str) -> Any:
    core = _core()
    try:
        return core.read_model(model, b"")
    except Exception as error:
        raise NetworkError(f"the network '{name}' is no ONNX file that can be read: {_first_line(error)}") from None


def _input_shape(model: Any, name: str) -> tuple[int, ...]:
    """(batch, channels, ...) with 0 for what is free."""
    if len(model.inputs) != 1 or model.inputs[0].partial_shape.rank.is_dynamic:
        raise NetworkError(f"the network '{name}' must have one input of a known number of dimensions")
    shape = tuple(0 if side.is_dynamic else int(side.get_length()) for side in model.inputs[0].partial_shape)
    if len(shape) < 2:
        raise NetworkError(f"the network '{name}' must take batches")
    return shape


def _name_of(output: Any, index: int) -> str:
    return str(output.any_name) if output.names else f"output{index}"


def _checked_buckets(buckets: Sequence[int], batch: int) -> tuple[int, ...]:
    if not buckets or any(not 1 <= size <= LARGEST_BATCH for size in buckets) or list(buckets) != sorted(set(buckets)):
        raise ValueError(f"buckets must be ascending numbers from 1 to {LARGEST_BATCH}")
    return (batch,) if batch else tuple(buckets)


def _first_line(error: BaseException) -> str:
    """What went wrong, in one line: the last one of OpenVINO's message that says something."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1][:200] if lines else type(error).__name__
