"""A KataGo network ready to run: a file, the back end that runs it, and its evaluations of positions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tengen.engine import _core
from tengen.engine.evaluators.backends import BUCKETS, make_backend
from tengen.engine.evaluators.backends.base import Backend, Precision, Ticket
from tengen.engine.evaluators.katago.answers import evaluation
from tengen.engine.evaluators.katago.model import Header, Model
from tengen.engine.evaluators.katago.reading import read_model
from tengen.engine.evaluators.katago.source import KataGoSource
from tengen.engine.evaluators.network import Evaluation

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray


class KataGoNetwork:
    """Answers batches of positions that are encoded as input features V7. Any thread may call it."""

    def __init__(self, header: Header, backend: Backend) -> None:
        self.header = header
        self._backend = backend

    def submit(
        self,
        planes: NDArray[float32],
        numbers: NDArray[float32],
        *,
        metadata: NDArray[float32] | None = None,
        optimism: float | NDArray[float32] = 0.0,
    ) -> KataGoTicket:
        """Start on a batch and return at once. See `Backend.submit` for arrays and errors, `answers.evaluation` for
        what comes back, "ownership" being n x height x width; metadata: of networks that take it, about the players."""
        inputs = {"planes": planes, "globals": numbers}
        if metadata is not None:
            inputs["metadata"] = metadata
        ticket = self._backend.submit(inputs)
        return KataGoTicket(ticket, self.header, planes.shape[2:], numbers.copy(), optimism)

    def is_prompt(self, planes: NDArray[float32], numbers: NDArray[float32]) -> bool:
        """See `PromptGuide.is_prompt`; of networks without metadata."""
        return self._backend.is_prompt({"planes": planes, "globals": numbers})

    def close(self) -> None:
        """Give memory and threads back; may be called again."""
        self._backend.close()


class KataGoTicket(NamedTuple):
    """See `network.EvaluationTicket`."""

    ticket: Ticket
    header: Header
    board: tuple[int, ...]
    numbers: NDArray[float32]
    optimism: float | NDArray[float32]

    def wait(self) -> Evaluation:
        """The answers, when they are there. Raises RuntimeError when there are none that can be used."""
        outputs: Mapping[str, NDArray[float32]] = self.ticket.wait()
        for name, rows in outputs.items():
            if not _core.is_finite(rows):
                raise RuntimeError(f"the network '{self.header.name}' gave a '{name}' that is no number")
        found = evaluation(self.header, outputs, self.numbers, self.optimism)
        owners = found.extras["ownership"].reshape(-1, *self.board)
        return found._replace(extras={**found.extras, "ownership": owners})

    def is_there(self, seconds: float) -> bool:
        """See `EvaluationTicket.is_there`."""
        return self.ticket.is_there(seconds)


def load_katago(
    path: Path | str,
    *,
    backend: str | None = None,
    threads: int | None = None,
    precision: Precision = "f32",
    buckets: Sequence[int] = BUCKETS,
    is_masked: bool = True,
) -> KataGoNetwork:
    """The network of a KataGo file; is_masked: see `KataGoSource`, the rest `MakeBackend`. Raises NetworkError."""
    return run_model(
        read_model(path),
        Path(path).name,
        backend=backend,
        threads=threads,
        precision=precision,
        buckets=buckets,
        is_masked=is_masked,
    )


def run_model(
    model: Model,
    name: str,
    *,
    backend: str | None = None,
    threads: int | None = None,
    precision: Precision = "f32",
    buckets: Sequence[int] = BUCKETS,
    is_masked: bool = True,
) -> KataGoNetwork:
    """The same of a model that was read from the file `name`."""
    make, source = make_backend(backend), KataGoSource(model, is_masked=is_masked)
    return KataGoNetwork(model.header, make(source, name, threads=threads, precision=precision, buckets=buckets))
