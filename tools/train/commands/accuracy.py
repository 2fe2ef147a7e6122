"""`tengen train accuracy NAME`: how often the network of a run foretells moves of people whose games are held out."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from tengen.tools.executors import choice
from tengen.tools.live import Live
from tengen.tools.train.run.manifest import RunError
from tengen.tools.train.run.places import existing
from tengen.tools.train.run.runs import Run, look
from tengen.tools.train.settings.kinds import ONNX_ENDING
from tengen.tools.train.show.listing import print_table


def accuracy(values: Namespace) -> int:
    """Print a table by ratings. Raises RunError, NetworkError, OSError with one sentence."""
    from tengen.engine.evaluators.network import load_evaluator
    from tengen.tools.train.data import shards
    from tengen.tools.train.data.games import together
    from tengen.tools.train.data.rows import View
    from tengen.tools.train.fitting.accuracy import BAND, Tally, measure

    folder = existing(values.words[1])
    run = Run(folder, look(folder))
    held = [shard for shard in run.manifest.shards if shard.is_record and shard.figures.get("held_out")]
    if not held:
        raise RunError(f"the run '{run.manifest.name}' has no games of people that are held out")
    path = run.path(run.manifest.best.file)
    if path.suffix != ONNX_ENDING:
        raise RunError(f"the network of '{run.manifest.name}' is no {ONNX_ENDING} file")
    run.check([*run.manifest.best.files, *(shard.file for shard in held)])
    evaluator = load_evaluator(path, run.config.board.name, threads=values.workers or choice.cores())
    total, live, whole = sum(shard.positions for shard in held), Live(), Tally()
    share = min(1.0, (values.positions or total) / total)
    bands: dict[int | None, Tally] = {}
    try:
        for shard in held:
            games = shards.read_named(Path(run.path(shard.file)), shard.file.sha256)
            some = [game for number, game in enumerate(games) if int((number + 1) * share) > int(number * share)]
            if not some:
                continue
            answer = lambda planes, numbers: evaluator.submit(planes, numbers).wait().policies  # noqa: E731
            for band, found in measure(answer, View(evaluator.features), together(some)):
                bands.setdefault(band, Tally()).add(found)
                whole.add(found)
                if whole.positions % 1000 == 0:
                    live.update(f"{whole.positions} of about {total * share:.0f} positions")
    finally:
        evaluator.close()
        live.clear()
    rows = [("mover's rating", "positions", "exact move", "from-square", "to-square")]
    known = sorted(band for band in bands if band is not None)
    named = [(f"{band} to {band + BAND - 1}", bands[band]) for band in known]
    named += [("unknown", bands[None])] if None in bands else []
    for name, tally in [*named, ("all", whole)]:
        moves, origins, targets = (f"{share:.1%}" for share in tally.shares())
        rows.append((name, str(tally.positions), moves, origins, targets))
    print(f"{path.name}: likeliest legal moves and likeliest squares, of players that it never learned from")
    print_table(rows)
    return 0
