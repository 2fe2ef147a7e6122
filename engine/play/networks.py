"""The network that a configuration names: who plays where there is one, and what loads it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from tengen.engine.config import Config, ConfigError, default_threads
from tengen.engine.evaluators import shipped
from tengen.engine.evaluators.backends.base import NetworkError
from tengen.engine.evaluators.background import AUTO, Loading, known_loading, loading_of
from tengen.engine.evaluators.katago import KATAGO_FEATURES, KATAGO_GAME
from tengen.engine.evaluators.outline import Outline, Size, outline_of
from tengen.engine.games import get_game
from tengen.engine.games.naming import player_of
from tengen.engine.sentence import excerpt

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from tengen.engine.evaluators.katago.evaluator import KataGoEvaluator
    from tengen.engine.evaluators.katago.profiles import Profile
    from tengen.engine.evaluators.network import NetworkEvaluator
    from tengen.engine.games.base import Game
    from tengen.engine.search.guide import Guide

NONE = "none"
NOBODY_IMITATES = "humanSLProfile needs a network that imitates people: --human-net FILE (-human-model), or as --net"


def named_network(config: Config) -> str | None:
    """The file that the configuration names, also by the name of a shipped network; else the one that is shipped for
    the player or the rank that it names, or AUTO, which there is for Go alone; None where no network is wanted. Nothing
    is looked for."""
    word = config.net.lower()
    if word not in (NONE, AUTO):
        return shipped.named(config.net)
    if word == AUTO and config.rank is not None and (ranked := network_of_ranks(config.game, config.player)):
        return str(ranked)
    finds = word == AUTO and get_game(config.game).conventions.finds_networks
    return AUTO if finds else _shipped(config)


def network_of_ranks(game: str, player: str | None = None) -> Path | None:
    """The file that ranks play by where no network is named; None where the game, or this player of it, has none.
    player: by default the first that has ranks."""
    players = get_game(game).players
    entry = players.get(player) if player else next((one for one in players.values() if one.ranks), None)
    path = shipped.path_of(entry.ranks_network) if entry is not None and entry.ranks_network else None
    return path if path is not None and path.is_file() else None


def _shipped(config: Config) -> str | None:
    """The file that tengen ships for the player, unless a setting names another one."""
    entry = get_game(config.game).players.get(config.player) if config.player else None
    if entry is None or not entry.network or f"{entry.search}.network" in config.set:
        return None
    path = shipped.path_of(entry.network)
    return str(path) if path.is_file() else None


def outline_named(config: Config) -> Outline:
    """Return the facts about that network before it is loaded. Raises NetworkError as `outline_of`."""
    named = named_network(config)
    return Outline() if named in (None, AUTO) else outline_of(str(named))


def told_outline(config: Config) -> Outline:
    """The same of what guides a search (`guide_for`), which a profile makes a network like any other."""
    outline = outline_named(config)
    return outline._replace(human="") if config.human_profile else outline


def is_told(config: Config) -> bool:
    """Whether human networks are told of players; one that was not made to be told needs nothing. Raises NetworkError
    as `outline_of`."""
    return bool(config.human_profile) or (config.human_net is not None and not outline_of(config.human_net).human)


def profile_named(config: Config) -> Profile | None:
    """Return the people whom human networks imitate; None: nobody. Raises ConfigError for a name that there is not."""
    from tengen.engine.evaluators.katago.profiles import profile_of

    try:
        return profile_of(config.human_profile) if config.human_profile else None
    except ValueError as error:
        raise ConfigError(f"human_profile: {error}") from None


def check_people(config: Config) -> None:
    """Look at the human network that is named beside the one that plays, and at the profile. Raises NetworkError and
    ConfigError with one sentence."""
    if config.human_net is None and not config.human_profile:
        return
    if config.game != KATAGO_GAME:
        raise ConfigError(f"human_net: networks of people play {KATAGO_GAME}, not {config.game}")
    profile_named(config)
    beside = None if config.human_net is None else outline_of(config.human_net)
    if beside is not None and beside.features != KATAGO_FEATURES:
        raise _no_katago(beside.name)
    if config.human_profile and not outline_named(config).human and not (beside and beside.human):
        raise NetworkError(NOBODY_IMITATES)


def guide_for(config: Config, evaluator: KataGoEvaluator | NetworkEvaluator) -> Guide:
    """A network as what guides searches: a human one is told of the players. Raises ConfigError as `profile_named`."""
    from tengen.engine.evaluators.katago.evaluator import KataGoEvaluator

    profile = profile_named(config)
    if profile is None or not isinstance(evaluator, KataGoEvaluator) or not evaluator.is_human:
        return evaluator
    from tengen.engine.search.human_view import HumanGuide

    return HumanGuide(evaluator, profile)


def check_named(config: Config) -> None:
    """Look at the beginning of a network that is named. Raises NetworkError with one sentence when it cannot be read,
    is none, cannot be used or plays another game, or for a device that is not there; what is wrong further behind is
    seen when it is loaded."""
    named = named_network(config)
    if named is not None and config.device != Config.device:
        from tengen.engine.evaluators.backends import backend_for

        backend_for(config.device)
    if named is not None:
        game = get_game(config.game)
        name, entry = player_of(game, player_for(game, config))
        is_told = bool(config.human_profile)
        outline_named(config).check_player(game.name, name, entry.features, is_told=is_told)


def check_katago(config: Config) -> None:
    """`check_named` for what only KataGo's networks can do, which is told of the players later."""
    outline = outline_named(config)
    if not outline.human:
        check_named(config)
    outline = outline_named(config)
    if outline.features != KATAGO_FEATURES:
        raise _no_katago(outline.name)


def katago_of(loading: Loading) -> KataGoEvaluator:
    """The network of what only KataGo's can do. Raises NetworkError for another, and what loading raises."""
    from tengen.engine.evaluators.katago.evaluator import KataGoEvaluator

    evaluator = loading.get().evaluator
    if not isinstance(evaluator, KataGoEvaluator):
        raise _no_katago(evaluator.name)
    return evaluator


def _no_katago(name: str) -> NetworkError:
    return NetworkError(f"this needs a KataGo network (.bin.gz); {excerpt(name, 100)} is an ONNX file")


def player_for(game: Game, config: Config) -> str | None:
    """Choose the player: as configured; else, where a network is named or looked for, the first player that needs
    one."""
    if config.player is not None or named_network(config) is None:
        return config.player
    return next((name for name, entry in game.players.items() if entry.needs_network), None)


def looked_for(config: Config) -> Config:
    """Return a configuration without a network as one that looks for a network (AUTO), if its player needs one and no
    setting of another player excludes it. Raises ValueError for a game or a player that there is not."""
    wished = replace(config, net=AUTO)
    game = get_game(config.game)
    _, entry = player_of(game, player_for(game, wished))
    prefix = f"{entry.search}."
    is_own = all(name.startswith(prefix) and name != f"{prefix}network" for name in config.set)
    return wished if entry.needs_network and entry.weights is None and is_own else replace(config, net=NONE)


def network_of(config: Config, size: Size | None = None) -> Loading | None:
    """Return the network of the configuration, which begins to load if it has not; None without a network. size: of the
    boards that one is looked for, where none is named."""
    named = named_network(config)
    return None if named is None else loading_of(named, size, **_terms(config))


def human_network_of(config: Config) -> Loading | None:
    """Return the human network beside the one that plays, which begins to load if it has not; None without one."""
    return None if config.human_net is None else loading_of(config.human_net, **_terms(config))


def begun_network(config: Config, size: Size | None = None) -> Loading | None:
    """Return the network that an earlier request began to load, without beginning to load."""
    named = named_network(config)
    return None if named is None else known_loading(named, size, **_terms(config))


def _terms(config: Config) -> dict[str, Any]:
    threads = config.threads or default_threads()
    return {"wish": cast("Any", config.precision), "threads": threads, "device": config.device}
