"""The meaning of the outputs of a KataGo network: probabilities, points on the board and owners, for the side to
move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tengen.engine.evaluators.katago.model import Header
from tengen.engine.evaluators.network import Evaluation, probabilities

if TYPE_CHECKING:
    from numpy import float32, float64
    from numpy.typing import NDArray

    Arrays = Mapping[str, NDArray[float32]]

KO_RULE, TERRITORY = 6, 9
"""Globals: 0 where the ko rule is the simple one; 1 where territory is scored."""
IMPOSSIBLE = 1e5


def evaluation(
    header: Header, outputs: Arrays, numbers: NDArray[float32], optimism: float | NDArray[float32] = 0.0
) -> Evaluation:
    """The outputs of `source` for positions with these globals.

    policies: points row by row from the top, then a pass; optimism: from 0 to 1, how far to the optimistic policy,
    where the network has one, for all rows or for each. values: win, no result, loss. scores: the lead. extras, a row
    each: "score_mean", "score_stdev" (of self-play to the end), "ownership" from -1 to 1, and where the network has
    them "var_time_left", "shortterm_value_error" and "shortterm_score_error".
    """
    import numpy as np

    policies = outputs["policy"][:, 0]
    if outputs["policy"].shape[1] > 1 and np.any(optimism):
        share = np.asarray(optimism, np.float32).reshape(-1, 1)
        policies = policies + (outputs["policy"][:, 1] - policies) * share
    values = _values(outputs["value"], numbers)
    scores, scales = outputs["score"].astype(np.float64), header.scales
    decided = 1.0 - values[:, 1]
    extras = {
        "score_mean": scores[:, 0] * scales.score_mean * decided,
        "score_stdev": _softplus(scores[:, 1]) * scales.score_stdev,
        "ownership": np.tanh(outputs["ownership"]),
        **_errors(header, scores),
    }
    lead = scores[:, 2] * scales.lead * decided
    return Evaluation(
        policies, values, lead.astype(np.float32), {name: rows.astype(np.float32) for name, rows in extras.items()}
    )


def _values(logits: NDArray[float32], numbers: NDArray[float32]) -> NDArray[float32]:
    """Win, no result, loss. Without result ends only what repeats under a simple ko rule, or territory."""
    import numpy as np

    ordered = logits[:, [0, 2, 1]]
    is_decided = (numbers[:, KO_RULE] != 0) & (numbers[:, TERRITORY] == 0)
    ordered[:, 1] -= np.where(is_decided, np.float32(IMPOSSIBLE), np.float32(0))
    return probabilities(ordered)


def _errors(header: Header, scores: NDArray[float64]) -> dict[str, NDArray[float64]]:
    """How far the game is from settled, by the version's formula. Older networks say nothing that can be used."""
    import numpy as np

    if header.version < 9:
        return {}
    scales = header.scales
    factors = scales.shortterm_value_error, scales.shortterm_score_error
    found = {"var_time_left": _softplus(scores[:, 3]) * scales.variance_time}
    for column, (name, factor) in enumerate(zip(("value", "score"), factors, strict=True), 4):
        if header.version >= 14:
            error = _softplus(scores[:, column] / 2) * np.sqrt(factor)
        elif header.version >= 10:
            error = np.sqrt(_softplus(scores[:, column]) * factor)
        else:
            error = _softplus(scores[:, column]) * (1.0, 10.0)[column - 4]
        found[f"shortterm_{name}_error"] = error
    return found


def _softplus(values: NDArray[float64]) -> NDArray[float64]:
    import numpy as np

    return np.asarray(np.logaddexp(0, values))
