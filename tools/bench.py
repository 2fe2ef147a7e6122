"""`tengen bench`: the speed of the native core, per CPU-second of one thread.

`--json` prints one object: game -> playouts_per_cpu_s, uct_sims_per_cpu_s, mean_length, black_wins.
Playouts are uniform: a player avoids only its eye points; two passes or 3 N^2 moves end one. `mean_length` is
moves a playout, `black_wins` the share that Black wins at komi 6.5. UCT simulations use the same playouts.
The text form adds the batched board calls, in board steps a second.
"""

from __future__ import annotations

import json
import time
from argparse import Namespace
from functools import partial

from tengen.tools.arguments import Parser, number

KOMI = 6.5
SEED = 20260701
GO_SIZES = {"go9": 9, "go19": 19}
DIGITS = {"playouts_per_cpu_s": 0, "uct_sims_per_cpu_s": 0, "mean_length": 2, "black_wins": 4}


def go_playouts(size: int, budget: float) -> dict[str, float]:
    """Uniform playouts from the empty board for about `budget` CPU seconds."""
    from tengen.engine import _core

    games, moves, wins, spent = 0, 0, 0, 0.0
    count = 200
    while spent < budget:
        start = time.process_time()
        total_moves, black_wins = _core.go_playouts(size, size, KOMI, count, SEED + games)[-2:]
        spent += time.process_time() - start
        games, moves, wins = games + count, moves + total_moves, wins + black_wins
        count = max(count, int(count * min(8.0, 0.25 * budget / max(spent, 1e-6))))
    return {"playouts_per_cpu_s": games / spent, "mean_length": moves / games, "black_wins": wins / games}


def go_uct(size: int, budget: float) -> float:
    """UCT simulations a CPU second from the empty board, one thread, a fresh tree each time."""
    from tengen.engine import _core

    state = _core.GoState(size, size, komi=KOMI)
    search = _core.GoMcts("uniform")
    search.set("threads", 1)
    search.set("seed", SEED)
    simulations, spent, target = 0, 0.0, 2000
    while spent < budget:
        search.clear()
        search.prepare()
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


def measure(budget: float) -> dict[str, dict[str, float]]:
    """The figures of `--json`; each part takes about `budget` CPU seconds."""
    figures = {}
    for key, size in GO_SIZES.items():
        rows = go_playouts(size, budget)
        rows["uct_sims_per_cpu_s"] = go_uct(size, budget)
        figures[key] = {name: round(rows[name], digits) for name, digits in DIGITS.items()}
    return figures


def as_text(figures: dict[str, dict[str, float]]) -> str:
    """The figures as a table."""
    lines = [f"{'':6}{'playouts/s':>12}{'uct sims/s':>12}{'mean length':>13}{'black wins':>12}   (CPU s, one thread)"]
    for key, row in figures.items():
        lines.append(
            f"{key:6}{row['playouts_per_cpu_s']:12,.0f}{row['uct_sims_per_cpu_s']:12,.0f}"
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
    figures = measure(values.seconds)
    if values.json:
        print(json.dumps(figures))
        return 0
    print(as_text(figures))
    print(f"go9 batched board steps/s: {batch_steps(9, values.seconds):,.0f}")
    return 0
