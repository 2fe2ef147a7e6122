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
from typing import Any, NamedTuple

from tengen.engine._core import ChessState
from tengen.engine.options import Option, number
from tengen.tools.executors.base import Unit
from tengen.tools.train.chess.label import Found, Labeller, Plan, is_quiet
from tengen.tools.train.data import positions

CLAIMED, THREEFOLD = 100, 3
"""Plies without progress, and times that a position was there: draws."""
DECIDED, FOR = 1500, 6
"""Centipawns that one side is ahead by both sides' searches, for so many plies: it has won."""
LONGEST = 400
"""Plies; then it is a draw."""
OPTIONS: Mapping[str, Option] = {
    option.name: option
    for option in (
        number("nodes", 5000, 1, 10**9, "of each search", is_whole=True),
        number("opening_least", 6, 0, 60, "random moves at the beginning, at least", is_whole=True),
        number("opening_most", 10, 0, 60, "and at most", is_whole=True),
        number("balance", 300, 0, 10**5, "centipawns that either side may be ahead after those"),
        number("strayed", 0.2, 0, 1, "positions beside the game, a random move away, for each one of it"),
    )
}
"""Those of `tengen selfplay --set search.NAME=...` for chess."""


class Played(NamedTuple):
    """The table `search`: see OPTIONS."""

    nodes: int
    opening_least: int
    opening_most: int
    balance: float
    strayed: float


def plan_of(table: Mapping[str, Any]) -> Played:
    """Its values. Raises ValueError with one sentence for one that there is not or that does not fit."""
    unknown = [name for name in table if name not in OPTIONS]
    if unknown:
        raise ValueError(f"a game of chess has no search.{unknown[0]}; there are {', '.join(OPTIONS)}")
    values = {name: option.parse(table.get(name, option.default)) for name, option in OPTIONS.items()}
    return Played(**values)  # type: ignore[arg-type]  # numbers, whole where the options are


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

    def __init__(self, weights: str, how: Played, seed: int) -> None:
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
