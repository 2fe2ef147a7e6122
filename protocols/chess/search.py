"""One search, from its task to its move, whichever protocol asks for it.

It runs beside the conversation. A search without end, and one that ponders, keep their move until `stop` or
`ponderhit`, also where nothing is left to search. Whatever breaks, a legal move is told.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from tengen.engine._core import StopToken
from tengen.engine.info import Info, Line
from tengen.engine.limits import Limits
from tengen.engine.play.request import MoveRequest
from tengen.protocols.chess import timing
from tengen.protocols.chess.background import Work
from tengen.protocols.chess.report import Reports, Style, View
from tengen.protocols.output import OutputClosed
from tengen.protocols.session import failure

if TYPE_CHECKING:
    from tengen.engine._core import ChessState
    from tengen.engine.games.chess.syzygy import Verdict
    from tengen.engine.play.player import Player
    from tengen.protocols.chess.bounds import Go

INTERVAL = 0.05
"""Seconds between two looks at a running search."""
SILENT = 0.05
"""A search that takes no longer tells its last report alone."""
GLANCE = Limits(seconds=0.02, depth=1)
"""The search of a position for which a search was stopped before it knew a move."""


class Task(NamedTuple):
    """The data of one search.

    state: the position, as the player has it. limits: as the player's level has them, with what the options say.
    moves: those that alone may be played, () for all. overhead: seconds. book_move, verdict: ask what is known without
    thinking; news: tells of endgame tables that the search found damaged. tell: a sentence for the user; notice: the
    same, each sentence once in a conversation. node_rate: nodes that count as a second; None: the seconds of the clock
    on the wall.
    """

    go: Go
    player: Player
    state: ChessState
    limits: Limits
    moves: Sequence[int]
    view: View
    overhead: float
    started: float
    book_move: Callable[[ChessState], int | None]
    verdict: Callable[[ChessState], Verdict | None]
    news: Callable[[], None]
    tell: Callable[[str], None]
    notice: Callable[[str], None]
    write: Callable[[str], None]
    complain: Callable[[str], None]
    lags: timing.Lags
    is_debugging: bool = False
    node_rate: float | None = None


class ChessSearch(Work):
    """Searches, tells, answers. A protocol adds its words: `style`, `_nothing`, `_told`."""

    is_search = True
    style: Style

    def __init__(self, task: Task) -> None:
        self._task, go = task, task.go
        is_bounded = (go.is_bounded or (task.limits.is_counted and not go.is_infinite)) and not go.is_ponder
        super().__init__(lambda work: self._answer(), task.write, is_bounded=is_bounded)
        self._clock = timing.remaining(go, task.state.to_move)
        self._share = self._time()
        self._is_pondering = go.is_ponder
        self._lock = threading.Lock()
        if go.may_answer and not go.is_ponder:
            self.release()

    @property
    def is_pondering(self) -> bool:
        """Whether the move that it expects has not been played yet."""
        return self._is_pondering

    def ponderhit(self, go: Go | None = None) -> None:
        """The expected move was played: from here on the clock is ours. What was thought already counts. go: the bounds
        as they are now, where they were not known when it began."""
        with self._lock:
            if not self._is_pondering:
                return
            self._is_pondering = False
        if go is not None:
            self._task = self._task._replace(go=go)
            self._clock = timing.remaining(go, self._task.state.to_move)
            self._share = self._time()
        task = self._task
        if self._share is not None:
            left = self._share.plan - (time.monotonic() - task.started)
            if left <= 0:
                self.token.stop()
            else:
                timer = threading.Timer(left, self.token.stop)
                timer.daemon = True
                timer.start()
        if task.go.may_answer:
            self.is_bounded = self.is_bounded or go is not None
            self.release()

    # -- what a protocol says -----------------------------------------------------------------------------

    def _nothing(self) -> str:
        """What is told where there is no legal move."""
        raise NotImplementedError

    def _told(self, reports: Reports, info: Info, move: int) -> str:
        """The lines that end this search with a move."""
        raise NotImplementedError

    # -- the time -----------------------------------------------------------------------------------------

    def _time(self) -> timing.Share | None:
        """Seconds of this move by clock and `movetime`; None: no bound."""
        task, go = self._task, self._task.go
        if go.is_infinite:
            return None
        late, share = task.player.clock.overhead, None
        if self._clock is not None:
            position, hooks = (task.state, len(task.player.moves)), task.player.hooks
            moves, most = hooks.moves_left(*position), hooks.most_moves(*position)
            share = timing.share(self._clock, moves, task.overhead, late, most)
            if task.is_debugging:
                task.tell(f"time {share.plan:.3f} to {share.most:.3f} s of {self._clock.seconds:.3f} s")
        if go.movetime is not None:
            fixed = timing.fixed(go.movetime, task.overhead, late)
            plan, most = share or (fixed, fixed)
            share = timing.Share(min(plan, fixed), min(most, fixed))
        return share

    def _limits(self) -> Limits:
        """Bounds of the search; while it ponders the clock is none of them."""
        task, go = self._task, self._task.go
        limits = task.limits
        if go.depth is not None:
            limits = limits._replace(depth=min(go.depth, limits.depth or go.depth))
        if go.nodes is not None:
            limits = limits._replace(playouts=min(go.nodes, limits.playouts or go.nodes))
        if self._share is None or go.is_ponder:
            return limits
        if task.node_rate is not None:
            nodes = max(1, int(self._share.plan * task.node_rate))
            return limits._replace(playouts=min(nodes, limits.playouts or nodes))
        return limits._replace(seconds=self._share.most, plan=self._share.plan, early_stop=self._clock is not None)

    # -- the answer ---------------------------------------------------------------------------------------

    def _answer(self) -> str:
        """The last reports and the move."""
        task = self._task
        try:
            if not task.state.legal_moves():
                return self._nothing()
            return self._chosen()
        except OutputClosed:
            return ""
        except Exception as error:
            import traceback

            task.complain(traceback.format_exc().rstrip())
            with suppress(OutputClosed):
                task.tell(failure(error))
            return self._told(self._reports(task.view), Info(), self._any_move())

    def _chosen(self) -> str:
        """By the book, else by the search."""
        task, view = self._task, self._task.view
        reports = self._reports(view)
        known = None if task.moves or task.go.is_infinite else task.book_move(task.state)
        if known is not None:
            task.tell("the move is from the book")
            return self._told(reports, Info(), known)
        allow = tuple(task.moves)
        verdict = task.verdict(task.state)
        if verdict is not None:
            reports = self._reports(view._replace(table=verdict.result, probes=verdict.probes))
            kept = tuple(move for move in verdict.moves if not allow or move in allow)
            allow = kept or allow
        info, move = self._searched(allow, reports)
        return self._told(reports, info, move)

    def _reports(self, view: View) -> Reports:
        return Reports(self._task.write, view, self.style)

    def _searched(self, allow: Sequence[int], reports: Reports) -> tuple[Info, int]:
        """The last report, and the move to play."""
        task = self._task
        limits = self._limits()
        is_silent = limits.seconds is not None and limits.seconds < SILENT
        request = MoveRequest(
            task.state.to_move, limits, None if is_silent else reports, INTERVAL, play=False, resign=False,
            allow=allow, started=task.started, stop=self.token,
        )  # fmt: skip
        decision = task.player.genmove(request)
        if not decision.info.lines and not task.state.is_terminal():
            glance = MoveRequest(task.state.to_move, GLANCE, play=False, resign=False, allow=allow, stop=StopToken())
            decision = task.player.genmove(glance)
        task.notice(decision.notice)
        task.news()
        if self._clock is not None and not task.go.is_ponder:
            task.lags.spent(self._clock, time.monotonic() - task.started)
        assert decision.move is not None, "it may not resign"
        return decision.info, decision.move

    def _last(self, reports: Reports, info: Info, move: int) -> tuple[str, int | None]:
        """The last reports, with one of the move, and the reply that is expected."""
        state = self._task.state
        if not any(line.move == move for line in info.lines):
            info = info._replace(lines=(*info.lines, _glanced(state, move)))
        return reports.last(info, move)

    def _any_move(self) -> int:
        """Legal, for a search that broke."""
        return next(iter(self._task.moves or self._task.state.legal_moves()))


def _glanced(state: ChessState, move: int) -> Line:
    """A move that was not searched: worth what the board is worth."""
    try:
        from tengen.engine._core import chess_evaluation

        score = chess_evaluation(state)
    except (ImportError, ValueError):
        score = 0.0
    return Line(move, (move,), 0, 0.5, loss=0.5, score=score, depth=1, seldepth=1)
