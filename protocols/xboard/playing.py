"""Commands of a game: positions, moves, whose move the engine makes, draws, the end."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tengen.engine.games.chess.text import START
from tengen.engine.sentence import printable
from tengen.protocols.xboard import edit as editing
from tengen.protocols.xboard import notation
from tengen.protocols.xboard.registry import Refused, command

if TYPE_CHECKING:
    from tengen.protocols.xboard.handler import XBoard

BLACK = 1
VARIANTS = {"normal": False, "fischerandom": True}
NOT_NOW = "command not legal now"


@command("new")
def new(talk: XBoard, rest: str) -> None:
    """Begin a game from the usual start; the engine plays Black. An analysis goes on."""
    talk.halt()
    talk.side = None if talk.is_analysing else BLACK
    talk.is_chess960 = False
    talk.lags = None
    talk.clock.new_game()
    talk.opponent.new_game()
    talk.engine.forget()
    talk.set_up(START)


@command("variant")
def variant(talk: XBoard, rest: str) -> None:
    """Set the variant: normal or fischerandom."""
    if rest not in VARIANTS:
        raise Refused("unknown variant")
    talk.halt()
    talk.is_chess960 = VARIANTS[rest]
    talk.set_up(START)


@command("setboard")
def setboard(talk: XBoard, rest: str) -> None:
    """Set the position by its FEN."""
    talk.halt()
    talk.set_up(rest)


@command("edit")
def edit(talk: XBoard, rest: str) -> None:
    """Set the position piece by piece, as older GUIs do."""
    talk.halt()
    talk.edit = editing.Edit(talk.position.state)


# -- moves ----------------------------------------------------------------------------------------------------


@command("usermove")
def usermove(talk: XBoard, rest: str) -> None:
    """Take a move of the opponent, or of any side in force mode and in an analysis."""
    started = time.monotonic()
    word = rest.split(" ")[0]
    move = None if talk.is_unusable else notation.read(talk.position.state, word)
    if move is None:
        reason = " (illegal position)" if talk.is_unusable else ""
        talk.send(f"Illegal move{reason}: {printable(word, 40)}")
        return
    work = talk.thinking
    if work is not None and work.is_own:
        raise Refused(NOT_NOW)
    if work is not None and work.is_pondering and work.manners.expected == move:
        talk.position.play([move])
        talk.moved()
        talk.hit(started)
        return
    talk.halt()
    talk.position.play([move])
    talk.moved()
    if talk.is_own_turn:
        talk.think(started)


@command("undo")
def undo(talk: XBoard, rest: str) -> None:
    """Take back one move."""
    _take_back(talk, 1)


@command("remove")
def remove(talk: XBoard, rest: str) -> None:
    """Take back two moves: the engine plays the same colour."""
    _take_back(talk, 2)


def _take_back(talk: XBoard, count: int) -> None:
    talk.halt()
    if len(talk.position.moves) < count:
        raise Refused(NOT_NOW)
    talk.position.take_back(count)
    talk.moved()


# -- who plays ------------------------------------------------------------------------------------------------


@command("force")
def force(talk: XBoard, rest: str) -> None:
    """Make no move until `go`."""
    _leave(talk)
    talk.side = None


@command("go")
def go(talk: XBoard, rest: str) -> None:
    """Play the side to move, from now on."""
    started = time.monotonic()
    _leave(talk)
    if talk.is_unusable:
        raise Refused(NOT_NOW)
    talk.side = talk.position.state.to_move
    talk.think(started)


@command("playother")
def playother(talk: XBoard, rest: str) -> None:
    """Play the side that is not to move."""
    _leave(talk)
    talk.side = 1 - talk.position.state.to_move
    if talk.ponders and not talk.is_unusable:
        talk.expected = talk.glance()
    talk.ponder()


@command("?")
def move_now(talk: XBoard, rest: str) -> None:
    """Move at once."""
    if talk.thinking is not None and talk.thinking.is_own:
        talk.thinking.stop()


@command("draw")
def draw(talk: XBoard, rest: str) -> None:
    """Answer an offer of a draw: taken at once or with the next move, or not."""
    if talk.side is None or talk.is_unusable:
        return
    opponent, position = talk.opponent, talk.position
    opponent.has_offered = True
    if talk.is_own_turn:
        return
    if opponent.takes_draw(len(position.moves), opponent.score):
        opponent.has_offered = False
        talk.send("offer draw")


@command("result")
def result(talk: XBoard, rest: str) -> None:
    """Take note that the game is over."""
    _leave(talk)
    talk.side = None


def _leave(talk: XBoard) -> None:
    """End what runs, an analysis among it."""
    talk.halt()
    talk.is_analysing = False
    talk.settings.values["uci_analysemode"] = False
