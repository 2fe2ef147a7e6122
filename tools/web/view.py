"""A game as JSON for the page: the board, whose turn it is, moves, chances by move, what moves lost."""

from __future__ import annotations

from typing import Any

from tengen.engine.games.base import BLACK
from tengen.tools.play import messages
from tengen.tools.play.board import CHEQUERS, cells_of, cells_of_move, stars
from tengen.tools.play.moves import text_of
from tengen.tools.play.seats import Own, Person, is_allowed
from tengen.tools.review.grading import CHESS
from tengen.tools.web.session import Session


def view_of(session: Session) -> dict[str, Any]:
    """All that the page draws of a game."""
    with session.lock:
        table = session.table
        live, look = table.live, table.look
        state = live.state
        keys = session.keys()
        now = session.evaluations.get(keys[session.ply])
        return {
            "id": session.name,
            "version": session.version,
            "game": table.game.name,
            "title": table.game.conventions.title,
            "kind": look.kind,
            "width": state.width,
            "height": state.height,
            "columns": list(look.columns[: state.width]),
            "rows": look.rows(state.height),
            "stars": sorted(stars(state.width, state.height)),
            "sides": look.sides,
            "cells": cells_of(table.game, state),
            "last": messages.marks_of(table).last,
            "toMove": state.to_move,
            "moves": _texts(session),
            "ply": session.ply,
            "seats": [_seat(table, side) for side in (0, 1)],
            "legal": _legal(session),
            "pass": state.pass_move if _may_pass(session) else None,
            "hasOwners": table.game.conventions.is_agreed,
            "status": _status(session),
            "told": session.told,
            "isOver": table.is_over,
            "isTry": session.kept is not None,
            "isThinking": session.is_thinking,
            "isAnalysing": session.is_analysing,
            "isReviewing": session.is_reviewing,
            "komi": live.komi if table.game.conventions.has_komi else None,
            "rules": live.rules.name,
            "graph": [session.evaluations[key].win if key in session.evaluations else None for key in keys],
            "lost": _lost(session, keys),
            "info": None if now is None else now.as_json(),
        }


def _status(session: Session) -> str:
    table = session.table
    if session.is_thinking:
        return f"{table.seat.name} is thinking."
    if not session.is_at_end:
        return f"After move {session.ply} of {len(session.line)}."
    return messages.status(table)


def _seat(table: Any, side: int) -> dict[str, Any]:
    seat = table.seats[side]
    kind = "person" if isinstance(seat, Person) else "own" if isinstance(seat, Own) else "program"
    strength = {"level": seat.level, "rank": seat.rank} if isinstance(seat, Own) else {"level": None, "rank": None}
    return {"kind": kind, "name": table.names[side], **strength}


def _texts(session: Session) -> list[str]:
    """The moves of the line as people write them."""
    texts, state, game = [], session.table.live.history.start.copy(), session.table.game
    for colour, move in session.line:
        if state.to_move != colour:
            state.set_to_move(colour)
        texts.append(text_of(game, state, move))
        state.play(move)
    return texts


def _may_play(session: Session) -> bool:
    table = session.table
    if table.live.is_over or (session.is_at_end and table.is_over):
        return False
    return not session.is_at_end or table.seat.is_person


def _may_pass(session: Session) -> bool:
    state = session.table.live.state
    return _may_play(session) and state.pass_move >= 0 and state.is_legal(state.pass_move)


def _legal(session: Session) -> list[Any]:
    """What may be played: cells of points; where pieces move, [start, end, promotion, move]."""
    table = session.table
    if not _may_play(session):
        return []
    live = table.live
    moves = [move for move in live.state.legal_moves() if move != live.state.pass_move and is_allowed(live, move)]
    if table.look.kind != CHEQUERS:
        return moves
    texts = [table.game.move_to_text(live.state, move) for move in moves]
    touched = [cells_of_move(table.game, live.state, move) for move in moves]
    return [[*cells, text[4:], move] for cells, text, move in zip(touched, texts, moves, strict=True)]


def _lost(session: Session, keys: list[int]) -> list[dict[str, Any] | None]:
    """Of each move of the line what it lost of the chances, in percent, and how bad that is; None where unknown."""
    found: list[dict[str, Any] | None] = []
    for ply, (colour, move) in enumerate(session.line):
        before, after = session.evaluations.get(keys[ply]), session.evaluations.get(keys[ply + 1])
        if before is None or after is None:
            found.append(None)
            continue
        sign = 1 if colour == BLACK else -1
        lost = max(0.0, 100 * sign * (before.win - after.win)) if move != before.best else 0.0
        better = before.lines[0]["text"] if before.lines else ""
        found.append({"lost": round(lost, 1), "grade": CHESS.grade(lost).word, "better": better})
    return found
