"""PUCT with a network: the tree is the core's (`engine/core/mcts/live.hpp`), leaves are answered in batches.

While the network works on one batch, the next is collected. A batch is never larger than a sixteenth of what the tree
knows already, so that few visits are searched one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tengen.engine.games.base import Game
from tengen.engine.games.players import Entry
from tengen.engine.limits import Limits
from tengen.engine.options import Option, Value, number
from tengen.engine.search.asking import Asker, Patience, Place
from tengen.engine.search.base import Root
from tengen.engine.search.guided import ROOT_OPTIMISM, TREE_OPTIMISM, GuidedSearch
from tengen.engine.search.mcts import option_of

if TYPE_CHECKING:
    from tengen.engine.evaluators.network import Evaluation
    from tengen.engine.search.guide import Guide

LARGEST_BATCH = 64
VISITS_A_LEAF = 16
"""Visits of the root for each leaf of a batch."""


class PuctSearch(GuidedSearch):
    """Implements `Search` with one of KataGo's networks.

    Raises ValueError (`NetworkError`) with one sentence for a file that is none.
    """

    prefix = "puct."

    def __init__(self, game: Game, player: Entry) -> None:
        self._batch = 8
        super().__init__(player)

    def _own_options(self) -> Sequence[Option]:
        return [
            number(self.prefix + "batch", self._batch, 1, LARGEST_BATCH, "positions at once, at most", is_whole=True),
            *(option_of(self.prefix, *facts) for facts in self._tree.options()),
        ]

    def _set(self, name: str, value: Value) -> None:
        if name == "batch":
            self._batch = int(value)
        else:
            self._tree.set(name, value)

    def _look(self, guide: Guide, root: Root, limits: Limits, patience: Patience) -> None:
        def answer(place: Place, rows: int) -> Evaluation:
            optimism = ROOT_OPTIMISM if self._tree.visits == 0 else TREE_OPTIMISM  # the root is asked about alone
            return guide.submit(place.planes[:rows], place.numbers[:rows], optimism=optimism).wait()

        asker = Asker(self._pool, answer, lambda: self._place(root.state.width, root.state.height, self._batch))
        while True:
            count = self._collect(asker)
            if not asker.is_waiting:
                if self._tree.is_over:
                    return
            elif asker.free is None or not count:
                found = asker.wait(patience, is_first=self._tree.visits == 0)
                if found is None:
                    return
                owners = found.extras.get("ownership")
                flat = None if owners is None else owners.reshape(len(owners), -1)
                self._tree.deliver(found.policies, found.values, found.scores, flat)

    def _collect(self, asker: Asker) -> int:
        """Ask about a batch, where there is room for one: how many leaves it has."""
        place = asker.free
        if place is None:
            return 0
        room = self._room()
        count = int(self._tree.collect(place.planes[:room], place.numbers[:room]))
        if count:
            asker.ask(count)
        return count

    def _room(self) -> int:
        """Leaves for the next batch."""
        most = max(1, self._tree.visits // VISITS_A_LEAF)
        return max(size for size in self._buckets() if size <= most)

    def _buckets(self) -> list[int]:
        """Powers of two and the largest batch."""
        return sorted({*(1 << n for n in range(self._batch.bit_length())), self._batch})
