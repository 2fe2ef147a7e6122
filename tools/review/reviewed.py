"""A game with all that a review found of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tengen.tools.review.games import Subject
from tengen.tools.review.grading import Terms
from tengen.tools.review.move_costs import Verdict
from tengen.tools.review.position import Position


@dataclass(frozen=True)
class Review:
    """A reviewed game. who: what it was made with."""

    subject: Subject
    terms: Terms
    who: str
    positions: Sequence[Position]
    verdicts: Sequence[Verdict]
