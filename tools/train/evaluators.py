"""The networks of a run as what answers batches: loaded for one purpose, closed by whoever loaded them."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from tengen.engine.evaluators.katago.evaluator import KataGoEvaluator
    from tengen.engine.evaluators.katago.loading import Wish

BUCKETS = (1, 8, 16, 32, 64)
"""Sizes of batches that are compiled, each when it first comes."""


def load_go(path: str, precision: str, threads: int = 1, batch: int = BUCKETS[-1]) -> KataGoEvaluator:
    """A network of Go. Raises NetworkError."""
    from tengen.engine.evaluators.katago.loading import load_for_play

    buckets = tuple(sorted({*(size for size in BUCKETS if size < batch), batch}))
    wish = cast("Wish", precision)
    return load_for_play(path, wish=wish, threads=threads, buckets=buckets, is_masked=False).evaluator
