"""The player that plays as people do: a network's policy, learned from games of people, told how strong they were."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tengen.engine.evaluators import ratings
from tengen.engine.games.base import Game
from tengen.engine.games.players import Entry
from tengen.engine.options import Option, Value, number
from tengen.engine.search.batching import Patience, Place
from tengen.engine.search.policy import PolicySearch
from tengen.engine.search.views import Answers

if TYPE_CHECKING:
    from tengen.engine.search.guide import Guide

NOBODY = 0
"""`human.elo` that says nothing."""


class HumanSearch(PolicySearch):
    """Implements `Search`: what `PolicySearch` does, by a network that may see ratings. The option `human.elo` is that
    of both players."""

    prefix = "human."

    def __init__(self, game: Game, player: Entry) -> None:
        self._elo = float(NOBODY)
        super().__init__(game, player)

    def _own_options(self) -> Sequence[Option]:
        own = [option for option in super()._own_options() if not option.name.endswith(".symmetry")]
        says = f"rating of the players that it plays like, {ratings.LOWEST:.0f} to {ratings.HIGHEST:.0f}; 0: any"
        return [number(self.prefix + "elo", self._elo, NOBODY, 4000, says, is_whole=True), *own]

    def _set(self, name: str, value: Value) -> None:
        if name == "elo":
            self._elo = float(value)
            self.clear()
        else:
            super()._set(name, value)

    def _ask(self, guide: Guide, place: Place, patience: Patience, *, is_first: bool) -> Answers | None:
        if ratings.are_seen_by(self.tree.features):
            elo = self._elo or float("nan")
            ratings.tell(self.tree.features, place.numbers, elo, elo)
        return super()._ask(guide, place, patience, is_first=is_first)
