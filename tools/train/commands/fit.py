"""`tengen train fit DIR... -o FILE.safetensors`: weights from a complete set of games, or of labelled positions.

    tengen selfplay tengen-reversi.safetensors --games 100000 --out games --set search.depth=8
    tengen train fit games -o mine.safetensors               patterns of Reversi
    tengen train fit labelled -o chess.safetensors           a network of chess (tools/train/chess)
    tengen train fit own -o lines.safetensors                a network of Gomoku (tools/train/gomoku)

After each pass it keeps a checkpoint beside the file, from which the same command goes on.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from tengen.engine.config import ConfigError, nearest
from tengen.tools.executors import choice
from tengen.tools.live import Live, bar
from tengen.tools.locking import beside
from tengen.tools.train.fitting.passes import finish, passes
from tengen.tools.train.settings.kinds import (
    CHESS_NETWORK,
    LINE_NETWORK,
    LOOKING_AHEAD,
    PATTERN_NETWORK,
    WEIGHTS_ENDING,
)

MIDDLE = (24, 36)
"""Empty cells of the positions that are judged apart."""


def fit(values: Namespace) -> int:
    """Read, learn, write, print. Raises ValueError, OSError with one sentence."""
    folders, out = values.words[1:], Path(values.out or "")
    kind = values.kind or _kind_of(folders)
    known = (*LOOKING_AHEAD, CHESS_NETWORK, LINE_NETWORK)
    if kind not in known:
        raise ConfigError(f"there are no weights of the kind {kind}{nearest(kind, known)}")
    if out.suffix != WEIGHTS_ENDING:
        raise ConfigError(f"say where to write the weights: -o NAME{WEIGHTS_ENDING}")
    if kind == CHESS_NETWORK:
        from tengen.tools.train.fitting.chess import fit_chess

        with beside(out, "learns"):
            return fit_chess(folders, out, values)
    of_chess = ("width", "king_buckets")
    for name in of_chess if kind == LINE_NETWORK else (*of_chess, "results", "weights"):
        if getattr(values, name) is not None:
            raise ConfigError(f"--{name.replace('_', '-')} is of a {CHESS_NETWORK}, and this learns {kind}")
    if kind == LINE_NETWORK:
        from tengen.tools.train.fitting.lines import fit_lines

        with beside(out, "learns"):
            return fit_lines(folders, out, values)
    with beside(out, "learns"):
        return _fit_patterns(kind, folders, out, values)


def _kind_of(folders: Sequence[str]) -> str:
    """What is learned from such files as the first one."""
    first = next((path for folder in folders for path in sorted(Path(folder).glob("*.npz"))), None)
    if first is None:
        return PATTERN_NETWORK
    from tengen.tools.train.data import positions
    from tengen.tools.train.gomoku.games import is_searched

    if positions.is_labelled(first):
        return CHESS_NETWORK
    return LINE_NETWORK if is_searched(first) else PATTERN_NETWORK


def _fit_patterns(kind: str, folders: Sequence[str], out: Path, values: Namespace) -> int:
    import torch

    from tengen.engine.evaluators.backends.features import feature_set
    from tengen.nets.fitting import FitRecipe, Fitting
    from tengen.nets.models import build
    from tengen.nets.patterns import FEATURES, Patterns
    from tengen.nets.publish import export
    from tengen.nets.spec import ModelSpec
    from tengen.tools.train.fitting.patterns import files_of, read
    from tengen.tools.train.fitting.probcut import GAME

    usual = FitRecipe()
    recipe = FitRecipe(values.passes or usual.passes, values.rate or usual.rate)
    torch.manual_seed(recipe.seed)
    torch.set_num_threads(values.workers or choice.cores())
    model = build(ModelSpec(kind), feature_set(GAME, FEATURES), (8, 8))
    assert isinstance(model, Patterns)
    files, held_files = files_of(folders)
    live = Live()
    learned = read(files, lambda done: live.update(f"{bar(done, len(files))} files read"))
    held = read(held_files)
    live.line(f"{len(learned.labels)} positions to learn from, {len(held.labels)} held out")
    fitting = Fitting(model, learned, recipe)

    def judge(error: float) -> tuple[dict[str, float], str]:
        apart, middle = fitting.error(held), fitting.error(held, *MIDDLE)
        text = f"mean error {error:.3f} discs, held out {apart:.3f}, at {MIDDLE[0]} to {MIDDLE[1]} empty cells "
        return {"margin_error": error, "held_margin_error": apart}, f"{text}{middle:.3f}"

    told = passes(fitting, out, live, judge)
    card = {
        "name": out.stem, "purpose": "plays Reversi", "licence": "MIT",
        "training": {
            "data": f"{len(learned.labels)} positions of {len(files)} files of games",
            "command": f"tengen train fit --kind {kind} --passes {recipe.passes} --rate {recipe.rate:g}",
        },
        "figures": {"held out, by passes": [round(row["held_margin_error"], 3) for row in told]},
    }  # fmt: skip
    export(model, out, card)
    finish(out, told, "margin_error")
    print(f"{out}: now measure how far searches by it foretell each other: tengen train probcut {out}")
    return 0
