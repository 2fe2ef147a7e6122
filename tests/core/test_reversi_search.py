"""Reversi's solver, playouts and tree search: exact endings, proofs, limits, what the players do with them."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tengen.engine._core import ReversiMcts, ReversiState, reversi_playouts, reversi_solve
from tengen.engine.config import Config
from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest

PASS = 64


def obf(line: str) -> tuple[ReversiState, int]:
    """A position and the score of its side to move, from "64 cells, side; MOVE:+score; ..."."""
    cells, side, answer = re.match(r"(\S{64}) ([XO]);? *\w+:([+-]\d+)", line).groups()  # type: ignore[union-attr]
    state = ReversiState()
    state.setup(bytes("-XO".index(c) for c in cells), "XO".index(side))
    return state, int(answer)


def brute(state: ReversiState) -> int:
    """Score of the side to move by trying everything."""
    if state.is_terminal():
        return int(state.result()) * (1 if state.to_move == 0 else -1)
    best = -65
    for move in state.legal_moves():
        child = state.copy()
        child.play(move)
        best = max(best, -brute(child))
    return best


def late(seed: int, empties: int) -> ReversiState:
    """A position of a random game with so many empty cells, or fewer when it ended before."""
    choose, state = random.Random(seed), ReversiState()
    while state.stones().count(0) > empties and not state.is_terminal():
        state.play(choose.choice(list(state.legal_moves())))
    return state


@pytest.mark.parametrize("seed", range(30))
def test_solver_against_brute_force(seed: int) -> None:
    state = late(seed, 4 + seed % 4)
    assert reversi_solve(state) == brute(state)


# board, score of black to move: a pass and then a wipe-out, a wipe-out, games that are over
SHORT = [("OX", -64), ("XO", 64), ("XX", 64), ("OO", -64), ("X--O", 0), ("", 0)]


@pytest.mark.parametrize(("cells", "score"), SHORT)
def test_solver_with_passes_and_endings(cells: str, score: int) -> None:
    state = ReversiState()
    state.setup(bytes("-XO".index(c) for c in cells.ljust(64, "-")), 0)
    assert reversi_solve(state) == score == brute(state)


def endgames(shared: Callable[[str], Path], name: str, count: int) -> list[tuple[ReversiState, int]]:
    lines = shared(f"data/othello/{name}").read_text("utf-8").splitlines()
    return [obf(line) for line in lines if re.match(r"[XO-]{64} ", line)][:count]


def test_solver_on_the_first_forum_positions(shared: Callable[[str], Path]) -> None:
    """FFO 1-19, 13 to 16 empty cells."""
    for state, score in endgames(shared, "fforum-1-19.obf", 19):
        assert reversi_solve(state) == score


@pytest.mark.slow
def test_solver_on_hard_positions(shared: Callable[[str], Path]) -> None:
    """Twenty empty cells, chosen for their difficulty."""
    for state, score in endgames(shared, "edax_hard-20.obf", 10):
        assert reversi_solve(state) == score


def test_the_search_solves_what_its_limits_allow(shared: Callable[[str], Path]) -> None:
    """With 14 or fewer empty cells the first line is exact, and its variation leads to that score."""
    seen = 0
    for state, score in endgames(shared, "fforum-1-19.obf", 19):
        if state.stones().count(0) > 14:
            continue
        search = ReversiMcts("weighted")
        search.set("seed", 1)
        search.run(state, playouts=100000)
        best = search.info().lines[0]
        assert (best.bound == "exact", best.score, best.proof) == (True, score, (score > 0) - (score < 0))
        assert best.win == 0.5 + 0.5 * best.proof
        end = state.copy()
        for move in best.pv:
            end.play(move)
        assert end.is_terminal() and end.result() * (1 if state.to_move == 0 else -1) == score
        seen += 1
    assert seen >= 3


@pytest.mark.parametrize(
    "bounds", [{"seconds": 600.0}, {"seconds": 600.0, "early_stop": True}, {"playouts": 10**9}, {}]
)
def test_a_short_ending_does_not_use_up_what_there_is(bounds: dict[str, float]) -> None:
    state = late(5, 12)
    search = ReversiMcts("weighted")
    search.run(state, **bounds)
    info = search.info()
    assert info.lines[0].bound == "exact" and info.lines[0].score == reversi_solve(state) and info.seconds < 5


@pytest.mark.slow
def test_the_solver_goes_on_once_the_winner_is_known(shared: Callable[[str], Path]) -> None:
    """FFO 42: who wins is proved early, the discs take more than the solver's first share of the time."""
    state, score = endgames(shared, "fforum-40-59.obf", 3)[2]
    search = ReversiMcts("weighted")
    search.run(state, seconds=120, early_stop=True)
    assert (search.info().lines[0].bound == "exact", search.info().lines[0].score) == (True, score)


@pytest.mark.slow
@pytest.mark.parametrize("number", [43, 44])
def test_the_solver_takes_the_time_there_is(number: int, shared: Callable[[str], Path]) -> None:
    """FFO 43 and 44 have 23 empty cells: 13 and 4 CPU seconds, which a move of a minute has; busy machines get more."""
    state, score = endgames(shared, "fforum-40-59.obf", 5)[number - 40]
    search = ReversiMcts("weighted")
    search.set("seed", 1)
    search.run(state, seconds=180, early_stop=True)
    assert (search.info().lines[0].bound == "exact", search.info().lines[0].score) == (True, score)


@pytest.mark.parametrize(("empties", "least", "most"), [(30, 0, 0), (25, 0, 0), (24, 9, 30), (22, 2, 9), (12, 0, 0.1)])
def test_how_long_solving_takes(empties: int, least: float, most: float) -> None:
    state = ReversiState()
    state.setup(bytes([1, 2] * 32)[: 64 - empties].ljust(64, b"\0"), 0)
    seconds = ReversiMcts("weighted").seconds_to_solve(state)
    assert least <= seconds <= most and (seconds > 0) == (most > 0)
    assert ReversiMcts("uniform").seconds_to_solve(state) == 0


def test_lines_after_solving_hold_every_move_once() -> None:
    for seed in range(10):
        state = late(seed, 9)
        if state.is_terminal():
            continue
        search = ReversiMcts("weighted")
        search.run(state, playouts=3000)
        lines = search.info().lines
        assert len({line.move for line in lines}) == len(lines) and {line.move for line in lines} <= set(
            state.legal_moves()
        )
        exact = [line.score for line in lines if line.bound == "exact"]
        assert exact == sorted(exact, reverse=True) and exact[0] == reversi_solve(state)
        only = search.info(max_lines=1).lines
        assert len(only) == 1 and only[0].move == lines[0].move


def test_excluded_moves_stay_excluded_when_solving() -> None:
    state = late(3, 8)
    moves = list(state.legal_moves())
    assert len(moves) > 2
    search = ReversiMcts("weighted")
    for avoided in moves:
        search.run(state, playouts=2000, avoid=[avoided])
        assert avoided not in [line.move for line in search.info().lines]
        search.run(state, playouts=2000, allow=[avoided])
        assert [line.move for line in search.info().lines] == [avoided]


@pytest.mark.parametrize("seed", range(6))
def test_lent_points_turn_no_result_into_a_proof(seed: int) -> None:
    """Points that turn the result: what the solver knows of the discs proves nothing about that game."""
    state = late(seed, 8)
    score = reversi_solve(state) * (1 if state.to_move == 0 else -1)
    if state.is_terminal() or score == 0:
        return
    search = ReversiMcts("weighted")
    search.set("seed", 1)
    search.run(state, playouts=300, komi_shift=-score - (0.5 if score > 0 else -0.5))
    best = search.info().lines[0]
    assert best.bound != "exact" and best.proof in (0, -1 if (score > 0) == (state.to_move == 0) else 1)


def test_few_playouts_solve_little() -> None:
    """Weak levels stay weak: the solver's nodes are bounded by the playouts."""
    search = ReversiMcts("weighted")
    search.set("leaf_empties", 0)
    state = late(1, 16)
    search.run(state, playouts=12)
    assert not any(line.bound == "exact" for line in search.info().lines) and search.info().playouts == 12


def after(state: ReversiState, move: int) -> int:
    """Score of who moves, with best play from there."""
    child = state.copy()
    child.play(move)
    return -reversi_solve(child)


@pytest.mark.parametrize("name", ["uniform", "weighted"])
def test_the_only_winning_move_is_found_and_proved(name: str) -> None:
    found = 0
    for seed in range(200):
        state = late(seed, 6)
        wins = [] if state.is_terminal() else [m for m in state.legal_moves() if m != PASS and after(state, m) > 0]
        if len(wins) != 1 or len(state.legal_moves()) < 3:
            continue
        search = ReversiMcts(name)
        search.set("seed", 1)
        search.set("root_empties", 0)  # the tree alone
        search.run(state, playouts=3000)
        best = search.info().lines[0]
        assert (best.move, best.proof) == (wins[0], 1)
        found += 1
    assert found >= 10


def test_uniform_search_solves_nothing() -> None:
    search = ReversiMcts("uniform")
    search.run(late(2, 12), playouts=200)
    assert not any(line.bound == "exact" for line in search.info().lines)


def test_unknown_names_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown evaluator tactical"):
        ReversiMcts("tactical")
    search = ReversiMcts("weighted")
    names = [name for name, *_ in search.options()]
    assert {"c", "corner_weight", "edge_weight", "leaf_empties", "root_empties", "prior_visits"} <= set(names)
    with pytest.raises(ValueError, match="unknown option corner"):
        search.set("corner", 1)
    with pytest.raises(ValueError, match="must lie between"):
        search.set("leaf_empties", 40)


@pytest.mark.parametrize(("corner", "edge", "other"), [(3, 2, 1), (0, 0, 0), (1000, 0, 1), (0, 1, 0)])
def test_any_weights_work(corner: float, edge: float, other: float) -> None:
    search = ReversiMcts("weighted")
    for name, value in (("corner_weight", corner), ("edge_weight", edge), ("other_weight", other), ("x_weight", other)):
        search.set(name, value)
    search.run(ReversiState(), playouts=300)
    info = search.info()
    assert info.playouts == 300 and 0.2 < info.win < 0.8


def test_uniform_playouts_are_repeatable_and_fair() -> None:
    moves, wins, draws = reversi_playouts(20000, 5)
    assert (moves, wins, draws) == reversi_playouts(20000, 5) != reversi_playouts(20000, 6)
    assert 60.2 < moves / 20000 < 60.6  # 60 cells and some passes
    assert 0.44 < wins / 20000 < 0.47 and 0.03 < draws / 20000 < 0.05


@pytest.mark.timing
def test_uniform_playouts_are_fast() -> None:
    start = time.process_time()
    reversi_playouts(100000, 1)
    assert 100000 / (time.process_time() - start) > 150000


@pytest.mark.timing
def test_time_and_stop_hold_while_solving() -> None:
    state = late(4, 21)
    search = ReversiMcts("weighted")
    start = time.monotonic()
    search.run(state, seconds=0.3)
    assert time.monotonic() - start < 0.45
    assert search.info().lines


def test_who_must_pass_passes() -> None:
    state = ReversiState()
    state.setup(bytes("-XO".index(c) for c in "OX".ljust(64, "-")), 0)
    for name in ("uct", "rollout", "mix", "random"):
        live = Player(Config(game="reversi", player=name, playouts=20, threads=1, seed=1))
        live.setup(state.stones(), 0)
        assert live.genmove(MoveRequest(0, resign=False)).move == PASS
        live.close()


@pytest.mark.slow
def test_uct_beats_rollout() -> None:
    """Three thousand playouts against one thousand: seeded openings, each played with both colours."""
    score, games, dice = 0.0, 20, random.Random(1)
    for game in range(games):
        if game % 2 == 0:
            opening = late(dice.randrange(1000), 52)
        uct = Player(Config(game="reversi", player="uct", playouts=3000, threads=1, seed=game + 1))
        other = Player(Config(game="reversi", player="rollout", playouts=1000, threads=1, seed=game + 1))
        for player in (uct, other):
            player.setup(opening.stones(), opening.to_move)
        while not uct.state.is_terminal():
            colour = uct.state.to_move
            move = (uct, other)[colour ^ game % 2].genmove(MoveRequest(colour, play=False, resign=False)).move
            assert move is not None
            for player in (uct, other):
                player.play(colour, move)
        margin = uct.state.result() * (1 if game % 2 == 0 else -1)
        score += 1.0 if margin > 0 else 0.5 if margin == 0 else 0.0
        uct.close()
        other.close()
    assert score >= 0.8 * games
