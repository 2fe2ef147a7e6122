"""Load a KataGo network for play in the requested precision, if its answers on this CPU agree with those in f32."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Literal, NamedTuple

from tengen.engine.evaluators.backends import BUCKETS, make_backend
from tengen.engine.evaluators.backends.base import MakeBackend, NetworkError, Precision
from tengen.engine.evaluators.katago.calibration import ranges
from tengen.engine.evaluators.katago.evaluator import KataGoEvaluator
from tengen.engine.evaluators.katago.model import Model
from tengen.engine.evaluators.katago.network import KataGoNetwork
from tengen.engine.evaluators.katago.reading import read_model
from tengen.engine.evaluators.katago.rounding import Arithmetic, Floats, Rounded, is_faster, weight_share
from tengen.engine.evaluators.katago.source import KataGoSource
from tengen.engine.evaluators.katago.trial import Difference, difference, opinions
from tengen.engine.evaluators.network import Evaluation
from tengen.engine.sentence import excerpt

Wish = Literal["auto", "f32", "bf16", "int8"]
"""auto: what the CPU is fastest in and is right in. f16 is slower than f32 on CPUs and has no part here."""
BOUNDS: Mapping[Precision, Difference] = {
    "bf16": Difference(policy=0.01, win=0.02),
    "int8": Difference(policy=0.04, win=0.06),
}
"""Twice what a precision may differ by over many positions, because those of the trial are eight. Measured of bf16 over
60 positions on a CPU with avx512_bf16: policy 0.0001 to 0.0013, win rate 0.14 to 0.64 %; where the arithmetic is wrong,
it is wrong by far more. Figures of int8 are in docs/benchmarks.md."""


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
    model, name, make = read_model(path), Path(path).name, make_backend(backend)

    def made(precision: Precision) -> KataGoEvaluator:
        go_on()
        arithmetic: Callable[[], Arithmetic] = Floats
        if precision == "int8":
            found = ranges(model, name, make, threads, go_on)
            arithmetic = partial(Rounded, found, share=weight_share())
        source = KataGoSource(model, is_masked=is_masked, arithmetic=arithmetic)
        running = make(source, name, threads=threads, precision=precision, buckets=buckets)
        return KataGoEvaluator(KataGoNetwork(model.header, running))

    exact = made("f32")
    return _tried(made, exact, wishes(model, make, wish), name, go_on)


def wishes(model: Model, make: MakeBackend, wish: Wish) -> Sequence[Precision]:
    """The precisions besides f32 that are tried, in this order."""
    if wish != "auto":
        return [wish] if wish != "f32" else []
    fast = [one for one in make.fast_precisions() if one != "f32" and (one != "int8" or is_faster(model))]
    return fast[::-1]


def _tried(
    made: Callable[[Precision], KataGoEvaluator],
    exact: KataGoEvaluator,
    wished: Sequence[Precision],
    name: str,
    go_on: Callable[[], None],
) -> Loaded:
    """The network in the first precision that says what f32 says, else in f32. Raises NetworkError when that says
    nothing."""
    loaded = Loaded(exact, "f32")
    right = answers(exact, name, go_on) if wished else []
    for precision in wished:
        fast, found, why = _compared(made, precision, right, go_on)
        if fast is not None and not why:
            exact.close()
            return Loaded(fast, precision, loaded.notice, found)
        if fast is not None:
            fast.close()
        used = "f32" if precision == wished[-1] else "another precision"
        notice = f"the network {excerpt(name, 100)} in {precision} {why}: {used} is used"
        loaded = Loaded(exact, "f32", notice, found)
    return loaded


def _compared(
    made: Callable[[Precision], KataGoEvaluator],
    precision: Precision,
    right: list[Evaluation],
    go_on: Callable[[], None],
) -> tuple[KataGoEvaluator | None, Difference | None, str]:
    """The network in a precision, how far it is from what is right, and what is wrong with it: "" for nothing."""
    fast = None
    try:
        fast = made(precision)
        found = difference(opinions(fast, go_on), right)
    except RuntimeError as error:
        return fast, None, f"fails on this CPU ({error})"
    bad = not found.is_within(BOUNDS[precision])
    return fast, found, f"is another on this CPU than in f32 ({found})" if bad else ""


def answers(evaluator: KataGoEvaluator, name: str, go_on: Callable[[], None] = lambda: None) -> list[Evaluation]:
    """Return a network's evaluations of the positions of the trial. Raises NetworkError when it says nothing that can
    be used."""
    try:
        return opinions(evaluator, go_on)
    except RuntimeError as error:
        raise NetworkError(f"the network {excerpt(name, 100)} does not run: {error}") from None
