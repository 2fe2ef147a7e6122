"""The evaluation of a position by a KataGo network without a search, as in KataGo's `kata-raw-nn`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from tengen.engine.evaluators.katago import ROOT_OPTIMISM
from tengen.engine.evaluators.katago.evaluator import KataGoEvaluator
from tengen.engine.evaluators.katago.profiles import Profile, rows_of
from tengen.engine.games.base import WHITE, Rules
from tengen.engine.games.go.rules import GoRules
from tengen.engine.history import History
from tengen.engine.play.go.katago_inputs import Facts, banned, encode

if TYPE_CHECKING:
    from numpy import float32, float64
    from numpy.typing import NDArray

    from tengen.engine.evaluators.network import Evaluation

UNKNOWN = -1.0
"""KataGo's number for a value that an older network does not report."""
ERRORS = {
    "varTimeLeft": "var_time_left",
    "shorttermWinlossError": "shortterm_value_error",
    "shorttermScoreError": "shortterm_score_error",
}


@dataclass(frozen=True)
class Opinion:
    """In White's view, by KataGo's names. results: probabilities; scores: points and what else is said of the game to
    come, UNKNOWN where the network does not say it; policy and ownership: rows from the top, None where illegal."""

    symmetry: int
    results: dict[str, float]
    scores: dict[str, float]
    policy: list[list[float | None]]
    policy_pass: float
    ownership: list[list[float]]


class Asking(NamedTuple):
    """side: who is to move. symmetries: as KataGo counts them. optimism: of the policy, 0 to 1. profile: whom a human
    network imitates."""

    side: int
    symmetries: Sequence[int]
    optimism: float = ROOT_OPTIMISM
    profile: Profile | None = None


def opinions(evaluator: KataGoEvaluator, history: History, rules: Rules, asking: Asking) -> list[Opinion]:
    """Evaluate the position through each of the symmetries. Raises what the evaluator raises, and ValueError for rules
    of another game."""
    if not isinstance(rules, GoRules):
        raise ValueError(f"the network plays Go; it knows nothing of these rules ({rules.name})")
    if asking.side != history.state.to_move:
        state = history.state.copy()
        state.set_to_move(asking.side)
        history = History(state)
    facts = Facts(suicide_in_life=evaluator.suicide_in_life)
    legal = _legal(history, rules)
    found = []
    metadata = _metadata(asking, history)
    for symmetry in asking.symmetries:
        planes, numbers = encode(history, rules, symmetry=_ours(symmetry), facts=facts)
        answer = evaluator.submit(planes[None], numbers[None], optimism=asking.optimism, metadata=metadata).wait()
        found.append(_opinion(evaluator, answer, history, legal, symmetry))
    return found


def _metadata(asking: Asking, history: History) -> NDArray[float32] | None:
    import numpy as np

    if asking.profile is None:
        return None
    return rows_of(asking.profile, np.array([asking.side], np.uint8), history.state.cells)


def _ours(symmetry: int) -> int:
    """KataGo's number of a symmetry as the core has it: bit 0 mirrors the rows there, the columns here, bit 1 the
    others."""
    return symmetry & 4 | (symmetry & 1) << 1 | (symmetry & 2) >> 1


def _legal(history: History, rules: GoRules) -> list[int]:
    repeating = set(banned(history, rules))
    return [move for move in history.state.legal_moves() if move not in repeating]


def _opinion(
    evaluator: KataGoEvaluator, answer: Evaluation, history: History, legal: Sequence[int], symmetry: int
) -> Opinion:
    state = history.state
    width, height, is_white = state.width, state.height, state.to_move == WHITE
    sign = 1 if is_white else -1
    places = [evaluator.features.policy_index(move, width, height, _ours(symmetry)) for move in range(state.move_bound)]
    shares = _shares(answer.policies[0], [places[move] for move in legal])
    policy: list[float | None] = [None] * (width * height + 1)
    for move, share in zip(legal, shares.tolist(), strict=True):
        policy[move] = share
    owners = (sign * answer.extras["ownership"].ravel()).tolist()
    cells = [range(row * width, (row + 1) * width) for row in range(height)]
    win, no_result, loss = (answer.values[0] if is_white else answer.values[0, ::-1]).tolist()
    return Opinion(
        symmetry,
        {"whiteWin": win, "whiteLoss": loss, "noResult": no_result},
        _scores(answer, sign),
        [[policy[cell] for cell in row] for row in cells],
        policy[state.pass_move] or 0.0,
        [[owners[places[cell]] for cell in row] for row in cells],
    )


def _scores(answer: Evaluation, sign: int) -> dict[str, float]:
    assert answer.scores is not None
    extras = {name: float(rows[0]) for name, rows in answer.extras.items() if name != "ownership"}
    mean, deviation, decided = extras["score_mean"], extras["score_stdev"], 1 - float(answer.values[0, 1])
    square = mean**2 / max(decided, 1e-6) + deviation**2 * decided  # games without result count 0, as in the mean
    known = {"whiteLead": sign * float(answer.scores[0]), "whiteScoreSelfplay": sign * mean}
    known["whiteScoreSelfplaySq"] = square
    return known | {theirs: extras.get(ours, UNKNOWN) for theirs, ours in ERRORS.items()}


def _shares(logits: NDArray[float64], places: Sequence[int]) -> NDArray[float64]:
    """The softmax of the legal moves."""
    import numpy as np

    chosen = logits[list(places)].astype(np.float64)
    powers = np.exp(chosen - chosen.max())
    return np.asarray(powers / powers.sum())
