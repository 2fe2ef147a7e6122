"""`tengen train fit DIR... -o FILE.safetensors`: patterns from a complete set of games that `tengen selfplay` wrote.

    tengen selfplay tengen-reversi.safetensors --games 100000 --out games --set search.depth=8
    tengen train fit games -o mine.safetensors

After each pass it keeps a checkpoint beside the file, from which the same command goes on.
"""

from __future__ import annotations

import shutil
from argparse import Namespace
from functools import partial
from pathlib import Path

from tengen.engine import atomic
from tengen.engine.config import ConfigError, nearest
from tengen.tools.executors import choice
from tengen.tools.live import Live, Pace
from tengen.tools.train.kinds import LOOKING_AHEAD, PATTERN_NETWORK, WEIGHTS_ENDING

MIDDLE = (24, 36)
"""Empty cells of the positions that are judged apart."""


def fit(values: Namespace) -> int:
    """Read, learn, write, print. Raises ValueError, OSError with one sentence."""
    kind, out = values.kind or PATTERN_NETWORK, Path(values.out or "")
    if kind not in LOOKING_AHEAD:
        raise ConfigError(f"there are no patterns of the kind {kind}{nearest(kind, LOOKING_AHEAD)}")
    if out.suffix != WEIGHTS_ENDING:
        raise ConfigError(f"say where to write the patterns: -o NAME{WEIGHTS_ENDING}")
    import torch

    from tengen.engine.evaluators.backends.features import feature_set
    from tengen.nets.fitting import FitRecipe, Fitting
    from tengen.nets.models import build
    from tengen.nets.patterns import FEATURES, Patterns
    from tengen.nets.publish import export
    from tengen.nets.spec import ModelSpec
    from tengen.tools.train import plots
    from tengen.tools.train.fit import files_of, read
    from tengen.tools.train.probcut import GAME

    usual = FitRecipe()
    recipe = FitRecipe(values.passes or usual.passes, values.rate or usual.rate)
    torch.manual_seed(recipe.seed)
    torch.set_num_threads(values.workers or choice.cores())
    model = build(ModelSpec(kind), feature_set(GAME, FEATURES), (8, 8))
    assert isinstance(model, Patterns)
    files, held_files = files_of(values.words[1:])
    live = Live()
    learned = read(model, files, lambda done: live.update(f"{done} of {len(files)} files read"))
    held = read(model, held_files)
    live.line(f"{len(learned.labels)} positions to learn from, {len(held.labels)} held out")
    fitting, kept = Fitting(model, learned, recipe), out.with_suffix(".fitting")
    told: list[dict[str, float]] = []
    if (kept / "checkpoint.json").exists():
        told = fitting.load(kept)
        live.line(f"going on after pass {fitting.passes}")
    while fitting.passes < recipe.passes:
        name = f"pass {fitting.passes + 1} of {recipe.passes}"
        error = fitting.learn(partial(_tell, live, Pace(), name))
        apart = fitting.error(held)
        told.append({"steps": fitting.passes * fitting.steps, "margin_error": error, "held_margin_error": apart})
        fitting.save(kept, told)
        middle = f"at {MIDDLE[0]} to {MIDDLE[1]} empty cells {fitting.error(held, *MIDDLE):.3f}"
        live.line(f"{name}: mean error {error:.3f} discs, held out {apart:.3f}, {middle}")
    live.clear()
    card = {
        "name": out.stem, "purpose": "plays Reversi", "licence": "MIT",
        "training": {
            "data": f"{len(learned.labels)} positions of {len(files)} files of games",
            "command": f"tengen train fit --kind {kind} --passes {recipe.passes} --rate {recipe.rate:g}",
        },
        "figures": {"held out, by passes": [round(row["held_margin_error"], 3) for row in told]},
    }  # fmt: skip
    export(model, out, card)
    table = {column: [row[column] for row in told] for column in told[0]}
    atomic.write(out.with_suffix(".svg"), plots.losses(table, ("margin_error",)).encode())
    shutil.rmtree(kept)
    print(f"{out}: now measure how far searches by it foretell each other: tengen train probcut {out}")
    return 0


def _tell(live: Live, pace: Pace, name: str, done: int, steps: int) -> None:
    live.update(f"{name} | {pace.left(done, steps)} left")
