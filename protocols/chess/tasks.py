"""What a conversation asks for as the task of a search: position, options, clock, book and tables in one `Task`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tengen.protocols.chess import timing
from tengen.protocols.chess.report import View
from tengen.protocols.chess.search import Task

if TYPE_CHECKING:
    from tengen.engine._core import ChessState
    from tengen.protocols.chess.bounds import Go
    from tengen.protocols.chess.conversation import Conversation
    from tengen.protocols.chess.position import Position


def task_of(
    talk: Conversation, position: Position, go: Go, started: float, *, moves: Sequence[int] = (),
    is_debugging: bool = False, node_rate: float | None = None,
) -> Task:  # fmt: skip
    """The task of a search. started: when it was asked for, by `time.monotonic`. Raises ValueError, as the player
    does."""
    settings = talk.settings
    tables = talk.opened_tables()
    player = talk.player_at(position)
    state = position.state
    if talk.lags is None:
        talk.lags = timing.Lags(player.clock.overhead)
    lines = settings.number("multipv")
    limits = player.level.limits
    clock = timing.remaining(go, state.to_move)
    if clock is not None and not go.is_ponder:
        talk.lags.told(position.start, len(position.moves), clock)

    def book_move(state: ChessState) -> int | None:
        if not settings.check("ownbook") or settings.check("uci_analysemode"):
            return None
        return talk.opened_tables().book_move(state)

    return Task(
        go, player, state, limits._replace(lines=max(lines, limits.lines)), moves,
        View(state, player.history.seen("threefold"), lines, settings.check("uci_showwdl")),
        settings.number("move overhead") / 1000, started, book_move, tables.verdict, tables.tell_news,
        talk.note, talk.engine.notices.once, talk.write, talk.session.complain, talk.lags, is_debugging, node_rate,
    )  # fmt: skip
