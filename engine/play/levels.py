"""The strength of a player: its level with the settings over it."""

from __future__ import annotations

from tengen.engine.config import Config
from tengen.engine.games.base import Game
from tengen.engine.games.naming import level_of, player_of, rank_of
from tengen.engine.games.players import FULL, Level
from tengen.engine.limits import EVERY, Limits

SMALL, LARGE = 9 * 9, 19 * 19
"""Points of the boards that a level of `Entry.levels` and one of `Entry.larger` are meant for."""


def level_in_force(game: Game, config: Config, cells: int | None = None) -> Level:
    """The level or rank of a configuration on a board of so many points (None: 9x9); without one, how its player plays
    at full strength. A temperature goes over it.

    Raises ValueError for a player, a level or a rank that the game does not have.
    """
    _, entry = player_of(game, config.player)
    if config.rank is not None and config.level is not None:
        raise ValueError("rank: choose a rank or a level, not both")
    level = level_of(game, config.player, config.level) or entry.full
    if config.rank is not None:
        level = rank_of(game, config.player, config.rank)
    elif config.level is not None and config.level in entry.larger and cells is not None:
        level = between(level, entry.larger[config.level], (cells - SMALL) / (LARGE - SMALL))
    if config.temperature is not None:
        level = level._replace(temperature=config.temperature, margin=max(level.margin, FULL.margin))
        if level.by_score and level.temperature > 0:
            level = level._replace(limits=level.limits._replace(lines=EVERY))
    own = level.limits
    limits = own._replace(playouts=config.playouts or own.playouts, visits=config.visits or own.visits)
    return level._replace(limits=limits)


def between(small: Level, large: Level, share: float) -> Level:
    """The level that lies this share (cut to 0 to 1) of the way from one to the other: temperatures by their
    difference, visits by their ratio."""
    share = min(max(share, 0.0), 1.0)

    def mean(first: float, second: float) -> float:
        return first + share * (second - first)

    visits = small.limits.visits, large.limits.visits
    limits = small.limits
    if visits[0] is not None and visits[1] is not None:
        limits = Limits(visits=round(visits[0] ** (1 - share) * visits[1] ** share))
    return small._replace(
        limits=limits, temperature=mean(small.temperature, large.temperature),
        margin=mean(small.margin, large.margin), least=mean(small.least, large.least),
    )  # fmt: skip
