"""The passes of a fitting (`nets.fitting`), told while they are made: checkpoints, figures, the curve at the end."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tengen.engine import atomic
from tengen.tools.live import Live, Pace

if TYPE_CHECKING:
    from tengen.nets.fitting import Passes


def passes(
    fitting: Passes, out: Path, live: Live, judge: Callable[[float], tuple[dict[str, float], str]]
) -> list[dict[str, float]]:
    """Learn all passes that are left, with a checkpoint beside `out` after each; the figures of all, with their steps.
    judge: figures of a pass and the same in words, by the mean error while it was made. Raises CheckpointError."""
    kept, told = out.with_suffix(".fitting"), list[dict[str, float]]()
    if (kept / "checkpoint.json").exists():
        told = fitting.load(kept)
        live.line(f"going on after pass {fitting.passes}")
    while fitting.passes < fitting.recipe.passes:
        name = f"pass {fitting.passes + 1} of {fitting.recipe.passes}"
        figures, text = judge(fitting.learn(partial(_tell, live, Pace(), name)))
        told.append({"steps": fitting.passes * fitting.steps, **figures})
        fitting.save(kept, told)
        live.line(f"{name}: {text}")
    live.clear()
    return told


def finish(out: Path, told: Sequence[Mapping[str, float]], name: str) -> None:
    """Draw the curve of a figure beside the weights, and remove the checkpoint."""
    from tengen.tools.train.show import plots

    table = {column: [row[column] for row in told] for column in told[0]}
    atomic.write(out.with_suffix(".svg"), plots.losses(table, (name,)).encode())
    shutil.rmtree(out.with_suffix(".fitting"))


def _tell(live: Live, pace: Pace, name: str, done: int, steps: int) -> None:
    live.update([name, f"step {done} of {steps}", f"{pace.left(done, steps)} left"])
