"""`info` lines: what a search has found, as UCI tells it."""

from __future__ import annotations

from tengen.engine.info import Info, Line
from tengen.protocols.chess.report import Style, Told, View, score_of, told_of

BOUNDS = {"lower": " upperbound", "upper": " lowerbound"}
"""UCI's words for a score that is a bound."""


def chances(line: Line, view: View) -> str:
    """ " wdl 300 500 200": in a thousandth each."""
    win, loss = round(1000 * line.win), round(1000 * line.loss)
    if view.table is not None and (line.proof is None or not line.proof.result):
        win, loss = 1000 * (view.table > 0), 1000 * (view.table < 0)
    win = min(max(win, 0), 1000)
    loss = min(max(loss, 0), 1000 - win)
    return f" wdl {win} {1000 - win - loss} {loss}"


def totals(info: Info, view: View) -> str:
    """ "nodes 5 nps 100 hashfull 0 tbhits 0 time 50"."""
    milliseconds = max(0, int(1000 * info.seconds))
    speed = int(info.playouts / max(info.seconds, 0.001))
    full = min(1000, max(0, int(1000 * info.hashfull)))
    return f"nodes {info.playouts} nps {speed} hashfull {full} tbhits {view.probes + info.probes} time {milliseconds}"


def info_line(line: Line, number: int, info: Info, view: View) -> tuple[str, Told]:
    """One of the best moves, and the variation that is told with it."""
    pv = told_of(line, view)
    depth = max(1, line.depth)
    score = score_of(line, view, pv)
    wdl = chances(line, view) if view.shows_wdl else ""
    text = (
        f"info depth {depth} seldepth {max(depth, line.seldepth)} multipv {number} score {score.unit} {score.number}"
        f"{BOUNDS.get(score.bound, '')}{wdl} {totals(info, view)} pv {pv.text}"
    )
    return text, pv


STYLE = Style(info_line, lambda info, view: f"info {totals(info, view)}")
