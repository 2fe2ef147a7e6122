"""Games of self-play as what is learned from."""

from __future__ import annotations

from tengen.engine.search.selfplay import SelfPlayed
from tengen.tools.train.data.game import PlayedGame


def played_game(game: str, played: SelfPlayed) -> PlayedGame:
    """What is learned from a finished game of `game`, by the rules that its start names.

    The komi is that of its first position; a button is none of it.
    """
    state = played.start.state
    return PlayedGame(
        game=game,
        width=state.width,
        height=state.height,
        rules=played.start.rules,
        komi=float(getattr(state, "komi", 0.0)),
        moves=played.moves,
        first=played.first,
        weights=played.weights,
        values=played.values,
        target_offsets=played.target_offsets,
        target_moves=played.target_moves,
        target_shares=played.target_shares,
        margin=played.margin,
        outcome=played.outcome,
        owners=played.owners,
    )
