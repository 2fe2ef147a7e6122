"""Games of Gomoku that alpha-beta plays against itself, with what its searches said: a unit of work.

A game begins with random moves near each other, after which neither side may be much ahead. It ends by the rules or
with a win that is proved. Beside the game, some positions that are a random move away from it are searched too.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tengen.engine._core import GomokuAlphaBeta, GomokuState, StopToken
from tengen.engine.games.gomoku.game import RULE_SETS
from tengen.engine.options import choice
from tengen.tools.executors.base import Unit
from tengen.tools.train.gomoku import games as searched
from tengen.tools.train.gomoku.games import UNKNOWN, UNSEARCHED, WON, Collector
from tengen.tools.train.settings import searched_games

MEMORY_MB = 16
NEAR = 2
"""Steps from a stone within which a random move is made."""
SPREAD = 6
"""The first stone lies about the size over this from the centre."""
OPTIONS = (
    *searched_games.options(1000, (2, 7), (350, "score units"), 0.3),
    choice("rule", "freestyle", tuple(RULE_SETS), "the rule of a win"),
)
"""Those of `tengen selfplay --set search.NAME=...` for Gomoku by alpha-beta."""


@dataclass(frozen=True)
class Played(searched_games.Played):
    """The table `search`: see OPTIONS. 300 score units are a unit of log probability."""

    rule: str


def plan_of(table: Mapping[str, Any]) -> Played:
    """Its values. Raises ValueError with one sentence for one that there is not or that does not fit."""
    return searched_games.read("Gomoku", OPTIONS, table, Played)


def searcher(weights: str) -> GomokuAlphaBeta:
    """The core's search by a file of weights, or by the tables for "". Raises NetworkError."""
    if not weights:
        search = GomokuAlphaBeta("lines")
    else:
        from tengen.engine.evaluators.weights import read_weights

        search = GomokuAlphaBeta("network", read_weights(weights, "gomoku", "network"))
    search.set("memory_mb", MEMORY_MB)
    return search


def play_unit(unit: Unit) -> Mapping[str, Any]:
    """Games into a file. facts: network (a file or ""), games (how many), seed, size, search (a table)."""
    facts, begun = unit.facts, time.monotonic()
    player = SelfPlay(facts["network"], facts["size"], plan_of(facts["search"]), facts["seed"])
    results = Counter(player.game() for _ in range(facts["games"]))
    games = player.kept.games()
    searched.write(Path(unit.draft), games)
    return {
        "games": facts["games"], "moves": player.moves, "positions": games.positions, "black": results[1],
        "drawn": results[0], "seconds": time.monotonic() - begun,
    }  # fmt: skip


class SelfPlay:
    """Plays games; they depend on the network, the plan and the seed alone. moves: of all games."""

    def __init__(self, weights: str, size: int, how: Played, seed: int) -> None:
        self.kept, self.moves = Collector(size, size, how.rule), 0
        self._size, self._how, self._source = size, how, random.Random(seed)
        self._search, self._stop = searcher(weights), StopToken()

    def game(self) -> int:
        """Play one and keep it; 1: Black has won, 0, -1."""
        self._search.clear()
        state, moves = self._opening()
        scores = [UNSEARCHED] * len(moves)
        while not state.is_terminal():
            move, score = self._look(state)
            if self._source.random() < self._how.strayed:
                self._stray(state, moves)
            moves.append(move)
            scores.append(score)
            if abs(score) == WON:
                break
            state.play(move)
        self.moves += len(moves)
        result = _winner(state, scores[-1])
        self.kept.add(moves, scores, result)
        return result

    def _look(self, state: GomokuState) -> tuple[int, int]:
        """The best move and its score for the side to move."""
        self._search.run(state, playouts=self._how.nodes, stop=self._stop)
        line = self._search.info(1).lines[0]
        if line.is_proved and line.score:
            return line.move, WON if line.score > 0 else -WON
        return line.move, max(1 - WON, min(round(line.score), WON - 1))

    def _stray(self, state: GomokuState, moves: list[int]) -> None:
        """Search the position behind a random move."""
        state = state.copy()
        move = self._random_move(state)
        state.play(move)
        if not state.is_terminal():
            best, score = self._look(state)
            self.kept.add([*moves, move, best], [UNSEARCHED] * (len(moves) + 1) + [score], UNKNOWN)

    def _opening(self) -> tuple[GomokuState, list[int]]:
        """A position after random moves in which neither side is far ahead, and those moves."""
        how = self._how
        while True:
            state, moves = GomokuState(self._size, self._size, how.rule), list[int]()
            for _ in range(self._source.randint(how.opening_least, max(how.opening_least, how.opening_most))):
                if not state.is_terminal():
                    moves.append(self._random_move(state))
                    state.play(moves[-1])
            if not state.is_terminal() and abs(self._look(state)[1]) <= how.balance:
                return state, moves

    def _random_move(self, state: GomokuState) -> int:
        """A legal move near a stone, or near the centre of an empty board."""
        size, source = self._size, self._source
        stones = [cell for cell, stone in enumerate(state.stones()) if stone]
        while True:
            if stones:
                row, column = (at + source.randint(-NEAR, NEAR) for at in divmod(source.choice(stones), size))
            else:
                row, column = (round(source.gauss((size - 1) / 2, size / SPREAD)) for _ in range(2))
            if 0 <= row < size and 0 <= column < size and state.is_legal(row * size + column):
                return row * size + column
            if stones and not source.randrange(50):  # all is full near the stones
                return source.choice(state.legal_moves())


def _winner(state: GomokuState, last: int) -> int:
    """The result for Black. last: the score of the last search."""
    if abs(last) == WON and state.winner < 0:
        return 1 if (last > 0) == (state.to_move == 0) else -1
    return {0: 1, 1: -1}.get(state.winner, 0)
