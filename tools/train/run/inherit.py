"""Games of another run as the first ones of a new run (`--from-run`): so a larger network learns in minutes what a
smaller one played in hours."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tengen.engine import atomic
from tengen.tools.live import Live
from tengen.tools.train.run.learn import window_plan
from tengen.tools.train.run.manifest import Manifest, RunError, Shard
from tengen.tools.train.run.runs import Run, look
from tengen.tools.train.settings.config import RunConfig, merge


def take_over(run: Run, source: Path, live: Live) -> None:
    """Copy the newest games that the run's window has room for, unless it has some; they count all at once.

    Raises RunError for a run that has begun without, one of another game or of a size that the new one has not,
    or one that is damaged.
    """
    if any(shard.is_inherited for shard in run.manifest.shards):
        return
    if run.manifest.networks or not all(shard.is_record for shard in run.manifest.shards):
        raise RunError("the run has begun without those games: begin another one by --name")
    other = look(source)
    _check(merge(RunConfig(), other.config), run.config, other.name)
    chosen = _newest(other, window_plan(run.config.window).rows(other.positions))
    if not chosen:
        raise RunError(f"the run '{other.name}' has no games of its own yet")
    draft = run.draft("inherited")
    draft.mkdir()
    taken: list[Shard] = []
    for shard in chosen:
        live.update(f"taking over games of {other.name}: {len(taken)}/{len(chosen)} files")
        taken.append(_copied(run, source, shard, draft))
    run.commit(shards=(*taken, *run.manifest.shards))
    games, positions = run.manifest.games, run.manifest.positions
    run.event("inherited", source=other.name, games=games, positions=positions)
    live.line(f"begins with {games} games of {other.name}, {positions} positions")


def _check(theirs: RunConfig, ours: RunConfig, name: str) -> None:
    if theirs.board.name != ours.board.name or not {*theirs.board.sizes} <= {*ours.board.sizes}:
        what = f"{theirs.board.name} on {theirs.board.size}, the new one of {ours.board.name} on {ours.board.size}"
        raise RunError(f"the run '{name}' is one of {what}: its games are of no use to it")


def _newest(other: Manifest, rows: int) -> Sequence[Shard]:
    """Files of self-play with so many positions, or a few more; oldest first."""
    found: list[Shard] = []
    for shard in reversed([one for one in other.shards if not one.is_record]):
        if sum(one.positions for one in found) >= rows:
            break
        found.append(shard)
    return found[::-1]


def _copied(run: Run, source: Path, shard: Shard, draft: Path) -> Shard:
    copy = draft / Path(shard.file.path).name
    try:
        shutil.copyfile(source / shard.file.path, copy)
    except OSError as error:
        raise RunError(f"cannot read '{source / shard.file.path}': {error.strerror}") from None
    if atomic.digest(copy) != shard.file.sha256:
        raise RunError(f"'{source / shard.file.path}' is not what its run wrote")
    (file,) = run.adopt(copy, f"shards/{copy.stem}-{run.token}.npz")
    return replace(shard, file=file, unit=f"inherited-{shard.unit}", figures={**shard.figures, "inherited": 1.0})
