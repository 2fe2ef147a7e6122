"""The contract of a back end: what runs one network file, whatever the network is for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    Inputs = NDArray[float32] | Mapping[str, NDArray[float32]]
    Answers = Mapping[str, NDArray[float32]]

ModelSource = bytes | Callable[[], Any]
"""The bytes of an ONNX file, or what builds a model of the back end's own kind once its package is loaded."""
Precision = Literal["f32", "bf16", "int8"]
BUCKETS = (1, 4, 16, 32)
"""Usual batch sizes: few, because each is compiled by itself (DESIGN.md: 0.1-0.8 s and memory of its own)."""


class NetworkError(ValueError):
    """A network that cannot be used; the message is one sentence for the user."""


class Ticket(Protocol):
    """A batch on its way. It belongs to whoever submitted it."""

    def wait(self) -> Answers:
        """The answers, when they are there: fresh arrays by output name, each with a row for each row submitted.

        May be called again, and from another thread. Raises RuntimeError when the back end failed.
        """

    def is_there(self, seconds: float) -> bool:
        """Wait for so long at most; whether `wait` then returns at once. False always if nothing begins before that."""


class Backend(Protocol):
    """One network, ready to run. Any thread may call it at any time; nothing is ever printed."""

    @property
    def inputs(self) -> Mapping[str, tuple[int, ...]]:
        """The shape of every input by its name, in the file's order: batch, channels, ...; 0 is any."""

    @property
    def outputs(self) -> tuple[str, ...]:
        """The names of the outputs, in the file's order."""

    def submit(self, inputs: Inputs) -> Ticket:
        """Start on a batch of n >= 1 rows and return at once; any number may be on their way.

        inputs: float32 arrays by input name, each n x ..., in any memory layout; of a network with one input the array
        alone will do. They are copied, or free to change once `wait` has returned. A batch is padded to the next
        bucket, or cut into the largest; every combination of shapes is compiled when it first comes, and the few last
        used are kept. Raises ValueError for names, a shape or a type that the network does not take, and RuntimeError
        when the back end fails or is closed.
        """

    def is_prompt(self, inputs: Inputs) -> bool:
        """Whether `submit` of these inputs returns at once: nothing must be compiled first, and the work is done
        elsewhere."""

    def run(self, inputs: Inputs) -> Answers:
        """`submit` and `wait`."""

    def close(self) -> None:
        """Release memory and threads once pending requests are done; may be called again."""


class MakeBackend(Protocol):
    """A function that makes a back end.

    model: a source of a model whose inputs and outputs are floats, each batch first. name: of the file, for
    messages. threads: at most so many; None is one a core that the process may use. precision: "f32" repeats to the
    bit on one machine with the same threads, batch and shape; "bf16" is faster where the CPU has it; "int8" is for a
    source that marks what is to be rounded, and computes the rest in what is fast. buckets: the batch sizes to prepare
    for, ascending; a network with a fixed batch has its own.
    Raises NetworkError for a model that cannot be read, and when the package is missing.

    fast_precisions(): those that this machine computes in by itself, f32 first and the fastest last; others are not
    faster than f32. check_device(): raises NetworkError with one sentence where it has nothing to run on.
    """

    def fast_precisions(self) -> Sequence[Precision]: ...
    def check_device(self) -> None: ...

    def __call__(
        self, model: ModelSource, name: str, *, threads: int | None, precision: Precision, buckets: Sequence[int]
    ) -> Backend: ...
