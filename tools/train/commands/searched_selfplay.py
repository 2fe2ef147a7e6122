"""`tengen selfplay ... --out DIR` of alpha-beta: games into files of searched positions to learn an evaluation from.

tengen selfplay chess.safetensors --games 50000 --out own --set search.nodes=5000
tengen selfplay lines --game gomoku --games 40000 --out own --set search.nodes=400
tengen train fit own -o next.safetensors
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from tengen.engine.config import ConfigError
from tengen.engine.games import get_game
from tengen.engine.games.chess.game import CHESS
from tengen.engine.games.gomoku.game import GOMOKU
from tengen.tools.executors import choice
from tengen.tools.executors.base import Result
from tengen.tools.train.chess import selfplay as of_chess
from tengen.tools.train.commands import selfplay_units
from tengen.tools.train.gomoku import selfplay as of_gomoku
from tengen.tools.train.settings.searched_games import TABLE, Played


class Kind(NamedTuple):
    """What a game plays so. unit: the kind of its units of work. plan_of: the table `search`, read. first: who begins.
    nodes, moves, most: the size of a unit, half a minute: nodes, of games of so many moves, and not more games.
    has_sizes: boards are of several sizes."""

    unit: str
    plan_of: Callable[[Mapping[str, Any]], Played]
    first: str
    nodes: float
    moves: int
    most: int
    has_sizes: bool


KINDS = {
    CHESS.name: Kind("chess-selfplay", of_chess.plan_of, "White", 45e6, 100, 200, has_sizes=False),
    GOMOKU.name: Kind("gomoku-selfplay", of_gomoku.plan_of, "Black", 15e6, 40, 100, has_sizes=True),
}


def selfplay(game: str, network: Path | None, values: Namespace) -> int:
    """Play, write, print. network: a file, or None for the tables. Raises ValueError, OSError with one sentence."""
    kind, side, rules = KINDS[game], values.size or get_game(game).default_size, get_game(game)
    if not values.out or values.sgf:
        raise ConfigError(f"games of {game} are written to learn from: give --out DIR alone")
    others = [name for name in values.set if not name.startswith(TABLE)]
    if others or values.preset or values.config or (values.size and not kind.has_sizes):
        raise ConfigError(f"games of {game} are set by {TABLE}NAME alone, not by {(*others, 'presets')[0]}")
    rules.check_size(side, side)
    search = kind.plan_of({name.removeprefix(TABLE): value for name, value in values.set.items()})
    if not choice.is_elsewhere(values):
        search.check_here()
    size = max(1, min(kind.most, values.games, round(kind.nodes / kind.moves / search.nodes)))
    board = {"size": side} if kind.has_sizes else {}
    games = selfplay_units.Games(
        kind.unit,
        network,
        Path(values.out),
        size,
        lambda count: {"search": asdict(search), "games": count, **board},
        {**board, **{f"{TABLE}{name}": value for name, value in search.asked().items()}},
    )

    def tell(result: Result, total: Mapping[str, Any]) -> str:
        return f"{total['positions']:,} positions, {total['positions'] / max(total['seconds'], 1e-9):.0f}/s a worker"

    first = kind.first.lower()
    total = selfplay_units.play(games, values, ("games", "moves", "positions", first, "drawn", "seconds"), tell)
    count = total["games"]
    print(f"{count} games, {total['moves'] / count:.1f} moves each, {kind.first} won {total[first] / count:.1%}, "
          f"{total['drawn'] / count:.1%} drawn, {total['positions']} positions to learn from")  # fmt: skip
    return 0
