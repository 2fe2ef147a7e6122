"""Reading the arguments of GTP commands. Every function raises GtpError with the given text."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from tengen.protocols.gtp.framing import GtpError, Request

if TYPE_CHECKING:
    from tengen.protocols.gtp.handler import Gtp

COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}
BAD_MOVE = "invalid color or coordinate"
_INTEGER = re.compile(r"[+-]?[0-9]{1,19}\Z")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\Z")


def count(request: Request, least: int, most: int | None = None) -> list[str]:
    """The arguments, if there are from `least` to `most` of them (default: exactly `least`, more are an error)."""
    words = request.words
    most = least if most is None else most
    if not least <= len(words) <= most:
        wanted = str(least) if least == most else f"{least} to {most}"
        raise GtpError(f"syntax error: {request.name} takes {wanted} argument(s), not {len(words)}")
    return words


def colour(word: str, error: str = "invalid color") -> int:
    """0 for b/black, 1 for w/white, in any case."""
    value = COLOURS.get(word.lower())
    if value is None:
        raise GtpError(error)
    return value


def only_colour(request: Request) -> int:
    """The colour of a command that takes nothing else."""
    words = request.words
    if len(words) != 1:
        raise GtpError("invalid color")
    return colour(words[0])


def integer(word: str, error: str) -> int:
    """A decimal integer of at most 19 digits."""
    if not _INTEGER.match(word):
        raise GtpError(error)
    return int(word)


def number(word: str, error: str) -> float:
    """A finite decimal number."""
    value = float(word) if len(word) <= 400 and _NUMBER.match(word) else math.nan
    if not math.isfinite(value):
        raise GtpError(error)
    return value


def truth(word: str, error: str) -> bool:
    """true or false, in any case."""
    value = {"true": True, "false": False}.get(word.lower())
    if value is None:
        raise GtpError(error)
    return value


def vertex(gtp: Gtp, word: str, error: str = BAD_MOVE) -> int:
    """A cell, or the pass move, of the board in play."""
    game, state = gtp.player.game, gtp.player.state
    if word.lower() == "pass":
        if game.passes == "none":
            raise GtpError(error)
        return state.pass_move
    try:
        return game.move_from_text(state, word)
    except ValueError:
        raise GtpError(error) from None


def cell(gtp: Gtp, word: str, error: str = BAD_MOVE) -> int:
    """A cell of the board in play; pass is refused."""
    if word.lower() == "pass":
        raise GtpError(error)
    return vertex(gtp, word, error)


def moves(gtp: Gtp, words: list[str], error: str = BAD_MOVE) -> list[tuple[int, int]]:
    """Pairs of a colour and a vertex."""
    if len(words) % 2:
        raise GtpError(error)
    return [(colour(words[i], error), vertex(gtp, words[i + 1], error)) for i in range(0, len(words), 2)]
