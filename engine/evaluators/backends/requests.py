"""Batches on their way through OpenVINO: a pool of infer requests a shape, so that no caller sees another's answer."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Event, Lock
from typing import TYPE_CHECKING, Any

from tengen.engine.evaluators.under_way import begun, is_ending

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from tengen.engine.evaluators.backends.base import Answers

KEPT_SHAPES = 8
"""Compiled shapes that are kept, the last used ones: each holds its own scratch memory."""
Shapes = tuple[tuple[int, ...], ...]
"""The shapes of every input of a batch, in order."""


USES_BEFORE_NEXT = 2
"""The uses of a shape before the one that may follow is compiled: what is used once may have been a look."""


class RequestPool:
    """The compiled shapes of one network and the infer requests of each that are free. Safe for any thread.

    following: the shapes that may come after some, which a thread compiles ahead; None for none. Which batches are run
    in which shape never depends on what is ready, so that answers repeat: whoever needs a shape waits for it.
    """

    def __init__(
        self,
        name: str,
        compile_model: Callable[[Shapes], Any],
        following: Callable[[Shapes], Shapes | None] = lambda shapes: None,
    ) -> None:
        self.name = name
        self._compile, self._following = compile_model, following
        self._lock, self._compiling = Lock(), Lock()
        self._kept: OrderedDict[Shapes, Compiled] = OrderedDict()
        self._coming: dict[Shapes, Event] = {}
        self._is_open = True

    @property
    def shapes(self) -> list[Shapes]:
        """Those that are compiled, the one used last at the end."""
        return list(self._kept)

    def is_kept(self, shapes: Shapes) -> bool:
        """Whether these shapes are compiled."""
        return shapes in self._kept

    def take(self, shapes: Shapes) -> tuple[Compiled, Request]:
        """Take a free request for inputs of these shapes, compiled now unless it is kept."""
        compiled = self._made(shapes)
        with self._lock:
            if shapes in self._kept:
                self._kept.move_to_end(shapes)
            compiled.uses += 1
            is_due = compiled.uses == USES_BEFORE_NEXT
            request = compiled.free.pop() if compiled.free else Request(compiled.model.create_infer_request(), shapes)
        following = self._following(shapes) if is_due else None
        if following is not None and following not in self._kept:
            begun(lambda: self._ahead(following), "compiling ahead")
        return compiled, request

    def close(self) -> None:
        """Nothing is compiled ahead any more."""
        self._is_open = False

    def _made(self, shapes: Shapes) -> Compiled:
        """The model of these shapes, compiled by whoever asked first."""
        while True:
            with self._lock:
                compiled, coming = self._kept.get(shapes), self._coming.get(shapes)
                if compiled is not None:
                    return compiled
                if coming is None:
                    coming = self._coming[shapes] = Event()
                    break
            coming.wait()
        try:
            with self._compiling:
                compiled = Compiled(self._compile(shapes))
            with self._lock:
                while len(self._kept) >= KEPT_SHAPES:
                    self._kept.popitem(last=False)
                self._kept[shapes] = compiled
                return compiled
        finally:
            with self._lock:
                del self._coming[shapes]
            coming.set()

    def _ahead(self, shapes: Shapes) -> None:
        if self._is_open and not is_ending():
            with suppress(RuntimeError):  # whoever needs it will hear of it
                self._made(shapes)

    def give_back(self, compiled: Compiled, request: Request) -> None:
        """The request may be taken by the next."""
        with self._lock:
            compiled.free.append(request)


@dataclass
class Compiled:
    """A model of static shapes, and its requests that are free."""

    model: Any
    free: list[Request] = field(default_factory=list)
    uses: int = 0


class NoRows(Exception):
    """An output, by its number, has no row for each input."""

    def __init__(self, output: int) -> None:
        super().__init__(output)
        self.output = output


class Request:
    """An infer request with the memory of its inputs, which OpenVINO reads in place."""

    def __init__(self, infer: Any, shapes: Shapes) -> None:
        self.infer = infer
        self._inputs: list[NDArray[float32]] = [infer.get_input_tensor(index).data for index in range(len(shapes))]

    def start(self, batch: Sequence[NDArray[float32]]) -> None:
        """Copy the rows in, with rows of zeros behind them, and begin."""
        for mine, rows in zip(self._inputs, batch, strict=True):
            count = len(rows)
            mine[:count] = rows
            if count < len(mine):
                mine[count:] = 0
        self.infer.start_async()

    def answers(self, outputs: int, rows: int) -> list[NDArray[float32]]:
        """Wait, and copy the first rows of the outputs. Raises NoRows for an output without a row for each."""
        import numpy as np

        self.infer.wait()
        found = [self.infer.get_output_tensor(index).data for index in range(outputs)]
        for index, values in enumerate(found):
            if not values.ndim or len(values) != len(self._inputs[0]):
                raise NoRows(index)
        return [np.array(values[:rows], np.float32) for values in found]


class Run:
    """At most a bucket of rows on its way: it owns a request until the answer is copied out of it."""

    def __init__(self, pool: RequestPool, batch: list[NDArray[float32]], bucket: int, outputs: Sequence[str]) -> None:
        self._pool, self._rows, self._outputs = pool, len(batch[0]), outputs
        self._compiled, self._request = pool.take(shapes_of(batch, bucket))
        try:
            self._request.start(batch)
        except Exception as error:
            raise RuntimeError(f"the network '{pool.name}' failed: {first_line(error)}") from None

    def is_there(self, seconds: float) -> bool:
        """See `base.Ticket.is_there`."""
        return bool(self._request.infer.wait_for(int(seconds * 1000)))

    def wait(self) -> list[NDArray[float32]]:
        """The outputs in order, fresh arrays. Once only."""
        try:
            fresh = self._request.answers(len(self._outputs), self._rows)
        except NoRows as error:
            name = self._outputs[error.output]
            raise RuntimeError(
                f"the output '{name}' of the network '{self._pool.name}' has no row for each input"
            ) from None
        except Exception as error:
            raise RuntimeError(f"the network '{self._pool.name}' failed: {first_line(error)}") from None
        self._release()
        return fresh

    def _release(self) -> None:
        self._pool.give_back(self._compiled, self._request)
        del self._request

    def __del__(self) -> None:
        """Nobody asked for the answer: the memory must outlive the run all the same."""
        if (request := getattr(self, "_request", None)) is not None:
            with suppress(Exception):
                request.infer.wait()
                self._release()


class PooledTicket:
    """See `base.Ticket`."""

    def __init__(self, runs: list[Run], outputs: Sequence[str]) -> None:
        self._runs, self._outputs = runs, outputs
        self._lock = Lock()
        self._answers: Answers | None = None

    def wait(self) -> Answers:
        """See `Ticket.wait`."""
        import numpy as np

        with self._lock:
            if self._answers is None:
                parts = [run.wait() for run in self._runs]
                whole = parts[0] if len(parts) == 1 else [np.concatenate(rows) for rows in zip(*parts, strict=True)]
                self._answers = dict(zip(self._outputs, whole, strict=True))
                self._runs = []
            return self._answers

    def is_there(self, seconds: float) -> bool:
        """See `base.Ticket.is_there`."""
        return all(run.is_there(seconds) for run in self._runs)


def shapes_of(batch: Sequence[NDArray[float32]], bucket: int) -> Shapes:
    """The shapes of the inputs that hold a batch."""
    return tuple((bucket, *array.shape[1:]) for array in batch)


def first_line(error: BaseException) -> str:
    """Return the cause of an error in one line: the last one of OpenVINO's message that says something."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1][:200] if lines else type(error).__name__
