"""From a search's report to a decision: variety by temperature, and when to resign."""

from __future__ import annotations

import random

from tengen.engine.info import Info, Line

MARGIN = 0.1
"""How far below the best win probability a move may be chosen by temperature when no level says otherwise."""
RESIGN_AFTER = 3
"""Own moves in a row below the threshold before resigning: one bad search is no reason."""


def choose_line(info: Info, temperature: float, margin: float, generator: random.Random) -> Line | None:
    """Choose among the lines with probability visits^(1/temperature); 0 takes the best one.

    Lines more than `margin` in win probability below the best, with under 5 % of its visits, or proved lost are out.
    None when there is no line.
    """
    best = info.best
    if best is None or temperature <= 0.0:
        return best
    fair = [line for line in info.lines if _is_fair(line, best, margin)]
    weights = [(line.visits / max(1, best.visits)) ** (1.0 / temperature) for line in fair]
    return generator.choices(fair, weights)[0] if sum(weights) > 0 else best


def _is_fair(line: Line, best: Line, margin: float) -> bool:
    if line is best:
        return True
    is_lost = line.proof is not None and line.proof.result < 0
    return not is_lost and line.visits * 20 >= best.visits and expected(line) >= expected(best) - margin


def expected(line: Line) -> float:
    """Expected result, a draw counting half."""
    return line.expected


class Resignation:
    """Counts hopeless moves in a row, per colour."""

    def __init__(self) -> None:
        self._hopeless = [0, 0]

    def reset(self) -> None:
        """A new game, or a position out of order."""
        self._hopeless = [0, 0]

    def is_due(self, colour: int, value: float, threshold: float) -> bool:
        """Note a move's expected result; whether to give up. A threshold of 0 never does."""
        self._hopeless[colour] = self._hopeless[colour] + 1 if value < threshold else 0
        return self._hopeless[colour] >= RESIGN_AFTER
