"""Visits per CPU-second of the search against what the back end answers by itself: what the search costs.

Both are measured in turns at one batch, board and precision: the tree is fresh, warmed up until its batches are full,
and then timed. A visit that needs no answer (the end of a game, a position that was seen) counts as any other.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from tengen.engine.evaluators.backends import fast_precisions
from tengen.engine.evaluators.katago.evaluator import KataGoEvaluator
from tengen.engine.evaluators.katago.loading import load_for_play
from tengen.engine.evaluators.katago.trial import lines
from tengen.engine.limits import Limits
from tengen.engine.search.batching import VISITS_A_LEAF
from tengen.tools.live import Live
from tengen.tools.net.checking import facts, machine
from tengen.tools.net.measuring import rate

REPETITIONS = 5
FULL = 2 * VISITS_A_LEAF + 8
"""Visits for each leaf of a batch, after which two batches are full, and more."""
LEAST_BATCHES = 8
MEMORY_MB = 256


def measure_search(
    path: Path, sizes: Sequence[int], batches: Sequence[int], seconds: float, backend: str | None = None
) -> int:
    """Print a line for each board, precision and batch. Raises NetworkError for a network that cannot be used."""
    print(facts(path))
    print(f"{machine()}, one thread; per CPU-second, medians of {REPETITIONS}", flush=True)
    print(f"{'board':7}{'precision':11}{'batch':>5}{'positions':>11}{'visits':>9}{'share':>7}")
    with Live(is_patient=True) as live:
        for precision in fast_precisions(backend):
            live.update(f"loading it in {precision}")
            loaded = load_for_play(
                path, wish=precision, backend=backend, threads=1, buckets=_buckets(batches), is_masked=False
            )
            if loaded.notice:
                live.result(loaded.notice)
                continue
            for size in sizes:
                for batch in batches:
                    live.update(f"measuring {precision} on {size}x{size}, batch {batch}")
                    own, visits = _both(loaded.evaluator, size, batch, seconds)
                    name = f"{size}x{size}"
                    live.result(f"{name:7}{precision:11}{batch:>5}{own:>11,.0f}{visits:>9,.0f}{visits / own:>7.0%}")
            loaded.evaluator.close()
    return 0


def _buckets(batches: Sequence[int]) -> tuple[int, ...]:
    """What a search with such batches asks for."""
    powers = {1 << n for n in range(max(batches).bit_length())}
    return tuple(sorted(powers | set(batches)))


def _both(evaluator: KataGoEvaluator, size: int, batch: int, seconds: float) -> tuple[float, float]:
    """Positions of the back end and visits of the search, measured in turns."""
    found = []
    for seed in range(REPETITIONS):
        own = rate(evaluator, size, batch, seconds)
        count = max(LEAST_BATCHES * batch, int(own * seconds))
        found.append((own, _visits(evaluator, size, batch, count, seed)))
    own_rates, visits = zip(*found, strict=True)
    return median(own_rates), median(visits)


def _visits(evaluator: KataGoEvaluator, size: int, batch: int, count: int, seed: int) -> float:
    """Visits per CPU-second of a search that goes on for about so many, at a position with some stones."""
    from tengen.engine._core import StopToken
    from tengen.engine.games.go.game import GO
    from tengen.engine.search import make_search
    from tengen.engine.search.base import Root
    from tengen.engine.search.guide import NetworkSearch

    options = {"puct.seed": seed, "puct.memory_mb": MEMORY_MB, "puct.batch": batch, "puct.threads": 1}
    search = make_search(GO, "puct", options)
    assert isinstance(search, NetworkSearch)
    search.use(lambda _size: evaluator)
    line = lines(size)[-1] if size < 19 else lines(size)[1]
    root = Root(line.state, recent=line.moves[-5:], earlier=line.before[-2:])
    before = search.run(root, Limits(visits=FULL * batch), StopToken()).visits
    start = time.process_time()
    after = search.run(root, Limits(visits=before + count), StopToken()).visits
    return (after - before) / (time.process_time() - start)
