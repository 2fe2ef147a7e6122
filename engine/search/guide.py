"""The network that guides a search, as the search sees it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from concurrent.futures import Future

    from numpy import float32
    from numpy.typing import NDArray

    from tengen.engine.evaluators.network import EvaluationTicket
    from tengen.engine.games.base import State


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

    only_looks: bool
    """Whether a move is one look of the network, for which no other search can stand in."""

    def use(self, load: Callable[[], Guide]) -> None:
        """Play by a network that somebody else loads: `load` may take its time, in another thread."""

    def require(self) -> None:
        """Raises NetworkError without a network."""

    def prepare(self, state: State) -> Future[float]:
        """The network on its way to be ready for boards like this, in another thread: about how many seconds an
        answer takes then. Raises what loading raises; that is tried again after `clear`."""
