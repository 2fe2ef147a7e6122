"""Positions of games, searched: a lot of a PGN file as a unit of work.

Of a game some positions are drawn, all but its first plies alike. A share of them is left by a random move first, and
by what captures that move allows: masters leave nothing hanging, and what a piece is worth is not learned where neither
side ever is a piece ahead. Only quiet positions are kept, for an evaluation is asked at quiet ones.
Where Syzygy's tables know an ending, they say what it is worth.
"""

from __future__ import annotations

import random
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tengen.engine._core import ChessAlphaBeta, ChessState, StopToken
from tengen.engine.games.chess import syzygy
from tengen.engine.records.san import move_of
from tengen.tools.executors.base import Unit
from tengen.tools.train.data import positions
from tengen.tools.train.data.positions import UNKNOWN, Collector
from tengen.tools.train.records.pgn import Game, games_of

MEMORY_MB = 16
FOLLOWED = 3
"""Captures that are followed after a random move until it is quiet."""
WON = 10_000
"""Centipawns of a position that a table knows to be won."""


class Plan(NamedTuple):
    """nodes: of each search. each: positions that are drawn from a game. first: plies at its begin that are left out.
    strayed: the share that a random move leaves. weights: a file, or "" for the tables. least_elo: of both players.
    syzygy: folders of Syzygy's tables, separated as in PATH, or ""."""

    nodes: int = 1000
    each: int = 12
    first: int = 8
    strayed: float = 0.3
    weights: str = ""
    least_elo: int = 0
    syzygy: str = ""


def label_unit(unit: Unit) -> Mapping[str, Any]:
    """A lot of games into a file of positions. facts: games (the file), begin, end (bytes), seed, plan (a table).
    Raises NetworkError, SyzygyError, OSError."""
    facts, begun = unit.facts, time.monotonic()
    with open(facts["games"], "rb") as file:
        file.seek(facts["begin"])
        data = file.read(facts["end"] - facts["begin"])
    labeller = Labeller(Plan(**facts["plan"]), facts["seed"])
    number = -1
    for number, game in enumerate(games_of(data)):
        labeller.take(game, number)
    found = labeller.labelled()
    positions.write(Path(unit.draft), found)
    return {
        "games": number + 1, "searches": labeller.searches, "positions": len(found), "scores": int(found.scores.sum()),
        "search_seconds": labeller.search_seconds, "seconds": time.monotonic() - begun,
    }  # fmt: skip


def searcher(weights: str) -> ChessAlphaBeta:
    """The core's search by a file of weights, or by the tables for "". Raises NetworkError."""
    if not weights:
        search = ChessAlphaBeta("tables")
    else:
        from tengen.engine.evaluators.weights import read_weights

        search = ChessAlphaBeta("network", read_weights(weights, "chess", "network"))
    search.set("memory_mb", MEMORY_MB)
    return search


class Found(NamedTuple):
    """The result of a search. score: centipawns for the side to move; is_mate: it is none, a mate was found. is_known:
    tables say so."""

    move: int
    score: float
    is_mate: bool
    is_known: bool = False


class Labeller:
    """Draws and searches positions of games; its results depend on the games, the plan and the seed alone."""

    def __init__(self, plan: Plan, seed: int) -> None:
        self.kept, self.searches, self.search_seconds = Collector(), 0, 0.0
        self.source, self._plan = random.Random(seed), plan
        self._search, self._stop = searcher(plan.weights), StopToken()
        self._tables = syzygy.opened(plan.syzygy) if plan.syzygy else None
        if self._tables:
            self._search.use_tablebases(syzygy.for_search(plan.syzygy))

    def labelled(self) -> positions.LabelledPositions:
        """What was kept. Raises SyzygyError where a table could not be read: then it is not what was asked for."""
        for wrong in self._tables.news() if self._tables else []:
            raise syzygy.SyzygyError(f"{wrong}; the labels would lack it")
        return self.kept.positions()

    def take(self, game: Game, number: int) -> None:
        """Label positions of a game. number: the game's in the file."""
        plan, source = self._plan, self.source
        plies = range(plan.first, len(game.moves))
        if game.elo < plan.least_elo or not plies:
            return
        chosen = set(source.sample(plies, min(plan.each, len(plies))))
        state, last = ChessState(), max(chosen)
        for ply, san in enumerate(game.moves[: last + 1]):
            if state.is_terminal():  # by the seventy-five moves, which people did not count
                return
            if ply in chosen:
                if source.random() < plan.strayed:
                    self.stray(state.copy(), number)
                else:
                    self._quiet(state, number, -game.result if state.to_move else game.result)
            move = move_of(state, san)
            if move < 0:
                return
            state.play(move)

    def search(self, state: ChessState, seen: Sequence[int] = ()) -> Found | None:
        """Return the best move and its score; None if the game is drawn. seen: keys of the positions so far, which are
        not to come again."""
        begun = time.perf_counter()
        self._search.run(state, seen=seen, playouts=self._plan.nodes, stop=self._stop)
        lines = self._search.info().lines
        self.searches += 1
        self.search_seconds += time.perf_counter() - begun
        known = self._tables.probe(state) if self._tables and lines and not state.is_terminal() else None
        if known:
            move = lines[0].move if lines[0].move in known.moves else self.source.choice(known.moves)
            return Found(move, WON * known.result, False, is_known=True)
        return Found(lines[0].move, lines[0].score, lines[0].is_proved) if lines else None

    def stray(self, state: ChessState, number: int) -> None:
        """Keep the quiet position behind a random move."""
        state.play(self.source.choice(state.legal_moves()))
        for _ in range(FOLLOWED):
            if state.is_terminal():
                return
            found = self.search(state) if state.is_check else self._quiet(state, number, UNKNOWN)
            if found is None:
                return
            state.play(found.move)

    def _quiet(self, state: ChessState, number: int, result: int) -> Found | None:
        """Keep a position if it is quiet; what was found where it is not, or None when it was kept or is over."""
        if state.is_check or state.is_terminal():
            return None
        found = self.search(state)
        if found is None or found.is_mate:
            return None
        if not is_quiet(state, found.move):
            return found
        self.kept.add(state.pieces(), state.to_move, found.score, result, state.halfmove, number)
        return None


def is_quiet(state: ChessState, move: int) -> bool:
    """Whether a move takes nothing and promotes nothing. Castling, which takes the own rook, takes nothing."""
    pieces = state.pieces()
    start, end = move & 63, move >> 6 & 63
    is_pawn = pieces[start] in (1, 7)
    takes = pieces[end] and (pieces[end] > 6) != (pieces[start] > 6)
    return not (takes or move >> 12 or (is_pawn and start & 7 != end & 7))
