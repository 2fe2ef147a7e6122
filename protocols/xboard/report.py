"""Thinking lines: "ply score time nodes seldepth speed tbhits", a tab, the variation in SAN.

Scores are centipawns from the view of the side to move, mates 100000 and the number of moves. Times are hundredths.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen.engine.info import Info, Line
from tengen.engine.records import san
from tengen.protocols.chess.report import Score, Style, Told, View, score_of, told_of

if TYPE_CHECKING:
    from tengen.engine._core import ChessState

MATE = 100_000


def thinking_line(line: Line, number: int, info: Info, view: View) -> tuple[str, Told]:
    """One of the best moves, and the variation that is told with it."""
    pv = told_of(line, view, san.text_of)
    depth = max(1, line.depth)
    speed = int(info.playouts / max(info.seconds, 0.001))
    figures = (
        depth, centipawns(score_of(line, view, pv)), hundredths(info.seconds), info.playouts, max(depth, line.seldepth),
        speed, view.probes + info.probes,
    )  # fmt: skip
    return f"{' '.join(map(str, figures))}\t{pv.text}", pv


def centipawns(score: Score) -> int:
    """XBoard's one number for both kinds of score."""
    if score.unit == "cp":
        return score.number
    return score.number + (MATE if score.number >= 0 else -MATE)


def status_line(info: Info, state: ChessState) -> str:
    """The answer to "." in an analysis: `stat01: time nodes ply moves-left moves best-move`."""
    best = info.best
    depth = 0 if best is None else max(1, best.depth)
    move = "" if best is None else f" {san.text_of(state, best.move)}"
    return f"stat01: {hundredths(info.seconds)} {info.playouts} {depth} 0 {len(state.legal_moves())}{move}"


def hundredths(seconds: float) -> int:
    """Whole hundredths of a second."""
    return max(0, int(100 * seconds))


STYLE = Style(thinking_line, lambda info, view: "")
