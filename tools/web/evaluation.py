"""What a search found of a position, as the page shows it: chances of who moves first, the best moves, owners."""

from __future__ import annotations

from typing import Any, NamedTuple

from tengen.engine.games.base import BLACK
from tengen.engine.info import Info
from tengen.engine.play.live_game import LiveGame
from tengen.tools.play.board import cells_of_move
from tengen.tools.play.moves import line_of, text_of

MOST_LINES = 6


class Evaluation(NamedTuple):
    """win: 0..1 of who moves first. best: the best move. lines: as JSON. visits: how much was searched."""

    win: float
    best: int | None
    visits: int
    lines: tuple[dict[str, Any], ...]
    owners: tuple[float, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """For the page."""
        return {"win": round(self.win, 4), "visits": self.visits, "lines": self.lines, "owners": self.owners}


def evaluation_of(live: LiveGame, info: Info) -> Evaluation | None:
    """What a report says of the position of a game; None where it says nothing yet."""
    if not info.lines:
        return None
    is_first = info.to_move == BLACK
    best = max(info.lines[0].expected, 0.0)
    win = best if is_first else 1 - best
    sign = 1 if is_first else -1
    lines = tuple(_line(live, line.move, line.pv, line.expected, line.visits) for line in info.lines[:MOST_LINES])
    owners = tuple(round(sign * value, 2) for value in info.ownership)
    return Evaluation(win, info.lines[0].move, info.visits or info.playouts, lines, owners)


def _line(live: LiveGame, move: int, pv: tuple[int, ...], expected: float, visits: int) -> dict[str, Any]:
    game, state = live.game, live.state
    is_legal = state.is_legal(move)
    return {
        "move": move,
        "text": text_of(game, state, move) if is_legal else "",
        "cells": cells_of_move(game, state, move),
        "win": round(expected, 4),
        "visits": visits,
        "pv": line_of(game, state, pv or (move,)) if is_legal else [],
    }
