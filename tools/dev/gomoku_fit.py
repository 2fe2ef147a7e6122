"""Fit what Gomoku's tactical evaluator knows of shapes, on games that it plays against itself.

    python -m tengen.tools.dev.gomoku_fit [--games N] [--playouts N] [--seed N]

Prints the tables `kScores`, `kOwnBonus`, `kEnemyBonus` of engine/core/gomoku/patterns.cpp and `kOwnShape`,
`kEnemyShape`, `kTempo` of engine/core/gomoku/tactical.cpp. The scores of moves are a softmax regression of the visits
of every quiet search on what a stone would make on each near cell, in eighths of a unit of log probability. The
judgement of quiet positions is a logistic regression of the winner on how often either side could make each shape.
What quiet positions never show (a win, an open four) is set by hand; what is printed for it says nothing.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tengen.engine._core import GomokuMcts, GomokuState

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SIZE, SHAPES, THREATS = 15, 11, 8
HOT = (6, 7)
"""Threats (GomokuState.threats) by which a position is not quiet: open fours and fives."""
OPENING, DRAWN = 5, 6
"""Random moves at the start of a game; moves after them that are drawn by their visits."""
PENALTY = 2.0
"""The penalty of the squares of the weights, in positions."""


@dataclass
class Example:
    """A quiet position: what a stone makes on each near cell, the shares of the visits, counts of shapes, who won."""

    cells: Floats
    shares: Floats
    counts: Floats
    won: float = 0.5


def near(state: GomokuState) -> list[int]:
    """The empty cells within two steps of a stone, also diagonally."""
    stones = state.stones()
    rows = range(SIZE)
    found = []
    for cell in range(SIZE * SIZE):
        row, column = divmod(cell, SIZE)
        around = ((r, c) for r in range(row - 2, row + 3) for c in range(column - 2, column + 3))
        if not stones[cell] and any(r in rows and c in rows and stones[r * SIZE + c] for r, c in around):
            found.append(cell)
    return found


def example(state: GomokuState, visits: dict[int, int]) -> Example | None:
    """Return the training example of a position; None where somebody could win or make an open four."""
    import numpy as np

    me = state.to_move
    shapes = [np.frombuffer(state.shapes(side), dtype=np.uint8).reshape(-1, 4) for side in (me, 1 - me)]
    threats = [np.frombuffer(state.threats(side), dtype=np.uint8) for side in (me, 1 - me)]
    empty = np.frombuffer(state.stones(), dtype=np.uint8) == 0
    if any(np.isin(threat[empty], HOT).any() for threat in threats):
        return None
    cells = [cell for cell in near(state) if state.is_legal(cell)]
    share = np.array([visits.get(cell, 0) for cell in cells], dtype=np.float64)
    if not share.sum():
        return None
    made = [np.eye(SHAPES)[shape[cells]].sum(axis=1) for shape in shapes]
    bonus = [np.eye(THREATS)[threat[cells]] for threat in threats]
    counts = np.concatenate([np.eye(SHAPES)[shape[empty]].sum(axis=(0, 1)) for shape in shapes])
    return Example(np.concatenate([*made, *bonus], axis=1), share / share.sum(), counts)


def game(search: GomokuMcts, choose: random.Random, playouts: int) -> Iterator[Example]:
    """The quiet positions of one game, each with who won."""
    state = GomokuState(SIZE, SIZE)
    examples: list[tuple[int, Example]] = []
    while not state.is_terminal():
        if state.move_number < OPENING:
            row, column = (min(SIZE - 1, max(0, round(choose.gauss(7, 2)))) for _ in range(2))
            if state.is_legal(row * SIZE + column):
                state.play(row * SIZE + column)
            continue
        search.clear()
        search.run(state, playouts=playouts)
        lines = search.info().lines
        visits = {line.move: line.visits for line in lines}
        found = None if lines[0].proof else example(state, visits)
        if found:
            examples.append((state.to_move, found))
        drawn = found is not None and state.move_number < OPENING + DRAWN
        state.play(choose.choices(list(visits), list(visits.values()))[0] if drawn else lines[0].move)
    for mover, found in examples:
        found.won = 0.5 if state.winner < 0 else float(state.winner == mover)
        yield found


def climb(likelihood: Callable[[Floats], tuple[float, Floats, Floats]], size: int, rounds: int = 30) -> Floats:
    """The weights of the highest likelihood less a penalty, by Newton's method with steps halved where they overshoot.

    likelihood: of weights its logarithm, gradient and curvature.
    """
    import numpy as np

    weights = np.zeros(size)
    height, gradient, curvature = likelihood(weights)
    for _ in range(rounds):
        step = np.linalg.solve(curvature + PENALTY * np.eye(size), gradient - PENALTY * weights)
        for _ in range(8):
            tried = weights + step
            found = likelihood(tried)
            better = found[0] - PENALTY / 2 * tried @ tried
            if better > height - PENALTY / 2 * weights @ weights:
                weights, (height, gradient, curvature) = tried, found
                break
            step = step / 2
        else:
            break
    return weights


def fit_moves(examples: list[Example]) -> Floats:
    """Softmax regression of the shares on the cells."""
    import numpy as np

    size = 2 * (SHAPES + THREATS)

    def likelihood(weights: Floats) -> tuple[float, Floats, Floats]:
        height, gradient, curvature = 0.0, np.zeros(size), np.zeros((size, size))
        for one in examples:
            score = one.cells @ weights
            score -= score.max()
            p = np.exp(score)
            height += float(one.shares @ score - np.log(p.sum()))
            p /= p.sum()
            mean = p @ one.cells
            gradient += one.shares @ one.cells - mean
            curvature += (one.cells.T * p) @ one.cells - np.outer(mean, mean)
        return height, gradient, curvature

    return climb(likelihood, size)


def fit_value(examples: list[Example]) -> Floats:
    """Logistic regression of who won: 22 counts and a constant. Lines without promise (none, one) count nothing."""
    import numpy as np

    inputs = np.array([np.append(one.counts, 1.0) for one in examples])
    inputs[:, [0, 1, SHAPES, SHAPES + 1]] = 0
    won = np.array([one.won for one in examples])

    def likelihood(weights: Floats) -> tuple[float, Floats, Floats]:
        odds = inputs @ weights
        p = 1 / (1 + np.exp(-odds))
        height = float((won * odds - np.logaddexp(0, odds)).sum())
        return height, inputs.T @ (won - p), (inputs.T * (p * (1 - p))) @ inputs

    return climb(likelihood, inputs.shape[1])


def table(values: Floats) -> str:
    """Numbers as C++ writes them."""
    return "{" + ", ".join(f"{value:.3f}f" for value in values) + "}"


def scores(values: Floats) -> str:
    """Eighths of a unit, from the first one up."""
    return "{" + ", ".join(str(round(8 * float(value))) for value in values) + "}"


def report(examples: list[Example]) -> Iterator[str]:
    """The tables, and how often they name the winner in the last tenth when learned from the others."""
    import numpy as np

    moves, value = fit_moves(examples), fit_value(examples)
    own, enemy, own_bonus, enemy_bonus = np.split(moves, [SHAPES, 2 * SHAPES, 2 * SHAPES + THREATS])
    yield f"kScores own {scores(own - own[0])} enemy {scores(enemy - enemy[0])}"
    yield f"kOwnBonus {scores(own_bonus - own_bonus[0])} kEnemyBonus {scores(enemy_bonus - enemy_bonus[0])}"
    yield f"kOwnShape {table(value[:SHAPES])}"
    yield f"kEnemyShape {table(-value[SHAPES:-1])}"
    yield f"kTempo {value[-1]:.3f}f"
    cut = len(examples) * 9 // 10
    held, learned = examples[cut:], fit_value(examples[:cut])
    guess = np.array([np.append(one.counts, 1.0) @ learned for one in held])
    right = np.mean([(g > 0) == (one.won > 0.5) for g, one in zip(guess, held, strict=True) if one.won != 0.5])
    yield f"{len(examples)} positions; of the last tenth the winner is named in {100 * right:.1f} %"


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tengen.tools.dev.gomoku_fit", description=__doc__)
    parser.add_argument("--games", type=int, default=800, metavar="N", help="games of self-play (800)")
    parser.add_argument("--playouts", type=int, default=400, metavar="N", help="playouts a move (400)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="seed (1)")
    args = parser.parse_args()
    search, choose = GomokuMcts("tactical"), random.Random(args.seed)
    search.set("memory_mb", 32)
    search.set("seed", args.seed)
    examples: list[Example] = []
    for number in range(1, args.games + 1):
        examples += game(search, choose, args.playouts)
        if number % 100 == 0:
            print(f"{number} games, {len(examples)} positions", flush=True)
    print(*report(examples), sep="\n")


if __name__ == "__main__":
    main()
