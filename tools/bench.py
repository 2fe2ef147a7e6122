"""`tengen bench`: the speed of the native core, per CPU-second of one thread.

`--json` prints one object: game -> playouts_per_cpu_s, uct_sims_per_cpu_s, mean_length, black_wins.
Playouts are uniform. Go (go9, go19): a player avoids only its eye points; two passes or 3 N^2 moves end one; komi 6.5.
Gomoku (gomoku15): freestyle, every empty cell alike. Reversi: every legal move alike; a pass counts as a move.
`mean_length` is moves a playout, `black_wins` the share that Black wins. UCT simulations use the same playouts.
Chess has figures of its own (`bench_chess.py`): perft_per_cpu_s, made_per_cpu_s, tables_nodes_per_cpu_s.
The text form adds the batched board calls of Go, in board steps a second.
`--signature` measures nothing: it tells what the search of each game is (`bench_signature.py`). `--peers` plays against
other programs (`peers/`).
"""

from __future__ import annotations

import json
import time
from argparse import Namespace
from collections.abc import Callable
from functools import partial
from itertools import count

from tengen.engine.games import GAMES, get_game
from tengen.tools.arguments import Parser, number, whole_number
from tengen.tools.bench_game import SEED, Benchmark, benchmark_of
from tengen.tools.bench_playouts import KOMI
from tengen.tools.live import Live


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
    figures: dict[str, dict[str, float]] = {}
    for one in benchmarks():
        figures |= one.figures(budget, on_part)
    return figures


def benchmarks() -> list[Benchmark]:
    """Those of every game."""
    return [benchmark_of(get_game(name)) for name in GAMES]


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
        "--signature",
        action="store_true",
        help="in place of speeds, a number a game that changes only when the search of its default player does",
    )
    parser.add_argument("--game", metavar="G", help="sign this game alone (all)")
    parser.add_argument(
        "--peers",
        nargs="*",
        metavar="NAME",
        help="in place of speeds, matches against other programs: those named, or all that are here",
    )
    parser.add_argument(
        "--games",
        type=partial(whole_number, low=2, high=100_000),
        default=20,
        metavar="N",
        help="games of a match of --peers (20)",
    )
    parser.add_argument("--out", default="peers", metavar="DIR", help="folder of the matches of --peers (peers)")
    parser.add_argument(
        "--folder", action="append", default=[], metavar="DIR",
        help="look for the programs of --peers in this folder too, and one level below; repeatable",
    )  # fmt: skip
    parser.add_argument(
        "--seconds", type=partial(number, low=0.05, high=600), default=2.0, metavar="S",
        help="CPU seconds for each figure (2)",
    )  # fmt: skip


def run(values: Namespace) -> int:
    """Measure and print. Raises ValueError."""
    if values.peers is not None and (values.signature or values.json or values.game):
        raise ValueError("--peers goes with --games, --out and --folder alone")
    if values.signature:
        from tengen.engine.games import GAMES, get_game
        from tengen.tools import bench_signature

        return bench_signature.run([get_game(values.game).name] if values.game else list(GAMES), values.json)
    if values.peers is not None:
        from tengen.tools.peers import matches

        return matches.run(values.peers, values.games, values.out, values.folder)
    if values.game:
        raise ValueError("--game goes with --signature: speeds are measured of all games")
    live, numbers = Live(pause=0.0), count(1)
    parts = sum(len(one.parts()) for one in benchmarks()) + (not values.json)

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
