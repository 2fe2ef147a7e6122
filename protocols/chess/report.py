"""What a search has found: variations, scores, and when they are told. Scores are from the view of the side to move."""

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


TextOf = Callable[["ChessState", int], str]
"""The text of a move in a position."""
WON = 20_000
"""Centipawns of what is won for certain, but nobody knows in how many moves: by endgame tables."""


def variation(view: View, moves: Sequence[int], *, is_proof: bool, text_of: TextOf = CHESS.move_to_text) -> Told:
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
        words.append(text_of(state, move))
        state.play(move)
        counts[state.situational_key] += 1
    return Told(tuple(told), " ".join(words), state.is_check and state.is_terminal())


class Score(NamedTuple):
    """unit: "cp", centipawns, or "mate", moves of the winner, negative for who is mated. bound: of centipawns, as in
    `Line`."""

    unit: str
    number: int
    bound: str = ""


def score_of(line: Line, view: View, pv: Told) -> Score:
    """A mate by the variation where it leads to the mate, else as the proof counts."""
    proof = line.proof
    if proof is not None and proof.result:
        plies = len(pv.moves) if pv.is_mate else max(proof.plies, len(pv.moves))
        return Score("mate", (plies + 1) // 2 * proof.result)
    if view.table is not None:
        return Score("cp", WON * view.table)
    centipawns = 0 if proof is not None else round(max(-HIGHEST, min(HIGHEST, line.score)))
    return Score("cp", centipawns, line.bound)


def told_of(line: Line, view: View, text_of: TextOf = CHESS.move_to_text) -> Told:
    """The variation of a line, its move alone where it has none. text_of: writes a move; as UCI does."""
    is_proof = line.proof is not None and line.proof.result != 0
    return variation(view, line.pv or (line.move,), is_proof=is_proof, text_of=text_of)


class Style(NamedTuple):
    """How a protocol tells of a search. line: one of the best moves, by its number, and the variation told with it.
    quiet: what is told once a second where nothing but nodes is new, "" for nothing."""

    line: Callable[[Line, int, Info, View], tuple[str, Told]]
    quiet: Callable[[Info, View], str]


class Reports:
    """Tells a running search's reports where they bring news, and the last one in any case."""

    def __init__(self, write: Callable[[str], None], view: View, style: Style) -> None:
        self._write, self._view, self._style = write, view, style
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
            if text := self._style.quiet(info, self._view):
                self._write(f"{text}\n")
            return
        texts = [self._style.line(line, number, info, self._view)[0] for number, line in enumerate(lines, 1)]
        self._lines = texts
        self._write("".join(f"{text}\n" for text in texts))

    def last(self, info: Info, move: int) -> tuple[str, int | None]:
        """The lines before the move, the last of them of the move that is played, and the reply that is expected."""
        lines = list(info.lines[: self._view.lines])
        chosen = next((line for line in info.lines if line.move == move), None) or Line(move, (move,), 0, 0.5, loss=0.5)
        told = [self._style.line(line, number, info, self._view)[0] for number, line in enumerate(lines, 1)]
        text, pv = self._style.line(chosen, 1, info, self._view)
        if len(told) != 1 or told[0] != text:
            told.append(text)
        if told[: len(self._lines)] == self._lines:
            del told[: len(self._lines)]
        return "".join(f"{line}\n" for line in told), pv.moves[1] if len(pv.moves) > 1 else None


def _is_draw(state: ChessState, counts: Counter[int]) -> bool:
    """Whether a draw could be claimed."""
    return state.halfmove >= 100 or counts[state.situational_key] >= 3
