"""Gomoku's alpha-beta: forced moves, proofs, boards and rules of all kinds, and options that may be set."""

from __future__ import annotations

import pytest
from gomoku_boards import RULES, TWO_THREES, board, cell

from tengen.engine._core import GomokuAlphaBeta, GomokuState


def searcher(**settings: float) -> GomokuAlphaBeta:
    """A search with little memory."""
    search = GomokuAlphaBeta("lines")
    for name, value in {"memory_mb": 8.0, **settings}.items():
        search.set(name, value)
    return search


FOUR_AND_THREE = """
    .........
    ....X....
    ....X....
    .........
    OXXX..O..
    .........
    .........
    ..OO.....
    ........."""


@pytest.mark.parametrize("rule", RULES)
def test_a_four_and_a_three_win(rule: str) -> None:
    """Proved within few nodes, and the line told leads to the five."""
    state = board(FOUR_AND_THREE, rule)
    search = searcher()
    search.run(state, playouts=3000, early_stop=True)
    best = search.info(1).lines[0]
    assert best.proof == 1 and best.plies_to_end is not None and best.win == 1
    assert best.pv[0] == best.move and (best.move == cell(state, "e5") or "caro" in rule)


def test_the_enemys_five_is_stopped_at_once() -> None:
    state = board(FOUR_AND_THREE, "freestyle", 1)
    search = searcher()
    search.run(state, playouts=20_000)
    best = search.info(1).lines[0]
    assert best.proof <= 0 and best.depth >= 4


def test_a_move_that_may_not_be_played_is_none() -> None:
    """Where the moves that a position forces are all excluded, another is found; none where there is none."""
    state = board(FOUR_AND_THREE)
    search = searcher()
    search.run(state, playouts=500, avoid=[cell(state, "e5")])
    assert search.info(1).lines[0].move != cell(state, "e5")
    search.run(state, playouts=500, allow=[0])
    assert [line.move for line in search.info().lines] == [0]


def test_renjus_black_plays_no_forbidden_point() -> None:
    state = board(TWO_THREES, "renju")
    search = searcher(lines=64)
    search.run(state, playouts=30_000)
    moves = [line.move for line in search.info().lines]
    assert len(moves) > 20 and cell(state, "e5") not in moves
    assert all(state.is_legal(move) for move in moves)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("width", "height"), [(5, 5), (7, 12), (15, 15), (20, 20), (25, 25)])
def test_every_board_has_a_move_from_the_first_to_the_last(rule: str, width: int, height: int) -> None:
    """One search plays on boards of several sizes."""
    search = searcher()
    search.run(GomokuState(15, 15, rule), playouts=50)
    state = GomokuState(width, height, rule)
    for _ in range(25):
        if state.is_terminal():
            break
        search.run(state, playouts=150)
        move = search.info(1).lines[0].move
        assert state.is_legal(move)
        state.play(move)


def test_the_search_repeats_itself() -> None:
    state = board(FOUR_AND_THREE, "caro", 1)
    found = []
    for _ in range(2):
        search = searcher()
        search.run(state, depth=5)
        info = search.info(1)
        found.append((info.nodes, info.lines[0].pv, info.lines[0].score))
    assert found[0] == found[1]


@pytest.mark.threads
def test_two_threads_play() -> None:
    search = searcher(threads=2)
    search.run(GomokuState(15, 15, "freestyle"), playouts=5000)
    assert search.info(1).lines[0].move == 7 * 15 + 7


def test_its_own_settings_are_listed() -> None:
    names = {name for name, *_ in GomokuAlphaBeta("lines").options()}
    assert {"vcf_leaf", "vcf_node", "vcf_most", "vcf_root", "vcf_enemy_depth", "null_depth", "lmr_base"} <= names
    with pytest.raises(ValueError, match="vcf_leaf"):
        GomokuAlphaBeta("lines").set("vcf_leaf", -1.0)
