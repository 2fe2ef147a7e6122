"""The registry of games. A new game is a room beside this file and one line here; it is loaded when first asked for."""

from __future__ import annotations

from typing import cast

from tengen.engine.games.base import Game
from tengen.engine.games.parts import load

GAMES: dict[str, str | Game] = {
    "go": "tengen.engine.games.go.game:GO",
    "gomoku": "tengen.engine.games.gomoku.game:GOMOKU",
    "reversi": "tengen.engine.games.reversi.game:REVERSI",
    "chess": "tengen.engine.games.chess.game:CHESS",
}
"""Name -> the game, or "module:attribute" until it is first used."""


def of_points() -> list[str]:
    """The games whose moves are points of a board, which protocols and formats of stones have."""
    return [name for name in GAMES if get_game(name).conventions.has_points]


def get_game(name: str) -> Game:
    """Return the game of that name. Raises ValueError naming the nearest right name and all."""
    entry = GAMES.get(name)
    if entry is None:
        from tengen.engine.config import nearest

        raise ValueError(f"unknown game '{name}'{nearest(name, GAMES)}; there are {', '.join(GAMES)}")
    if isinstance(entry, str):
        entry = GAMES[name] = cast(Game, load(entry))
    return entry
