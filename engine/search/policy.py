"""The player that searches nothing: a network looks at the position once, and its policy is the report.

Every legal move is a line with its share as the prior and no visits, the largest share first, of equal ones the first
on the board; `tengen.engine.play.choice` samples them. The value, the score and the owners are the position's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tengen.engine.games.base import Game
from tengen.engine.games.players import Entry
from tengen.engine.limits import Limits
from tengen.engine.options import Option, Value, choice
from tengen.engine.search.base import Root
from tengen.engine.search.batching import Patience, Place
from tengen.engine.search.guided_search import GuidedSearch
from tengen.engine.search.native import option_of
from tengen.engine.search.views import Answers, ask

if TYPE_CHECKING:
    from tengen.engine.search.guide import Guide

SYMMETRIES = ("random", "mean", "none")
LARGEST_BATCH = 64
MEMORY_MB = 8.0
"""The memory of the tree, which holds one position."""


class PolicySearch(GuidedSearch):
    """Implements `Search` with a network. Raises NetworkError for a file that is none."""

    prefix = "policy."
    only_looks = True

    def __init__(self, game: Game, player: Entry) -> None:
        self._symmetry = SYMMETRIES[0]
        super().__init__(game, player)
        self._set("memory_mb", MEMORY_MB)

    def _own_options(self) -> Sequence[Option]:
        seed = next(facts for facts in self.tree.options() if facts[0] == "seed")
        says = "how a position is seen: through one symmetry of its own, all in the mean, or as it is"
        return [choice(self.prefix + "symmetry", self._symmetry, SYMMETRIES, says), option_of(self.prefix, *seed)]

    def _set(self, name: str, value: Value) -> None:
        if name == "symmetry":
            self._symmetry = str(value)
            name, value = "symmetries", value == "random"
        for tree in self._trees:
            tree.set(name, float(value))
        self.clear()

    def _bounds(self, limits: Limits) -> Limits:
        return limits._replace(playouts=None, visits=1, depth=None)

    def _look(self, guide: Guide, root: Root, limits: Limits, patience: Patience) -> None:
        place = self._place(root.state.width, root.state.height, 1)
        if self.tree.collect(*place):
            found = self._ask(guide, place, patience, is_first=True)
            if found is not None:
                self.tree.deliver(*found)

    def _ask(self, guide: Guide, place: Place, patience: Patience, *, is_first: bool) -> Answers | None:
        """What the network says, None when that would be too late."""
        height, width = place.planes.shape[2:]
        is_mean = self._symmetry == "mean" and self.tree.features.symmetries(width, height) > 1
        asked = self._pool.submit(ask, guide, place, is_mean=is_mean)
        return patience.wait(asked, is_first=is_first)
