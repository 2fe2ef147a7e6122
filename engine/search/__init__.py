"""The registry of searches, and how a player's name becomes a configured search.

A new search is one module and one line in SEARCHES, which names the games it serves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import NamedTuple, cast

from tengen.engine.games.base import Game
from tengen.engine.search.base import Search

Factory = Callable[[Game, str | None], Search]
"""Makes a search for a game with an evaluator (None: the search needs none)."""


class Entry(NamedTuple):
    """One search: its factory, or "module:attribute" of it, and the games it serves.

    None: those of its evaluators, or every game when it needs none.
    """

    factory: Factory | str
    games: frozenset[str] | None


SEARCHES: dict[str, Entry] = {
    "mcts": Entry("tengen.engine.search.mcts:MctsSearch", None),
    "mix": Entry("tengen.engine.search.mix:MixSearch", frozenset({"reversi"})),
    "random": Entry("tengen.engine.search.random:RandomSearch", None),
}


def make_search(game: Game, player_name: str, options: Mapping[str, float]) -> Search:
    """Build the search of a player of `Game.players` and set its options, the player's own first.

    Raises ValueError with one sentence: unknown player (with the nearest right name), a search or an evaluator that
    does not serve the game, an unknown option or one out of range.
    """
    check_player(game, player_name)
    player = game.players[player_name]
    name: str = player["search"]
    evaluator: str | None = player.get("evaluator")
    entry = SEARCHES.get(name)
    if entry is None or (entry.games is not None and game.name not in entry.games):
        raise ValueError(f"the search '{name}' does not serve {game.name}")
    factory = entry.factory
    if isinstance(factory, str):
        module, _, attribute = factory.partition(":")
        factory = cast(Factory, getattr(import_module(module), attribute))
    search = factory(game, evaluator)
    search.configure(player.get("set", {}))
    search.configure(options)
    return search


def check_player(game: Game, player_name: str) -> None:
    """Raise ValueError naming the right ones unless the game has that player."""
    if player_name not in game.players:
        from tengen.engine.games.naming import unknown_player

        raise ValueError(unknown_player(game, player_name))


def check_names(options: Mapping[str, float], known: list[str]) -> None:
    """Raise ValueError for the first option that is not among `known` names."""
    for name in options:
        if name not in known:
            from tengen.engine.config import nearest

            raise ValueError(f"unknown option '{name}'{nearest(name, known)}")
