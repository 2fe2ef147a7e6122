"""`tengen selfplay FILE.safetensors --out DIR` for chess: games of a network into files of labelled positions.

tengen selfplay chess.safetensors --games 50000 --out own --set search.nodes=5000
tengen train fit labelled own -o next.safetensors
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tengen.engine.config import ConfigError
from tengen.tools.executors.base import Result
from tengen.tools.train.chess.selfplay import plan_of
from tengen.tools.train.commands import selfplay_units

TABLE = "search."
UNIT_NODES, GAME_MOVES, MOST_GAMES = 45e6, 100, 200
"""The size of a unit of work, half a minute: nodes, of games of so many moves, and not more games."""
FIGURES = ("games", "moves", "positions", "white", "drawn", "seconds")


def selfplay(path: Path, values: Namespace) -> int:
    """Play, write, print. Raises ValueError, OSError with one sentence."""
    if not values.out or values.sgf:
        raise ConfigError("games of chess are written to learn from: give --out DIR alone")
    others = [name for name in values.set if not name.startswith(TABLE)]
    if others or values.preset or values.config or values.size:
        raise ConfigError(f"games of chess are set by {TABLE}NAME alone, not by {(*others, 'presets')[0]}")
    search = plan_of({name.removeprefix(TABLE): value for name, value in values.set.items()})
    folder = Path(values.out)
    size = max(1, min(MOST_GAMES, values.games, round(UNIT_NODES / GAME_MOVES / search.nodes)))
    games = selfplay_units.Games(
        "chess-selfplay",
        path,
        folder,
        size,
        lambda count: {"search": search._asdict(), "games": count},
        {f"{TABLE}{name}": value for name, value in search._asdict().items()},
    )

    def tell(result: Result, total: Mapping[str, Any]) -> str:
        return f"{total['positions']:,} positions, {total['positions'] / max(total['seconds'], 1e-9):.0f}/s a worker"

    total = selfplay_units.play(games, values, FIGURES, tell)
    count = total["games"]
    print(f"{count} games, {total['moves'] / count:.1f} moves each, White won {total['white'] / count:.1%}, "
          f"{total['drawn'] / count:.1%} drawn, {total['positions']} positions to learn from")  # fmt: skip
    return 0
