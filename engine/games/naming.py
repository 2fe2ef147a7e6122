"""Names that a person gives: the rules and the players of a game, and sentences for those that it does not have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast

from tengen.engine.config import nearest
from tengen.engine.games import GAMES, get_game
from tengen.engine.games.base import Game, Rules
from tengen.engine.games.hooks import hooks_of
from tengen.engine.games.players import Entry, Level
from tengen.engine.sentence import excerpt_of


def rules_named(game: Game, text: str) -> Rules:
    """The rules of that name. Raises ValueError naming the nearest right name, or the game that has them."""
    try:
        return hooks_of(game).parse_rules(game, text)
    except ValueError as error:
        raise ValueError(f"{error}{_advice(game, text, 'rule_sets')}") from None


def unknown_player(game: Game, name: str) -> str:
    """The sentence for a player that the game does not have."""
    return f"unknown player '{name}'{_advice(game, name, 'players')}"


def player_of(game: Game, name: str | None) -> tuple[str, Entry]:
    """A player's name and entry; None is the game's default. Raises ValueError naming those that there are."""
    name = name or next(iter(game.players))
    if name not in game.players:
        raise ValueError(unknown_player(game, name))
    return name, game.players[name]


def name_of(game: Game, player: Entry) -> str:
    """Return the name of a player of a game."""
    return next((name for name, entry in game.players.items() if entry is player), player.search)


def level_of(game: Game, player: str | None, level: int | None) -> Level | None:
    """A level of a player, as it is on 9x9 where it depends on the board; None for none. Raises ValueError naming those
    that it has."""
    name, entry = player_of(game, player)
    if level is None:
        return None
    if level not in entry.levels:
        known = ", ".join(map(str, entry.levels)) or "none"
        raise ValueError(f"level: the player '{name}' of {game.name} has no level {level}; it has {known}")
    return entry.levels[level]


def rank_of(game: Game, player: str | None, rank: str) -> Level:
    """The level of a player at a rank of people ("5k", "2 dan"). Raises ValueError naming those that it has."""
    name, entry = player_of(game, player)
    if not entry.ranks:
        having = next((f"--player {other}" for other, one in game.players.items() if one.ranks), "another game")
        raise ValueError(f"rank: the player '{name}' of {game.name} has no ranks; {having} has some, with a network")
    word = rank.strip().lower().replace(" ", "")
    word = word.replace("kyu", "k").replace("dan", "d")
    if word not in entry.ranks:
        first, *_, last = entry.ranks
        raise ValueError(f"rank: {excerpt_of(rank, 20)} is not one of {first} to {last}")
    return entry.ranks[word]


def _advice(game: Game, name: str, table: str) -> str:
    """What is meant by a name that is none of a table of the game, as far as that can be told."""
    word = name.strip().lower()
    owner = next((other for other in GAMES if other != game.name and word in _names(get_game(other), table)), "")
    if owner:
        return f": that is one of {owner} (--game {owner}); {game.name} has {', '.join(_names(game, table))}"
    return f"{nearest(name, _names(game, table))}; {game.name} has {', '.join(_names(game, table))}"


def _names(game: Game, table: str) -> Iterable[str]:
    return cast(Mapping[str, object], getattr(game, table))
