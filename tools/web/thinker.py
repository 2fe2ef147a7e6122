"""The thread of a game that thinks: who is to move decides, positions are analysed, a whole game is reviewed.

What takes long looks at a copy of the game; its result counts only while the position is still the one it was asked of.
"""

from __future__ import annotations

import threading
from typing import Any

from tengen.engine.games.base import IllegalMove
from tengen.engine.info import Info
from tengen.engine.limits import Limits
from tengen.engine.play.request import MoveRequest
from tengen.tools.play.seats import Person, Seat, SeatError, follow
from tengen.tools.web.hosted import Hosted
from tengen.tools.web.seen import seen_of
from tengen.tools.web.shown import view_of

HINT_SECONDS = 2.0
REVIEW_SECONDS = 0.4
"""For each position of a game that is reviewed."""
ANALYSIS_SECONDS = 120.0
REPORT_SECONDS = 0.5
LINES = 5
"""Moves of a hint and of an analysis."""
MOST_AT_ONCE = threading.BoundedSemaphore(2)
"""Searches of all games that are bounded by their own limits."""


class Thinker:
    """Serves one game until it is closed. saved: called when a move was played."""

    def __init__(self, hosted: Hosted, saved: Any) -> None:
        self._hosted, self._saved = hosted, saved
        self._analysed = -1
        self._thread = threading.Thread(target=self._run, name=f"game {hosted.name}", daemon=True)
        self._thread.start()

    def join(self) -> None:
        self._thread.join(5)

    def _run(self) -> None:
        hosted = self._hosted
        while True:
            with hosted.changed:
                hosted.changed.wait_for(lambda: hosted.is_closed or self._next() is not None)
                if hosted.is_closed:
                    break
                work = self._next()
            assert work is not None
            try:
                work()
            except Exception as error:  # the page must live
                self._failed(error)
        hosted.table.close()

    def _next(self) -> Any:
        """What is to be done; None for nothing. Called with the lock."""
        hosted, table = self._hosted, self._hosted.table
        is_open = hosted.is_at_end and not table.is_over
        if is_open and table.game.passes == "forced" and table.live.state.is_legal(table.live.state.pass_move):
            return self._pass
        if is_open and not table.seat.is_person:
            return self._decide
        if hosted.hint_wanted:
            return self._hint
        if hosted.is_reviewing:
            return self._review
        is_new = hosted.version != self._analysed
        if hosted.is_analysing and hosted.is_watched and is_new and not table.live.state.is_terminal():
            return self._analyse
        return None

    def _pass(self) -> None:
        with self._hosted.lock:
            if self._hosted.is_at_end and not self._hosted.table.is_over:
                self._hosted.play(self._hosted.table.live.state.pass_move)
        self._changed()

    def _decide(self) -> None:
        hosted = self._hosted
        with hosted.lock:
            version, seat, live = hosted.version, hosted.table.seat, hosted.snapshot()
            hosted.is_thinking = True
        self._changed()
        try:
            with MOST_AT_ONCE:
                answer = seat.decide(live) if version == hosted.version else None
        except SeatError as error:
            self._left(seat, str(error))
            return
        finally:
            hosted.is_thinking = False
        if answer is None:
            return
        if answer.info is not None and (seen := seen_of(live, answer.info)):
            hosted.remember(live.state.state_key, seen)
        with hosted.lock:
            if version != hosted.version:
                return
            hosted.told = answer.notice
            try:
                hosted.resign() if answer.move is None else hosted.play(answer.move)
            except IllegalMove as error:
                self._left(seat, f"{seat.name} played an illegal move: {error}")
                return
        self._saved(hosted)
        self._changed()

    def _left(self, seat: Seat, sentence: str) -> None:
        """Somebody plays no more: a person goes on."""
        with self._hosted.lock:
            seats = self._hosted.table.seats
            seats[seats.index(seat)] = Person()
            self._hosted.told = f"{sentence}: its moves are yours from now on"
            self._hosted.touch()
        seat.close()
        self._changed()

    def _hint(self) -> None:
        hosted = self._hosted
        with hosted.lock:
            hosted.hint_wanted = False
            version, live, player = hosted.version, hosted.snapshot(), hosted.table.adviser()
        if live.state.is_terminal():
            return
        follow(player, live)
        limits = Limits(seconds=HINT_SECONDS, lines=LINES)
        request = MoveRequest(live.state.to_move, limits=limits, play=False, resign=False, ownership=True)
        with MOST_AT_ONCE:
            info = player.genmove(request).info
        self._found(live, info, version)

    def _analyse(self) -> None:
        """Search until the position changes, nobody looks on, or for so long."""
        hosted = self._hosted
        with hosted.lock:
            version, live, player = hosted.version, hosted.snapshot(), hosted.table.adviser()
            self._analysed = version
        follow(player, live)
        analysis = player.analyse(
            live.state.to_move, lambda info: self._found(live, info, version), REPORT_SECONDS,
            limits=Limits(seconds=ANALYSIS_SECONDS, lines=LINES), ownership=True,
        )  # fmt: skip
        try:
            with hosted.changed:
                hosted.changed.wait_for(
                    lambda: version != hosted.version or not hosted.is_analysing or not hosted.is_watched
                    or hosted.is_closed or hosted.hint_wanted or hosted.is_reviewing,
                    ANALYSIS_SECONDS,
                )  # fmt: skip
                if not hosted.is_watched or not hosted.is_analysing:
                    self._analysed = -1
        finally:
            analysis.stop()
            player.ponder_stop()

    def _review(self) -> None:
        """Look at every position of the line, from its start, each as long; what is known is left out."""
        hosted = self._hosted
        with hosted.lock:
            line, player = list(hosted.line), hosted.table.adviser()
        for ply in range(len(line) + 1):
            with hosted.lock:
                if not hosted.is_reviewing or hosted.is_closed or hosted.line != line:
                    break
                live = hosted.snapshot(ply)
            key = live.state.state_key
            if key not in hosted.seen and not live.is_over:
                follow(player, live)
                limits = Limits(seconds=REVIEW_SECONDS)
                request = MoveRequest(live.state.to_move, limits=limits, play=False, resign=False)
                with MOST_AT_ONCE:
                    info = player.genmove(request).info
                if seen := seen_of(live, info):
                    hosted.remember(key, seen)
            hosted.tell("review", {"done": ply, "total": len(line)})
        with hosted.lock:
            hosted.is_reviewing = False
        self._changed()

    def _found(self, live: Any, info: Info, version: int) -> None:
        seen = seen_of(live, info)
        if seen is not None:
            self._hosted.remember(live.state.state_key, seen)
            if version == self._hosted.version:
                self._hosted.tell("info", {"version": version, **seen.as_json()})

    def _failed(self, error: Exception) -> None:
        hosted = self._hosted
        with hosted.lock:
            hosted.told = f"something went wrong: {error or type(error).__name__}"
            hosted.is_analysing = hosted.is_reviewing = hosted.hint_wanted = False
            for side, seat in enumerate(hosted.table.seats):
                if not seat.is_person and hosted.table.live.state.to_move == side:
                    hosted.table.seats[side] = Person()
        self._changed()

    def _changed(self) -> None:
        self._hosted.tell("view", view_of(self._hosted))
