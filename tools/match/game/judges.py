"""Which judge a game has."""

from __future__ import annotations

from tengen.tools.match.game.judge import BoardJudge, ChessJudge, GoJudge, Judge
from tengen.tools.match.spec import GameSpec, Opening

JUDGES: dict[str, type[BoardJudge]] = {"go": GoJudge, "chess": ChessJudge}
"""Of the games that need one of their own."""


def make_judge(spec: GameSpec, opening: Opening) -> Judge:
    """The judge of a game, its opening played. Raises ValueError for a game, board or opening that does not fit."""
    return JUDGES.get(spec.game, BoardJudge)(spec, opening)
