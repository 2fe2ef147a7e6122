"""Gomoku, Renju and Caro are reviewed by looking ahead (`ahead.py`); a win that is proved is told to its five."""

from __future__ import annotations

from dataclasses import replace

from tengen.engine.config import Config, merge
from tengen.engine.games import get_game
from tengen.engine.games.base import BLACK, State
from tengen.engine.games.gomoku.game import GOMOKU as GAME
from tengen.engine.games.gomoku.wins import proved_win, words_of
from tengen.engine.games.naming import rules_named
from tengen.engine.records import Record, RecordError
from tengen.engine.records.base import CUT
from tengen.engine.records.legal import cut, legal
from tengen.engine.records.points import point_text
from tengen.engine.records.replay import rules_of, start_of
from tengen.tools.review.ahead import AheadReviewer
from tengen.tools.review.grading import GOMOKU
from tengen.tools.review.position import Kind, Position

SEARCH = {"alphabeta.vct_share": 100.0}
"""Options of the search unless others are set: a review has time to look for wins by threes."""


class GomokuReviewer(AheadReviewer):
    """Implements `Reviewer`; leads are units of the search's score."""

    game, terms, most, usual, nodes = GAME.name, GOMOKU, 1500.0, 12, 300_000

    def __init__(self, config: Config, depth: int | None) -> None:
        super().__init__(replace(config, set={**SEARCH, **config.set}), depth)

    def who(self, record: Record) -> str:
        """See `Reviewer.who`."""
        return f"Tengen's alpha-beta, {self.depth} plies, {rules_of(record).name} rules"

    def _asked(self, state: State, move: int | None = None) -> Position:
        """With the reason of a win; the line then leads to the five."""
        found = super()._asked(state, move)
        if not (found.is_exact and found.lead):
            return found
        won = proved_win(state, BLACK if found.lead > 0 else 1 - BLACK, [cell for _, cell in found.line])
        if won is None:
            return found
        line = tuple((won.mover ^ (ply & 1), cell) for ply, cell in enumerate(won.moves))
        why = words_of(won, lambda cell: point_text(self.game, state.width, state.height, cell).upper())
        return replace(found, line=line, why=why, plies=0)


def _legal(record: Record, rules: str | None) -> Record:
    """Up to the first move that cannot be played, also where the game is over by then. Raises RecordError."""
    if rules is not None:
        try:
            record = replace(record, rules=rules_named(get_game(record.game), rules).name)
        except ValueError as error:
            raise RecordError(str(error)) from None
    found = legal(record, rules_of(record))
    if found.cut and not found.moves:
        raise RecordError(found.cut.removesuffix(CUT))
    state = start_of(found)
    for number, (colour, move) in enumerate(found.moves, 1):
        if state.is_terminal():
            return cut(found, number, "game over")
        state.play_as(colour, move)
    return found


KIND = Kind(
    "Gomoku",
    frozenset(("depth", "rules", "set")),
    lambda given, values: GomokuReviewer(
        merge(Config(), {key: value for key, value in given.items() if key != "rules"}), getattr(values, "depth", None)
    ),
    _legal,
)
