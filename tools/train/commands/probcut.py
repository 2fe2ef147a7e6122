"""`tengen train probcut FILE.safetensors`: measure what searches by these patterns say at each depth, and keep it.

tengen train probcut mine.safetensors --positions 1200 --deepest 10

How far shallow searches foretell deep ones is for ProbCut. What searches are wrong by on the average, with so many
empty cells at their leaves, is taken out of the evaluation.
"""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from tengen.engine import toml
from tengen.engine.evaluators.backends.cards import card_path, read_network
from tengen.tools.executors import choice
from tengen.tools.jobs import Jobs
from tengen.tools.live import Live, Pace, bar

POSITIONS, DEEPEST = 1200, 10
SEED = 1_000_000
"""The seed of the first position."""
MIDDLE = (24, 36)
"""Empty cells at which the evaluation itself is judged."""
SHOWN_EMPTIES, SHOWN_DEPTHS = (50, 40, 30, 20), (4, 6, 8, 10, 12, 16)
SHOWN_ERRORS = (40, 39, 30, 29, 20, 19, 14, 13)


def probcut(values: Namespace) -> int:
    """Measure, write, print. Raises NetworkError, OSError, ValueError with one sentence."""
    from tengen.tools.train.fitting import probcut as how
    from tengen.tools.train.fitting.leaf_errors import leaf_errors, without
    from tengen.tools.train.fitting.measured import write

    path = Path(values.words[1])
    read_network(path)  # it and its card belong together
    count, deepest = values.positions or POSITIONS, values.deepest or DEEPEST
    live, pace, done = Live(), Pace(), 0
    found: dict[bool, list[how.Sample]] = {True: [], False: []}
    live.update(f"{bar(0, 2 * count)} positions")
    with Jobs(values.workers or choice.cores()) as jobs:
        for is_played, kept in found.items():
            asked = [(str(path), deepest, SEED + number, is_played) for number in range(count)]
            for one in jobs.run(how.sample, asked):
                kept.append(one)
                done += 1
                live.update([f"{bar(done, 2 * count)} positions", f"{pace.left(done, 2 * count)} left"])
    live.clear()
    errors = leaf_errors(sorted(found[True]))
    samples = without(sorted(found[False]), errors)
    fitted = how.fit(samples)
    card = toml.read(card_path(path))
    card["probcut"] = {"positions": count, "deepest": deepest, "seed": SEED, "error": round(fitted.error, 4)}
    card["probcut"]["leaf errors"] = {str(empties): round(float(errors[empties]), 2) for empties in SHOWN_ERRORS}
    write(path, fitted, errors, card)
    print(f"{path}: {fitted.pairs} pairs of searches, mean error of a deviation {fitted.error:.1%}")
    least, most = MIDDLE
    judged = sum(least <= one.empties <= most for one in samples)
    error = how.evaluation_error(samples, least, most)
    where = f"at {least} to {most} empty cells"
    print(f"the evaluation against {deepest} plies {where}: {error:.2f} discs ({judged} positions)")
    if errors.any():
        print("taken out of the evaluation, in discs for the side to move, by empty cells:")
        print("".join(f"{empties:7d}" for empties in SHOWN_ERRORS))
        print("".join(f"{errors[empties]:+7.2f}" for empties in SHOWN_ERRORS))
    else:
        print("too few searches to tell what they are wrong by: give more --positions")
    print("standard deviations in discs, by empty cells (rows) and depth (columns)")
    print("    " + "".join(f"{deep:7d}" for deep in SHOWN_DEPTHS))
    for empties in SHOWN_EMPTIES:
        row = (fitted.deviation(empties, deep, how.shallow_of(deep)) for deep in SHOWN_DEPTHS)
        print(f"{empties:4d}" + "".join(f"{value:7.2f}" for value in row))
    return 0
