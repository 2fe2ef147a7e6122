"""A move as a person might choose it: the policy of a human network mixed into what a search found.

The formula and the names of its settings are KataGo's (`cpp/search/searchresults.cpp`); utility is that of winning.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping

from tengen.engine.games.hooks import View
from tengen.engine.human_choice import HumanChoice
from tengen.engine.info import Info, Line

COLDEST = 1e-4
"""Below this temperature the likeliest move is chosen."""
LEAST_SCALE = 1e-9


def human_line(view: View, policy: Mapping[int, float], how: HumanChoice, generator: random.Random) -> Line:
    """The move of one draw. policy: of every move that may be played, with a sum of 1."""
    values = mixed(view.info, policy, view.state.pass_move, how)
    weights = sharpened(values, how.temperature(len(view.table.moves), view.state.cells), how.only_below)
    move = generator.choices(list(weights), list(weights.values()))[0]
    known = next((line for line in view.info.lines if line.move == move), None)
    share = view.info.expected
    return known or Line(move, (move,), 0, win=share, loss=1 - share, score=view.info.score, prior=policy[move])


def mixed(info: Info, policy: Mapping[int, float], pass_move: int, how: HumanChoice) -> dict[int, float]:
    """Return the weight of each move of the policy: visits, of which a share follows the human policy instead.

    A move that loses utility against the best one is the rarer for it; what was not searched counts as the mean
    of what was. With `ignores_pass` a pass keeps the search's share of the visits.
    """
    lines = {line.move: line for line in info.lines if line.move in policy and line.visits}
    visits = {move: float(lines[move].visits) if move in lines else 0.0 for move in policy}
    total = sum(visits.values())
    shifted = _shifted(lines, policy, how.scale)
    if not total:
        visits, total = dict(shifted), 1.0
    if how.ignores_pass and pass_move in policy:
        shifted = _with_pass(shifted, pass_move, visits.get(pass_move, 0.0) / total)
    return {move: visit + how.share * (total * shifted[move] - visit) for move, visit in visits.items()}


def _shifted(lines: Mapping[int, Line], policy: Mapping[int, float], scale: float) -> dict[int, float]:
    """The policy with less for what loses utility, with a sum of 1."""
    found = {move: 2 * line.expected - 1 for move, line in lines.items()}
    mean = sum(found.values()) / len(found) if found else 0.0
    most = max([mean, *found.values()])
    unit = max(scale, LEAST_SCALE)
    shares = {move: share * math.exp((found.get(move, mean) - most) / unit) for move, share in policy.items()}
    total = sum(shares.values())
    return {move: share / total for move, share in shares.items()} if total > 0 else dict(policy)


def _with_pass(shares: Mapping[int, float], pass_move: int, passing: float) -> dict[int, float]:
    """The same with this share for the pass; unchanged where nothing else has any."""
    others = 1 - shares[pass_move]
    if others <= 0:
        return dict(shares)
    return {move: passing if move == pass_move else share / others * (1 - passing) for move, share in shares.items()}


def sharpened(values: Mapping[int, float], temperature: float, only_below: float) -> dict[int, float]:
    """Weights of a draw at a temperature, the largest 1; shares above `only_below` stay in proportion to each other."""
    most, total = max(values.values()), sum(values.values())
    if temperature <= COLDEST:
        best = max(values, key=lambda move: values[move])
        return {best: 1.0}
    bar = min(0.0, math.log(max(only_below, 1e-50) * total / most))
    found = {}
    for move, value in values.items():
        if value > 0:
            height = math.log(value / most)
            found[move] = math.exp(height if height > bar else (height - bar) / temperature + bar)
    return found
