"""Help texts of a player's settings, made from the registries of one game or several.

Front ends show them as the help of their options, `options_of` as what an option does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tengen.engine.games import get_game
from tengen.engine.games.base import Game


def help_texts(games: Sequence[str]) -> dict[str, str]:
    """Return setting -> its meaning, for the settings whose meaning depends on the game.

    games: names of GAMES, the first of them the default. Raises ValueError for a name that is none.
    """
    known = [get_game(name) for name in games]
    return {
        "game": _game(games),
        "player": _each("who plays", known, _players),
        "rules": _each("the rules", known, _rules),
        "net": _net(known),
        "book": _book(known),
    }


def _game(games: Sequence[str]) -> str:
    if len(games) == 1:
        return f"{games[0]}, the only game here"
    first, *others = games
    return f"{first} (the default), {', '.join(others[:-1])}{' or ' if others[:-1] else ''}{others[-1]}"


def _each(what: str, games: Sequence[Game], words: Callable[[Game], str]) -> str:
    """The words of each game behind its name; of one game alone without the name."""
    if len(games) == 1:
        return f"{what}: {words(games[0])}"
    return f"{what}; " + "; ".join(f"{game.name}: {words(game)}" for game in games)


def _players(game: Game) -> str:
    """The default first, then those that need nothing, then those that need a network to be named or found."""
    alone = [name for name, entry in game.players.items() if not entry.needs_network or entry.network]
    guided = [name for name in game.players if name not in alone]
    words = ", ".join([f"{alone[0]} (the default)", *alone[1:]])
    if not guided:
        return words
    return f"{words}, with a network " + ", ".join([f"{guided[0]} (then the default)", *guided[1:]])


def _rules(game: Game) -> str:
    default = game.default_rules.name
    others = [name for name in game.rule_sets if name != default]
    return ", ".join([f"{default} (the default)", *others]) if others else f"{default} alone"


def _net(games: Sequence[Game]) -> str:
    words = "a network to play by: a file (NAME.onnx with its card beside it"
    named = " and ".join(game.name for game in games if game.conventions.finds_networks)
    if not named:
        return f"{words}), or none"
    return f"{words}; for {named} also one of KataGo's), none, or auto: for {named} one that is found or shipped"


def _book(games: Sequence[Game]) -> str:
    formats = {game.name: game.conventions.book for game in games if game.conventions.book}
    if not formats:
        return f"of no use here: {games[0].name} has no opening books" if len(games) == 1 else "of no use here"
    if len(games) == 1:
        return f"an opening book to play from: {next(iter(formats.values()))}, or none"
    return "an opening book to play from, or none; " + "; ".join(f"{name}: {words}" for name, words in formats.items())
