"""Which judge a game has."""

from __future__ import annotations

from tengen.tools.match.game.judge import BoardJudge, GoJudge, Judge
from tengen.tools.match.spec import GameSpec, Opening


def make_judge(spec: GameSpec, opening: Opening) -> Judge:
    """The judge of a game, its opening played. Raises ValueError for a game, board or opening that does not fit."""
    if spec.game == "chess":
        from tengen.tools.match.game.judge_chess import ChessJudge

        return ChessJudge(spec, opening)
    return (GoJudge if spec.game == "go" else BoardJudge)(spec, opening)
