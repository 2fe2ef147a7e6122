"""Games of chess that a network plays against itself, into files of labelled positions: a unit of work.

A game begins with random moves, after which neither side may be much ahead, and ends by the rules, by draws that
players would claim, or when it has been decided for some moves. Quiet positions are kept with what the search said and
how the game ended, and some more that are a random move away from the game (`label`). Games may begin from one of the
960 positions of Chess960. Where Syzygy's tables know an ending, they play it and say what it is worth.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tengen.engine._core import ChessState
from tengen.engine.games.chess import syzygy
from tengen.engine.games.chess.text import state_from_fen
from tengen.engine.options import number, text
from tengen.tools.executors.base import Unit
from tengen.tools.train.chess.label import Found, Labeller, Plan, is_quiet
from tengen.tools.train.data import positions
from tengen.tools.train.settings import searched_games

CLAIMED, THREEFOLD = 100, 3
"""Plies without progress, and times that a position was there: draws."""
DECIDED, FOR = 1500, 6
"""Centipawns that one side is ahead by both sides' searches, for so many plies: it has won."""
LONGEST = 400
"""Plies; then it is a draw."""
OPTIONS = (
    *searched_games.options(150, (6, 10), (300, "centipawns"), 0.2),
    number("chess960", 0, 0, 1, "share of the games that begin as Chess960"),
    text("syzygy", "", "folders of Syzygy's tables, separated as in PATH, which say what endings are worth"),
)
"""Those of `tengen selfplay --set search.NAME=...` for chess."""


@dataclass(frozen=True)
class Played(searched_games.Played):
    """The table `search`: see OPTIONS."""

    chess960: float
    syzygy: str

    LATER = ("chess960", "syzygy")

    def check_here(self) -> None:
        """Raises SyzygyError where there are no tables, ImportError where python-chess is needed and not there."""
        if self.chess960:
            import chess  # noqa: F401
        if self.syzygy:
            syzygy.opened(self.syzygy)


def plan_of(table: Mapping[str, Any]) -> Played:
    """Its values. Raises ValueError with one sentence for one that there is not or that does not fit."""
    return searched_games.read("chess", OPTIONS, table, Played)


def play_unit(unit: Unit) -> Mapping[str, Any]:
    """Games into a file of positions. facts: network (a file), games (how many), seed, search (a table). Raises
    NetworkError, SyzygyError, OSError."""
    facts, begun = unit.facts, time.monotonic()
    player = SelfPlay(facts["network"], plan_of(facts["search"]), facts["seed"])
    results = Counter(player.game(number) for number in range(facts["games"]))
    positions.write(Path(unit.draft), player.labelled())
    return {
        "games": facts["games"], "moves": player.moves, "positions": len(player.kept), "white": results[1],
        "drawn": results[0], "seconds": time.monotonic() - begun,
    }  # fmt: skip


class SelfPlay(Labeller):
    """Plays games; they depend on the network, the plan and the seed alone. moves: of all games."""

    def __init__(self, weights: str, how: Played, seed: int) -> None:
        super().__init__(Plan(how.nodes, weights=weights, syzygy=how.syzygy), seed)
        self.moves, self._how = 0, how

    def game(self, number: int) -> int:
        """Play one and keep its positions; 1: White has won, 0, -1. number: the game's in the file."""
        state, times = self._opening(), Counter[int]()
        waiting, ahead, known, result, plies = list[tuple[ChessState, float]](), 0, 0, 0, 0
        while not _is_over(state, times, plies):
            times[state.situational_key] += 1
            found = self.search(state, list(times.elements()))
            if found is None:
                break
            white = found.score if state.to_move == 0 else -found.score
            if found.is_mate and white:
                result = 1 if white > 0 else -1
                break
            ahead = 0 if abs(white) < DECIDED else max(ahead, 0) + 1 if white > 0 else min(ahead, 0) - 1
            known = known + 1 if found.is_known else 0
            if abs(ahead) >= FOR or known >= FOR:
                result = (white > 0) - (white < 0)
                break
            if not (state.is_check or found.is_mate) and is_quiet(state, found.move):
                waiting.append((state.copy(), found.score))
            if self.source.random() < self._how.strayed:
                self.stray(state.copy(), number)
            state.play(found.move)
            plies += 1
        else:
            result = int(state.result())
        self.moves += plies
        for kept, score in waiting:
            mine = -result if kept.to_move else result
            self.kept.add(kept.pieces(), kept.to_move, score, mine, kept.halfmove, number)
        return result

    def _opening(self) -> ChessState:
        """A position after random moves in which neither side is far ahead."""
        how = self._how
        while True:
            state = self._start()
            for _ in range(self.source.randint(how.opening_least, max(how.opening_least, how.opening_most))):
                if not state.is_terminal():
                    state.play(self.source.choice(state.legal_moves()))
            if not state.is_terminal() and _is_even(self.search(state), how.balance):
                return state

    def _start(self) -> ChessState:
        """The position that a game begins from. Of Chess960, it is one of 960."""
        if not self._how.chess960 or self.source.random() >= self._how.chess960:
            return ChessState()
        from chess import Board

        return state_from_fen(Board.from_chess960_pos(self.source.randrange(960)).fen(), is_chess960=True)


def _is_even(found: Found | None, balance: float) -> bool:
    return found is not None and not found.is_mate and abs(found.score) <= balance


def _is_over(state: ChessState, times: Counter[int], plies: int) -> bool:
    """By the rules, by a claim, or as it has lasted too long."""
    if state.is_terminal() or state.halfmove >= CLAIMED or plies >= LONGEST:
        return True
    return times[state.situational_key] >= THREEFOLD - 1
