"""Answer a request for a move: by the search, and by some empty point where there is nothing left to search.

A manager waits for a move until the clock runs out, so there is always one while the board has room: also when the
game is over without its knowledge, or when only points are left that the rules forbid us.
"""

from __future__ import annotations

from typing import Any

from tengen.engine.games.base import IllegalMove
from tengen.engine.info import Info
from tengen.protocols.gomocup.framing import GomocupError, Request
from tengen.protocols.gomocup.handler import Gomocup
from tengen.protocols.gomocup.report import reporter

LEAST = 0.004
"""Seconds of the shortest search for a question."""
INTERVAL = 0.5
"""Seconds between two reports of a search."""


def answer(gomocup: Gomocup, request: Request, *, lines: int = 1) -> str:
    """Decide on our move, play it, and return it as text. lines: how many the reports name."""
    position = gomocup.position
    if position.us is None:
        position.us = position.next_colour
    return position.text(choose(gomocup, request, position.us, lines=lines))


def choose(gomocup: Gomocup, request: Request, colour: int, *, lines: int = 1) -> int:
    """Decide for `colour`, play it, and return the point. Raises GomocupError when the board is full."""
    position, settings = gomocup.position, gomocup.settings
    options: dict[str, Any] = {"avoid": avoided(gomocup), "lines": lines}
    if settings.show_detail or settings.is_yixin or lines > 1:
        options |= {"on_info": reporter(gomocup, colour, lines), "interval": INTERVAL}
    decision = None
    if not gomocup.player.state.is_terminal():
        try:
            decision = gomocup.search(request, colour, **options)
        except IllegalMove:
            pass
        except Exception:  # whatever broke, a move is due
            import traceback

            gomocup.session.complain(traceback.format_exc().rstrip())
    if decision is not None and decision.move is not None and decision.move < position.width * position.height:
        position.played(colour, decision.move)
        return decision.move
    cell = some_cell(gomocup)
    position.put(colour, cell)
    return cell


def weigh(gomocup: Gomocup, request: Request, colour: int, seconds: float, lines: int = 1, **options: Any) -> Info:
    """Search the position for `colour` and play nothing; an empty report where there is nothing to search.

    lines: so many of the best moves are weighed at least.
    """
    from tengen.engine.limits import Limits

    if gomocup.player.state.is_terminal():
        return Info(to_move=colour)
    config = gomocup.player.config
    limits = Limits(seconds=max(seconds, LEAST), playouts=config.playouts, visits=config.visits, lines=lines)
    try:
        return gomocup.search(request, colour, is_new=False, limits=limits, play=False, **options).info
    except IllegalMove:
        return Info(to_move=colour)


def avoided(gomocup: Gomocup) -> list[int]:
    """The points that we were told not to play."""
    position = gomocup.position
    return [position.cell(x, y) for x, y in sorted(gomocup.blocked) if x < position.width and y < position.height]


def some_cell(gomocup: Gomocup) -> int:
    """An empty point near the middle, one that the rules allow if there is one. GomocupError("the board is full")."""
    position, state = gomocup.position, gomocup.player.state
    empty = position.empty_cells()
    if not empty:
        raise GomocupError("the board is full")
    legal, avoid = set(state.legal_moves()), set(avoided(gomocup))
    return min(empty, key=lambda cell: (cell not in legal, cell in avoid))
