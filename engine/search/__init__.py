"""The registry of searches, and how a player's name becomes a configured search.

A new search is one module and one line in SEARCHES. The `Parts` of a game name the classes of the core that search it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, cast

from tengen.engine.games.base import Game
from tengen.engine.games.naming import player_of
from tengen.engine.games.parts import load
from tengen.engine.games.players import Entry as Player
from tengen.engine.options import Option, Value
from tengen.engine.search.base import Search
from tengen.engine.sentence import excerpt

Factory = Callable[[Game, Player], Search]
"""Makes the search of a player of a game; its options are set afterwards."""


class Entry(NamedTuple):
    """One search: its factory, or "module:attribute" of it. A factory raises ValueError for a game that it does not
    serve.

    part: what it needs of a game's `Parts`. looks_ahead: ply by ply, so that `Limits.depth` bounds it and
    `Limits.lines` means something; else it is a tree, which counts playouts.
    """

    factory: Factory | str
    part: str = ""
    looks_ahead: bool = False


SEARCHES: dict[str, Entry] = {
    "mcts": Entry("tengen.engine.search.mcts:MctsSearch"),
    "alphabeta": Entry("tengen.engine.search.alphabeta:AlphaBetaSearch", looks_ahead=True),
    "puct": Entry("tengen.engine.search.puct:PuctSearch", "tree"),
    "policy": Entry("tengen.engine.search.policy:PolicySearch", "tree"),
    "value": Entry("tengen.engine.search.value:ValueSearch", "tree"),
    "human": Entry("tengen.engine.search.human:HumanSearch", "tree"),
    "minimax": Entry("tengen.engine.search.minimax:MinimaxSearch", looks_ahead=True),
    "mix": Entry("tengen.engine.search.mix:MixSearch"),
    "random": Entry("tengen.engine.search.random:RandomSearch"),
}

RESOURCES = ("threads", "memory_mb", "seed")
"""Options (the last part of their names) that a player sets from its settings: they make none better."""


def make_search(game: Game, player_name: str, options: Mapping[str, Value]) -> Search:
    """Build the search of a player of `Game.players` and set its options: its own where `options` has no other.

    Raises ValueError with one sentence: unknown player (with the nearest right name), a search or an evaluator that
    does not serve the game, an unknown option or a value that does not fit.
    """
    _, player = player_of(game, player_name)
    entry = SEARCHES.get(player.search)
    if entry is None or (entry.part and not getattr(game.parts, entry.part)):
        raise ValueError(f"the search '{player.search}' does not serve {game.name}")
    factory = cast(Factory, load(entry.factory)) if isinstance(entry.factory, str) else entry.factory
    search = factory(game, player)
    search.configure({**player.set, **options})
    return search


def is_resource(option: Option) -> bool:
    """Whether it is one of RESOURCES."""
    return option.name.rpartition(".")[2] in RESOURCES


def fitting(options: Sequence[Option], values: Mapping[str, Value]) -> dict[str, Value]:
    """Convert values for options of these names. Raises ValueError for the first that is none or does not fit."""
    known = {option.name: option for option in options}
    for name in values:
        if name not in known:
            from tengen.engine.config import nearest

            raise ValueError(f"unknown option {excerpt(name, 60)}{nearest(name, known)}")
    return {name: known[name].parse(value) for name, value in values.items()}
