"""KataGo's raw answers in shared data: the positions as games, and how far other answers are from them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from tengen.engine.evaluators.network import Evaluation
from tengen.engine.games.go.rules import GoRules
from tengen.engine.history import History
from tengen.engine.play.go.katago_inputs import banned
from tengen.tools.net.reference import game_of as game_of


def cut(answer: Evaluation, size: int) -> Evaluation:
    """The answer for boards in the upper left corner of wider planes, without what lies beside them."""
    owners = answer.extras["ownership"]
    points = answer.policies[:, :-1].reshape(owners.shape)[:, :size, :size].reshape(len(owners), -1)
    policies = np.concatenate([points, answer.policies[:, -1:]], 1)
    return answer._replace(policies=policies, extras={**answer.extras, "ownership": owners[:, :size, :size]})


class Difference(NamedTuple):
    """The largest differences. policy: beyond 1 % of what KataGo says; square: of the score's mean square, as a share;
    errors: of the rest that it says; illegal: moves that one allows only."""

    policy: float
    win: float
    no_result: float
    lead: float
    mean: float
    square: float
    errors: float
    ownership: float
    illegal: int

    def is_within(self, bar: Difference) -> bool:
        return all(mine <= most for mine, most in zip(self, bar, strict=True))


BAR = Difference(1e-4, 1e-3, 1e-3, 0.02, 0.02, 1e-3, 2e-3, 2e-3, 0)
ERRORS = {
    "var_time_left": "varTimeLeft",
    "shortterm_value_error": "shorttermWinlossError",
    "shortterm_score_error": "shorttermScoreError",
}


def mean_square(mean: float, deviation: float, no_result: float) -> float:
    """Of the score, games without result counting as 0, as in the mean."""
    return mean**2 / (1 - no_result) + deviation**2 * (1 - no_result)


def difference(game: tuple[History, GoRules], answer: Evaluation, row: int, said: Mapping[str, Any]) -> Difference:
    """Between a row of an evaluation and what KataGo says of the position."""
    history, rules = game
    state = history.state
    legal = np.isin(np.arange(state.move_bound), list(set(state.legal_moves()) - set(banned(history, rules))))
    logits = np.where(legal, answer.policies[row].astype(np.float64), -np.inf)
    policy = np.exp(logits - logits.max())
    policy /= policy.sum()
    theirs = np.array([*np.ravel(np.array(said["policy"], np.float64)), said["policyPass"]])
    allowed = np.isfinite(theirs) & (theirs >= 0)
    theirs = np.where(allowed, theirs, 0)
    sign = 1 if state.to_move == 1 else -1
    values = answer.values[row]
    win = values[0] if state.to_move == 1 else 1 - values[0] - values[1]
    assert answer.scores is not None
    mean, deviation = (float(answer.extras[name][row]) for name in ("score_mean", "score_stdev"))
    ownership = sign * answer.extras["ownership"][row].ravel()
    return Difference(
        float((np.abs(policy - theirs) - 0.01 * theirs).max()),
        float(abs(win - said["whiteWin"])),
        float(abs(values[1] - said["noResult"])),
        float(abs(sign * answer.scores.ravel()[row] - said["whiteLead"])),
        float(abs(sign * mean - said["whiteScoreSelfplay"])),
        float(abs(mean_square(mean, deviation, values[1]) / said["whiteScoreSelfplaySq"] - 1)),
        max(
            abs(float(answer.extras[ours][row] if ours in answer.extras else -1) - said[theirs])
            for ours, theirs in ERRORS.items()
        ),
        float(np.abs(ownership - np.ravel(said["whiteOwnership"])).max()),
        int((allowed != legal).sum()),
    )
