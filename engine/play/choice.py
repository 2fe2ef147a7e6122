"""From a search's report to a move: variety by temperature, the game's corrections, and always something legal."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

from tengen.engine.games.base import IllegalMove
from tengen.engine.games.hooks import Choice, View
from tengen.engine.games.players import Level
from tengen.engine.human_choice import HumanChoice
from tengen.engine.info import Info, Line
from tengen.engine.play.human_move import human_line
from tengen.engine.play.situation import Situation
from tengen.engine.search.base import Root

LEAST = 1e-30
"""The least weight that others are divided by."""


class Human(NamedTuple):
    """The human policy for a choice: shares(moves), the policy of these moves with a sum of 1, and how it counts."""

    shares: Callable[[Sequence[int]], dict[int, float]]
    how: HumanChoice


def choose(view: View, now: Situation, root: Root, generator: random.Random, human: Human | None = None) -> Choice:
    """The search's choice or, with `human`, one that people might make; corrected by the game's hooks, always legal and
    no repetition.

    Raises IllegalMove("game over").
    """
    moves = [] if human is None else [move for move in root.state.legal_moves() if view.is_allowed(move)]
    if human is not None and moves:
        line: Line | None = human_line(view, human.shares(moves), human.how, generator)
    else:
        line = choose_line(view.info, now.level, generator)
    if line is not None:
        for choice in (now.hooks.choose(view, line), *(Choice(other.move) for other in view.info.lines)):
            if view.is_allowed(choice.move):
                return choice
    return Choice(_fallback(now, root, generator))


def choose_line(info: Info, level: Level, generator: random.Random) -> Line | None:
    """Choose among the lines with probability visits^(1/temperature), or prior^(1/temperature) where nothing was
    visited; by_score: e^(score/temperature), in the game's unit. A temperature of 0 takes the best one.

    Lines with less than `least` of the best one's visits (or prior), more than `margin` in win probability below it, or
    proved lost are out; by_score not what was visited less, but what was looked at less deeply: its score is another
    depth's. None when there is no line.
    """
    best = info.best
    if best is None or level.temperature <= 0.0:
        return best
    fair = [line for line in info.lines if line is best or _is_near(line, best, level.margin)]
    if level.by_score:
        fair = [line for line in fair if line.depth >= best.depth]
        most = max(line.score for line in fair)
        weights = [math.exp((line.score - most) / level.temperature) for line in fair]
    else:
        weight = _visits if best.visits else _prior
        least = level.least * max(weight(line) for line in info.lines)
        fair = [line for line in fair if line is best or weight(line) >= least]
        most = max(LEAST, *map(weight, fair))
        weights = [(weight(line) / most) ** (1.0 / level.temperature) for line in fair]
    return generator.choices(fair, weights)[0] if sum(weights) > 0 else best


def _visits(line: Line) -> float:
    return line.visits


def _prior(line: Line) -> float:
    return line.prior


def _is_near(line: Line, best: Line, margin: float) -> bool:
    is_lost = line.proof is not None and line.proof.result < 0
    return not is_lost and line.expected >= best.expected - margin


def _fallback(now: Situation, root: Root, generator: random.Random) -> int:
    """A move without any search: sensible, else a pass, else legal. Raises IllegalMove("game over")."""
    state = root.state
    legal = [move for move in state.legal_moves() if move not in root.avoid]
    generator.shuffle(legal)
    for move in legal:
        if now.hooks.is_sensible(state, move) and now.is_allowed(root, move):
            return move
    if state.is_legal(state.pass_move):
        return state.pass_move
    if not legal:
        raise IllegalMove("game over")
    return legal[0]
