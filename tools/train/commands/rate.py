"""`tengen train rate NAME`: networks of a run play each other, often enough to say which is stronger and by how much.

It reads the run, which may be at work, and keeps what was played beside it: the same command goes on.
"""

from __future__ import annotations

import tempfile
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tengen.tools.executors import choice
from tengen.tools.executors.base import Collected, Unit
from tengen.tools.live import Live, Pace, bar
from tengen.tools.train.run.manifest import Lot
from tengen.tools.train.run.places import existing
from tengen.tools.train.run.plan import RATING_LOT, Plan
from tengen.tools.train.run.runs import Run, locked, look
from tengen.tools.train.show.listing import print_table
from tengen.tools.train.show.rated import COLUMNS, chosen, pairings, ratings, read, table, write

LOCK = "rating.lock"
NETWORKS, GAMES, FAR_GAMES = 6, 200, 40


def rate(values: Namespace) -> int:
    """Play the missing games and print the table. Raises RunError, also while another process rates the run, WorkError,
    OSError."""
    folder = existing(values.words[1])
    run = Run(folder, look(folder))
    until = None if values.until is None else 60 * values.until
    networks = chosen(run.manifest, values.networks or NETWORKS, until)
    run.check([file for network in networks for file in network.files])
    visits = values.visits or run.config.gate.visits
    plan = Plan(run, run.config)
    wished = values.games or GAMES, FAR_GAMES if values.far_games is None else values.far_games
    games, far_games = (-(-count // RATING_LOT) * RATING_LOT for count in wished)
    units = [unit for pair in pairings(networks, games, far_games) for unit in plan.rating(*pair, visits)]
    with locked(folder / LOCK, f"a rating of the run '{run.manifest.name}'"):
        lots = _played(folder, visits, units, values)
    wanted = {unit.name for unit in units}
    print(f"{run.manifest.name}: {visits} visits a move, {games} games of neighbours, {far_games} of all others")
    print_table([COLUMNS, *table(ratings(run.manifest, [lot for lot in lots if lot.unit in wanted]))])
    return 0


def _played(folder: Path, visits: int, units: Sequence[Unit], values: Namespace) -> list[Lot]:
    """All lots of these visits that there are once all units are done."""
    from tengen.tools.train.play.work import work

    lots = read(folder, visits)
    missing = [unit for unit in units if unit.name not in {lot.unit for lot in lots}]
    if not missing:
        return lots
    live, pace, total = Live(), Pace(), len(missing)
    with choice.reached(values) as wire, tempfile.TemporaryDirectory() as scratch:
        who = choice.executor_of(wire, work, values.workers or 0)
        try:
            executor = Collected(who, set())
            for unit in missing:
                executor.submit(replace(unit, draft=str(Path(scratch) / f"{unit.name}.json")))
            done = 0
            while done < total:
                live.update([f"{bar(RATING_LOT * done, RATING_LOT * total)} games", f"{pace.left(done, total)} left"])
                for result in executor.poll(0.5):
                    facts = result.unit.facts
                    lots.append(Lot(result.unit.name, facts["first"], facts["second"], result.figures["scores"]))
                    done += 1
                    write(folder, visits, lots)
        finally:
            who.close()
            live.clear()
    return lots
