"""Passes that the rules force: where a side without a move must pass, controllers may leave the pass out.

In games where a pass is always open (Go) or never (Gomoku), nothing here changes anything.
"""

from __future__ import annotations

from collections.abc import Sequence

from tengen.engine.games.base import Game, IllegalMove, State

_FREE: dict[str, bool] = {}


def is_free(game: Game) -> bool:
    """Whether the game knows no forced pass: its first move may be one, or there are none. Asked once per game."""
    if not game.has_pass:
        return True
    if game.name not in _FREE:
        state = game.new_state(game.default_size, game.default_size, game.default_rules, game.default_komi)
        _FREE[game.name] = state.is_legal(state.pass_move)
    return _FREE[game.name]


def must_pass(game: Game, state: State) -> bool:
    """Whether the side to move has nothing but a pass, in a game whose rules allow one only then."""
    return not state.is_terminal() and list(state.legal_moves()) == [state.pass_move] and not is_free(game)


def before(game: Game, state: State, colour: int) -> list[tuple[int, int]]:
    """The pass of the other side that must come before a move by `colour`, as a list that may be empty."""
    if state.to_move != colour and must_pass(game, state):
        return [(state.to_move, state.pass_move)]
    return []


def with_passes(game: Game, state: State, moves: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """`moves` (colour, move) from `state` on, with the forced passes that were left out.

    Raises IllegalMove naming the first move, counted from 1, that is illegal.
    """
    if is_free(game):
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
