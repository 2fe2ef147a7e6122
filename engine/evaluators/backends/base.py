"""The contract of a back end: what runs one network file, whatever the network is for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

Precision = Literal["f32", "bf16"]
BUCKETS = (1, 4, 16, 32)
"""Usual batch sizes: few, because each is compiled by itself (DESIGN.md: 0.1-0.8 s and memory of its own)."""


class NetworkError(ValueError):
    """A network that cannot be used; the message is one sentence for the user."""


class Backend(Protocol):
    """One network, ready to run. One thread at a time calls it; nothing is ever printed."""

    @property
    def outputs(self) -> tuple[str, ...]:
        """The names of the outputs, in the file's order."""

    def run(self, inputs: NDArray[float32]) -> Mapping[str, NDArray[float32]]:
        """Run a batch of n >= 1: float32, n x channels x height x width, in any memory layout.

        The answer holds fresh arrays by output name, each with n rows. A batch is padded to the next bucket, or cut
        into the largest; every (bucket, channels, height, width) is compiled when it first comes, and the few last
        used are kept. Raises ValueError for a shape or type that the network does not take, and RuntimeError when
        the back end fails or is closed.
        """

    def close(self) -> None:
        """Give memory and threads back; may be called again."""


class MakeBackend(Protocol):
    """How a back end is made.

    model: the bytes of an ONNX file with one input and float outputs, each batch first. name: of the file, for
    messages. threads: at most so many; None is one a core that the process may use. precision: "f32" repeats to the
    bit on one machine with the same threads, batch and shape; "bf16" is faster where the CPU has it. buckets:
    the batch sizes to prepare for, ascending; a network with a fixed batch has its own.
    Raises NetworkError for a model that cannot be read, and when the package is missing.
    """

    def __call__(
        self, model: bytes, name: str, *, threads: int | None, precision: Precision, buckets: Sequence[int]
    ) -> Backend: ...
