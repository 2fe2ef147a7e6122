"""The settings that a front end can offer: every setting and every option of a player's search, with its kind."""

from __future__ import annotations

from tengen.engine.config import OPTIONS
from tengen.engine.games import GAMES
from tengen.engine.games.base import Game
from tengen.engine.games.help_texts import help_texts
from tengen.engine.games.naming import player_of
from tengen.engine.options import Option, choice
from tengen.engine.search import is_resource, make_search

KATAGO = {"human_net", "human_profile"}
"""Settings of games that KataGo's networks play."""


def options_of(game: Game, player: str | None = None) -> list[Option]:
    """Return the settings of this player, named choices included, then the options of its search (`Config.set`) except
    resources, which the settings give.

    Raises ValueError for a player that the game does not have.
    """
    name, entry = player_of(game, player)
    named = {
        "game": (game.name, tuple(GAMES)),
        "player": (name, tuple(game.players)),
        "rules": (game.default_rules.name, tuple(game.rule_sets)),
    }
    told = {key: OPTIONS[key]._replace(doc=words) for key, words in help_texts([game.name]).items() if key != "game"}
    own = told | {key: choice(key, *facts, told.get(key, OPTIONS[key]).doc) for key, facts in named.items()}
    own["level"] = OPTIONS["level"]._replace(low=min(entry.levels, default=1), high=max(entry.levels, default=1))
    left_out = set() if entry.levels else {"level"}
    left_out |= set() if game.conventions.finds_networks else KATAGO
    left_out |= set() if entry.ranks else {"rank"}
    settings = [own.get(key, option) for key, option in OPTIONS.items() if key not in left_out]
    return [*settings, *(option for option in make_search(game, name, {}).options() if not is_resource(option))]
