"""Starts of games of self-play: an empty board of a game, its rules and, in Go, a komi."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from tengen.engine.games.base import Game
from tengen.engine.games.naming import rules_named
from tengen.engine.search.selfplay import Start

SEEDS = 1 << 63


@dataclass(frozen=True)
class Starts:
    """Beginnings of games on boards of one size.

    rules: by name, each as often as the others; those of the game where there are none. komi: its middle; spread: its
    standard deviation from game to game.
    """

    game: Game
    size: int
    rules: Sequence[str] = ()
    komi: float = 0.0
    spread: float = 0.0

    def draw(self, source: random.Random) -> Start:
        """The next start. Raises ValueError for rules that the game does not have or a size that it does not take.

        A komi that was drawn is in halves and within the board.
        """
        self.game.check_size(self.size, self.size)
        name = source.choice(self.rules) if self.rules else self.game.default_rules.name
        state = self.game.new_state(self.size, self.size, rules_named(self.game, name), self._komi(source))
        return Start(state, (), source.randrange(SEEDS), name)

    def _komi(self, source: random.Random) -> float:
        if not self.spread:
            return self.komi
        most = float(self.size**2)
        return max(-most, min(most, math.floor(2 * source.gauss(self.komi, self.spread) + 0.5) / 2))
