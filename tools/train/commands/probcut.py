"""`tengen train probcut FILE.safetensors`: measure what searches by these patterns say at each depth, and keep it.

tengen train probcut mine.safetensors --positions 300 --deepest 10

How far shallow searches foretell deep ones is for ProbCut. What scores of odd and even depths differ by is an error of
the evaluation, which is taken out of it.
"""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from tengen.engine import toml
from tengen.engine.evaluators.backends.cards import card_path, read_network
from tengen.tools.executors import choice
from tengen.tools.jobs import Jobs
from tengen.tools.live import Live, Pace, bar

POSITIONS, DEEPEST = 300, 10
SEED = 1_000_000
"""The seed of the first position."""
MIDDLE = (24, 36)
"""Empty cells at which the evaluation itself is judged."""
SHOWN_EMPTIES, SHOWN_DEPTHS = (50, 40, 30, 20), (4, 6, 8, 10, 12, 16)


def probcut(values: Namespace) -> int:
    """Measure, write, print. Raises NetworkError, OSError, ValueError with one sentence."""
    from tengen.tools.train.fitting import probcut as how
    from tengen.tools.train.fitting.measured import write
    from tengen.tools.train.fitting.tempo import tempo, without

    path = Path(values.words[1])
    read_network(path)  # it and its card belong together
    count, deepest = values.positions or POSITIONS, values.deepest or DEEPEST
    live, pace, found = Live(), Pace(), list[how.Sample]()
    live.update(f"{bar(0, count)} positions")
    with Jobs(values.workers or choice.cores()) as jobs:
        for one in jobs.run(how.sample, [(str(path), deepest, SEED + number) for number in range(count)]):
            found.append(one)
            live.update([f"{bar(len(found), count)} positions", f"{pace.left(len(found), count)} left"])
    live.clear()
    errors = tempo(sorted(found))
    samples = without(sorted(found), errors)
    fitted = how.fit(samples)
    card = toml.read(card_path(path))
    card["probcut"] = {"positions": count, "deepest": deepest, "seed": SEED, "error": round(fitted.error, 4)}
    card["probcut"]["tempo"] = [round(float(errors[empties]), 2) for empties in SHOWN_EMPTIES]
    write(path, fitted, errors, card)
    print(f"{path}: {fitted.pairs} pairs of searches, mean error of a deviation {fitted.error:.1%}")
    least, most = MIDDLE
    judged = sum(least <= one.empties <= most for one in found)
    error = how.evaluation_error(samples, least, most)
    where = f"at {least} to {most} empty cells"
    print(f"the evaluation against {deepest} plies {where}: {error:.2f} discs ({judged} positions)")
    shown = ", ".join(f"{errors[empties]:+.2f} with {empties} empty cells" for empties in SHOWN_EMPTIES)
    print(f"taken out of the evaluation, in discs for the side to move: {shown}")
    print("standard deviations in discs, by empty cells (rows) and depth (columns)")
    print("    " + "".join(f"{deep:7d}" for deep in SHOWN_DEPTHS))
    for empties in SHOWN_EMPTIES:
        row = (fitted.deviation(empties, deep, how.shallow_of(deep)) for deep in SHOWN_DEPTHS)
        print(f"{empties:4d}" + "".join(f"{value:7.2f}" for value in row))
    return 0
