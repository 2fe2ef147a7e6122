"""The benchmark of a game in `tengen bench`, and the default for a game without one (`Parts.speed`)."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

from tengen.engine.games.base import Game
from tengen.engine.games.parts import load

SEED = 20260701


class Benchmark(NamedTuple):
    """parts: the names of the measurements, in order. figures: row -> figure -> value; it is given the CPU seconds that
    each part may take, and a function that it tells of each part before it is measured."""

    parts: Callable[[], Sequence[str]]
    figures: Callable[[float, Callable[[str], None]], dict[str, dict[str, float]]]


def benchmark_of(game: Game) -> Benchmark:
    """Return the benchmark of a game: its own, else UCT simulations from the start by uniform playouts."""
    if game.parts.speed:
        return cast(Benchmark, load(game.parts.speed))
    part = f"{game.name} uct"

    def figures(budget: float, on_part: Callable[[str], None]) -> dict[str, dict[str, float]]:
        state = game.new_state(game.default_size, game.default_size, game.default_rules, game.default_komi)
        on_part(part)
        rate = uct_rate(state, game.parts.native(game.parts.mcts)("uniform"), budget)
        return {game.name: {"uct_sims_per_cpu_s": round(rate)}}

    return Benchmark(lambda: [part], figures) if game.parts.mcts else Benchmark(lambda: [], lambda budget, on_part: {})


def uct_rate(state: Any, search: Any, budget: float) -> float:
    """UCT simulations a CPU second from an empty board, one thread, a fresh tree each time."""
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
