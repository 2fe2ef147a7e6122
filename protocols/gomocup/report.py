"""MESSAGE lines about a search, for GUIs that show them. Values are for the side that searches.

`MESSAGE REALTIME ...` marks points on Yixin-Board's board (show_detail 1 and 3); `MESSAGE (1) eval | depth-selective
depth | line` are the candidates (show_detail 2 and 3, yxnbest). An eval is 200 ln(win / loss), or +M5 / -M4: won or
lost, in so many plies and the forced play behind them. Points in lines are a letter for x and y counted from 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from tengen.engine.games.vertex import OTHELLO
from tengen.engine.info import Info, Line
from tengen.protocols.gomocup.info import DETAIL, REALTIME

if TYPE_CHECKING:
    from tengen.protocols.gomocup.handler import Gomocup

SCALE = 200
SHOWN_MOVES = 12
"""Moves of a line that are printed."""
SHOWN_POINTS = 6
"""Candidates that are marked."""


def reporter(gomocup: Gomocup, lines: int) -> Callable[[Info], None]:
    """Return the callback for the reports of a search. lines: how many candidates to print."""
    position, settings = gomocup.position, gomocup.settings

    def report(info: Info) -> None:
        if settings.show_detail & REALTIME:
            for text in realtime(info, position.text):
                gomocup.say(text)
        if settings.show_detail & DETAIL or lines > 1:
            for text in analysis(info, lines, position.width):
                gomocup.say(text)

    return report


def realtime(info: Info, text: Callable[[int], str]) -> Iterator[str]:
    """Marks of the points that are looked at."""
    if info.best is None:
        return
    yield "MESSAGE REALTIME REFRESH"
    for line in info.lines[1:SHOWN_POINTS]:
        is_lost = line.proof is not None and line.proof.result < 0
        yield f"MESSAGE REALTIME {'LOST' if is_lost else 'DONE'} {text(line.move)}"
    yield f"MESSAGE REALTIME POS {text(info.best.move)}"
    yield f"MESSAGE REALTIME BEST {text(info.best.move)}"


def analysis(info: Info, lines: int, width: int) -> Iterator[str]:
    """The best `lines` candidates, and how much was searched."""
    for number, line in enumerate(info.lines[: max(1, lines)], 1):
        moves = " ".join(name(move, width) for move in line.pv[:SHOWN_MOVES])
        yield f"MESSAGE ({number}) {evaluation(line)} | {line.depth}-{line.seldepth} | {moves}"
    speed = info.playouts / info.seconds if info.seconds > 0 else 0.0
    yield f"MESSAGE Speed {speed:.0f} | Visit {info.visits} | Time {round(info.seconds * 1000)}ms"


def evaluation(line: Line) -> str:
    """A number, or a proven result."""
    if line.proof is not None and line.proof.result:
        return f"{'+' if line.proof.result > 0 else '-'}M{line.proof.plies}"
    win = (line.expected * line.visits + 1) / (line.visits + 2)  # a few visits prove nothing
    return str(round(SCALE * math.log(win / (1 - win))))


def name(cell: int, width: int) -> str:
    """ "H8": x as a letter, none left out, and y from 1."""
    return OTHELLO.text(cell, width, width).upper()
