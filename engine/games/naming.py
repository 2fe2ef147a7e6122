"""Names that a person gives: the rules and the players of a game, and sentences for those that it does not have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast

from tengen.engine.config import nearest
from tengen.engine.games import GAMES, get_game
from tengen.engine.games.base import Game, Rules
from tengen.engine.games.hooks import hooks_of


def rules_named(game: Game, text: str) -> Rules:
    """The rules of that name. Raises ValueError naming the nearest right name, or the game that has them."""
    try:
        return hooks_of(game).parse_rules(game, text)
    except ValueError as error:
        raise ValueError(f"{error}{_advice(game, text, 'rule_sets')}") from None


def unknown_player(game: Game, name: str) -> str:
    """The sentence for a player that the game does not have."""
    return f"unknown player '{name}'{_advice(game, name, 'players')}"


def _advice(game: Game, name: str, table: str) -> str:
    """What is meant by a name that is none of a table of the game, as far as that can be told."""
    word = name.strip().lower()
    owner = next((other for other in GAMES if other != game.name and word in _names(get_game(other), table)), "")
    if owner:
        return f": that is one of {owner} (--game {owner}); {game.name} has {', '.join(_names(game, table))}"
    return f"{nearest(name, _names(game, table))}; {game.name} has {', '.join(_names(game, table))}"


def _names(game: Game, table: str) -> Iterable[str]:
    return cast(Mapping[str, object], getattr(game, table))
