"""`info` lines: what a search has found. Scores are centipawns or mates from the view of the side to move."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from tengen.engine.games.chess.game import CHESS
from tengen.engine.info import Info, Line

if TYPE_CHECKING:
    from tengen.engine._core import ChessState

HIGHEST = 30_000
"""Centipawns of a score that is no mate, at most."""
BOUNDS = {"lower": " upperbound", "upper": " lowerbound"}
"""UCI's words for a score that is a bound."""
NEWS_SECONDS = 1.0
"""The seconds between two lines with nothing new but nodes."""


class View(NamedTuple):
    """The subject and the form of reports.

    state: the root. seen: keys of all positions of the game so far. lines: how many of the best moves to tell. table:
    what the endgame tables say of the root: 1, 0, -1; None: nothing. probes: how often they were asked.
    """

    state: ChessState
    seen: Sequence[int]
    lines: int = 1
    shows_wdl: bool = False
    table: int | None = None
    probes: int = 0


class Told(NamedTuple):
    """A principal variation as moves and as text. is_mate: whether it ends in one."""

    moves: tuple[int, ...]
    text: str
    is_mate: bool = False


WON = 20_000
"""Centipawns of what is won for certain, but nobody knows in how many moves: by endgame tables."""


def variation(view: View, moves: Sequence[int], *, is_proof: bool) -> Told:
    """The legal part of a variation, which ends where the game does; without a proof also where a draw is claimed."""
    state = view.state.copy()
    counts = Counter(view.seen)
    told: list[int] = []
    words: list[str] = []
    for move in moves:
        if told and (state.is_terminal() or (not is_proof and _is_draw(state, counts))):
            break
        if not state.is_legal(move):
            break
        told.append(move)
        words.append(CHESS.move_to_text(state, move))
        state.play(move)
        counts[state.situational_key] += 1
    return Told(tuple(told), " ".join(words), state.is_check and state.is_terminal())


def score(line: Line, view: View, pv: Told) -> str:
    """ "cp 31", "mate 3", "mate -2": by the variation where it leads to the mate, else as the proof counts."""
    proof = line.proof
    if proof is not None and proof.result:
        plies = len(pv.moves) if pv.is_mate else max(proof.plies, len(pv.moves))
        return f"mate {(plies + 1) // 2 * proof.result}"
    if view.table is not None:
        return f"cp {WON * view.table}"
    centipawns = 0 if proof is not None else round(max(-HIGHEST, min(HIGHEST, line.score)))
    return f"cp {centipawns}{BOUNDS.get(line.bound, '')}"


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
    return f"nodes {info.playouts} nps {speed} hashfull {full} tbhits {view.probes} time {milliseconds}"


def info_line(line: Line, number: int, info: Info, view: View) -> tuple[str, Told]:
    """One of the best moves, and the variation that is told with it."""
    pv = variation(view, line.pv or (line.move,), is_proof=line.proof is not None and line.proof.result != 0)
    depth = max(1, line.depth)
    wdl = chances(line, view) if view.shows_wdl else ""
    text = (
        f"info depth {depth} seldepth {max(depth, line.seldepth)} multipv {number} score {score(line, view, pv)}{wdl} "
        f"{totals(info, view)} pv {pv.text}"
    )
    return text, pv


class Reports:
    """Tells a running search's reports where they bring news, and the last one in any case."""

    def __init__(self, write: Callable[[str], None], view: View) -> None:
        self._write, self._view = write, view
        self._lock = threading.Lock()
        self._known: tuple[object, ...] = ()
        self._lines: list[str] = []
        self._told = time.monotonic()

    def __call__(self, info: Info) -> None:
        """A report while the search runs."""
        lines = info.lines[: self._view.lines]
        news = tuple((line.depth, line.score, line.pv) for line in lines)
        with self._lock:
            is_news, now = bool(lines) and news != self._known, time.monotonic()
            if not is_news and now - self._told < NEWS_SECONDS:
                return
            self._known, self._told = news, now
        if not is_news:
            self._write(f"info {totals(info, self._view)}\n")
            return
        texts = [info_line(line, number, info, self._view)[0] for number, line in enumerate(lines, 1)]
        self._lines = texts
        self._write("".join(f"{text}\n" for text in texts))

    def last(self, info: Info, move: int) -> tuple[str, int | None]:
        """The lines before `bestmove`, the last of them of the move that is played, and the reply that is expected."""
        lines = list(info.lines[: self._view.lines])
        chosen = next((line for line in info.lines if line.move == move), None) or Line(move, (move,), 0, 0.5, loss=0.5)
        told = [info_line(line, number, info, self._view)[0] for number, line in enumerate(lines, 1)]
        text, pv = info_line(chosen, 1, info, self._view)
        if len(told) != 1 or told[0] != text:
            told.append(text)
        if told[: len(self._lines)] == self._lines:
            del told[: len(self._lines)]
        return "".join(f"{line}\n" for line in told), pv.moves[1] if len(pv.moves) > 1 else None


def _is_draw(state: ChessState, counts: Counter[int]) -> bool:
    """Whether a draw could be claimed."""
    return state.halfmove >= 100 or counts[state.situational_key] >= 3
