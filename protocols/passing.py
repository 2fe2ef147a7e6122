"""Passes that the rules force: where a side without a move must pass, controllers may leave the pass out.

In games where a pass is always open (Go), nothing is ever inserted.
"""

from __future__ import annotations

from collections.abc import Sequence

from tengen.engine.games.base import Game, IllegalMove, State


def must_pass(game: Game, state: State) -> bool:
    """Whether the side to move has nothing but a pass, in a game whose rules allow one only then."""
    return (
        game.has_pass
        and not state.is_terminal()
        and not _passes_freely(game)
        and list(state.legal_moves()) == [state.pass_move]
    )


def with_passes(game: Game, state: State, moves: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """`moves` (colour, move) from `state` on, with the forced passes that were left out.

    Raises IllegalMove naming the first move, counted from 1, that is illegal; repetition is not looked at.
    """
    complete: list[tuple[int, int]] = []
    here = state.copy()
    for number, (colour, move) in enumerate(moves, 1):
        if here.to_move != colour and must_pass(game, here):
            complete.append((here.to_move, here.pass_move))
            here.play(here.pass_move)
        try:
            here.play_as(colour, move)
        except ValueError as error:
            raise IllegalMove(f"move {number} is illegal: {error}") from None
        complete.append((colour, move))
    return complete


def before(game: Game, state: State, colour: int) -> list[tuple[int, int]]:
    """The pass that must come before a move by `colour`, as a list that may be empty."""
    if state.to_move != colour and must_pass(game, state):
        return [(state.to_move, state.pass_move)]
    return []


_FREE: dict[str, bool] = {}


def _passes_freely(game: Game) -> bool:
    """Whether the first move may be a pass; asked once for each game."""
    if game.name not in _FREE:
        state = game.new_state(game.default_size, game.default_size, game.default_rules, game.default_komi)
        _FREE[game.name] = state.is_legal(state.pass_move)
    return _FREE[game.name]
