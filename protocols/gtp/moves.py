"""Playing, taking back, and asking for a move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tengen.engine.games import forced_passes
from tengen.engine.games.base import IllegalMove
from tengen.engine.info import Info, Line
from tengen.engine.play.request import MoveRequest
from tengen.protocols.gtp.arguments import BAD_MOVE, colour, count, integer, moves, only_colour, vertex
from tengen.protocols.gtp.framing import GtpError, Request
from tengen.protocols.gtp.handler import Gtp
from tengen.protocols.gtp.last_search import LastSearch
from tengen.protocols.gtp.registry import GO, command

if TYPE_CHECKING:
    from tengen.engine.play.player import Decision


@command("play")
def play(gtp: Gtp, request: Request) -> str:
    """Play a move. One colour may play twice; "resign" is accepted and changes nothing, nor does a pass in a finished
    game whose rules force passes: controllers that do not know them end it so. A pass that is forced may be left
    out."""
    words = request.words
    if len(words) != 2:
        raise GtpError(BAD_MOVE)
    side = colour(words[0], BAD_MOVE)
    if words[1].lower() == "resign":
        return ""
    move, state = vertex(gtp, words[1]), gtp.player.state
    if move == state.pass_move and state.is_terminal() and gtp.player.game.passes == "forced":
        return ""
    complete = forced_passes.completed(gtp.player.game, state, side, move)
    try:
        if len(complete) > 1:
            gtp.player.play_sequence(complete)
            _note_left_out(gtp, complete, [(side, move)])
        else:
            gtp.player.play(side, move)
    except ValueError as error:
        raise GtpError(f"illegal move: {error}") from None
    return ""


@command("gogui-play_sequence")
def play_sequence(gtp: Gtp, request: Request) -> str:
    """All of the moves or none."""
    sequence = moves(gtp, request.words)
    try:
        complete = forced_passes.with_passes(gtp.player.game, gtp.player.state, sequence)
        gtp.player.play_sequence(complete)
    except ValueError as error:
        raise GtpError(f"illegal move: {error}") from None
    _note_left_out(gtp, complete, sequence)
    return ""


@command("undo")
def undo(gtp: Gtp, request: Request) -> str:
    """Take back one move, or one step of set-up."""
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
    """Think of a move for a colour, play it and answer it; `resign` when the game is lost."""
    side = only_colour(request)
    return chosen(gtp, decided(gtp, side))


@command("kgs-genmove_cleanup", games=GO)
def genmove_cleanup(gtp: Gtp, request: Request) -> str:
    """Do the same as genmove, but do not pass while dead stones of the opponent are on the board."""
    side = only_colour(request)
    return chosen(gtp, decided(gtp, side, resign=False, cleanup=True))


@command("reg_genmove")
def reg_genmove(gtp: Gtp, request: Request) -> str:
    """Answer a move without playing it, never "resign", whatever happened before."""
    side = only_colour(request)
    return chosen(gtp, decided(gtp, side, play=False, resign=False, fresh=True))


@command("kata-search")
def search(gtp: Gtp, request: Request) -> str:
    """Think of a move and answer it without playing it."""
    side = only_colour(request)
    return chosen(gtp, decided(gtp, side, play=False))


command("genmove_debug", listed=False)(genmove)  # KataGo: the same with details on stderr
command("kata-search_debug", listed=False)(search)


@command("kata-search_cancellable")
def search_cancellable(gtp: Gtp, request: Request) -> str:
    """Think of a move and answer it without playing it; any further input cancels the search."""
    side = only_colour(request)
    return chosen(gtp, decided(gtp, side, cancellable=True, play=False))


@command("gogui-interrupt")
def gogui_interrupt(gtp: Gtp, request: Request) -> str:
    """Tell GoGui that the comment line "# interrupt" ends a running genmove (see `Gtp.arrived`)."""
    return ""


@command("gomill-explain_last_move")
def explain_last_move(gtp: Gtp, request: Request) -> str:
    """Explain the last search's choice of its move; nothing when the board has changed since."""
    search, state = gtp.last_search, gtp.player.state
    shown = search.on(state) if search else None
    if search is None or shown is None:
        return ""
    line = shown.line
    going_on = " ".join(text(gtp, move) for move in line.pv)
    note = f"{search.info.note}; " if search.info.note else ""
    return f"{note}{summary(gtp, search.info, line)}, score {line.score:+.1f}: {going_on}"


def summary(gtp: Gtp, info: Info, line: Line) -> str:
    """One move of a search in words: "Black D4: 1000 visits, 55.0% to win"."""
    side = "White" if info.to_move else "Black"
    return f"{side} {text(gtp, line.move)}: {info.visits} visits, {line.expected:.1%} to win"


def decided(gtp: Gtp, side: int, *, cancellable: bool = False, **options: Any) -> Decision | None:
    """`Player.genmove` as this conversation may interrupt it; None when the next line of input cancelled it.

    The search is remembered as the last one.
    """
    decision = _without_thought(gtp, side, options)
    if decision is not None:
        gtp.last_search = None
        return decision
    gtp.look_for_network(begins=True)
    root = gtp.player.state.copy()
    with gtp.session.searching(cancellable=cancellable) as stop:
        try:
            decision = gtp.player.genmove(MoveRequest(side, stop=stop, **options))
        except IllegalMove as error:
            raise GtpError(str(error)) from None
    if decision.notice:
        gtp.tell_once(decision.notice)
    gtp.session.warn(gtp.player.clock.overhead.notice)
    if cancellable and stop.is_stopped:
        return None
    gtp.last_search = LastSearch(decision.info, root, decision.move)
    return decision


def _without_thought(gtp: Gtp, side: int, options: dict[str, Any]) -> Decision | None:
    """Where the rules force passes: a pass that they force, one when the game is over, a move that is the only one.

    A pass of the other side that was left out is made up for.
    """
    game, player = gtp.player.game, gtp.player
    if game.passes != "forced":
        return None
    from tengen.engine.play.player import Decision

    state, plays = player.state, options.get("play", True)
    if state.is_terminal():
        return Decision(state.pass_move, Info(to_move=side))
    missing = forced_passes.before(game, state, side)
    if plays and missing:
        player.play_sequence(missing)
        _note_left_out(gtp, missing, [])
    if state.to_move != side:
        state = state.copy()
        state.set_to_move(side)
    legal = state.legal_moves()
    if len(legal) > 1 or (legal[0] != state.pass_move and "on_info" in options):
        return None
    if plays:
        player.play(side, legal[0])
    return Decision(legal[0], Info(to_move=side))


def chosen(gtp: Gtp, decision: Decision | None) -> str:
    """The text of a decision."""
    if decision is None:
        return "cancelled"
    return "resign" if decision.move is None else text(gtp, decision.move)


def text(gtp: Gtp, move: int) -> str:
    """A vertex as GTP writes it; a pass is "pass", one that the rules force "PASS"."""
    game, state = gtp.player.game, gtp.player.state
    if move == state.pass_move:
        return "PASS" if game.passes == "forced" else "pass"
    return game.move_to_text(state, move).upper()


def _note_left_out(gtp: Gtp, played: list[tuple[int, int]], sent: list[tuple[int, int]]) -> None:
    """Remember which of the moves just played the controller did not send, so that an undo takes them along."""
    if len(played) == len(sent):
        return
    kept = gtp.player.moves
    gtp.left_out = [move for move in gtp.left_out if any(move is other for other in kept)]
    left = list(sent)
    for move, known in zip(played, kept[len(kept) - len(played) :], strict=True):
        if left and left[0] == move:
            left.pop(0)
        else:
            gtp.left_out.append(known)


def _undo(gtp: Gtp, moves_back: int) -> str:
    if gtp.left_out:
        moves_back = _with_left_out(gtp, moves_back)
    try:
        gtp.player.undo(moves_back)
    except ValueError:
        raise GtpError("cannot undo") from None
    return ""


def _with_left_out(gtp: Gtp, moves_back: int) -> int:
    """How many moves of the history are `moves_back` moves of the controller."""
    kept, total = gtp.player.moves, 0
    for _ in range(min(moves_back, len(kept) + 1)):
        total += 1
        while total < len(kept) and any(kept[-1 - total] is move for move in gtp.left_out):
            total += 1
    return total
