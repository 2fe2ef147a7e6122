"""The thread of a game that thinks: who is to move decides, positions are analysed, a whole game is reviewed.

What takes long looks at a copy of the game; its result counts only while the position is still the one it was asked of.
"""

from __future__ import annotations

import threading
import time
from typing import Any

from tengen.engine.games.base import IllegalMove
from tengen.engine.info import Info
from tengen.engine.limits import Limits
from tengen.engine.play.networks import network_of
from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest
from tengen.tools.play.seats import Person, Seat, SeatError, follow
from tengen.tools.web.evaluation import evaluation_of
from tengen.tools.web.session import Session
from tengen.tools.web.view import view_of

HINT_SECONDS = 2.0
REVIEW_SECONDS = 0.6
"""For each position of a game that is reviewed."""
ANALYSIS_SECONDS = 120.0
LOADING_SECONDS = 60.0
"""In which a network is there, or is done without."""
REPORT_SECONDS = 0.5
LINES = 5
"""Moves of a hint and of an analysis."""
MOST_AT_ONCE = threading.BoundedSemaphore(2)
"""Searches of all games that are bounded by their own limits."""


class Worker:
    """Serves one game until it is closed. saved: called when a move was played."""

    def __init__(self, session: Session, saved: Any) -> None:
        self._session, self._saved = session, saved
        self._analysed = -1
        self._thread = threading.Thread(target=self._run, name=f"game {session.name}", daemon=True)
        self._thread.start()

    def join(self) -> None:
        self._thread.join(5)

    def _run(self) -> None:
        session = self._session
        while True:
            with session.changed:
                session.changed.wait_for(lambda: session.is_closed or self._next() is not None)
                if session.is_closed:
                    break
                work = self._next()
            assert work is not None
            try:
                work()
            except Exception as error:  # the page must live
                self._failed(error)
        session.table.close()

    def _next(self) -> Any:
        """What is to be done; None for nothing. Called with the lock."""
        session, table = self._session, self._session.table
        is_open = session.is_at_end and not table.is_over
        if is_open and table.game.passes == "forced" and table.live.state.is_legal(table.live.state.pass_move):
            return self._pass
        if is_open and not table.seat.is_person:
            return self._decide
        if session.hint_wanted:
            return self._hint
        if session.is_reviewing:
            return self._review
        is_new = session.version != self._analysed
        if session.is_analysing and session.is_watched and is_new and not table.live.state.is_terminal():
            return self._analyse
        return None

    def _pass(self) -> None:
        with self._session.lock:
            if self._session.is_at_end and not self._session.table.is_over:
                self._session.play(self._session.table.live.state.pass_move)
        self._changed()

    def _decide(self) -> None:
        session = self._session
        with session.lock:
            version, seat, live = session.version, session.table.seat, session.snapshot()
            session.is_thinking = True
        self._changed()
        try:
            with MOST_AT_ONCE:
                answer = seat.decide(live) if version == session.version else None
        except SeatError as error:
            self._left(seat, str(error))
            return
        finally:
            session.is_thinking = False
        if answer is None:
            return
        if answer.info is not None and (found := evaluation_of(live, answer.info)):
            session.remember(live.state.state_key, found)
        with session.lock:
            if version != session.version:
                return
            session.told = answer.notice
            try:
                session.resign() if answer.move is None else session.play(answer.move)
            except IllegalMove as error:
                self._left(seat, f"{seat.name} played an illegal move: {error}")
                return
        self._saved(session)
        self._changed()

    def _left(self, seat: Seat, sentence: str) -> None:
        """Somebody plays no more: a person goes on."""
        with self._session.lock:
            seats = self._session.table.seats
            seats[seats.index(seat)] = Person()
            self._session.told = f"{sentence}: its moves are yours from now on"
            self._session.touch()
        seat.close()
        self._changed()

    def _hint(self) -> None:
        session = self._session
        with session.lock:
            session.hint_wanted = False
            version, live, player = session.version, session.snapshot(), session.table.adviser()
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
        session = self._session
        with session.lock:
            version, live, player = session.version, session.snapshot(), session.table.adviser()
            self._analysed = version
        follow(player, live)
        analysis = player.analyse(
            live.state.to_move, lambda info: self._found(live, info, version), REPORT_SECONDS,
            limits=Limits(seconds=ANALYSIS_SECONDS, lines=LINES), ownership=True,
        )  # fmt: skip
        try:
            with session.changed:
                session.changed.wait_for(
                    lambda: version != session.version or not session.is_analysing or not session.is_watched
                    or session.is_closed or session.hint_wanted or session.is_reviewing,
                    ANALYSIS_SECONDS,
                )  # fmt: skip
                if not session.is_watched or not session.is_analysing:
                    self._analysed = -1
        finally:
            analysis.stop()
            player.ponder_stop()

    def _review(self) -> None:
        """Look at every position of the line, from its start, each as long; what is known is left out."""
        session = self._session
        with session.lock:
            line, player = list(session.line), session.table.adviser()
        self._await_network(player)
        for ply in range(len(line) + 1):
            with session.lock:
                if not session.is_reviewing or session.is_closed or session.line != line:
                    break
                live = session.snapshot(ply)
            key = live.state.state_key
            if key not in session.evaluations and not live.is_over:
                follow(player, live)
                limits = Limits(seconds=REVIEW_SECONDS)
                request = MoveRequest(live.state.to_move, limits=limits, play=False, resign=False)
                with MOST_AT_ONCE:
                    info = player.genmove(request).info
                if found := evaluation_of(live, info):
                    session.remember(key, found)
            session.tell("review", {"done": ply, "total": len(line)})
        with session.lock:
            session.is_reviewing = False
        self._changed()

    def _await_network(self, player: Player) -> None:
        """Positions are compared with each other: all of them are looked at by the same search."""
        state = self._session.table.live.state
        loading = network_of(player.config, (state.width, state.height))
        end = time.monotonic() + LOADING_SECONDS
        while loading is not None and not loading.is_done and time.monotonic() < end:
            if not self._session.is_reviewing or self._session.is_closed:
                return
            time.sleep(0.1)

    def _found(self, live: Any, info: Info, version: int) -> None:
        found = evaluation_of(live, info)
        if found is not None:
            self._session.remember(live.state.state_key, found)
            if version == self._session.version:
                self._session.tell("info", {"version": version, **found.as_json()})

    def _failed(self, error: Exception) -> None:
        session = self._session
        with session.lock:
            session.told = f"something went wrong: {error or type(error).__name__}"
            session.is_analysing = session.is_reviewing = session.hint_wanted = False
            for side, seat in enumerate(session.table.seats):
                if not seat.is_person and session.table.live.state.to_move == side:
                    session.table.seats[side] = Person()
        self._changed()

    def _changed(self) -> None:
        self._session.tell("view", view_of(self._session))
