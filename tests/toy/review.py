"""Three men's morris is reviewed by looking ahead; a game is won by one."""

from tengen.engine.config import Config, merge
from tengen.tools.review.ahead import AheadReviewer
from tengen.tools.review.grading import Grade, Terms
from tengen.tools.review.position import Kind


class MorrisReviewer(AheadReviewer):
    """Implements `Reviewer`."""

    game, most, usual = "morris", 1.0, 6
    terms = Terms("games", {Grade.BLUNDER: 0.9, Grade.MISTAKE: 0.5, Grade.INACCURACY: 0.25}, None, False, (1,))


KIND = Kind(
    "three men's morris",
    frozenset(("depth",)),
    lambda given, values: MorrisReviewer(merge(Config(), given), getattr(values, "depth", None)),
)
