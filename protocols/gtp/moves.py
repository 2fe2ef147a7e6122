"""Playing, taking back, and asking for a move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tengen.engine.games.base import IllegalMove
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
    return chosen(gtp, decided(gtp, side))


@command("kgs-genmove_cleanup")
def genmove_cleanup(gtp: Gtp, request: Request) -> str:
    """Like genmove, but no pass while dead stones of the opponent are on the board."""
    side = only_colour(request)
    return chosen(gtp, decided(gtp, side, resign=False, cleanup=True))


@command("reg_genmove")
def reg_genmove(gtp: Gtp, request: Request) -> str:
    """A move that is not played, never "resign", and does not depend on what happened before."""
    side = only_colour(request)
    return chosen(gtp, decided(gtp, side, play=False, resign=False, fresh=True))


@command("kata-search")
def search(gtp: Gtp, request: Request) -> str:
    """A move that is not played."""
    side = only_colour(request)
    return chosen(gtp, decided(gtp, side, play=False))


command("genmove_debug", listed=False)(genmove)  # KataGo: the same with details on stderr
command("kata-search_debug", listed=False)(search)


@command("kata-search_cancellable")
def search_cancellable(gtp: Gtp, request: Request) -> str:
    """A move that is not played; any further input cancels the search."""
    side = only_colour(request)
    return chosen(gtp, decided(gtp, side, cancellable=True, play=False))


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


def decided(gtp: Gtp, side: int, *, cancellable: bool = False, **options: Any) -> Decision | None:
    """`Player.genmove` as this conversation may interrupt it; None when the next line of input cancelled it."""
    with gtp.session.searching(gtp.player.interrupt, cancellable=cancellable) as running:
        try:
            decision = gtp.player.genmove(side, **options)
        except IllegalMove as error:
            raise GtpError(str(error)) from None
    return None if cancellable and running.interrupted else decision


def chosen(gtp: Gtp, decision: Decision | None) -> str:
    """The text of a decision; its report is kept."""
    if decision is None:
        return "cancelled"
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
