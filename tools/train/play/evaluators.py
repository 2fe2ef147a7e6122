"""The networks of a run as evaluators of batches: loaded for one purpose, closed by their loader."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from tengen.tools.train.settings.kinds import KATAGO_ENDING
from tengen.tools.train.settings.sections import AUTO

if TYPE_CHECKING:
    from tengen.engine.evaluators.backends.base import Precision
    from tengen.engine.evaluators.katago.evaluator import KataGoEvaluator
    from tengen.engine.evaluators.katago.loading import Wish
    from tengen.engine.evaluators.network import BatchEvaluator

BUCKETS = (1, 8, 16, 32, 64)
"""Sizes of batches that are compiled, each when it first comes."""


def load(path: str, game: str, precision: str, device: str, batch: int) -> BatchEvaluator:
    """A network of a game, for batches of this size, on one thread. Raises NetworkError."""
    if path.endswith(KATAGO_ENDING):
        return load_go(path, precision, device, batch)
    from tengen.engine.evaluators.backends import backend_for
    from tengen.engine.evaluators.network import load_evaluator

    exact = cast("Precision", "f32" if precision == AUTO else precision)
    backend = backend_for(device)
    return load_evaluator(path, game, backend=backend, threads=1, precision=exact, buckets=_buckets(batch))


def load_go(path: str, precision: str, device: str = "cpu", batch: int = BUCKETS[-1]) -> KataGoEvaluator:
    """A KataGo network, the same."""
    from tengen.engine.evaluators.backends import backend_for
    from tengen.engine.evaluators.katago.loading import load_for_play

    wish, backend = cast("Wish", precision), backend_for(device)
    loaded = load_for_play(path, wish=wish, backend=backend, threads=1, buckets=_buckets(batch), is_masked=False)
    return loaded.evaluator


def _buckets(batch: int) -> tuple[int, ...]:
    return tuple(sorted({*(size for size in BUCKETS if size < batch), batch}))
