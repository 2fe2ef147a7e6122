"""How strong a player plays: its level with the settings over it."""

from __future__ import annotations

from dataclasses import replace

from tengen.engine.config import Config
from tengen.engine.games.base import Game
from tengen.engine.games.players import Level, level_of
from tengen.engine.limits import Limits

MARGIN = 0.1
"""How far below the best win probability a move may be chosen by temperature when no level says otherwise."""


def level_in_force(game: Game, config: Config) -> Level:
    """The level of a configuration; without one, full strength and the configured temperature.

    Raises ValueError for a player or a level that the game does not have.
    """
    level = level_of(game, config.player, config.level) or Level(Limits(), 0.0, MARGIN)
    if config.temperature is not None:
        level = level._replace(temperature=config.temperature, margin=max(level.margin, MARGIN))
    return level._replace(limits=replace(level.limits, playouts=config.playouts or level.limits.playouts))
