"""Positions with what a file knows of their moves, and answers that are compared with it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tengen.engine import records
from tengen.engine.records import Record, RecordError
from tengen.engine.records.points import point
from tengen.engine.records.replay import state_of

if TYPE_CHECKING:
    from tengen.engine._core import ReversiSolver, ReversiState

SIDE, PASS = 8, 64
WHOLE = (-64, 64)
WINNER = (-1, 1)
"""Windows: by how many discs, or who wins."""


@dataclass(frozen=True)
class Problem:
    """A position; scores: move -> discs of the side to move, as far as the file gives them."""

    number: int
    state: ReversiState
    scores: Mapping[int, float]

    @property
    def empties(self) -> int:
        """Cells without a disc."""
        return self.state.stones().count(0)


@dataclass(frozen=True)
class Answer:
    """The solution of a problem. move: None where no move is better than the lower end of the window, or the game is
    over.

    score: discs of the side to move; of the window WINNER, a bound on the side of who wins. seconds: by the clock.
    """

    problem: Problem
    score: int
    move: int | None
    nodes: int
    seconds: float

    def agrees(self, winner_alone: bool = False) -> bool:
        """Whether the file gives this score, or winner, to its best move, and no lower one to the move found.

        A move that it does not list is as good as its score; a file that lists none agrees.
        """
        scores = self.problem.scores
        if not scores:
            return True

        def seen(score: float) -> float:
            return (score > 0) - (score < 0) if winner_alone else score

        best = max(seen(score) for score in scores.values())
        if seen(self.score) != best:
            return False
        return self.move is None or seen(scores.get(self.move, self.score)) == best


def read_problems(path: str) -> list[Problem]:
    """Every position of an OBF file. Raises RecordError or OSError with one sentence."""
    games = records.read_all(Path(path), "obf")
    return [problem_of(number, record) for number, record in enumerate(games, 1)]


def problem_of(number: int, record: Record) -> Problem:
    """Return the problem of a position that was read. Raises RecordError for one that is none of Reversi."""
    if (record.game, record.width, record.height) != ("reversi", SIDE, SIDE):
        raise RecordError(f"position {number} is not one of Reversi on 8x8")
    state = state_of(record)
    legal = set(state.legal_moves())
    scores = {}
    for key, text in record.properties.items():
        if key == "comment":
            continue
        move = point(record.game, SIDE, SIDE, key)
        if move in legal:  # files give a pass some number where there is none
            scores[move] = float(text)
        elif move != PASS:
            raise RecordError(f"position {number} gives {key} a score, which is not a legal move")
    return Problem(number, state, scores)  # type: ignore[arg-type]


def solve(problems: Iterable[Problem], solver: ReversiSolver, window: tuple[int, int] = WHOLE) -> Iterator[Answer]:
    """Solve one after the other."""
    for problem in problems:
        started = time.perf_counter()
        found = solver.solve(problem.state, *window)
        assert found is not None  # nobody stops it
        score, move, nodes = found
        yield Answer(problem, score, None if move < 0 else move, nodes, time.perf_counter() - started)
