"""Measure the positions that a network answers in a CPU-second on this machine, and estimate the strength of play."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from pathlib import Path

from tengen.engine.evaluators.backends import fast_precisions
from tengen.engine.evaluators.backends.base import Precision
from tengen.engine.evaluators.katago.evaluator import KataGoEvaluator
from tengen.engine.evaluators.katago.loading import load_for_play
from tengen.engine.evaluators.katago.trial import inputs
from tengen.tools.live import Live
from tengen.tools.net.checking import facts, machine

PLENTY, ENOUGH = 300, 50
"""Positions a CPU-second: hundreds of visits a move at once, and with some patience."""
NO_BF16 = "On a CPU that is fast in f32 alone, networks of 6 to 10 blocks are the ones to play with."


def measure(
    path: Path, sizes: Sequence[int], batches: Sequence[int], seconds: float, backend: str | None = None
) -> int:
    """Print the table and the advice. Raises NetworkError for a network that cannot be used."""
    precisions = fast_precisions(backend)
    print(facts(path))
    print(f"{machine()}, one thread; positions per CPU-second")
    print(f"{'board':7}{'precision':11}" + "".join(f"{f'batch {batch}':>11}" for batch in batches), flush=True)
    best: dict[int, tuple[float, Precision]] = {}
    with Live(is_patient=True) as live:
        for precision in precisions:
            live.update(f"loading it in {precision}")
            loaded = load_for_play(
                path, wish=precision, backend=backend, threads=1, buckets=tuple(batches), is_masked=False
            )
            if loaded.notice:
                live.result(loaded.notice)
                continue
            for size in sizes:
                live.update(f"measuring {precision} on {size}x{size}")
                rates = [rate(loaded.evaluator, size, batch, seconds) for batch in batches]
                live.result(f"{f'{size}x{size}':7}{precision:11}" + "".join(f"{rate:>11,.0f}" for rate in rates))
                best[size] = max(best.get(size, (0.0, precision)), (max(rates), precision))
            loaded.evaluator.close()
    print("\n".join(advice(best)))
    return 0


def rate(evaluator: KataGoEvaluator, size: int, batch: int, seconds: float) -> float:
    """Positions per CPU-second of the process."""
    import numpy as np

    planes, numbers = inputs(size, suicide_in_life=evaluator.suicide_in_life)
    rows = np.resize(np.arange(len(planes)), batch)
    planes, numbers = planes[rows], numbers[rows]
    evaluator.submit(planes, numbers).wait()  # compiled now
    count, start = 0, time.process_time()
    while not count or time.process_time() - start < seconds:
        evaluator.submit(planes, numbers).wait()
        count += batch
    return count / (time.process_time() - start)


def advice(best: dict[int, tuple[float, Precision]]) -> list[str]:
    """Describe the use of the best rates by board size, a line each."""
    lines = []
    for size, (rate, precision) in sorted(best.items()):
        if rate >= PLENTY:
            use = "a second a move is plenty"
        elif rate >= ENOUGH:
            use = f"give it {math.ceil(PLENTY / rate)} seconds a move, or so many threads"
        else:
            use = "slow here: take a network of fewer blocks or channels, or play with few visits"
        lines.append(f"{size}x{size}: up to {rate:,.0f} visits in a CPU-second ({precision}); {use}.")
    if all(precision == "f32" for _, precision in best.values()):
        lines.append(NO_BF16)
    return lines
