"""Commands of an analysis, and questions: hints, the book, which moves are searched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen.protocols.xboard import notation
from tengen.protocols.xboard.playing import NOT_NOW
from tengen.protocols.xboard.registry import Refused, command

if TYPE_CHECKING:
    from tengen.protocols.xboard.handler import XBoard

ALL = "all"


@command("analyze")
def analyze(talk: XBoard, rest: str) -> None:
    """Think about every position that comes, until `exit`."""
    talk.side = None
    talk.halt()
    talk.is_analysing = True
    talk.settings.values["uci_analysemode"] = True
    talk.analyse()


@command("exit")
def leave(talk: XBoard, rest: str) -> None:
    """End the analysis."""
    if not talk.is_analysing:
        raise Refused(NOT_NOW)
    talk.halt()
    talk.is_analysing = False
    talk.settings.values["uci_analysemode"] = False


@command(".")
def status(talk: XBoard, rest: str) -> None:
    """Tell how far the analysis is."""
    from tengen.protocols.xboard.report import status_line

    work = talk.thinking
    if work is not None:
        talk.send(status_line(work.info, work.state))


@command("hint")
def hint(talk: XBoard, rest: str) -> None:
    """Tell the move that is expected, or the best one of a short look; nothing where the engine is to move."""
    state, work = talk.position.state, talk.thinking
    if talk.is_unusable or not state.legal_moves() or (work is not None and work.is_own):
        return
    if work is not None and work.manners.is_analysis:
        best = work.info.best
        move = None if best is None else best.move
    else:
        move = talk.expected
        if work is None and (move is None or not state.is_legal(move)):
            move = talk.glance()
    if move is not None:
        talk.send(f"Hint: {notation.write(state, move)}")


@command("bk")
def book(talk: XBoard, rest: str) -> None:
    """Tell the moves of the opening book, with their shares; each line begins with a blank, and an empty one ends
    it."""
    state = talk.position.state
    moves = () if talk.is_unusable else talk.opened_tables().book_moves(state)
    total = sum(one.weight for one in moves) or 1
    lines = [f" {notation.write(state, one.move)} {100 * one.weight / total:.0f}%" for one in moves]
    talk.session.write("".join(f"{line}\n" for line in lines or [" no moves of a book here"]) + "\n")


@command("exclude")
def exclude(talk: XBoard, rest: str) -> None:
    """Leave a move, or all moves, out of the analysis."""
    _choose(talk, rest, is_searched=False)


@command("include")
def include(talk: XBoard, rest: str) -> None:
    """Take a move, or all moves, into the analysis again."""
    _choose(talk, rest, is_searched=True)


def _choose(talk: XBoard, rest: str, *, is_searched: bool) -> None:
    """Search a move of this position, or all, or do not. Where none would be left, all are searched."""
    legal = [] if talk.is_unusable else list(talk.position.state.legal_moves())
    move = None if talk.is_unusable or rest == ALL else notation.read(talk.position.state, rest)
    if move is None and rest != ALL:
        raise Refused("illegal move")
    named = set(legal if move is None else [move])
    talk.excluded = talk.excluded - named if is_searched else talk.excluded | named
    if talk.is_analysing:
        talk.analyse()
