"""The network that guides a search, as the search sees it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from tengen.engine.evaluators.outline import Size

if TYPE_CHECKING:
    from concurrent.futures import Future

    from numpy import bool_, float32, uint8
    from numpy.typing import NDArray

    from tengen.engine.evaluators.network import EvaluationTicket
    from tengen.engine.evaluators.outline import Outline
    from tengen.engine.games.base import State


Loader = Callable[[Size], "Guide"]
"""Brings the network for boards of a size; may take its time, in another thread."""


class Guide(Protocol):
    """A `BatchEvaluator` that plays. Any thread may call it."""

    @property
    def told(self) -> Mapping[str, bool]:
        """The facts that a tree needs because of this network (`katago_facts.py`)."""

    def submit(
        self, planes: NDArray[float32], numbers: NDArray[float32], *, is_root: bool | NDArray[bool_]
    ) -> EvaluationTicket:
        """See `BatchEvaluator.submit`; where the extras have "ownership", it is a row each. is_root: whether all rows,
        or which, are the root of a search."""


@runtime_checkable
class PromptGuide(Protocol):
    """A guide that can say whether it begins on a batch at once. A search asks it without a thread in between."""

    def submit(
        self, planes: NDArray[float32], numbers: NDArray[float32], *, is_root: bool | NDArray[bool_]
    ) -> EvaluationTicket:
        """See `Guide.submit`."""

    def is_prompt(self, planes: NDArray[float32], numbers: NDArray[float32]) -> bool:
        """Whether `submit` of such a batch returns at once; else it may compile the network for it first."""


@runtime_checkable
class SidedGuide(Protocol):
    """A guide that has to know who is to move, because it is told of both players (`human_view.py`)."""

    def submit_for(
        self,
        sides: NDArray[uint8],
        planes: NDArray[float32],
        numbers: NDArray[float32],
        *,
        is_root: bool | NDArray[bool_],
    ) -> EvaluationTicket:
        """See `Guide.submit`. sides: n, who is to move."""


@runtime_checkable
class NetworkSearch(Protocol):
    """The additional methods of a search that plays with a network, besides `Search`."""

    only_looks: bool
    """Whether a move is one look of the network, for which no other search can stand in."""

    @property
    def has_owners(self) -> bool:
        """Whether its reports can have ownership."""

    def use(self, load: Loader, outline: Outline = ...) -> None:
        """Play by a network from another loader. Raises NetworkError for one that does not fit the player."""

    def require(self) -> None:
        """Raises NetworkError without a network."""

    def prepare(self, state: State) -> Future[float]:
        """The network on its way to be ready for boards like this, in another thread: about how many seconds an
        answer takes then. Raises what loading raises; that is tried again after `clear`."""
