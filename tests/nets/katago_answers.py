"""KataGo's raw answers in shared data: the positions as games, and how far other answers are from them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from tengen.engine.evaluators.network import Evaluation
from tengen.engine.games.go import GO
from tengen.engine.games.go_handicap import given
from tengen.engine.games.go_rules import GoRules
from tengen.engine.history import History
from tengen.engine.play.katago_inputs import banned

Position = Mapping[str, Any]


def rules_of(position: Position) -> GoRules:
    said = json.loads(position["rules_json"])
    return GoRules(
        position["rules"],
        ko=said["ko"].lower(),
        scoring=said["scoring"].lower(),
        tax=said["tax"].lower(),
        suicide=said["suicide"],
        white_handicap_bonus=said["whiteHandicapBonus"],
        friendly_pass=said["friendlyPassOk"],
        has_button=said["hasButton"],
    )


def game_of(position: Position) -> tuple[History, GoRules]:
    """The game by its moves, White's bonus for handicap stones that were played in the komi."""
    size, rules = position["size"], rules_of(position)
    empty = GO.new_state(size, size, rules, position["komi"])
    moves = [("bw".index(colour), GO.move_from_text(empty, vertex)) for colour, vertex in position["moves"]]
    history = History(GO.new_state(size, size, rules, position["komi"] + rules.handicap_bonus(given(empty, moves))))
    for colour, move in moves:
        history.play(colour, move, rules.repetition)
    assert history.state.to_move == "bw".index(position["to_play"])
    return history, rules


class Difference(NamedTuple):
    """The largest differences. policy: beyond 1 % of what KataGo says; illegal: moves that one allows only."""

    policy: float
    win: float
    lead: float
    ownership: float
    illegal: int

    def is_within(self, bar: Difference) -> bool:
        return all(mine <= most for mine, most in zip(self, bar, strict=True))


BAR = Difference(1e-4, 1e-3, 0.02, 2e-3, 0)


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
    ownership = sign * answer.extras["ownership"][row].ravel()
    return Difference(
        float((np.abs(policy - theirs) - 0.01 * theirs).max()),
        float(abs(win - said["whiteWin"])),
        float(abs(sign * answer.scores.ravel()[row] - said["whiteLead"])),
        float(np.abs(ownership - np.ravel(said["whiteOwnership"])).max()),
        int((allowed != legal).sum()),
    )
