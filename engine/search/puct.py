"""PUCT with a network: the tree is the core's (`engine/core/mcts/live.hpp`), leaves are answered in batches.

While the network works on one batch, the next is collected. What is on its way is never more than a share of what the
tree knows already (`puct.visits_a_leaf`), so that few visits are searched one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from tengen.engine.games.base import Game
from tengen.engine.games.players import Entry
from tengen.engine.limits import Limits
from tengen.engine.options import Option, Value, choice, number
from tengen.engine.search.base import Root
from tengen.engine.search.batching import VISITS_A_LEAF, Asker, Patience
from tengen.engine.search.guided_search import GuidedSearch
from tengen.engine.search.native import option_of

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from tengen.engine.evaluators.network import Evaluation
    from tengen.engine.search.guide import Guide

GUMBEL = "gumbel"
LARGEST_BATCH = 64


class PuctSearch(GuidedSearch):
    """Implements `Search` with a network.

    Raises ValueError (`NetworkError`) with one sentence for a file that is none.
    """

    prefix = "puct."

    def __init__(self, game: Game, player: Entry) -> None:
        self._settings: dict[str, int] = {"batch": 8, "visits_a_leaf": VISITS_A_LEAF, "in_flight": Asker.IN_FLIGHT}
        super().__init__(game, player)

    def _own_options(self) -> Sequence[Option]:
        now = self._settings
        return [
            number(self.prefix + "batch", now["batch"], 1, LARGEST_BATCH, "positions at once, at most", is_whole=True),
            number(
                self.prefix + "visits_a_leaf",
                now["visits_a_leaf"],
                0,
                10**6,
                "visits for each position on its way: fewer are searched in smaller batches",
                is_whole=True,
            ),
            number(
                self.prefix + "in_flight",
                now["in_flight"],
                1,
                Asker.IN_FLIGHT,
                "batches on their way: one is collected while the network works on the other",
                is_whole=True,
            ),
            *(_option(self.prefix, *facts) for facts in self.tree.options()),
        ]

    def _set(self, name: str, value: Value) -> None:
        if name in self._settings:
            self._settings[name] = int(value)
        elif name == "root":
            self.tree.set(GUMBEL, value == GUMBEL)
        else:
            self.tree.set(name, value)

    def _look(self, guide: Guide, root: Root, limits: Limits, patience: Patience) -> None:
        place = partial(self._place, root.state.width, root.state.height, self._settings["batch"])
        asker = Asker(self._pool, guide, place, self.in_flight)
        try:
            self._ask(asker, patience)
        finally:
            asker.close()

    def _ask(self, asker: Asker, patience: Patience) -> None:
        """Collect and deliver, until the tree is over or nobody wants to wait."""
        while True:
            count = self._collect(asker)
            if not asker.is_waiting:
                if self.tree.is_over:
                    return
            elif asker.free is None or not count:
                found = asker.wait(patience, is_first=self.tree.visits == 0)
                if found is None:
                    return
                beside = owners_of(found), errors_of(found), spreads_of(found)
                self.tree.deliver(found.policies, found.values, found.scores, *beside)

    def _collect(self, asker: Asker) -> int:
        """Ask about a batch, where there is room for one: how many leaves it has."""
        place = asker.free
        if place is None:
            return 0
        room = self.room(asker.rows)
        if not room:
            return 0
        count = int(self.tree.collect(*place.first(room)))
        if count:
            asker.ask(count)
        return count

    @property
    def in_flight(self) -> int:
        """The number of batches in flight, at most."""
        return self._settings["in_flight"]

    def room(self, on_the_way: int) -> int:
        """Leaves for the next batch, where so many wait for answers: none, a power of two, or the largest batch."""
        batch, share = self._settings["batch"], self._settings["visits_a_leaf"]
        most = max(1, self.tree.visits // share) - on_the_way if share else batch
        return batch if most >= batch else (1 << most.bit_length()) // 2 if most > 0 else 0


def _option(prefix: str, name: str, value: float, low: float, high: float, doc: str, kind: str) -> Option:
    if name == GUMBEL:
        chosen = GUMBEL if value else "puct"
        return choice(prefix + "root", chosen, ("puct", GUMBEL), "how moves of the root are chosen")
    return option_of(prefix, name, value, low, high, doc, kind)


def owners_of(found: Evaluation) -> NDArray[float32] | None:
    """Return owners, a row each, if the network reports them."""
    owners = found.extras.get("ownership")
    return None if owners is None else owners.reshape(len(owners), -1)


def errors_of(found: Evaluation) -> NDArray[float32] | None:
    """Return the expected errors of value and score, a row each, if the network reports them."""
    value, score = (found.extras.get(f"shortterm_{name}_error") for name in ("value", "score"))
    if value is None or score is None:
        return None
    return _columns(value, score)


def spreads_of(found: Evaluation) -> NDArray[float32] | None:
    """Return the final score and its square, a row each, if the network reports them; games without result count 0."""
    mean, deviation = (found.extras.get(f"score_{name}") for name in ("mean", "stdev"))
    if mean is None or deviation is None:
        return None
    decided = 1 - found.values[:, 1]
    square = mean**2 / decided.clip(1e-6) + deviation**2 * decided
    return _columns(mean, square)


def _columns(first: NDArray[float32], second: NDArray[float32]) -> NDArray[float32]:
    """n x 2."""
    import numpy as np

    found = np.empty((len(first), 2), np.float32)
    found[:, 0], found[:, 1] = first, second
    return found
