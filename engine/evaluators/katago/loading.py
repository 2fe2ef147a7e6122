"""Loads a KataGo network for play: in the precision asked for, if on this CPU it says there what it says in f32."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from tengen.engine.evaluators.backends import BUCKETS, fast_precisions
from tengen.engine.evaluators.backends.base import NetworkError, Precision
from tengen.engine.evaluators.katago.evaluator import KataGoEvaluator
from tengen.engine.evaluators.katago.model import check_plays, read_model
from tengen.engine.evaluators.katago.network import run_model
from tengen.engine.evaluators.katago.trial import Difference, difference, opinions
from tengen.engine.evaluators.network import Evaluation
from tengen.engine.sentence import excerpt

Wish = Literal["auto", "f32", "bf16"]
"""auto: bf16 where the CPU computes in it, else f32. f16 is slower than f32 on CPUs and has no part here."""
BOUNDS = Difference(policy=0.01, win=0.02)
"""Twice what bf16 may differ by over many positions, because those of the trial are eight. Measured of three networks
over 60 positions on a CPU with avx512_bf16: policy 0.0001 to 0.0013, win rate 0.14 to 0.64 %; where the arithmetic is
wrong, it is wrong by far more."""


class Loaded(NamedTuple):
    """A network ready to play. notice: a sentence for the user, "" for none; difference: what the trial found, None
    where there was nothing to compare."""

    evaluator: KataGoEvaluator
    precision: Precision
    notice: str = ""
    difference: Difference | None = None


def load_for_play(
    path: Path | str,
    *,
    wish: Wish = "auto",
    backend: str | None = None,
    threads: int | None = None,
    buckets: Sequence[int] = BUCKETS,
    is_masked: bool = True,
    go_on: Callable[[], None] = lambda: None,
) -> Loaded:
    """The network of a KataGo file, tried; see `load_katago` for the rest. Raises NetworkError with one sentence.

    go_on: asked between the steps, of which none takes longer than a compilation; what it raises ends the loading.
    """
    model, name = read_model(path), Path(path).name
    check_plays(model.header)

    def made(precision: Precision) -> KataGoEvaluator:
        go_on()
        return KataGoEvaluator(
            run_model(
                model, name, backend=backend, threads=threads, precision=precision, buckets=buckets, is_masked=is_masked
            )
        )

    exact = made("f32")
    if wish == "f32" or (wish == "auto" and "bf16" not in fast_precisions(backend)):
        return Loaded(exact, "f32")
    return _tried(made, exact, name, go_on)


def _tried(
    made: Callable[[Precision], KataGoEvaluator], exact: KataGoEvaluator, name: str, go_on: Callable[[], None]
) -> Loaded:
    """The network in bf16 if it says what it says in f32, else in f32. Raises NetworkError when that says nothing."""
    right = answers(exact, name, go_on)
    fast = made("bf16")
    try:
        found = difference(opinions(fast, go_on), right)
        why = "" if found.is_within(BOUNDS) else f"is another on this CPU than in f32 ({found})"
    except RuntimeError as error:
        found, why = None, f"fails on this CPU ({error})"
    rejected, chosen = (fast, exact) if why else (exact, fast)
    rejected.close()
    if not why:
        return Loaded(chosen, "bf16", difference=found)
    return Loaded(chosen, "f32", f"the network {excerpt(name, 100)} in bf16 {why}: f32 is used", found)


def answers(evaluator: KataGoEvaluator, name: str, go_on: Callable[[], None] = lambda: None) -> list[Evaluation]:
    """What a network says of the positions of the trial. Raises NetworkError when it says nothing that can be used."""
    try:
        return opinions(evaluator, go_on)
    except RuntimeError as error:
        raise NetworkError(f"the network {excerpt(name, 100)} does not run: {error}") from None
