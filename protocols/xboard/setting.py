"""Commands that set something: the handshake, options, clocks, what is shown."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tengen.engine.sentence import printable
from tengen.protocols.chess.options import MOST_HASH, MOST_THREADS, hash_of
from tengen.protocols.chess.values import Refused as RefusedValue
from tengen.protocols.xboard.clock import number, whole
from tengen.protocols.xboard.features import BY_LOWER_CASE, feature_lines
from tengen.protocols.xboard.registry import Refused, command

if TYPE_CHECKING:
    from tengen.protocols.xboard.handler import XBoard

NO_NUMBER = "not a number"


@command("protover")
def protover(talk: XBoard, rest: str) -> None:
    """Tell the features of the engine."""
    talk.version = whole(rest.split(" ")[0]) or 2
    talk.session.write("".join(f"{line}\n" for line in feature_lines(talk.config, talk.settings)))


@command("xboard", "accepted", "rejected", "random", "computer", "name", "rating", "ics", "hover", "lift", "put")
def ignored(talk: XBoard, rest: str) -> None:
    """Accept the word without an effect."""


@command("ping")
def ping(talk: XBoard, rest: str) -> None:
    """Answer `pong`, behind the move that the engine is to make."""
    work, pong = talk.thinking, f"pong {printable(rest, 40)}\n"
    if work is None and not talk.is_unusable:
        from tengen.protocols.chess import tasks  # noqa: F401

        talk.player_at(talk.position)  # before a clock runs
    if work is None or not work.is_own or not work.wait_for(pong):
        talk.settle()
        talk.session.write(pong)


@command("post")
def post(talk: XBoard, rest: str) -> None:
    """Tell what the search finds while it thinks."""
    talk.posts = True


@command("nopost")
def nopost(talk: XBoard, rest: str) -> None:
    """Stop telling what the search finds."""
    talk.posts = False


@command("hard")
def hard(talk: XBoard, rest: str) -> None:
    """Think in the opponent's time."""
    talk.ponders = True
    talk.ponder()


@command("easy")
def easy(talk: XBoard, rest: str) -> None:
    """Do not think in the opponent's time."""
    talk.ponders = False
    if talk.thinking is not None and talk.thinking.is_pondering:
        talk.halt()


# -- clocks ---------------------------------------------------------------------------------------------------


@command("level")
def level(talk: XBoard, rest: str) -> None:
    """Set the clock: moves, base time, increment."""
    try:
        talk.clock.level(rest.split())
    except ValueError:
        raise Refused(NO_NUMBER) from None


@command("st")
def st(talk: XBoard, rest: str) -> None:
    """Set the seconds for a move."""
    seconds = _number(rest)
    talk.clock.fixed = max(0.001, seconds)


@command("sd")
def sd(talk: XBoard, rest: str) -> None:
    """Set the depth of a search in plies."""
    depth = int(_number(rest))
    talk.clock.depth = depth if depth > 0 else None


@command("nps")
def nps(talk: XBoard, rest: str) -> None:
    """Set the nodes of a second. 0: the time of the processor, which one search by itself takes like that of the
    wall."""
    rate = _number(rest)
    talk.clock.rate = rate if rate > 0 else None


@command("time")
def own_time(talk: XBoard, rest: str) -> None:
    """Take the time left of the engine, in centiseconds."""
    talk.clock.seconds = _number(rest) / 100


@command("otim")
def other_time(talk: XBoard, rest: str) -> None:
    """Take the time left of the opponent, in centiseconds."""
    talk.clock.opponent = _number(rest) / 100


def _number(rest: str) -> float:
    found = number(rest.split(" ")[0])
    if found is None:
        raise Refused(NO_NUMBER)
    return found


# -- options --------------------------------------------------------------------------------------------------


@command("memory")
def memory(talk: XBoard, rest: str) -> None:
    """Set the MB of the whole process; the table takes half of them where that is more than what the rest of it
    leaves."""
    size = max(1, int(_number(rest)))
    talk.settings.values["hash"] = min(max(hash_of(size), size // 2), MOST_HASH)


@command("cores")
def cores(talk: XBoard, rest: str) -> None:
    """Set the number of threads."""
    talk.settings.values["threads"] = min(max(1, int(_number(rest))), MOST_THREADS)


@command("egtpath")
def egtpath(talk: XBoard, rest: str) -> None:
    """Set the folder of endgame tables, KIND PATH. XBoard has a folder for every kind by default, which is rarely
    there."""
    kind, _, path = rest.partition(" ")
    if kind.lower() != "syzygy":
        raise Refused("unknown kind of tables")
    _set(talk, "syzygypath", path, is_told=os.path.isdir(path))


@command("option")
def option(talk: XBoard, rest: str) -> None:
    """Set an option, NAME or NAME=VALUE, the name in any case."""
    name, _, value = rest.partition("=")
    known = BY_LOWER_CASE.get(name.strip().lower())
    if known is None:
        raise Refused("unknown option")
    _set(talk, known, value)


def _set(talk: XBoard, name: str, value: str, *, is_told: bool = True) -> None:
    """Take a value. is_told: the user sees why one is refused; else it is only noted."""
    try:
        talk.set_option(name, value)
    except RefusedValue as error:
        (talk.tell if is_told else talk.note)(str(error))
