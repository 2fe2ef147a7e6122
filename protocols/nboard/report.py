"""What the engine tells: `search` and `nodestats` lines while it thinks, `===` with its move.

Evaluations are discs from the view of the side to move.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from tengen.engine.info import Info, Line
from tengen.protocols.nboard import notation, strength


def search_line(line: Line, root: Info) -> str:
    """`search PV EVAL 0 DEPTH TEXT`; the text holds visits, the chance to win, and the player's own terms."""
    text = f"{line.visits} visits {100 * (line.win + line.draw / 2):.1f}%"
    for name, value in getattr(line, "terms", ()):
        text += f" {name} {value:.3f}"
    pv = notation.line(line.pv or (line.move,))
    return f"search {pv} {discs(evaluation(line))} 0 {_depth(line, root)} {text}"


def node_stats(info: Info) -> str:
    """`nodestats NODES SECONDS`."""
    return f"nodestats {info.playouts} {info.seconds:.2f}"


def decision(move: int, line: Line | None, seconds: float) -> str:
    """`=== MOVE/EVAL/SECONDS`, the evaluation blank for a forced move."""
    value = "" if line is None else discs(evaluation(line))
    return f"=== {notation.write(move)}/{value}/{seconds:.2f}"


def evaluation(line: Line) -> float:
    """Expected discs; where the result is proved its sign is the result's, as `100%W` promises."""
    if line.proof is None:
        return line.score
    if line.proof.result == 0:
        return 0.0
    return max(line.score, 1.0) if line.proof.result > 0 else min(line.score, -1.0)


def discs(value: float) -> str:
    """Two decimals, no exponent, no negative zero."""
    return f"{round(value, 2) + 0.0:.2f}"


def _depth(line: Line, root: Info) -> str:
    """The depth that the whole search is worth; solved: "100%W" (win or loss), "100%" (a draw, so to the disc)."""
    if line.proof is not None:
        return "100%" if line.proof.result == 0 else "100%W"
    return str(strength.depth(root.visits))


class Iterations:
    """Takes the reports of a running search and tells those that are news: the first, and each doubling of visits.

    Called by the reporting thread; `finish` once by the thread that searched.
    """

    def __init__(self, write: Callable[[str], None], lines: int) -> None:
        """write: sends one text whole. lines: how many of the best moves to tell."""
        self._write, self._lines = write, lines
        self._told = 0
        self._lock = threading.Lock()

    def __call__(self, info: Info) -> None:
        """A report while the search runs."""
        self._tell(info, 2 * self._told)

    def finish(self, info: Info) -> None:
        """The last report, told unless it is known."""
        self._tell(info, self._told + 1)

    def _tell(self, info: Info, least: int) -> None:
        lines = [line for line in info.lines if line.visits or line is info.best][: self._lines]
        with self._lock:
            if not lines or info.visits < max(1, least):
                return
            self._told = info.visits
        rows = [*(search_line(line, info) for line in lines), node_stats(info)]
        self._write("".join(f"{row}\n" for row in rows))
