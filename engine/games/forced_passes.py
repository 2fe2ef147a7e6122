"""Passes that the rules force: where a side without a move must pass, controllers and records may leave the pass out.

In games whose passes are not `forced`, nothing here changes anything.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tengen.engine.games.base import Game, IllegalMove, State

Move = tuple[int, int]
"""(colour, move)."""


def must_pass(game: Game, state: State) -> bool:
    """Whether the side to move has nothing but a pass, in a game whose rules allow one only then."""
    return game.passes == "forced" and not state.is_terminal() and state.is_legal(state.pass_move)


def before(game: Game, state: State, colour: int) -> list[Move]:
    """The pass of the other side that must come before a move by `colour`, as a list that may be empty."""
    if state.to_move != colour and must_pass(game, state):
        return [(state.to_move, state.pass_move)]
    return []


def completed(game: Game, state: State, colour: int | None, move: int) -> list[Move]:
    """One move, after the forced pass that was left out before it; without a colour it is whose turn it then is."""
    if colour is None:
        colour = state.to_move ^ (move != state.pass_move and must_pass(game, state))
    return [*before(game, state, colour), (colour, move)]


def with_passes(game: Game, state: State, moves: Sequence[Move]) -> list[Move]:
    """`moves` from `state` on, with the forced passes that were left out.

    Raises IllegalMove naming the first move, counted from 1, that is illegal.
    """
    return played_out(game, state.copy(), moves) if game.passes == "forced" else list(moves)


def played_out(
    game: Game, state: State, moves: Sequence[tuple[int | None, int]], name: Callable[[int], str] = lambda move: "",
) -> list[Move]:  # fmt: skip
    """The same, by playing them on `state`; colours may be left out too. `name` adds to the error what the move is."""
    complete: list[Move] = []
    for number, (given, move) in enumerate(moves, 1):
        try:
            for colour, step in completed(game, state, given, move):
                state.play_as(colour, step)
                complete.append((colour, step))
        except ValueError as error:
            raise IllegalMove(f"move {number}{name(move)} is illegal: {error}") from None
    return complete
