"""What can be played, for the form of a new game: games, boards, rules, players and their levels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from tengen.engine import extras
from tengen.engine.evaluators import shipped
from tengen.engine.games import GAMES, get_game
from tengen.engine.games.base import Game
from tengen.engine.games.players import Entry

SIZES = range(2, 26)
USUAL = (9, 13, 15, 19)


def catalogue(programs: Mapping[str, Iterable[str]]) -> list[dict[str, Any]]:
    """All games. programs: the names of those that may be chosen besides our players, by game."""
    return [_with(_described(name), programs.get(name, ())) for name in GAMES]


def _with(game: dict[str, Any], programs: Iterable[str]) -> dict[str, Any]:
    others = [{"name": name, "levels": []} for name in programs]
    return {**game, "players": [*game["players"], *others]}


@cache
def _described(name: str) -> dict[str, Any]:
    game = get_game(name)
    sizes = [size for size in SIZES if _has(game, size)]
    return {
        "name": game.name,
        "title": game.conventions.title,
        "sizes": [size for size in sizes if size in USUAL or len(sizes) == 1],
        "size": game.default_size,
        "rules": list(game.rule_sets),
        "rule": game.default_rules.name,
        "komi": game.default_komi if game.conventions.has_komi else None,
        "sides": ["White", "Black"] if not game.conventions.has_points else ["Black", "White"],
        "ranks": [] if extras.missing("nets") else [rank for entry in game.players.values() for rank in entry.ranks],
        "players": [
            {"name": name, "levels": list(entry.levels)} for name, entry in game.players.items() if _plays(entry)
        ],
    }


def _plays(entry: Entry) -> bool:
    """Whether a player needs no network that somebody would have to name."""
    if not entry.needs_network:
        return True
    return bool(entry.network) and shipped.path_of(entry.network).is_file() and not extras.missing("nets")


def _has(game: Game, size: int) -> bool:
    try:
        game.check_size(size, size)
    except ValueError:
        return False
    return True
