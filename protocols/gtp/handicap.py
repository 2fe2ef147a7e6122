"""Handicap stones: where the convention puts them, where the engine wants them, where the other side did."""

from __future__ import annotations

from collections.abc import Callable

from tengen.protocols.gtp.arguments import cell, integer
from tengen.protocols.gtp.framing import GtpError, Request
from tengen.protocols.gtp.handler import Gtp
from tengen.protocols.gtp.moves import text
from tengen.protocols.gtp.registry import GO, command

BAD_NUMBER = "invalid number of stones"
BAD_LIST = "bad vertex list"


@command("fixed_handicap", games=GO)
def fixed_handicap(gtp: Gtp, request: Request) -> str:
    """Place handicap stones on the usual points and answer them."""
    return _placed(gtp, request, gtp.player.handicap_fixed)


@command("place_free_handicap", games=GO)
def place_free_handicap(gtp: Gtp, request: Request) -> str:
    """Let the engine choose the handicap stones; it may place fewer than asked for."""
    return _placed(gtp, request, gtp.player.handicap_free)


@command("set_free_handicap", games=GO)
def set_free_handicap(gtp: Gtp, request: Request) -> str:
    """Place handicap stones on the given points."""
    _require_empty(gtp)
    cells = [cell(gtp, word, BAD_LIST) for word in request.words]
    if len(cells) < 2 or len(set(cells)) < len(cells):
        raise GtpError(BAD_LIST)
    try:
        gtp.player.handicap_set(cells)
    except ValueError:
        raise GtpError(BAD_LIST) from None
    return ""


@command("get_handicap", games=GO)
def get_handicap(gtp: Gtp, request: Request) -> str:
    """Answer the number of handicap stones."""
    return str(gtp.player.handicap)


def _placed(gtp: Gtp, request: Request, place: Callable[[int], list[int]]) -> str:
    words = request.words
    if len(words) != 1:
        raise GtpError(BAD_NUMBER)
    stones = integer(words[0], BAD_NUMBER)
    _require_empty(gtp)
    if stones < 2:
        raise GtpError(BAD_NUMBER)
    try:
        return " ".join(text(gtp, move) for move in place(stones))
    except ValueError:
        raise GtpError(BAD_NUMBER) from None


def _require_empty(gtp: Gtp) -> None:
    if any(gtp.player.state.stones()):
        raise GtpError("board not empty")
