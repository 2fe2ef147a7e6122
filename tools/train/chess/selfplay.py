"""Games of chess that a network plays against itself, into files of labelled positions: a unit of work.

A game begins with random moves, after which neither side may be much ahead, and ends by the rules, by draws that
players would claim, or when it has been decided for some moves. Quiet positions are kept with what the search said and
how the game ended, and some more that are a random move away from the game (`label`).
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tengen.engine._core import ChessState
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
OPTIONS = searched_games.options(150, (6, 10), (300, "centipawns"), 0.2)
"""Those of `tengen selfplay --set search.NAME=...` for chess."""


def plan_of(table: Mapping[str, Any]) -> searched_games.Played:
    """Its values. Raises ValueError with one sentence for one that there is not or that does not fit."""
    return searched_games.read("chess", OPTIONS, table, searched_games.Played)


def play_unit(unit: Unit) -> Mapping[str, Any]:
    """Games into a file of positions. facts: network (a file), games (how many), seed, search (a table)."""
    facts, begun = unit.facts, time.monotonic()
    player = SelfPlay(facts["network"], plan_of(facts["search"]), facts["seed"])
    results = Counter(player.game(number) for number in range(facts["games"]))
    positions.write(Path(unit.draft), player.kept.positions())
    return {
        "games": facts["games"], "moves": player.moves, "positions": len(player.kept), "white": results[1],
        "drawn": results[0], "seconds": time.monotonic() - begun,
    }  # fmt: skip


class SelfPlay(Labeller):
    """Plays games; they depend on the network, the plan and the seed alone. moves: of all games."""

    def __init__(self, weights: str, how: searched_games.Played, seed: int) -> None:
        super().__init__(Plan(how.nodes, weights=weights), seed)
        self.moves, self._how = 0, how

    def game(self, number: int) -> int:
        """Play one and keep its positions; 1: White has won, 0, -1. number: the game's in the file."""
        state, times = self._opening(), Counter[int]()
        waiting, ahead, result, plies = list[tuple[ChessState, float]](), 0, 0, 0
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
            if abs(ahead) >= FOR:
                result = 1 if ahead > 0 else -1
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
            state = ChessState()
            for _ in range(self.source.randint(how.opening_least, max(how.opening_least, how.opening_most))):
                if not state.is_terminal():
                    state.play(self.source.choice(state.legal_moves()))
            if not state.is_terminal() and _is_even(self.search(state), how.balance):
                return state


def _is_even(found: Found | None, balance: float) -> bool:
    return found is not None and not found.is_mate and abs(found.score) <= balance


def _is_over(state: ChessState, times: Counter[int], plies: int) -> bool:
    """By the rules, by a claim, or as it has lasted too long."""
    if state.is_terminal() or state.halfmove >= CLAIMED or plies >= LONGEST:
        return True
    return times[state.situational_key] >= THREEFOLD - 1
