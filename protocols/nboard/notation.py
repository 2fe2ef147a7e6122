"""Text of moves: two characters, "F5", a pass "PA"; lines of play without blanks, "F5D6C3"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from tengen.engine.games.vertex import OTHELLO

PASS = 64
SIDE = 8
_MOVE = re.compile(
    r"(?P<point>[a-h][1-8]|pa(?:ss?)?|--)"
    r"(?:[/ ] *(?P<evaluation>[^/ ]*)(?:[/ ] *(?P<seconds>[^/ ]*))?)?",
    re.IGNORECASE,
)


_TEXTS = (*(OTHELLO.text(cell, SIDE, SIDE).upper() for cell in range(SIDE * SIDE)), "PA")


class Played(NamedTuple):
    """A move as the GUI tells it. seconds: what its player took, None when it does not say."""

    move: int
    seconds: float | None = None


def read(text: str) -> Played | None:
    """Read "F5", "f5/1.25/0.5", "F5//0.1", "PA", "pass", "--"; None for anything else."""
    match = _MOVE.fullmatch(text.strip())
    if match is None:
        return None
    cell = OTHELLO.cell(match["point"], SIDE, SIDE)
    return Played(PASS if cell is None else cell, _seconds(match["seconds"]))


def write(move: int) -> str:
    """ "F5", or "PA"."""
    return _TEXTS[move]


def line(moves: Sequence[int]) -> str:
    """A line of play in one word."""
    return "".join([_TEXTS[move] for move in moves])


def _seconds(text: str | None) -> float | None:
    """A time, or None when there is none or no sensible one."""
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if 0.0 <= value < 1e9 else None
