"""A game that was just played, as a diagram for the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tengen.engine.games import get_game
from tengen.engine.games.naming import rules_named
from tengen.engine.records.diagram import rows_text

if TYPE_CHECKING:
    from tengen.engine.games.base import State
    from tengen.tools.train.data.game import PlayedGame
    from tengen.tools.train.manifest import Shard

PART = 0.6
"""How far into the game the board is shown: it is neither empty nor over then."""


def diagram(path: Path, shard: Shard) -> str:
    """The last game of a shard, far into it, and how it ended."""
    from tengen.tools.train.data import shards

    games = shards.read(path)
    game = games[len(games) - 1]
    ply = int(PART * len(game.moves))
    state = position(game, ply)
    last = game.moves[ply - 1] if ply else -1
    rows = rows_text(bytes(state.stones()), state.width)
    title = f"a game of generation {shard.network}, move {ply} of {len(game.moves)}, {ending(game)}"
    if 0 <= last < state.cells:
        row, column = divmod(int(last), state.width)
        rows[row] = marked(rows[row], column)
    return "\n".join([title, *(f"  {row}" for row in rows)])


def marked(row: str, column: int) -> str:
    """A row of a diagram with one cell in brackets."""
    cells = f" {row} "
    at = 2 * column
    return f"{cells[:at]}({cells[at + 1]}){cells[at + 3 :]}".rstrip().removeprefix(" " if column else "")


def position(game: PlayedGame, ply: int) -> State:
    """The position before a ply."""
    kind = get_game(game.game)
    state = kind.new_state(game.width, game.height, rules_named(kind, game.rules), game.komi)
    for move in game.moves[:ply].tolist():
        state.play(move)
    return state


def ending(game: PlayedGame) -> str:
    """How it ended, in words."""
    if game.outcome == 0.5:
        return "a draw"
    winner = "Black" if game.outcome > 0.5 else "White"
    by = "resignation" if abs(game.margin) == float("inf") else f"{abs(game.margin):g}"
    return f"{winner} wins by {by}"
