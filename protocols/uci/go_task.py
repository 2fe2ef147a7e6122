"""Turn a `go` into a search of this conversation: position, options, clock, book and tables in one `Task`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tengen.protocols.uci import timing
from tengen.protocols.uci.go_search import GoSearch, Task
from tengen.protocols.uci.report import View

if TYPE_CHECKING:
    from tengen.engine._core import ChessState
    from tengen.protocols.uci.go import Go
    from tengen.protocols.uci.handler import Uci


def search(talk: Uci, go: Go, started: float) -> GoSearch:
    """The search, not yet begun. started: when the `go` came, by `time.monotonic`. Raises ValueError, as the player
    does."""
    settings, position = talk.settings, talk.position
    player = talk.engine.sync(position)
    state = position.state
    if talk.lags is None:
        talk.lags = timing.Lags(player.clock.overhead)
    lines = settings.number("multipv")
    limits = player.level.limits
    tables = talk.opened_tables()
    clock = timing.remaining(go, state.to_move)
    if clock is not None and not go.is_ponder:
        talk.lags.told(position.start, len(position.moves), clock)

    def book_move(state: ChessState) -> int | None:
        if not settings.check("ownbook") or settings.check("uci_analysemode"):
            return None
        return talk.opened_tables().book_move(state)

    task = Task(
        go, player, state, replace(limits, lines=max(lines, limits.lines)), _searchmoves(talk, go.moves),
        View(state, player.history.seen("threefold"), lines, settings.check("uci_showwdl")),
        settings.number("move overhead") / 1000, started, book_move, tables.verdict, talk.tell,
        talk.engine.notices.once, talk.write, talk.session.complain, talk.lags, talk.is_debugging,
    )  # fmt: skip
    return GoSearch(task)


def _searchmoves(talk: Uci, words: tuple[str, ...]) -> list[int]:
    """The legal ones; the others are told."""
    moves = {word: talk.position.move(word) for word in words}
    illegal = [word for word, move in moves.items() if move is None]
    if illegal:
        talk.tell(f"searchmoves: {' '.join(illegal[:20])} illegal here, ignored")
    return [move for move in moves.values() if move is not None]
