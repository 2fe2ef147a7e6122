"""The judgement of the position: score, and which stones are alive, dead or in seki."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen.protocols.gtp.framing import GtpError, Request, quoted
from tengen.protocols.gtp.handler import Gtp
from tengen.protocols.gtp.moves import text
from tengen.protocols.gtp.registry import GO, command

if TYPE_CHECKING:
    from tengen.engine.games.hooks import FinalStatus

STATUSES = ("alive", "dead", "seki")


@command("final_score")
def final_score(gtp: Gtp, request: Request) -> str:
    """Answer the score as if the game ended now: "B+3.5", "W+12", "0". Games without passes have a score only when
    they are over."""
    if gtp.player.game.passes == "none" and not gtp.player.state.is_terminal():
        raise GtpError("cannot score: the game is not over")
    return score(gtp)


@command("final_status_list", games=GO)
def final_status_list(gtp: Gtp, request: Request) -> str:
    """Answer the stones of one status, a chain in each line."""
    status = request.rest.lower()
    if status not in STATUSES:
        raise GtpError(f"invalid status {quoted(request.rest)}; there are: {' '.join(STATUSES)}")
    chains: tuple[tuple[int, ...], ...] = getattr(_judged(gtp), status)
    return "\n".join(" ".join(text(gtp, cell) for cell in chain) for chain in chains)


@command("tengen-ownership", games=GO)
def ownership(gtp: Gtp, request: Request) -> str:
    """Answer the expected owner of each point, from -1 (white) to 1 (black), top row first (GoGui's dboard)."""
    values = _judged(gtp).ownership
    if not values:
        raise GtpError("no ownership is known for this game")
    width = gtp.player.state.width
    rows = (values[start : start + width] for start in range(0, len(values), width))
    return "\n" + "\n".join(" ".join(f"{value:.2f}" for value in row) for row in rows)


def score(gtp: Gtp) -> str:
    """The score of the position as text. Discs of an unfinished game of Reversi are counted without the empty cells."""
    state = gtp.player.state
    discs = getattr(state, "discs", None)
    if discs is not None and not state.is_terminal():
        return score_text(discs(0) - discs(1))
    return score_text(_judged(gtp).score)


def _judged(gtp: Gtp) -> FinalStatus:
    """The judgement of the position, cut short for a controller that leaves or interrupts."""
    player = gtp.player
    with gtp.session.searching() as stop:
        return player.final_status(stop)


def score_text(score: float) -> str:
    """A score, positive for Black, as GTP writes it."""
    margin = f"{abs(score):.10g}"
    return "0" if margin == "0" else f"{'B' if score > 0 else 'W'}+{margin}"
