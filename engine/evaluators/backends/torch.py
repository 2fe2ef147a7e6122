"""KataGo's networks by PyTorch: on a GPU with CUDA where there is one, else on the CPU, where it is a reference.

It computes what the source describes, operator by operator (`torch_ops`): nothing is compiled, every shape will do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol, cast

from tengen.engine import extras
from tengen.engine.evaluators.backends.base import BUCKETS, ModelSource, NetworkError, Precision
from tengen.engine.evaluators.backends.torch_ops import TorchOps

if TYPE_CHECKING:
    from tengen.engine.evaluators.backends.base import Answers, Inputs


class Described(Protocol):
    """A source that any kind of operators can compute."""

    @property
    def ports(self) -> Mapping[str, tuple[int, ...]]: ...
    def compute(self, ops: Any, inputs: Sequence[Any]) -> dict[str, Any]: ...


class TorchBackend:
    """See `base.Backend` and `base.MakeBackend`. A batch is computed when it is waited for, by whoever waits."""

    outputs = ("policy", "value", "score", "ownership")

    def __init__(
        self,
        model: ModelSource,
        name: str = "network",
        *,
        threads: int | None = None,
        precision: Precision = "f32",
        buckets: Sequence[int] = BUCKETS,
    ) -> None:
        if isinstance(model, bytes):
            raise NetworkError(f"the network '{name}' is an ONNX file, which the torch back end does not run")
        if precision == "int8":
            raise NetworkError(f"the torch back end does not run '{name}' in int8: take f32 or bf16")
        torch = _torch()
        self._name, self._precision = name, precision
        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        if threads is not None and self._device == "cpu":
            torch.set_num_threads(threads)
        self._source: Described | None = cast(Described, model)
        self.inputs = self._source.ports
        self._ops = TorchOps(self._device)
        self._lock = Lock()

    @staticmethod
    def fast_precisions() -> tuple[Precision, ...]:
        """See `base.MakeBackend`. Raises NetworkError when PyTorch is not installed."""
        return ("f32", "bf16") if _torch().cuda.is_available() else ("f32",)

    @staticmethod
    def check_device() -> None:
        """Any will do, if PyTorch is there. Raises NetworkError."""
        _torch()

    def submit(self, inputs: Inputs) -> Lazy:
        """See `Backend.submit`."""
        if self._source is None:
            raise RuntimeError(f"the network '{self._name}' is closed")
        if not isinstance(inputs, Mapping) or set(inputs) != set(self.inputs):
            raise ValueError(f"the network '{self._name}' takes {', '.join(self.inputs)}")
        for name, own in self.inputs.items():
            shape = inputs[name].shape
            if len(shape) != len(own) or shape[1] != own[1] or 0 in shape or inputs[name].dtype.name != "float32":
                wanted = "x".join(("n", *(str(side or "any") for side in own[1:])))
                raise ValueError(f"the network '{self._name}' takes float32 {wanted}")
        given = {name: inputs[name].copy() for name in self.inputs}
        return Lazy(lambda: self._computed(given))

    def is_prompt(self, inputs: Inputs) -> bool:
        """See `Backend.is_prompt`: whoever waits computes."""
        return False

    def run(self, inputs: Inputs) -> Answers:
        """See `Backend.run`."""
        return self.submit(inputs).wait()

    def close(self) -> None:
        """See `Backend.close`."""
        self._source = None

    def _computed(self, inputs: Mapping[str, Any]) -> Answers:
        source, torch = self._source, self._ops.torch
        if source is None:
            raise RuntimeError(f"the network '{self._name}' is closed")
        try:
            with self._lock, torch.inference_mode(), self._arithmetic(torch):
                self._ops.begin()
                found = source.compute(
                    self._ops, [torch.from_numpy(inputs[name]).to(self._device) for name in self.inputs]
                )
                return {name: node.float().cpu().numpy() for name, node in found.items()}
        except RuntimeError as error:
            raise RuntimeError(f"the network '{self._name}' failed: {str(error).splitlines()[0][:200]}") from None

    def _arithmetic(self, torch: Any) -> Any:
        """f32 is f32 on GPUs too, not their 19 bits."""
        if self._precision == "bf16":
            return torch.autocast(self._device, torch.bfloat16)
        return torch.backends.cudnn.flags(allow_tf32=False)


class Lazy:
    """See `base.Ticket`."""

    def __init__(self, compute: Callable[[], Answers]) -> None:
        self._compute: Callable[[], Answers] | None = compute
        self._lock = Lock()
        self._answers: Answers | None = None

    def wait(self) -> Answers:
        """See `Ticket.wait`."""
        with self._lock:
            if self._answers is None:
                assert self._compute is not None
                self._answers, self._compute = self._compute(), None
            return self._answers

    def is_there(self, seconds: float) -> bool:
        """See `Ticket.is_there`."""
        return self._answers is not None


def _torch() -> Any:
    try:
        return import_module("torch")
    except ImportError as error:
        raise NetworkError(extras.sentence("the torch back end", error) or str(error)) from None


def has_cuda() -> bool:
    """Whether PyTorch is there and has a GPU."""
    with suppress(NetworkError):
        return bool(_torch().cuda.is_available())
    return False
