"""The network that a configuration names: who plays where there is one, and what loads it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from tengen.engine.config import Config, default_threads
from tengen.engine.evaluators.katago.background import AUTO, Loading, known_loading, loading_of
from tengen.engine.games import get_game
from tengen.engine.games.players import player_of

if TYPE_CHECKING:
    from typing import Any

    from tengen.engine.games.base import Game

GAME = "go"
NONE = "none"


def named_network(config: Config) -> str | None:
    """The file that the configuration names, or AUTO; None where no network is wanted. Nothing is looked for."""
    if config.game != GAME or config.net.lower() == NONE:
        return None
    return AUTO if config.net.lower() == AUTO else config.net


def check_named(config: Config) -> None:
    """Look at the beginning of a network that is named. Raises NetworkError with one sentence when it cannot be read,
    is none or cannot be used, or for a device that is not there; what is wrong further behind is seen when it is
    loaded."""
    named = named_network(config)
    if named is not None and config.device != Config.device:
        from tengen.engine.evaluators.backends import backend_for

        backend_for(config.device)
    if named not in (None, AUTO):
        from tengen.engine.evaluators.katago.model import check

        check(Path(str(named)).expanduser())


def player_for(game: Game, config: Config) -> str | None:
    """Who plays: as configured; else, where a network is named or looked for, the first player that needs one."""
    if config.player is not None or named_network(config) is None:
        return config.player
    return next((name for name, entry in game.players.items() if entry.needs_network), None)


def looked_for(config: Config) -> Config:
    """The configuration of somebody who said nothing of a network: one is looked for (AUTO) where the player plays by
    one and no setting says otherwise, as those of other players do. Raises ValueError for
    a game or a player that there is not."""
    wished = replace(config, net=AUTO)
    game = get_game(config.game)
    _, entry = player_of(game, player_for(game, wished))
    prefix = f"{entry.search}."
    is_own = all(name.startswith(prefix) and name != f"{prefix}network" for name in config.set)
    return wished if entry.needs_network and entry.weights is None and is_own else replace(config, net=NONE)


def network_of(config: Config) -> Loading | None:
    """The network of the configuration, loading from now on if it was not yet; None where there is none."""
    named = named_network(config)
    return None if named is None else loading_of(named, **_terms(config))


def begun_network(config: Config) -> Loading | None:
    """The same where somebody asked for it before; nothing is begun."""
    named = named_network(config)
    return None if named is None else known_loading(named, **_terms(config))


def _terms(config: Config) -> dict[str, Any]:
    threads = config.threads or default_threads()
    return {"wish": cast("Any", config.precision), "threads": threads, "device": config.device}
