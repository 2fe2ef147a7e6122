"""MESSAGE lines about a search, for GUIs that show them. Values are for the side that searches.

`MESSAGE REALTIME ...` marks points on Yixin-Board's board, and tells it the best line and its eval (show_detail 1 and
3); `MESSAGE (1) eval | depth-selective depth | line` are the candidates, and of a proved win a sentence says by which
threats it is won (show_detail 2 and 3, yxnbest). An eval is 200 ln(win / loss), or +M5 / -M4: won or lost, in so many
plies and the forced play behind them. Points in lines are a letter for x and y counted from 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from tengen.engine.games.vertex import OTHELLO
from tengen.engine.info import Info, Line
from tengen.protocols.gomocup.info import DETAIL, REALTIME

if TYPE_CHECKING:
    from tengen.engine.games.base import State
    from tengen.protocols.gomocup.handler import Gomocup

SCALE = 200
MATE = 10000
SHOWN_MOVES = 12
"""Moves of a line that are printed."""
SHOWN_POINTS = 6
"""Candidates that are marked."""
SHOWN_OF_WIN = 31
"""Moves of a proved win that are named."""
LED, WIN_POSITIONS = 4, 20_000
"""Moves of a search's line after which its threats are looked for, among so many positions: a few milliseconds each."""


def reporter(gomocup: Gomocup, colour: int, lines: int) -> Callable[[Info], None]:
    """Return the callback for the reports of a search for `colour`. lines: how many candidates to print."""
    position, settings = gomocup.position, gomocup.settings
    wins = Wins(gomocup.player.state, colour)

    def report(info: Info) -> None:
        if settings.show_detail & REALTIME:
            for text in realtime(info, position.text, position.width):
                gomocup.say(text)
        if settings.show_detail & DETAIL or lines > 1:
            for text in analysis(info, lines, position.width):
                gomocup.say(text)
            gomocup.say(wins.sentence(info, position.width))

    return report


class Wins:
    """The proved win of a search from one position, told once."""

    def __init__(self, state: State, colour: int) -> None:
        """colour: who is to move."""
        self._state, self._told = state.copy(), False
        if self._state.to_move != colour:
            self._state.set_to_move(colour)

    def sentence(self, info: Info, width: int) -> str:
        """The message about a proved win of either side; "" where there is none, or it was told."""
        best = info.best
        if self._told or best is None or best.proof is None or not best.proof.result:
            return ""
        from tengen.engine.games.gomoku.wins import proved_win, words_of

        self._told = True
        winner = self._state.to_move ^ (best.proof.result < 0)
        win = proved_win(self._state, winner, best.pv[:LED], WIN_POSITIONS)
        return f"MESSAGE {words_of(win, lambda cell: name(cell, width), SHOWN_OF_WIN)}" if win else ""


def realtime(info: Info, text: Callable[[int], str], width: int) -> Iterator[str]:
    """Marks of the points that are looked at, the best line and its eval."""
    if info.best is None:
        return
    yield "MESSAGE REALTIME REFRESH"
    for line in info.lines[1:SHOWN_POINTS]:
        is_lost = line.proof is not None and line.proof.result < 0
        yield f"MESSAGE REALTIME {'LOST' if is_lost else 'DONE'} {text(line.move)}"
    yield f"MESSAGE REALTIME POS {text(info.best.move)}"
    yield f"MESSAGE REALTIME BEST {text(info.best.move)}"
    yield f"MESSAGE REALTIME VAL {value(info.best)}"
    yield f"MESSAGE REALTIME PV {' '.join(name(move, width) for move in info.best.pv[:SHOWN_MOVES])}"


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
    return str(value(line))


def value(line: Line) -> int:
    """The eval as a number; MATE less the plies for what is proved."""
    if line.proof is not None and line.proof.result:
        return line.proof.result * (MATE - line.proof.plies)
    win = (line.expected * line.visits + 1) / (line.visits + 2)  # a few visits prove nothing
    return round(SCALE * math.log(win / (1 - win)))


def name(cell: int, width: int) -> str:
    """ "H8": x as a letter, none left out, and y from 1."""
    return OTHELLO.text(cell, width, width).upper()
