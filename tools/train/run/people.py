"""Games of people in a run: read from records once, when the run begins (`--from-records`)."""

from __future__ import annotations

from pathlib import Path

from tengen.tools.live import Live
from tengen.tools.train.data.shards import ShardEntry
from tengen.tools.train.records.from_record import Choice
from tengen.tools.train.records.gathering import Summary, gather
from tengen.tools.train.run.manifest import RECORD, RunError, Shard
from tengen.tools.train.run.runs import Run


def take_in(run: Run, source: Path, min_rating: float | None, live: Live) -> None:
    """Read the records, unless the run has some; they count all at once. Raises RunError, OSError."""
    if any(shard.is_record for shard in run.manifest.shards):
        return
    if run.manifest.networks:
        raise RunError("the run has begun without records: begin another one by --name")
    config = run.config
    draft = run.draft("records")
    choice = Choice(config.board.name, min_rating, sizes=config.board.sizes)

    def tell(summary: Summary) -> None:
        live.update(f"reading records: {summary.files} files, {summary.games} games to learn from")

    found = gather(source, draft, choice, held_out=config.records.players, tell=tell)
    for line in found.summary.lines():
        live.line(line)
    if not found.train:
        raise RunError(f"no game in '{source}' can be learned from")
    shards = [_adopted(run, draft / entry.name, entry, False) for entry in found.train]
    shards += [_adopted(run, draft / entry.name, entry, True) for entry in found.held_out]
    run.commit(shards=(*run.manifest.shards, *shards))
    run.event("records", source=str(source), games=found.summary.games, held_out=found.summary.held_out)


def _adopted(run: Run, path: Path, entry: ShardEntry, is_held_out: bool) -> Shard:
    (file,) = run.adopt(path, f"shards/{path.stem}-{run.token}.npz")
    figures = {"held_out": float(is_held_out)}
    return Shard(file, f"records-{path.stem}", RECORD, entry.games, entry.rows, figures)
