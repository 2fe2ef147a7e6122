"""One `go`, from its words to its `bestmove`.

It runs beside the conversation. `go infinite` and `go ponder` keep their move until `stop` or `ponderhit`, also where
nothing is left to search. Whatever breaks, a legal move is told.
"""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from tengen.engine._core import StopToken
from tengen.engine.games.chess.game import CHESS
from tengen.engine.info import Info, Line
from tengen.engine.limits import Limits
from tengen.engine.play.request import MoveRequest
from tengen.protocols.output import OutputClosed
from tengen.protocols.session import failure
from tengen.protocols.uci import timing
from tengen.protocols.uci.background import Work
from tengen.protocols.uci.report import Reports, View

if TYPE_CHECKING:
    from tengen.engine._core import ChessState
    from tengen.engine.games.chess.syzygy import Verdict
    from tengen.engine.play.player import Player
    from tengen.protocols.uci.go import Go

INTERVAL = 0.05
"""Seconds between two looks at a running search."""
SILENT = 0.05
"""A search that takes no longer tells its last report alone."""
GLANCE = Limits(seconds=0.02, depth=1)
"""The search of a position for which a search was stopped before it knew a move."""
NO_MOVE = "(none)"


class Task(NamedTuple):
    """The data of one `go`.

    state: the position, as the player has it. limits: as the player's level has them, with what the options say.
    moves: those of `searchmoves`. overhead: seconds. book_move, verdict: ask what is known without thinking. tell: a
    sentence for the user; notice: the same, each sentence once in a conversation.
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
    tell: Callable[[str], None]
    notice: Callable[[str], None]
    write: Callable[[str], None]
    complain: Callable[[str], None]
    lags: timing.Lags
    is_debugging: bool = False


class GoSearch(Work):
    """Searches, tells, answers."""

    is_search = True

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

    def ponderhit(self) -> None:
        """The expected move was played: from here on the clock is ours. What was thought already counts."""
        task = self._task
        with self._lock:
            if not self._is_pondering:
                return
            self._is_pondering = False
        if self._share is not None:
            left = self._share.plan - (time.monotonic() - task.started)
            if left <= 0:
                self.token.stop()
            else:
                timer = threading.Timer(left, self.token.stop)
                timer.daemon = True
                timer.start()
        if task.go.may_answer:
            self.release()

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
            limits = replace(limits, depth=min(go.depth, limits.depth or go.depth))
        if go.nodes is not None:
            limits = replace(limits, playouts=min(go.nodes, limits.playouts or go.nodes))
        if self._share is None or go.is_ponder:
            return limits
        return replace(limits, seconds=self._share.most, plan=self._share.plan, early_stop=self._clock is not None)

    # -- the answer ---------------------------------------------------------------------------------------

    def _answer(self) -> str:
        """The last `info` lines and `bestmove`."""
        task = self._task
        try:
            if not task.state.legal_moves():
                score = "mate 0" if task.state.is_check else "cp 0"
                return f"info depth 0 score {score}\nbestmove {NO_MOVE}\n"
            return self._chosen()
        except OutputClosed:
            return ""
        except Exception as error:
            task.complain(traceback.format_exc().rstrip())
            with suppress(OutputClosed):
                task.tell(failure(error))
            return self._told(Reports(task.write, task.view), Info(), self._any_move())

    def _chosen(self) -> str:
        """By the book, else by the search."""
        task, view = self._task, self._task.view
        reports = Reports(task.write, view)
        known = None if task.moves or task.go.is_infinite else task.book_move(task.state)
        if known is not None:
            task.tell("the move is from the book")
            return self._told(reports, Info(), known)
        allow = tuple(task.moves)
        verdict = task.verdict(task.state)
        if verdict is not None:
            reports = Reports(task.write, view._replace(table=verdict.result, probes=verdict.probes))
            kept = tuple(move for move in verdict.moves if not allow or move in allow)
            allow = kept or allow
        info, move = self._searched(allow, reports)
        return self._told(reports, info, move)

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
        if self._clock is not None and not task.go.is_ponder:
            task.lags.spent(self._clock, time.monotonic() - task.started)
        assert decision.move is not None, "it may not resign"
        return decision.info, decision.move

    def _told(self, reports: Reports, info: Info, move: int) -> str:
        """The lines that end this `go`."""
        state = self._task.state
        if not any(line.move == move for line in info.lines):
            info = replace(info, lines=(*info.lines, _glanced(state, move)))
        text, reply = reports.last(info, move)
        text += f"bestmove {CHESS.move_to_text(state, move)}"
        if reply is not None:
            after = state.copy()
            after.play(move)
            text += f" ponder {CHESS.move_to_text(after, reply)}"
        return text + "\n"

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
