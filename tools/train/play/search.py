"""The options of self-play's search: the core's table for the game of a run, and the values of a run by it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tengen.engine.config import ConfigError, nearest
from tengen.engine.games import GAMES, get_game
from tengen.engine.options import Option, check, number
from tengen.engine.sentence import excerpt
from tengen.tools.train.settings.config import RunConfig
from tengen.tools.train.settings.kinds import LOOKING_AHEAD, kind_of


def actor_class(game: str) -> Any:
    """The core's class that plays many games of one game at once. Raises ConfigError for a game that has none."""
    parts = get_game(game).parts if game in GAMES else None
    if parts is None or not parts.selfplay:
        raise ConfigError(f"there is no self-play of {excerpt(game, 60)}{nearest(game, GAMES)}")
    return parts.native(parts.selfplay)


def options(config: RunConfig) -> dict[str, Option]:
    """The options of a run's table `search` by name, with their defaults."""
    if kind_of(config) in LOOKING_AHEAD:
        from tengen.tools.train.play.lookahead import OPTIONS

        return dict(OPTIONS)
    found = {}
    for name, value, low, high, doc, kind in actor_class(config.board.name).options():
        if kind == "check":
            found[name] = check(name, bool(value), doc)
        else:
            found[name] = number(name, value, low, high, doc, kind == "whole")
    return found


def settings(config: RunConfig) -> dict[str, Any]:
    """Return the options of self-play: every option of the run, numbers as the core has them. Raises ConfigError naming
    what is wrong."""
    known = options(config)
    values: dict[str, Any] = {}
    for name, value in config.search.items():
        if name not in known:
            raise ConfigError(f"unknown setting {excerpt(f'search.{name}', 60)}{nearest(name, known)}")
        try:
            parsed = known[name].parse(value)
            values[name] = parsed if isinstance(parsed, str) else float(parsed)
        except ValueError as error:
            raise ConfigError(f"search.{error}") from None
    return values


def filled(config: RunConfig) -> Mapping[str, Any]:
    """The table `search` with the core's defaults, so that a run keeps them when a later release has others."""
    known = options(config)
    return {**{name: option.default for name, option in known.items()}, **config.search}
