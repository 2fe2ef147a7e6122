"""Playing, taking back, and asking for a move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen.protocols.gtp.arguments import BAD_MOVE, colour, count, integer, moves, only_colour, vertex
from tengen.protocols.gtp.framing import GtpError, Request
from tengen.protocols.gtp.handler import Gtp
from tengen.protocols.gtp.registry import command

if TYPE_CHECKING:
    from tengen.engine.player import Decision


@command("play")
def play(gtp: Gtp, request: Request) -> str:
    """One colour may play twice; "resign" is accepted and changes nothing."""
    words = request.words
    if len(words) != 2:
        raise GtpError(BAD_MOVE)
    side = colour(words[0], BAD_MOVE)
    if words[1].lower() == "resign":
        return ""
    move = vertex(gtp, words[1])
    try:
        gtp.player.play(side, move)
    except ValueError as error:
        raise GtpError(f"illegal move: {error}") from None
    return ""


@command("gogui-play_sequence")
def play_sequence(gtp: Gtp, request: Request) -> str:
    """All of the moves or none."""
    sequence = moves(gtp, request.words)
    try:
        gtp.player.play_sequence(sequence)
    except ValueError as error:
        raise GtpError(f"illegal move: {error}") from None
    return ""


@command("undo")
def undo(gtp: Gtp, request: Request) -> str:
    return _undo(gtp, 1)


@command("gg-undo")
def gg_undo(gtp: Gtp, request: Request) -> str:
    """Take back several moves, one without an argument; all of them or none."""
    words = count(request, 0, 1)
    moves_back = integer(words[0], "syntax error") if words else 1
    if moves_back < 0:
        raise GtpError("cannot undo")
    return _undo(gtp, moves_back)


@command("genmove")
def genmove(gtp: Gtp, request: Request) -> str:
    side = only_colour(request)
    with gtp.session.searching(gtp.player.interrupt):
        return chosen(gtp, gtp.player.genmove(side))


@command("kgs-genmove_cleanup")
def genmove_cleanup(gtp: Gtp, request: Request) -> str:
    """Like genmove, but no pass while dead stones of the opponent are on the board."""
    side = only_colour(request)
    with gtp.session.searching(gtp.player.interrupt):
        return chosen(gtp, gtp.player.genmove(side, resign=False, cleanup=True))


@command("reg_genmove")
def reg_genmove(gtp: Gtp, request: Request) -> str:
    """A move that is not played, never "resign", and does not depend on what happened before."""
    side = only_colour(request)
    with gtp.session.searching(gtp.player.interrupt):
        return chosen(gtp, gtp.player.genmove(side, play=False, resign=False, fresh=True))


@command("kata-search")
def search(gtp: Gtp, request: Request) -> str:
    """A move that is not played."""
    side = only_colour(request)
    with gtp.session.searching(gtp.player.interrupt):
        return chosen(gtp, gtp.player.genmove(side, play=False))


@command("kata-search_cancellable")
def search_cancellable(gtp: Gtp, request: Request) -> str:
    """A move that is not played; any further input cancels the search."""
    side = only_colour(request)
    with gtp.session.searching(gtp.player.interrupt, cancellable=True) as running:
        decision = gtp.player.genmove(side, play=False)
    return "cancelled" if running.interrupted else chosen(gtp, decision)


@command("gogui-interrupt")
def gogui_interrupt(gtp: Gtp, request: Request) -> str:
    """Listed to say that the comment line "# interrupt" ends a running genmove (see `Gtp.arrived`)."""
    return ""


@command("gomill-explain_last_move")
def explain_last_move(gtp: Gtp, request: Request) -> str:
    """What the last search thought of its move."""
    info = gtp.last_info
    if info is None or info.best is None:
        return ""
    best = info.best
    line = " ".join(text(gtp, move) for move in best.pv)
    return f"{info.visits} visits, {best.win + best.draw / 2:.1%} to win, score {best.score:+.1f}: {line}"


def chosen(gtp: Gtp, decision: Decision) -> str:
    """The text of a decision; its report is kept."""
    gtp.last_info = decision.info
    return "resign" if decision.move is None else text(gtp, decision.move)


def text(gtp: Gtp, move: int) -> str:
    """A vertex as GTP writes it."""
    state = gtp.player.state
    return "pass" if move == state.pass_move else gtp.player.game.move_to_text(state, move).upper()


def _undo(gtp: Gtp, moves_back: int) -> str:
    try:
        gtp.player.undo(moves_back)
    except ValueError:
        raise GtpError("cannot undo") from None
    return ""
