"""The ranges that a network is rounded by (`rounding`): what its convolutions take on real positions.

The positions are made by the network itself. Beginning at those of the trial (`trial`), it plays some moves on by its
own policy, drawn with a fixed seed; each position that comes up is looked at. The trial's own are not among them.
What was found is kept on disk by the SHA-256 of the network's weights.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tengen.engine.evaluators import cache
from tengen.engine.evaluators.backends.base import Backend, MakeBackend
from tengen.engine.evaluators.katago.model import Header, Model
from tengen.engine.evaluators.katago.rounding import Observed, Range, fingerprint, tensors
from tengen.engine.evaluators.katago.source import KataGoSource
from tengen.engine.evaluators.katago.trial import GAMES, Line, encoded, lines, metadata_of

if TYPE_CHECKING:
    from numpy import float32
    from numpy.random import Generator
    from numpy.typing import NDArray

AHEAD = 4
"""Moves that each game goes on: positions of the trial times this are looked at."""
SEED = 2024
FORMAT = 1
"""The format of the kept ranges; it changes when ranges are found in another way."""
PART, MOST_BYTES = "ranges", 1 << 20
_BUCKETS = (4,)


def ranges(
    model: Model, name: str, make: MakeBackend, threads: int | None, go_on: Callable[[], None] = lambda: None
) -> tuple[Range, ...]:
    """Those that are kept of this network, else found now and kept. Raises as `calibrated`."""
    key = f"{fingerprint(model)}-{FORMAT}.json"
    kept = _parsed(cache.read(PART, key))
    if kept is not None and len(kept) == tensors(model):
        return kept
    found = calibrated(model, name, make, threads, go_on)
    cache.keep(PART, key, json.dumps(found).encode(), most=MOST_BYTES)
    return found


def _parsed(data: bytes | None) -> tuple[Range, ...] | None:
    """None for what is no list of pairs of finite numbers, the first at most 0, the second at least."""
    import math

    try:
        rows: Any = json.loads(data or b"")
        found = tuple(Range(float(low), float(high)) for low, high in rows)
    except (ValueError, TypeError, RecursionError):
        return None
    return found if all(-math.inf < low <= 0 <= high < math.inf for low, high in found) else None


def calibrated(
    model: Model, name: str, make: MakeBackend, threads: int | None, go_on: Callable[[], None] = lambda: None
) -> tuple[Range, ...]:
    """The ranges of a network's tensors, in order. Raises NetworkError, and RuntimeError when it does not run."""
    import numpy as np

    source = KataGoSource(model, is_masked=False, arithmetic=Observed)
    backend = make(source, name, threads=threads, precision="f32", buckets=_BUCKETS)
    try:
        found = []
        for size in GAMES:
            go_on()
            found.append(_extremes(backend, size, model.header))
    finally:
        backend.close()
    low, high = np.min([low for low, _ in found], 0), np.max([high for _, high in found], 0)
    if not np.isfinite([low, high]).all():
        raise RuntimeError("what it computes has no bounds")
    return tuple(Range(min(float(least), 0.0), max(float(most), 0.0)) for least, most in zip(low, high, strict=True))


def _extremes(backend: Backend, size: int, header: Header) -> tuple[NDArray[float32], NDArray[float32]]:
    """Least and largest of each tensor over the games of that size."""
    import numpy as np

    random, games = np.random.default_rng(SEED), lines(size)
    answers = backend.run(_inputs(games, header))
    seen = []
    for _ in range(AHEAD):
        for game, logits in zip(games, answers["policy"][:, 0], strict=True):
            _play_on(game, logits, random)
        answers = backend.run(_inputs(games, header))
        seen.append((answers["low"].min(0), answers["high"].max(0)))
    return np.min([low for low, _ in seen], 0), np.max([high for _, high in seen], 0)


def _inputs(games: Sequence[Line], header: Header) -> dict[str, NDArray[float32]]:
    import numpy as np

    planes, numbers = zip(*(encoded(game, header.has_suicide_life) for game in games), strict=True)
    found = {"planes": np.stack(planes), "globals": np.stack(numbers)}
    return {**found, "metadata": metadata_of(games)} if header.has_metadata else found


def _play_on(game: Line, logits: NDArray[float32], random: Generator) -> None:
    """One move by the policy; a game that is over stays."""
    import numpy as np

    legal = game.state.legal_moves()
    if not legal:
        return
    chosen = logits[legal].astype(np.float64)
    shares = np.exp(chosen - chosen.max()) + np.finfo(np.float64).tiny
    game.play(legal[int(random.choice(len(legal), p=shares / shares.sum()))])
