"""Networks by OpenVINO: one compiled model a shape, device, precision and threads explicit, nothing printed."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, get_args

from tengen.engine import cpu, extras
from tengen.engine.evaluators import cache
from tengen.engine.evaluators.backends.base import BUCKETS, ModelSource, NetworkError, Precision
from tengen.engine.evaluators.backends.requests import PooledTicket, RequestPool, Run, Shapes, first_line, shapes_of

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from tengen.engine.evaluators.backends.base import Answers, Inputs


LARGEST_BATCH = 1024
MOST_KEPT = 512 << 20
"""Bytes of compiled networks on disk; the oldest go."""
_CONVERTER = "openvino.tools.ovc"


class OpenVinoBackend:
    """See `base.Backend` and `base.MakeBackend`.

    Every shape is static when it is compiled: dynamic ones are compiled again and again inside, and grow. A batch has
    an infer request of its own from submission to answer, so that no caller sees another's.
    """

    def __init__(
        self,
        model: ModelSource,
        name: str = "network",
        *,
        threads: int | None = None,
        precision: Precision = "f32",
        buckets: Sequence[int] = BUCKETS,
    ) -> None:
        if precision not in get_args(Precision):
            raise ValueError(f"precision must be one of {', '.join(get_args(Precision))}, not '{precision}'")
        if threads is not None and threads < 1:
            raise ValueError("threads must be at least 1")
        self._name = name
        settings: dict[str, Any] = {
            "INFERENCE_PRECISION_HINT": _of_floats() if precision == "int8" else precision,
            "PERFORMANCE_HINT": "LATENCY",
        }
        if self.DEVICE == "CPU":
            settings |= {"NUM_STREAMS": 1, "ENABLE_CPU_PINNING": False}  # all would be pinned to the first cores
            settings |= {} if threads is None else {"INFERENCE_NUM_THREADS": threads}
        self.check_device()
        read = _read(model, name)
        self._inputs = _inputs_of(read, name)
        self._outputs = tuple(_name_of(output, f"output{index}") for index, output in enumerate(read.outputs))
        fixed = {shape[0] for shape in self._inputs.values()}
        self._buckets = _checked_buckets(buckets, max(fixed))
        self._model, self._settings = read, settings
        self._pool: RequestPool | None = RequestPool(name, self._compile, self._following)

    DEVICE = "CPU"

    @classmethod
    def check_device(cls) -> None:
        """Raises NetworkError with one sentence where OpenVINO has no such device."""
        there = sorted({device.partition(".")[0].lower() for device in _core().available_devices})
        if cls.DEVICE.lower() not in there:
            raise NetworkError(
                f"OpenVINO finds no {cls.DEVICE.lower()} on this machine, but {' and '.join(there)}: "
                "take --device cpu, or install the driver"
            )

    @staticmethod
    def fast_precisions() -> tuple[Precision, ...]:
        """See `base.MakeBackend`. Raises NetworkError when OpenVINO is not installed."""
        known = set(_core().get_property("CPU", "OPTIMIZATION_CAPABILITIES"))
        features = cpu.usable()
        if features is None:
            return ("f32", "bf16") if "BF16" in known else ("f32",)
        found: list[Precision] = ["bf16"] if "BF16" in known and features & (cpu.BF16 | cpu.AMX) else []
        if "INT8" in known and "avx2" in features:
            found.append("int8")
        return "f32", *found

    @property
    def inputs(self) -> Mapping[str, tuple[int, ...]]:
        return self._inputs

    @property
    def outputs(self) -> tuple[str, ...]:
        return self._outputs

    def submit(self, inputs: Inputs) -> PooledTicket:
        """See `Backend.submit`."""
        pool = self._pool
        if pool is None:
            raise RuntimeError(f"the network '{self._name}' is closed")
        arrays = self._checked(inputs)
        runs = [
            Run(pool, [array[start:stop] for array in arrays], bucket, self._outputs)
            for start, stop, bucket in self._parts(len(arrays[0]))
        ]
        return PooledTicket(runs, self._outputs)

    def is_prompt(self, inputs: Inputs) -> bool:
        """See `Backend.is_prompt`."""
        if self._pool is None or not isinstance(inputs, Mapping):
            return False
        arrays = [inputs[name] for name in self._inputs if name in inputs]
        return all(self._pool.is_kept(shapes_of(arrays, bucket)) for _, _, bucket in self._parts(len(arrays[0])))

    def run(self, inputs: Inputs) -> Answers:
        """See `Backend.run`."""
        return self.submit(inputs).wait()

    def close(self) -> None:
        """See `Backend.close`."""
        if self._pool is not None:
            self._pool.close()
        self._pool = self._model = None

    def _compile(self, shapes: Shapes) -> Any:
        try:
            model = self._model.clone()
            if not all(parameter.partial_shape.is_static for parameter in model.inputs):
                model.reshape({index: list(shape) for index, shape in enumerate(shapes)})
            return self._compiled(model)
        except Exception as error:
            sizes = " and ".join("x".join(map(str, shape)) for shape in shapes)
            raise RuntimeError(
                f"the network '{self._name}' cannot be compiled for {sizes}: {first_line(error)}"
            ) from None

    def _compiled(self, model: Any) -> Any:
        """Take what an earlier process compiled from the disk, or compile anew if that fails."""
        kept = cache.place("compiled", most=MOST_KEPT)
        if kept is not None and not self._crashes_kept(model):
            with suppress(Exception):
                return _core().compile_model(model, self.DEVICE, {**self._settings, "CACHE_DIR": str(kept)})
        return _core().compile_model(model, self.DEVICE, self._settings)

    def _crashes_kept(self, model: Any) -> bool:
        """Attention in bf16 by AMX: OpenVINO 2026.4 overwrites memory as soon as it is to keep what it compiles."""
        features = cpu.usable()
        is_amx = features is None or bool(features & cpu.AMX)  # None: it does not tell, so it may have it
        in_bf16 = self._settings["INFERENCE_PRECISION_HINT"] == "bf16"
        return is_amx and in_bf16 and any(part.get_type_name() == "Softmax" for part in model.get_ops())

    def _following(self, shapes: Shapes) -> Shapes | None:
        """The next larger batch: searches grow."""
        larger = [bucket for bucket in self._buckets if bucket > shapes[0][0]]
        return tuple((larger[0], *shape[1:]) for shape in shapes) if larger else None

    def _parts(self, count: int) -> Iterator[tuple[int, int, int]]:
        """(start, stop, bucket) of the runs that `count` rows take."""
        largest = self._buckets[-1]
        for start in range(0, count, largest):
            rows = min(largest, count - start)
            yield start, start + rows, next(bucket for bucket in self._buckets if bucket >= rows)

    def _checked(self, inputs: Inputs) -> list[NDArray[float32]]:
        """The arrays in the order of the inputs. Raises ValueError."""
        if not isinstance(inputs, Mapping):
            if len(self._inputs) > 1:
                raise ValueError(f"the network '{self._name}' takes {', '.join(self._inputs)} by name")
            inputs = {next(iter(self._inputs)): inputs}
        if set(inputs) != set(self._inputs):
            got = ", ".join(inputs) or "nothing"
            raise ValueError(f"the network '{self._name}' takes {', '.join(self._inputs)}, not {got}")
        arrays = [inputs[name] for name in self._inputs]
        for array, own in zip(arrays, self._inputs.values(), strict=True):
            fits = len(array.shape) == len(own) and all(
                side in (0, given) for side, given in zip(own[1:], array.shape[1:], strict=True)
            )
            if array.dtype.char != "f" or not fits or 0 in array.shape:
                wanted = "x".join(("n", *(str(side or "any") for side in own[1:])))
                got = "x".join(map(str, array.shape))
                raise ValueError(f"the network '{self._name}' takes float32 {wanted}, not {array.dtype.name} {got}")
        if len({len(array) for array in arrays}) > 1:
            raise ValueError(f"the network '{self._name}' takes as many rows of every input")
        return arrays


class OpenVinoGpu(OpenVinoBackend):
    """OpenVINO on a GPU, in f32; its other precision is f16."""

    DEVICE = "GPU"

    @staticmethod
    def fast_precisions() -> tuple[Precision, ...]:
        return ("f32",)


class OpenVinoNpu(OpenVinoGpu):
    """On the processor for networks of some laptops."""

    DEVICE = "NPU"


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


def _of_floats() -> Precision:
    """What floats are computed in beside whole numbers."""
    return "bf16" if "bf16" in OpenVinoBackend.fast_precisions() else "f32"


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


def _read(model: ModelSource, name: str) -> Any:
    core = _core()
    try:
        if not isinstance(model, bytes):
            return model()
        return core.read_model(model, b"")
    except Exception as error:
        raise NetworkError(f"the network '{name}' is none that OpenVINO can read: {first_line(error)}") from None


def _inputs_of(model: Any, name: str) -> dict[str, tuple[int, ...]]:
    """(batch, channels, ...) of every input by its name, with 0 for what is free."""
    found = {}
    for index, parameter in enumerate(model.inputs):
        if parameter.partial_shape.rank.is_dynamic:
            raise NetworkError(f"the network '{name}' must have inputs of a known number of dimensions")
        shape = tuple(0 if side.is_dynamic else int(side.get_length()) for side in parameter.partial_shape)
        if len(shape) < 2:
            raise NetworkError(f"the network '{name}' must take batches")
        found[_name_of(parameter, f"input{index}")] = shape
    if not found:
        raise NetworkError(f"the network '{name}' has no input")
    if len({shape[0] for shape in found.values()}) > 1:
        raise NetworkError(f"the inputs of the network '{name}' must have one batch size")
    return found


def _name_of(port: Any, default: str) -> str:
    return str(port.any_name) if port.names else default


def _checked_buckets(buckets: Sequence[int], batch: int) -> tuple[int, ...]:
    if not buckets or any(not 1 <= size <= LARGEST_BATCH for size in buckets) or list(buckets) != sorted(set(buckets)):
        raise ValueError(f"buckets must be ascending numbers from 1 to {LARGEST_BATCH}")
    return (batch,) if batch else tuple(buckets)
