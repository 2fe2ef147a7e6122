"""Chess is reviewed by looking ahead (`ahead.py`). A mate, and whatever is beyond 10 pawns, counts as 10."""

from __future__ import annotations

from pathlib import PurePath

from tengen.engine.config import Config, merge
from tengen.engine.games.chess.game import OWN_WEIGHTS
from tengen.engine.records import Record
from tengen.engine.records.pgn import GAME
from tengen.engine.search.alphabeta import AUTO, NONE
from tengen.tools.review.ahead import AheadReviewer
from tengen.tools.review.grading import CHESS
from tengen.tools.review.position import Kind

WEIGHTS = "alphabeta.weights"


class ChessReviewer(AheadReviewer):
    """Implements `Reviewer`; leads are centipawns."""

    game, terms, most, usual = GAME, CHESS, 1000.0, 14

    def __init__(self, config: Config, depth: int | None) -> None:
        super().__init__(config, depth)
        self._weights = str(config.set.get(WEIGHTS, "")) or AUTO

    def who(self, record: Record) -> str:
        """See `Reviewer.who`."""
        from tengen.engine.evaluators import shipped

        own = OWN_WEIGHTS.shipped
        known = {AUTO: own if shipped.path_of(own).is_file() else "tables", NONE: "tables"}
        by = known.get(self._weights.lower(), PurePath(self._weights).name)
        return f"Tengen's alpha-beta ({by}), {self.depth} plies"


KIND = Kind(
    "chess",
    frozenset(("depth", "set")),
    lambda given, values: ChessReviewer(merge(Config(), given), getattr(values, "depth", None)),
)
