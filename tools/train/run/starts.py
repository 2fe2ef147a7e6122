"""Games of people that the lessons of a run begin with (`teacher.games`): gathered once, into a file of the run."""

from __future__ import annotations

import hashlib
from pathlib import Path

from tengen.engine import files
from tengen.tools.live import Live
from tengen.tools.train.records.from_record import Choice
from tengen.tools.train.records.lines import lines, sentences
from tengen.tools.train.run.manifest import RunError
from tengen.tools.train.run.runs import Run
from tengen.tools.train.settings.config import RunConfig


def starts_path(folder: Path, config: RunConfig) -> Path | None:
    """Return the file of the games for these settings; None if the run uses none."""
    if not (config.teacher.file and config.teacher.games):
        return None
    asked = f"{config.teacher.games}\n{config.board.sizes}"
    return folder / f"starts-{hashlib.sha256(asked.encode()).hexdigest()[:8]}.npz"


def take_starts(run: Run, live: Live) -> None:
    """Gather the games unless the file exists. Raises RunError if there are none, OSError."""
    from tengen.tools.train.data import shards

    path = starts_path(run.folder, run.config)
    if path is None or path.exists():
        return
    config, source = run.config, Path(run.config.teacher.games).expanduser()
    choice = Choice(config.board.name, handicap=True, shortest=0, sizes=config.board.sizes, needs_result=False)
    kept, summary = lines(
        source, choice, config.seed,
        tell=lambda found: live.update(f"reading records: {found.files} files, {found.games} games"),
    )  # fmt: skip
    for line in sentences(len(kept), summary):
        live.line(line)
    if not kept:
        raise RunError(f"teacher.games: no game in '{source}' can be begun with")
    with files.writing(path):
        shards.write(path, kept)
    run.event("starts", source=str(source), games=len(kept), skipped=summary.bad)
