"""Moves that are held back down to a ply, for either side; and moves that are searched because nothing else is left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from checkout import needs_openvino
from puct_searches import GO, after, empty, run, search

from tengen.engine.games import GAMES, get_game
from tengen.engine.info import Info
from tengen.engine.search import make_search
from tengen.engine.search.base import Root, Search
from tengen.engine.search.katago_facts import new_tree

PASS = 25


def uct() -> Search:
    return make_search(GO, "uct", {"mcts.threads": 1, "mcts.seed": 3, "mcts.memory_mb": 32})


def puct() -> Search:
    needs_openvino()
    return search()


SEARCHES = [uct, puct]


def plies(named: Sequence[int], depth: int, others: int = 0) -> tuple[int, ...]:
    return tuple(depth if move in named else others for move in range(26))


def moves_at(info: Info, ply: int) -> set[int]:
    return {line.pv[ply] for line in info.lines if len(line.pv) > ply}


@pytest.mark.parametrize("make", SEARCHES)
@pytest.mark.parametrize("depth", [1, 2, 3, 9])
def test_black_may_play_the_first_row_alone(make: Any, depth: int) -> None:
    row = {0, 1, 2, 3, 4}
    held = plies(sorted(row), 0, depth), ()
    info = run(make(), Root(empty(5), held_back=held), visits=300)
    assert moves_at(info, 0) <= row and not moves_at(info, 1) <= row
    if depth >= 3:
        assert moves_at(info, 2) <= row


@pytest.mark.parametrize("make", SEARCHES)
def test_the_other_side_is_held_back_too(make: Any) -> None:
    made = make()
    free = run(made, Root(empty(5)), visits=400)
    wanted = moves_at(free, 1)
    assert wanted
    held = (), plies(sorted(wanted), 2)
    info = run(made, Root(empty(5), held_back=held), visits=400)
    assert not moves_at(info, 1) & wanted and moves_at(info, 0)
    again = run(made, Root(empty(5)), visits=400)
    assert moves_at(again, 1) & wanted, "the tree of the restriction is not kept"


@pytest.mark.parametrize("make", SEARCHES)
@pytest.mark.parametrize("has_searched", [False, True])
@pytest.mark.parametrize(("size", "words"), [
    (5, ""), (9, "E5 C4 D6"), *(pytest.param(*one, marks=pytest.mark.slow) for one in ((9, ""), (5, "C3")))
])  # fmt: skip
def test_a_pass_is_searched_from_the_first_move_on(make: Any, has_searched: bool, size: int, words: str) -> None:
    made, state = make(), after(empty(size), words)
    if has_searched:
        run(made, Root(state), visits=60)
    info = run(made, Root(state, allow=(state.pass_move,)), visits=60)
    (line,) = info.lines
    assert line.move == state.pass_move and line.visits >= 50 and len(line.pv) > 1
    center = state.pass_move // 2 + 1
    both = {one.move for one in run(made, Root(state, allow=(state.pass_move, center)), playouts=200).lines}
    assert both == {state.pass_move, center} if make is puct else both <= {state.pass_move, center}


@pytest.mark.parametrize("make", SEARCHES)
@pytest.mark.parametrize("side", [0, 1])
def test_a_side_that_may_only_pass(make: Any, side: int) -> None:
    only = plies([PASS], 0, 4)
    held = (only, ()) if side == 0 else ((), only)
    info = run(make(), Root(empty(5), held_back=held), visits=300)
    assert moves_at(info, side) == {PASS}


@pytest.mark.parametrize("make", SEARCHES)
def test_an_own_eye_is_searched_where_nothing_else_is_allowed(make: Any) -> None:
    state: Any = empty(5)
    stones = bytearray(25)
    for cell in (1, 5, 6, 7, 10, 11, 12):
        stones[cell] = 1
    state.setup(bytes(stones), 0)
    assert [line.move for line in run(make(), Root(state, allow=(0,)), visits=40).lines] == [0]


@pytest.mark.parametrize("game", [name for name in GAMES if get_game(name).parts.tree])
def test_every_tree_can_hold_back(game: str) -> None:
    tree = new_tree(game)
    tree.hold_back(0, [])
    with pytest.raises(ValueError, match="a player is 0 or 1"):
        tree.hold_back(2, [])


@pytest.mark.parametrize("make", SEARCHES)
def test_where_nothing_is_left_nothing_is_played(make: Any) -> None:
    info = run(make(), Root(empty(5), held_back=(plies([], 0, 3), ())), visits=40, seconds=0.5)
    assert not [line for line in info.lines if line.visits]
