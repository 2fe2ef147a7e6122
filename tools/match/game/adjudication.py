"""Games that end early by the engines' own scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tengen.tools.match.game.judge import DRAW, Outcome
from tengen.tools.match.game.seat import Seat, loss
from tengen.tools.match.spec import Adjudication, Reason


def adjudge(rule: Adjudication, seat: Seat, other: Seat, length: int) -> Outcome | None:
    """The outcome by the engines' own scores after a move by `seat`, where both agree."""
    count = rule.resign_moves
    if count and _all(seat.scores, count, lambda score: score <= rule.resign_score):
        rest = [score for score in other.scores[-count:] if score is not None]
        if all(score >= -rule.resign_score for score in rest):
            return loss(seat, Reason.ADJUDICATED, f"lost by {count} scores in a row")
    count = rule.draw_moves
    if count and length >= rule.draw_after:
        if all(_all(one.scores, count, lambda score: abs(score) <= rule.draw_score) for one in (seat, other)):
            return Outcome(DRAW, Reason.ADJUDICATED, f"even by {count} scores in a row of both")
    return None


def _all(scores: Sequence[float | None], count: int, holds: Callable[[float], bool]) -> bool:
    last = scores[-count:]
    return len(last) == count and all(score is not None and holds(score) for score in last)
