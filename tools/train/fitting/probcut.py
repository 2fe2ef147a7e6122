"""Measure how well shallow searches of Reversi predict deep ones, for a file of patterns, and write the figures into
it.

Multi-ProbCut (Buro 1999) leaves out what a shallow search finds hopeless by so many standard deviations. These depend
on the evaluation, so they are measured with it, and again whenever it changes: positions of all phases are searched at
each depth with nothing left out, and the logarithm of the deviation is fitted by depths and empty cells
(`core/reversi/probcut.hpp`).
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tengen.engine._core import ReversiSolver, ReversiState, StopToken, reversi_evaluation
from tengen.engine.evaluators.weights import read_weights
from tengen.engine.games import get_game
from tengen.engine.limits import Limits
from tengen.engine.options import Value
from tengen.engine.search import make_search
from tengen.engine.search.base import Root

GAME, EVALUATOR = "reversi", "patterns"
ARRAY = "probcut"
"""The array in the file of weights: numbers as `terms` orders them (`fitting/measured.py` writes it)."""
MEMORY_MB = 64
RANDOM_SHARE, LOOK = 0.2, 2
"""The share of random moves on the way to a position; the others are the best ones by so many plies."""
OPENING = (6, 16)
"""Random moves at the beginning of a game, on the way to a position that is likely in play: at least, at most."""
PLAYED_LOOK = 6
"""Plies by which all others are found."""
LEAST_EMPTIES, MOST_EMPTIES = 12, 54
SOLVED = 20
"""The most empty cells of a position that is solved."""
BUCKET = 6
"""Empty cells that are taken together to measure one deviation."""
LEAST_PAIRS = 8
"""The least number of scores for a deviation."""


class Sample(NamedTuple):
    """A position: its empty cells, scores in discs by depth, the first by the evaluation alone, and what it is worth
    exactly; NaN where that is not known."""

    empties: int
    scores: tuple[float, ...]
    exact: float = math.nan


@dataclass(frozen=True)
class Fit:
    """numbers: as the core takes them. error: mean distance of the logarithms measured from those fitted. pairs: of
    scores."""

    numbers: NDArray[np.float32]
    error: float
    pairs: int

    def deviation(self, empties: int, deep: int, shallow: int) -> float:
        """In discs."""
        return float(np.exp(terms(empties, deep, shallow) @ self.numbers))


def sample(weights: str, deepest: int, seed: int, is_played: bool) -> Sample:
    """A position by this seed, searched. is_played: whether it is likely in play, and then it is solved as well if it
    is near the end; others have random moves on the whole way."""
    source, game = random.Random(seed), get_game(GAME)
    options: dict[str, Value] = {"alphabeta.weights": weights, "alphabeta.memory_mb": MEMORY_MB}
    search = make_search(game, "alphabeta", {**options, "alphabeta.selectivity": 0})
    opening = source.randint(*OPENING) if is_played else 0
    share = 0.0 if is_played else RANDOM_SHARE
    look = Limits(depth=PLAYED_LOOK if is_played else LOOK)
    state = _position(source, opening, share, lambda state: search.run(Root(state), look, StopToken()).lines[0].move)
    empties, read = bytes(state.stones()).count(0), read_weights(weights, game.name, EVALUATOR)
    depths = range(1, min(deepest, empties - 1) + 1)
    scores = [search.run(Root(state), Limits(depth=depth), StopToken()).lines[0].score for depth in depths]
    solved = ReversiSolver(weights=read).solve(state) if is_played and empties <= SOLVED else None
    return Sample(empties, (reversi_evaluation(state, read), *scores), math.nan if solved is None else float(solved[0]))


def fit(samples: Iterable[Sample]) -> Fit:
    """The numbers of the core for these. Raises ValueError where they are too few."""
    found: dict[tuple[int, int, int], list[tuple[int, float]]] = {}
    for one in samples:
        for deep in range(3, len(one.scores)):
            for shallow in range(deep - 2, 0, -2):  # the same side moves last
                difference = one.scores[deep] - one.scores[shallow]
                found.setdefault((one.empties // BUCKET, deep, shallow), []).append((one.empties, difference))
    rows, logarithms, counts = [], [], []
    for (_, deep, shallow), pairs in found.items():
        squares = sum(difference**2 for _, difference in pairs) / len(pairs)
        if len(pairs) >= LEAST_PAIRS and squares > 0:
            rows.append(terms(sum(empties for empties, _ in pairs) / len(pairs), deep, shallow))
            logarithms.append(0.5 * np.log(squares))
            counts.append(len(pairs))
    if len(rows) < len(terms(0, 0, 0)):
        raise ValueError("too few positions to tell how far searches foretell each other")
    x, y, weight = np.array(rows), np.array(logarithms), np.sqrt(np.array(counts, np.float64))
    numbers, *_ = np.linalg.lstsq(x * weight[:, None], y * weight, rcond=None)
    error = float(np.average(np.abs(x @ numbers - y), weights=weight**2))
    return Fit(numbers.astype(np.float32), error, sum(counts))


def evaluation_error(samples: Iterable[Sample], least: int, most: int) -> float:
    """Mean distance, in discs, of the evaluation from the deepest search, at `least` to `most` empty cells; NaN where
    there is no such position."""
    errors = [abs(one.scores[0] - one.scores[-1]) for one in samples if least <= one.empties <= most]
    return sum(errors) / len(errors) if errors else math.nan


def terms(empties: float, deep: int, shallow: int) -> NDArray[np.float64]:
    """Return the factors of the numbers (`ProbCut` of the core)."""
    return np.array([1.0, deep, shallow, empties, empties**2])


def shallow_of(deep: int) -> int:
    """Return the depth of the search that predicts one of `deep` plies (`ProbCut` of the core)."""
    return 2 * (deep // 4) + deep % 2


def _position(source: random.Random, opening: int, share: float, best: Callable[[ReversiState], int]) -> ReversiState:
    """A position that is not over, of a number of empty cells that is as likely as any other. The first `opening` moves
    are random, and that share of those behind them."""
    while True:
        state, empties, plies = ReversiState(), source.randint(LEAST_EMPTIES, MOST_EMPTIES), 0
        while not state.is_terminal() and bytes(state.stones()).count(0) > empties:
            legal = state.legal_moves()
            state.play(source.choice(legal) if source.random() < (1 if plies < opening else share) else best(state))
            plies += 1
        if not state.is_terminal():
            return state
