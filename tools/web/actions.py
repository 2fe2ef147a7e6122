"""What people do with a game of the page, by name. Each checks what it is given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tengen.engine import records
from tengen.engine.config import Config
from tengen.tools.play.moves import move_of
from tengen.tools.web.request_body import Refused, text, whole
from tengen.tools.web.session import Session
from tengen.tools.web.session_pool import SessionPool

Action = Callable[[SessionPool, Session, dict[str, Any]], None]
LARGEST_MOVE = 1 << 20


def _play(pool: SessionPool, session: Session, values: dict[str, Any]) -> None:
    with session.lock:
        table = session.table
        if session.is_at_end and not table.is_over and not table.seat.is_person:
            raise Refused(409, "one moment: the other side is to move")
        if "text" in values:
            move = move_of(table.game, table.live.state, text(values, "text"))
        else:
            move = whole(values, "move", 0, LARGEST_MOVE)
        try:
            session.play(move)
        except ValueError as error:
            raise Refused(409, f"that cannot be played: {error}") from None
        session.told = ""


def _show(pool: SessionPool, session: Session, values: dict[str, Any]) -> None:
    session.go(whole(values, "ply", 0, 100_000))


def _resign(pool: SessionPool, session: Session, values: dict[str, Any]) -> None:
    with session.lock:
        if session.table.is_over or not session.is_at_end:
            raise Refused(409, "there is no game to resign")
        session.resign()


def _hint(pool: SessionPool, session: Session, values: dict[str, Any]) -> None:
    with session.lock:
        session.hint_wanted = True
        session.touch(is_new=False)


def _analyse(pool: SessionPool, session: Session, values: dict[str, Any]) -> None:
    with session.lock:
        session.is_analysing = values.get("on") is True
        session.touch(is_new=False)


def _review(pool: SessionPool, session: Session, values: dict[str, Any]) -> None:
    with session.lock:
        session.is_reviewing = values.get("on") is True
        session.touch(is_new=False)


def _seat(pool: SessionPool, session: Session, values: dict[str, Any]) -> None:
    pool.seat(session, whole(values, "side", 0, 1), values)


ACTIONS: dict[str, Action] = {
    "play": _play,
    "show": _show,
    "back": lambda pool, session, values: session.back(),
    "undo": lambda pool, session, values: session.undo(),
    "resign": _resign,
    "hint": _hint,
    "analyse": _analyse,
    "review": _review,
    "seat": _seat,
}


def wish_of(values: dict[str, Any]) -> dict[str, Any]:
    """What is wished of a new game, checked. Raises Refused."""
    wish: dict[str, Any] = {"game": text(values, "game", Config.game), "rules": text(values, "rules")}
    for key, low, high in (("size", 2, 25), ("handicap", 0, 9)):
        if values.get(key) is not None:
            wish[key] = whole(values, key, low, high)
    komi = values.get("komi")
    if komi is not None:
        if isinstance(komi, bool) or not isinstance(komi, int | float) or not abs(komi) <= 1000:
            raise Refused(400, "komi is not a number")
        wish["komi"] = float(komi)
    seats = values.get("seats")
    if seats is not None:
        if not isinstance(seats, list) or len(seats) != 2 or not all(isinstance(seat, dict) for seat in seats):
            raise Refused(400, "seats are two")
        wish["seats"] = seats
    return wish


def record_text(session: Session, form: str) -> str:
    """The game in a format. Raises RecordError."""
    if form not in records.written():
        raise records.RecordError("there is no such format")
    return records.dump_all([session.record()], form)
