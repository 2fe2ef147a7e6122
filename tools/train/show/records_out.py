"""Games of self-play as records, with what the search thought of each move."""

from __future__ import annotations

import math

from tengen.engine.games import get_game
from tengen.engine.records import get_format
from tengen.engine.records.base import Note, Record
from tengen.tools.train.data.game import PlayedGame


def sgf_text(game: PlayedGame) -> str:
    """A game in SGF. Raises RecordError for a game that SGF does not have."""
    return get_format("sgf").dumps(record_of(game))


def record_of(game: PlayedGame) -> Record:
    """A game as a record; colours alternate."""
    moves = tuple((ply % 2, move) for ply, move in enumerate(game.moves.tolist()))
    expected = (2 * game.values[:, 0] + game.values[:, 1] - 1).tolist()
    notes = tuple(Note(None if math.isnan(value) else round(value, 3)) for value in expected)
    komi = game.komi if get_game(game.game).conventions.has_komi else None
    return Record(
        game=game.game, width=game.width, height=game.height, komi=komi,
        rules=game.rules or None, moves=moves, players=("self-play", "self-play"), result=result_text(game),
        notes=notes,
    )  # fmt: skip


def result_text(game: PlayedGame) -> str:
    """As SGF writes it."""
    if game.outcome == 0.5:
        return "0"
    winner = "B" if game.outcome > 0.5 else "W"
    return f"{winner}+R" if math.isinf(game.margin) else f"{winner}+{abs(game.margin):g}"
