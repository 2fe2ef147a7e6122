"""The network that guides a search: from a file, or from whoever has one already."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from tengen.engine.evaluators.katago.model import Model
    from tengen.engine.evaluators.katago.network import KataGoNetwork, KataGoTicket
    from tengen.engine.evaluators.network import EvaluationTicket


class Guide(Protocol):
    """A `BatchEvaluator` of feature set "katago-v7". Any thread may call it."""

    @property
    def suicide_in_life(self) -> bool:
        """Whether the network wants life judged as if suicide were legal."""

    def submit(
        self, planes: NDArray[float32], numbers: NDArray[float32], *, optimism: float | NDArray[float32]
    ) -> EvaluationTicket:
        """See `BatchEvaluator.submit`; the extras have "ownership", a row each. optimism: how far to the optimistic
        policy, where the network has one, for all rows or for each."""


@runtime_checkable
class NetworkSearch(Protocol):
    """What a search that plays with a network offers besides `Search`."""

    def use(self, load: Callable[[], Guide]) -> None:
        """Play by a network that somebody else loads: `load` may take its time, in another thread."""

    def require(self) -> None:
        """Raises NetworkError without a network."""


class FromFile:
    """Implements `Guide`: the network of a model that was read."""

    def __init__(self, network: KataGoNetwork) -> None:
        self._network = network

    @property
    def suicide_in_life(self) -> bool:
        return self._network.header.has_suicide_life

    def submit(
        self, planes: NDArray[float32], numbers: NDArray[float32], *, optimism: float | NDArray[float32]
    ) -> KataGoTicket:
        """See `Guide.submit`."""
        return self._network.submit(planes, numbers, optimism=optimism)


def loader(path: str, threads: int, buckets: Sequence[int]) -> Callable[[], Guide]:
    """What makes the network of a file ready to run; the file is read here. Raises NetworkError with one sentence."""
    from tengen.engine.evaluators.katago.model import read_model

    model = read_model(path)
    return lambda: FromFile(_ready(model, Path(path).name, threads, buckets))


def _ready(model: Model, name: str, threads: int, buckets: Sequence[int]) -> KataGoNetwork:
    from tengen.engine.evaluators.backends import make_backend
    from tengen.engine.evaluators.katago.network import KataGoNetwork
    from tengen.engine.evaluators.katago.source import KataGoSource

    source = KataGoSource(model, is_masked=False)  # boards fill their planes
    made = make_backend()(source, name, threads=threads, precision="f32", buckets=buckets)
    return KataGoNetwork(model.header, made)
