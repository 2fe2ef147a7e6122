"""Commands of Yixin-Board beyond the protocol, with the answers of Yixin and Rapfi."""

from __future__ import annotations

from tengen.engine import system
from tengen.protocols.gomocup.framing import Request, number, placed
from tengen.protocols.gomocup.game import place
from tengen.protocols.gomocup.handler import Gomocup
from tengen.protocols.gomocup.registry import command
from tengen.protocols.gomocup.thinking import answer

MAX_LINES = 64
"""Most candidates that are printed."""
MAX_HASH_SIZE = 20
"""Largest table that the GUI may offer: 2 to this power, in KB."""


@command("YXBOARD", block=True)
def yx_board(gomocup: Gomocup, request: Request) -> str:
    """Take a whole position as BOARD does, without an answer."""
    place(gomocup, request)
    return ""


@command("YXSTOP", "STOP", rule=False, board=False)
def stop(gomocup: Gomocup, request: Request) -> str:
    """Answer the best move so far; the search has ended when this line arrived (`Gomocup.arrived`), here pondering
    ends."""
    gomocup.player.ponder_stop()
    return ""


@command("YXSHOWFORBID")
def show_forbid(gomocup: Gomocup, request: Request) -> str:
    """Answer Black's forbidden points as two digits of x and two of y each."""
    find = getattr(gomocup.player.state, "forbidden", list)
    width = gomocup.position.width
    points = (divmod(cell, width) for cell in find())
    return f"FORBID {''.join(f'{x:02}{y:02}' for y, x in points)}."


@command("YXHASHCLEAR", rule=False, board=False)
def hash_clear(gomocup: Gomocup, request: Request) -> str:
    """Clear the search results."""
    gomocup.player.forget()
    return ""


@command("YXSHOWHASHUSAGE", rule=False, board=False)
def show_hash_usage(gomocup: Gomocup, request: Request) -> str:
    """Answer a sentence: the tree keeps within INFO max_memory."""
    return "MESSAGE the tree is kept within INFO max_memory"


@command("YXSHOWINFO", rule=False, board=False)
def show_info(gomocup: Gomocup, request: Request) -> str:
    """Answer the settings that the GUI may offer."""
    threads = len(system.processors())
    return f"MESSAGE INFO MAX_THREAD_NUM {threads}\nMESSAGE INFO MAX_HASH_SIZE {MAX_HASH_SIZE}"


@command("YXNBEST")
def nbest(gomocup: Gomocup, request: Request) -> str:
    """Think, print the n best candidates, and play the best."""
    return answer(gomocup, request, lines=max(1, min(MAX_LINES, number(request.text) or 1)))


@command("YXSEARCHDEFEND")
def search_defend(gomocup: Gomocup, request: Request) -> str:
    """Do the same as YXNBEST with as many candidates as are printed at most: where to defend."""
    return answer(gomocup, request, lines=MAX_LINES)


@command("YXBLOCK", block=True)
def block(gomocup: Gomocup, request: Request) -> str:
    """Forbid the engine the points of the lines that follow."""
    gomocup.blocked |= _points(gomocup, request)
    return ""


@command("YXBLOCKUNDO", block=True)
def block_undo(gomocup: Gomocup, request: Request) -> str:
    """Allow the engine the points of the lines that follow."""
    gomocup.blocked -= _points(gomocup, request)
    return ""


@command("YXBLOCKRESET", rule=False, board=False)
def block_reset(gomocup: Gomocup, request: Request) -> str:
    """Allow the engine every point."""
    gomocup.blocked.clear()
    return ""


def _points(gomocup: Gomocup, request: Request) -> set[tuple[int, int]]:
    """The lines of a block as points of the board. Raises GomocupError."""
    points = {placed(line)[:2] for line in request.lines}
    for x, y in points:
        gomocup.position.cell(x, y)
    return points
