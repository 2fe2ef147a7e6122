"""`tengen bench`: the speed of the native core, per CPU-second of one thread.

`--json` prints one object: game -> playouts_per_cpu_s, uct_sims_per_cpu_s, mean_length, black_wins.
Playouts are uniform. Go (go9, go19): a player avoids only its eye points; two passes or 3 N^2 moves end one; komi 6.5.
Gomoku (gomoku15): freestyle, every empty cell alike. Reversi: every legal move alike; a pass counts as a move.
`mean_length` is moves a playout, `black_wins` the share that Black wins. UCT simulations use the same playouts.
Chess has figures of its own (`bench_chess.py`): perft_per_cpu_s, made_per_cpu_s, tables_nodes_per_cpu_s.
The text form adds the batched board calls of Go, in board steps a second.
"""

from __future__ import annotations

import json
import time
from argparse import Namespace
from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Any, NamedTuple

from tengen.tools import bench_chess
from tengen.tools.arguments import Parser, number
from tengen.tools.live import Live

KOMI = 6.5
SEED = 20260701
DIGITS = {"playouts_per_cpu_s": 0, "uct_sims_per_cpu_s": 0, "mean_length": 2, "black_wins": 4}


class Subject(NamedTuple):
    """One row. playouts: (count, seed) -> (moves in all, games that Black won). uct: an empty board and a search."""

    playouts: Callable[[int, int], tuple[int, int]]
    uct: Callable[[], tuple[Any, Any]]


def go(size: int) -> Subject:
    """Go on a square board."""
    from tengen.engine import _core

    def playouts(count: int, seed: int) -> tuple[int, int]:
        moves, wins = _core.go_playouts(size, size, KOMI, count, seed)[-2:]
        return moves, wins

    return Subject(playouts, lambda: (_core.GoState(size, size, komi=KOMI), _core.GoMcts("uniform")))


def gomoku(size: int) -> Subject:
    """Freestyle Gomoku on a square board."""
    from tengen.engine import _core

    def playouts(count: int, seed: int) -> tuple[int, int]:
        moves, wins = _core.gomoku_playouts(size, size, count, seed)[:2]
        return moves, wins

    return Subject(playouts, lambda: (_core.GomokuState(size, size), _core.GomokuMcts("uniform")))


def reversi() -> Subject:
    """Reversi."""
    from tengen.engine import _core

    def playouts(count: int, seed: int) -> tuple[int, int]:
        moves, wins = _core.reversi_playouts(count, seed)[:2]
        return moves, wins

    return Subject(playouts, lambda: (_core.ReversiState(), _core.ReversiMcts("uniform")))


SUBJECTS: dict[str, Callable[[], Subject]] = {
    "go9": partial(go, 9),
    "go19": partial(go, 19),
    "gomoku15": partial(gomoku, 15),
    reversi.__name__: reversi,
}


def playout_rates(subject: Subject, budget: float) -> dict[str, float]:
    """Uniform playouts from the empty board for about `budget` CPU seconds."""
    games, moves, wins, spent = 0, 0, 0, 0.0
    count = 200
    while spent < budget:
        start = time.process_time()
        total_moves, black_wins = subject.playouts(count, SEED + games)
        spent += time.process_time() - start
        games, moves, wins = games + count, moves + total_moves, wins + black_wins
        count = max(count, int(count * min(8.0, 0.25 * budget / max(spent, 1e-6))))
    return {"playouts_per_cpu_s": games / spent, "mean_length": moves / games, "black_wins": wins / games}


def uct_rate(subject: Subject, budget: float) -> float:
    """UCT simulations a CPU second from the empty board, one thread, a fresh tree each time."""
    state, search = subject.uct()
    search.set("threads", 1)
    search.set("seed", SEED)
    simulations, spent, target = 0, 0.0, 2000
    while spent < budget:
        search.clear()
        start = time.process_time()
        search.run(state, [], [], [], [], 0.0, 0.0, target, 0, False)
        spent += time.process_time() - start
        simulations += search.info().playouts
        target = min(50_000, target * 4)
    return simulations / spent


def batch_steps(size: int, budget: float, boards: int = 256) -> float:
    """Board steps a CPU second through the batched numpy calls: legal moves of every board, one random move each."""
    import numpy as np

    from tengen.engine import _core

    random = np.random.default_rng(SEED)
    steps, spent = 0, 0.0
    while spent < budget:
        batch = _core.GoBatch(boards, size, size, komi=KOMI)
        start = time.process_time()
        for _ in range(size * size):
            legal = batch.legal_moves()
            legal[:, -1] |= ~legal[:, :-1].any(axis=1)
            weights = np.where(legal, random.random(legal.shape, dtype=np.float32), -1.0)
            weights[:, -1] -= 1.0 * (legal[:, :-1].any(axis=1))
            batch.play(weights.argmax(axis=1).astype(np.int32))
            steps += boards
        spent += time.process_time() - start
    return steps / spent


def measure(budget: float, on_part: Callable[[str], None] = lambda part: None) -> dict[str, dict[str, float]]:
    """The figures of `--json`; each part takes about `budget` CPU seconds. on_part is told before each what it is."""
    figures = {}
    for key, make in SUBJECTS.items():
        subject = make()
        on_part(f"{key} playouts")
        rows = playout_rates(subject, budget)
        on_part(f"{key} uct")
        rows["uct_sims_per_cpu_s"] = uct_rate(subject, budget)
        figures[key] = {name: round(rows[name], digits) for name, digits in DIGITS.items()}
    figures["chess"] = bench_chess.figures(budget, on_part)
    return figures


def as_text(figures: dict[str, dict[str, float]]) -> str:
    """The figures as a table."""
    lines = [f"{'':10}{'playouts/s':>12}{'uct sims/s':>12}{'mean length':>13}{'black wins':>12}   (CPU s, one thread)"]
    for key, row in figures.items():
        if "playouts_per_cpu_s" not in row:
            shown = (f"{name.removesuffix('_per_cpu_s')} {value:,.0f}/s" for name, value in row.items())
            lines.append(f"{key:10}{', '.join(shown)}")
            continue
        lines.append(
            f"{key:10}{row['playouts_per_cpu_s']:12,.0f}{row['uct_sims_per_cpu_s']:12,.0f}"
            f"{row['mean_length']:13.2f}{row['black_wins']:12.4f}"
        )
    return "\n".join(lines)


def configure(parser: Parser) -> None:
    """Declare the options."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--seconds", type=partial(number, low=0.05, high=600), default=2.0, metavar="S",
        help="CPU seconds for each figure (2)",
    )  # fmt: skip


def run(values: Namespace) -> int:
    """Measure and print."""
    live, numbers = Live(pause=0.0), count(1)
    parts = 2 * len(SUBJECTS) + 2 + len(bench_chess.evaluators()) + (not values.json)

    def on_part(part: str) -> None:
        live.update(f"measuring {part} ({next(numbers)} of {parts}, {values.seconds:g} CPU s each)")

    figures = measure(values.seconds, on_part)
    steps = None
    if not values.json:
        on_part("go9 batches")
        steps = batch_steps(9, values.seconds)
    live.clear()
    if steps is None:
        print(json.dumps(figures))
        return 0
    print(as_text(figures))
    print(f"go9 batched board steps/s: {steps:,.0f}")
    return 0
