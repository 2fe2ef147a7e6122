"""The meaning of the outputs of a KataGo network: probabilities, points on the board and owners, for the side to
move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tengen.engine import _core
from tengen.engine.evaluators.katago.model import Header
from tengen.engine.evaluators.network import Evaluation

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    Arrays = Mapping[str, NDArray[float32]]

FACTS = ("score_mean", "score_stdev", "var_time_left", "shortterm_value_error", "shortterm_score_error")
FIRST_WITH_ERRORS = 9
"""The version from which networks say something of errors that can be used; before, they have the first two facts."""


def evaluation(
    header: Header, outputs: Arrays, numbers: NDArray[float32], optimism: float | NDArray[float32] = 0.0
) -> Evaluation:
    """The outputs of `source` for positions with these globals, by the core (`core/bind/katago_answers.cpp`).

    policies: points row by row from the top, then a pass; optimism: from 0 to 1, how far to the optimistic policy,
    where the network has one, for all rows or for each. values: win, no result, loss. scores: the lead. extras, a row
    each: "score_mean", "score_stdev" (of self-play to the end), "ownership" from -1 to 1 (n x cells), and where the
    network has them "var_time_left", "shortterm_value_error" and "shortterm_score_error".
    """
    import numpy as np

    scales, policy, owners = header.scales, outputs["policy"], outputs["ownership"]
    shares = None
    if policy.shape[1] > 1:
        shares = np.empty(len(policy), np.float32)
        shares[:] = optimism
    policies, values, scores, ownership, facts = _core.katago_answers(
        policy, outputs["value"], outputs["score"], owners.reshape(len(owners), -1), numbers, shares,
        (
            scales.score_mean, scales.score_stdev, scales.lead, scales.variance_time, scales.shortterm_value_error,
            scales.shortterm_score_error,
        ),
        header.version,
    )  # fmt: skip
    known = FACTS if header.version >= FIRST_WITH_ERRORS else FACTS[:2]
    return Evaluation(policies, values, scores, {"ownership": ownership, **dict(zip(known, facts, strict=False))})
