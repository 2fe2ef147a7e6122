"""Passes that the rules force, put in where they were left out: Reversi has them, Go has none."""

from __future__ import annotations

import pytest

from tengen.engine.games import forced_passes, get_game
from tengen.engine.games.base import IllegalMove

EARLY_PASS = "d3 c3 e6 d2 d1 e1 b2 c1"
"""Black must pass after these."""


def played(text: str) -> list[tuple[int, int]]:
    game = get_game("reversi")
    state = game.new_state(8, 8, game.default_rules, 0)
    return [(number % 2, game.move_from_text(state, word)) for number, word in enumerate(text.split())]


def test_a_pass_that_was_left_out_is_put_in() -> None:
    game = get_game("reversi")
    start = game.new_state(8, 8, game.default_rules, 0)
    moves = [*played(EARLY_PASS), (1, 43)]  # White again: d6
    complete = forced_passes.with_passes(game, start, moves)
    assert complete == [*moves[:-1], (0, 64), (1, 43)]
    assert forced_passes.with_passes(game, start, complete) == complete
    with pytest.raises(IllegalMove, match="move 2 is illegal: flips nothing"):
        forced_passes.with_passes(game, start, [(0, 19), (1, 0)])


def test_no_pass_is_forced_where_it_is_free() -> None:
    go = get_game("go")
    state = go.new_state(9, 9, go.default_rules, 7.5)
    assert (go.passes, get_game("reversi").passes) == ("free", "forced")
    assert forced_passes.with_passes(go, state, [(0, 0), (0, 1)]) == [(0, 0), (0, 1)]
    assert forced_passes.before(go, state, 1) == []


TURNS = [
    # whose the move is (None: not said), the move, what is played where Black must pass
    (1, 43, [(0, 64), (1, 43)]),
    (None, 43, [(0, 64), (1, 43)]),
    (0, 64, [(0, 64)]),
    (None, 64, [(0, 64)]),
    (0, 43, [(0, 43)]),  # for the rules to refuse
]


@pytest.mark.parametrize(("colour", "move", "complete"), TURNS)
def test_one_move_takes_the_pass_before_it_along(
    colour: int | None, move: int, complete: list[tuple[int, int]]
) -> None:
    game = get_game("reversi")
    state = game.new_state(8, 8, game.default_rules, 0)
    assert forced_passes.completed(game, state, None, 19) == [(0, 19)], "where there is a move"
    for one in played(EARLY_PASS):
        state.play_as(*one)
    assert forced_passes.must_pass(game, state)
    assert forced_passes.completed(game, state, colour, move) == complete


def test_a_move_without_a_colour_is_named_when_it_is_illegal() -> None:
    game = get_game("reversi")
    state = game.new_state(8, 8, game.default_rules, 0)
    with pytest.raises(IllegalMove, match=r"^move 2 \(a1\) is illegal: flips nothing$"):
        forced_passes.played_out(game, state, [(None, 19), (None, 0)], lambda move: " (a1)")
