"""The strength of a player: its level with the settings over it."""

from __future__ import annotations

from dataclasses import replace

from tengen.engine.config import Config
from tengen.engine.games.base import Game
from tengen.engine.games.naming import level_of, player_of
from tengen.engine.games.players import FULL, Level
from tengen.engine.limits import EVERY


def level_in_force(game: Game, config: Config) -> Level:
    """The level of a configuration; without one, how its player plays at full strength. A temperature goes over it.

    Raises ValueError for a player or a level that the game does not have.
    """
    level = level_of(game, config.player, config.level) or player_of(game, config.player)[1].full
    if config.temperature is not None:
        level = level._replace(temperature=config.temperature, margin=max(level.margin, FULL.margin))
        if level.by_score and level.temperature > 0:
            level = level._replace(limits=replace(level.limits, lines=EVERY))
    own = level.limits
    limits = replace(own, playouts=config.playouts or own.playouts, visits=config.visits or own.visits)
    return level._replace(limits=limits)
