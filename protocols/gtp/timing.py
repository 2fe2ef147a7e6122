"""Time: GTP 2's time_settings and time_left, kgs-time_settings, KataGo's kata-time_settings."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from tengen.protocols.gtp.arguments import colour, integer, number
from tengen.protocols.gtp.framing import GtpError, Request, quoted
from tengen.protocols.gtp.handler import Gtp
from tengen.protocols.gtp.registry import command

if TYPE_CHECKING:
    from tengen.engine.play.time_control import TimeControl

SYNTAX = "syntax error"
Make = Callable[["type[TimeControl]"], "TimeControl"]
"""Makes a time control once the clock module is loaded."""
LONGEST = 1e9
"""Seconds; longer times are taken as this (thirty years)."""


@command("time_settings")
def time_settings(gtp: Gtp, request: Request) -> str:
    """Set main time, Canadian period, stones in it. `0 0 0` and a period without stones: no limit."""
    words = _arguments(request.words, 3)
    main, period = _seconds(words[0]), _seconds(words[1])
    stones = _count(words[2])
    return _set(gtp, lambda kind: kind.gtp(main, period, stones))


@command("kgs-time_settings")
def kgs_time_settings(gtp: Gtp, request: Request) -> str:
    """Set the time control: `none`, `absolute M`, `canadian M B S`, `byoyomi M B PERIODS`."""
    return _named(gtp, request, KGS)


@command("kata-time_settings")
def kata_time_settings(gtp: Gtp, request: Request) -> str:
    """Set the time control as kgs-time_settings, or `fischer M I`, or `fischer-capped M I MAIN_LIMIT MOVE_LIMIT`
    (negative: no limit)."""
    return _named(gtp, request, KATA)


@command("kata-list_time_settings")
def kata_list_time_settings(gtp: Gtp, request: Request) -> str:
    """Answer the kinds of time control that kata-time_settings takes."""
    return " ".join(KATA)


@command("time_left")
def time_left(gtp: Gtp, request: Request) -> str:
    """Take the time left: colour, seconds (below zero when the flag has fallen), and stones or periods left; 0: main
    time.

    Where nobody said by which time control is played, it starts a clock: sudden death, or so many stones in the time.
    """
    words = _arguments(request.words, 3)
    side = colour(words[0], SYNTAX)
    seconds = max(-LONGEST, min(LONGEST, number(words[1], SYNTAX)))
    stones = _count(words[2])
    if not gtp.has_time_settings:
        _start_clock(gtp, side, max(0.0, seconds), stones)
    gtp.player.clock.time_left(side, seconds, stones)
    return ""


def _start_clock(gtp: Gtp, side: int, seconds: float, stones: int) -> None:
    """A clock for one colour, unless it has one; the first figure is taken for that of the game's beginning."""
    from tengen.engine.play.time_control import System, TimeControl

    clock = gtp.player.clock[side]
    if clock.control.system is System.NONE:
        clock.control = TimeControl.canadian(0.0, seconds, stones) if stones else TimeControl.absolute(seconds)
        clock.reset()


def _none(words: list[str]) -> Make:
    _arguments(words, 0)
    return lambda kind: kind.none()


def _absolute(words: list[str]) -> Make:
    (main,) = (_seconds(word) for word in _arguments(words, 1))
    return lambda kind: kind.absolute(main)


def _byoyomi(words: list[str]) -> Make:
    _arguments(words, 3)
    main, period, periods = _seconds(words[0]), _seconds(words[1]), _count(words[2])
    return lambda kind: kind.byoyomi(main, period, periods) if periods else kind.absolute(main)


def _canadian(words: list[str]) -> Make:
    _arguments(words, 3)
    main, period, stones = _seconds(words[0]), _seconds(words[1]), _count(words[2])
    return lambda kind: kind.gtp(main, period, stones)


def _fischer(words: list[str]) -> Make:
    main, increment = (_seconds(word) for word in _arguments(words, 2))
    return lambda kind: kind.fischer(main, increment)


def _fischer_capped(words: list[str]) -> Make:
    _arguments(words, 4)
    main, increment = _seconds(words[0]), _seconds(words[1])
    main_limit, move_limit = _limit(words[2]), _limit(words[3])
    return lambda kind: kind.fischer_capped(main, increment, main_limit, move_limit)


Reader = Callable[[list[str]], Make]
KGS: dict[str, Reader] = {"none": _none, "absolute": _absolute, "byoyomi": _byoyomi, "canadian": _canadian}
KATA: dict[str, Reader] = {**KGS, "fischer": _fischer, "fischer-capped": _fischer_capped}


def _named(gtp: Gtp, request: Request, systems: dict[str, Reader]) -> str:
    system, *words = request.words or [""]
    reader = systems.get(system.lower())
    if reader is None:
        raise GtpError(f"unknown time system {quoted(system)}; there are: {' '.join(systems)}")
    return _set(gtp, reader(words))


def _set(gtp: Gtp, make: Make) -> str:
    from tengen.engine.play.time_control import TimeControl  # not needed by a GUI that only asks for the name

    try:
        gtp.player.clock.set_control(make(TimeControl))
    except ValueError:
        raise GtpError(SYNTAX) from None
    gtp.has_time_settings = True
    return ""


def _arguments(words: list[str], least: int) -> list[str]:
    if len(words) != least:
        raise GtpError(f"{SYNTAX}: {least} argument(s) wanted, not {len(words)}")
    return words


def _seconds(word: str) -> float:
    """GTP 2 wants integers; KataGo and others send fractions."""
    value = number(word, SYNTAX)
    if value < 0:
        raise GtpError(SYNTAX)
    return min(value, LONGEST)


def _limit(word: str) -> float:
    value = number(word, SYNTAX)
    return math.inf if value < 0 else value


def _count(word: str) -> int:
    value = integer(word, SYNTAX)
    if value < 0:
        raise GtpError(SYNTAX)
    return min(value, 1_000_000)
