"""Passes that the rules force: where a side without a move must pass, controllers may leave the pass out.

In games whose passes are not `forced`, nothing here changes anything.
"""

from __future__ import annotations

from collections.abc import Sequence

from tengen.engine.games.base import Game, IllegalMove, State


def must_pass(game: Game, state: State) -> bool:
    """Whether the side to move has nothing but a pass, in a game whose rules allow one only then."""
    return game.passes == "forced" and not state.is_terminal() and list(state.legal_moves()) == [state.pass_move]


def before(game: Game, state: State, colour: int) -> list[tuple[int, int]]:
    """The pass of the other side that must come before a move by `colour`, as a list that may be empty."""
    if state.to_move != colour and must_pass(game, state):
        return [(state.to_move, state.pass_move)]
    return []


def with_passes(game: Game, state: State, moves: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """`moves` (colour, move) from `state` on, with the forced passes that were left out.

    Raises IllegalMove naming the first move, counted from 1, that is illegal.
    """
    if game.passes != "forced":
        return list(moves)
    complete: list[tuple[int, int]] = []
    here = state.copy()
    for number, (colour, move) in enumerate(moves, 1):
        left_out = before(game, here, colour)
        complete += [*left_out, (colour, move)]
        try:
            for side, step in complete[-1 - len(left_out) :]:
                here.play_as(side, step)
        except ValueError as error:
            raise IllegalMove(f"move {number} is illegal: {error}") from None
    return complete
