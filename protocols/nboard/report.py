"""Lines to the GUI: `search` and `nodestats` lines while it thinks, `===` with its move.

Evaluations are discs from the view of the side to move.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from tengen.engine.info import Info, Line
from tengen.protocols.nboard import notation, strength

MOST_DISCS = 64.0
"""The most discs by which a game is won."""


def search_line(line: Line, root: Info, by_ply: bool = False) -> str:
    """`search PV EVAL 0 DEPTH TEXT`; the text holds visits, the chance to win, and the player's own terms.

    by_ply: of a search that looks ahead ply by ply; the depth is the line's own then, and the text holds its nodes.
    """
    text = f"{line.visits} nodes" if by_ply else f"{line.visits} visits {100 * (line.expected):.1f}%"
    for name, value in line.terms:
        text += f" {name} {value:.3f}"
    pv = notation.line(line.pv or (line.move,))
    return f"search {pv} {discs(evaluation(line))} 0 {_depth(line, root, by_ply)} {text}"


def node_stats(info: Info) -> str:
    """`nodestats NODES SECONDS`."""
    return f"nodestats {info.playouts} {info.seconds:.2f}"


def decision(move: int, line: Line | None, seconds: float) -> str:
    """`=== MOVE/EVAL/SECONDS`, the evaluation blank for a forced move."""
    value = "" if line is None else discs(evaluation(line))
    return f"=== {notation.write(move)}/{value}/{seconds:.2f}"


def evaluation(line: Line) -> float:
    """Expected discs, MOST_DISCS at most; where only the result is proved its sign is the result's, as `100%W`
    promises."""
    score = min(max(line.score, -MOST_DISCS), MOST_DISCS)
    if line.proof is None or line.bound == "exact":
        return score
    if line.proof.result == 0:
        return 0.0
    return max(score, 1.0) if line.proof.result > 0 else min(score, -1.0)


def discs(value: float) -> str:
    """Two decimals, no exponent, no negative zero."""
    return f"{round(value, 2) + 0.0:.2f}"


def _depth(line: Line, root: Info, by_ply: bool) -> str:
    """The line's depth, or what the whole search is worth; solved: "100%" (to the disc), "100%W" (who wins)."""
    if line.proof is not None:
        return "100%" if line.proof.result == 0 or line.bound == "exact" else "100%W"
    return str(line.depth if by_ply else strength.depth(root.visits))


class Iterations:
    """Takes the reports of a running search and tells those that are news: the first, each doubling of visits, a best
    move that has been solved, and at the end whatever has changed. Of a search ply by ply, whatever has changed.

    Called by the reporting thread; `finish` once by the thread that searched.
    """

    def __init__(self, write: Callable[[str], None], lines: int, by_ply: bool = False) -> None:
        """write: sends one text whole. lines: how many of the best moves to tell. by_ply: see `search_line`."""
        self._write, self._lines, self._by_ply = write, lines, by_ply
        self._last: Info | None = None
        self._visits = 0
        self._solved = ""
        self._text = ""
        self._lock = threading.Lock()

    @property
    def is_told(self) -> bool:
        """Whether any report was news."""
        return bool(self._text)

    def __call__(self, info: Info) -> None:
        """A report while the search runs."""
        if not self._by_ply:
            with self._lock:
                if info.visits < max(1, 2 * self._visits) and _solved(info) == self._solved:
                    return
        self.finish(info)

    def finish(self, info: Info) -> None:
        """The last report, told unless it is known."""
        if info is self._last:
            return
        lines = [line for line in info.lines if line.visits or line.proof or line is info.best][: self._lines]
        text = "".join(f"{search_line(line, info, self._by_ply)}\n" for line in lines)
        with self._lock:
            self._last = info
            if text == self._text:
                return
            self._visits, self._solved, self._text = info.visits, _solved(info), text
        self._write(f"{text}{node_stats(info)}\n")


def _solved(info: Info) -> str:
    """How far the best move is solved."""
    return _depth(info.best, info, False) if info.best is not None and info.best.proof is not None else ""
