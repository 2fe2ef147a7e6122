"""Rows of `tengen bench` for games of points: uniform playouts, and UCT that is guided by them."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from tengen.tools.bench_game import SEED, Benchmark, uct_rate

KOMI = 6.5
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


def _rows(
    make: dict[str, Callable[[], Subject]], budget: float, on_part: Callable[[str], None]
) -> dict[str, dict[str, float]]:
    """See `Benchmark.figures`; make: the subject of each row."""
    found = {}
    for key, made in make.items():
        subject = made()
        on_part(f"{key} playouts")
        rows = playout_rates(subject, budget)
        on_part(f"{key} uct")
        rows["uct_sims_per_cpu_s"] = uct_rate(*subject.uct(), budget)
        found[key] = {name: round(rows[name], digits) for name, digits in DIGITS.items()}
    return found


def _benchmark(make: dict[str, Callable[[], Subject]]) -> Benchmark:
    parts = [f"{key} {part}" for key in make for part in ("playouts", "uct")]
    return Benchmark(lambda: parts, partial(_rows, make))


GO = _benchmark({"go9": partial(go, 9), "go19": partial(go, 19)})
GOMOKU = _benchmark({"gomoku15": partial(gomoku, 15)})
REVERSI = _benchmark({"reversi": reversi})
