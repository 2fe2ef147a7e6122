"""The judge of each game."""

from __future__ import annotations

from typing import cast

from tengen.engine.games import get_game
from tengen.engine.games.parts import load
from tengen.tools.match.game.judge import BoardJudge, Judge
from tengen.tools.match.spec import GameSpec, Opening


def make_judge(spec: GameSpec, opening: Opening) -> Judge:
    """The judge of a game, its opening played. Raises ValueError for a game, board or opening that does not fit."""
    kind = cast("type[BoardJudge]", load(get_game(spec.game).parts.judge))
    return kind(spec, opening)
