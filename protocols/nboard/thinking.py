"""Thinking for the GUI: `go` asks for a move, `hint` for the best moves, `analyze` for the whole game.

A search that is ended before it has seen a move is followed by a glance that nothing ends, so that every `go` and
every `hint` has an answer. `go` obeys the clock of the game, the others only depth and options.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Protocol

from tengen.engine.config import DEFAULT_SECONDS
from tengen.engine.limits import Limits
from tengen.engine.play.request import MoveRequest
from tengen.protocols.nboard import notation, report
from tengen.protocols.nboard.hints import Hints

if TYPE_CHECKING:
    from tengen.engine._core import StopToken
    from tengen.engine.info import Info, Line
    from tengen.protocols.nboard.position import Position
    from tengen.protocols.session import Session

GLANCE = Limits(seconds=0.02, playouts=200)
"""A few milliseconds, whatever the position."""
INTERVAL = 0.03
"""Seconds between two looks at a running search."""
MOST_LINES = 64


class Conversation(Protocol):
    """The part of the conversation that thinking needs (`handler.NBoard`)."""

    session: Session

    @property
    def position(self) -> Position: ...
    def send(self, line: str) -> None: ...
    def write(self, lines: str) -> None: ...
    def tell_once(self, sentence: str) -> None: ...
    def searching(self) -> AbstractContextManager[StopToken]: ...


def go(nboard: Conversation) -> None:
    """Answer `===` with a move, which is not played. A pass and a single move need no thought."""
    started = time.monotonic()
    position = nboard.position
    legal = [] if position.state.is_terminal() else list(position.state.legal_moves())
    if not legal or legal == [notation.PASS]:
        nboard.send("=== PA")
    elif len(legal) == 1:
        _answer(nboard, legal[0], None, started)
    else:
        with nboard.session.together():
            _think_and_answer(nboard, started)


def hint(nboard: Conversation, count: int) -> None:
    """Tell the best `count` moves, again and again until the depth is reached or the GUI wants something else."""
    player = nboard.position.player
    if player.state.is_terminal():
        nboard.send("status The game is over")
        return
    count = min(max(count, 1), MOST_LINES)
    tell = report.Iterations(nboard.write, count, by_ply=player.looks_ahead)
    search = _search_lines if player.looks_ahead else _search_in_turn
    with _status(nboard, f"Evaluating {count}"):
        with nboard.searching() as stop:
            search(nboard.position, count, tell, stop)
        if not tell.is_told:
            tell.finish(Hints(player, count, GLANCE.seconds or 0.0).look(GLANCE.playouts or 1))


def analyze(nboard: Conversation) -> None:
    """Tell `analysis MOVES EVAL` for every position of the game, from its end to its start.

    The evaluation is from Black's view: NBoard draws it into one graph with Black's evaluations.
    """
    player = nboard.position.player
    moves = player.moves
    with _status(nboard, "Analyzing the game"), nboard.searching() as stop:
        try:
            for made in range(len(moves), -1, -1):
                player.undo(len(player.moves) - made)
                value = _value(nboard.position, stop)
                if stop.is_stopped:
                    return
                nboard.send(f"analysis {made} {report.discs(value)}")
        finally:
            player.play_sequence(moves[len(player.moves) :])


def _search_lines(position: Position, count: int, tell: report.Iterations, stop: StopToken) -> None:
    """One search of all lines, told ply by ply."""
    limits = _limits(position)._replace(lines=count)
    request = MoveRequest(position.state.to_move, limits, tell, INTERVAL, play=False, resign=False, stop=stop)
    tell.finish(position.player.genmove(request).info)


def _search_in_turn(position: Position, count: int, tell: report.Iterations, stop: StopToken) -> None:
    """A tree looks closely at one move only: one search after the other."""
    limits = _limits(position)
    hints = Hints(position.player, count, limits.seconds or DEFAULT_SECONDS, stop)
    for info in hints.iterations(limits.playouts):
        tell.finish(info)
        if stop.is_stopped:
            break


def _think_and_answer(nboard: Conversation, started: float) -> None:
    """A move of several."""
    position = nboard.position
    position.set_clock()
    tell = report.Iterations(nboard.write, 1, by_ply=position.player.looks_ahead)
    with _status(nboard, "Thinking"):
        move, info = _think(nboard, tell, started)
    _answer(nboard, move, next((line for line in info.lines if line.move == move), None), started)


def _think(nboard: Conversation, tell: report.Iterations, started: float) -> tuple[int, Info]:
    """The chosen move and the last report, told."""
    position = nboard.position
    player, side = position.player, position.state.to_move
    with nboard.searching() as stop:
        request = MoveRequest(
            side, None, tell, INTERVAL, play=False, resign=False, started=started, stop=stop, depth=position.depth
        )
        decision = player.genmove(request)
    if not decision.info.lines:
        decision = player.genmove(MoveRequest(side, limits=GLANCE, play=False, resign=False))
    tell.finish(decision.info)
    nboard.tell_once(decision.notice)
    nboard.session.warn(player.clock.overhead.notice)
    assert decision.move is not None, "it may not resign"
    return decision.move, decision.info


def _value(position: Position, stop: StopToken) -> float:
    """Discs for Black at the current position."""
    state = position.state
    if state.is_terminal():
        return state.result()
    request = MoveRequest(state.to_move, limits=_limits(position), play=False, resign=False, stop=stop)
    info = position.player.genmove(request).info
    value = report.evaluation(info.best) if info.best is not None else 0.0
    return -value if state.to_move else value


def _limits(position: Position) -> Limits:
    """The limits of a search without a clock: from depth or options, always with an end."""
    config, own = position.player.config, position.player.level.limits
    limits = own if position.depth is None else own._replace(depth=position.depth, to_end=True)
    seconds = config.time or (config.analysis_seconds if limits.is_counted else DEFAULT_SECONDS)
    return limits._replace(seconds=seconds)


def _answer(nboard: Conversation, move: int, line: Line | None, started: float) -> None:
    seconds = time.monotonic() - started
    nboard.position.answered(move, seconds)
    nboard.send(report.decision(move, line, seconds))


@contextmanager
def _status(nboard: Conversation, text: str) -> Iterator[None]:
    """Show a status while something runs."""
    nboard.send(f"status {text}")
    try:
        yield
    finally:
        nboard.send("status")
