"""The native search through its Python face: limits, stopping, repeatability, reuse, memory, proofs."""

from __future__ import annotations

import resource
import threading
import time
from typing import Any

import pytest

from tengen.engine._core import GoMcts, GoState, StopToken

SIZE = 9


def make(evaluator: str = "tactical", **options: float) -> Any:
    search = GoMcts(evaluator)
    for name, value in {"seed": 1, "memory_mb": 64, **options}.items():
        search.set(name, value)
    return search


def board(rows: str, to_move: int = 0, komi: float = 0.5) -> GoState:
    """A position from rows of `. X O`."""
    lines = [row.split() for row in rows.strip().splitlines()]
    state = GoState(len(lines[0]), len(lines), komi=komi)
    state.setup(bytes(".XO".index(cell) for line in lines for cell in line), to_move)
    return state


def lines(search: Any) -> list[tuple[int, int]]:
    return [(line.move, line.visits) for line in search.info().lines]


CAPTURE = """
    . . . . .
    . X X . .
    X O O X .
    . X . . .
    . . . . .
"""


@pytest.mark.parametrize("evaluator", ["uniform", "tactical"])
def test_finds_the_capture(evaluator: str) -> None:
    search = make(evaluator)
    search.run(board(CAPTURE, komi=5.5), playouts=3000)
    assert search.info().lines[0].move == 3 * 5 + 2


@pytest.mark.parametrize("evaluator", ["uniform", "tactical"])
def test_same_seed_same_tree(evaluator: str) -> None:
    reports = []
    for _ in range(2):
        search = make(evaluator, seed=5)
        search.run(GoState(SIZE, SIZE, komi=7.5), playouts=800)
        reports.append(lines(search))
    assert reports[0] == reports[1]
    other = make(evaluator, seed=6)
    other.run(GoState(SIZE, SIZE, komi=7.5), playouts=800)
    assert lines(other) != reports[0]


def test_playouts_are_counted_exactly() -> None:
    search = make()
    search.run(GoState(SIZE, SIZE), playouts=777)
    assert search.info().playouts == 777
    assert search.info().visits == 777
    assert sum(visits for _, visits in lines(search)) == 777


@pytest.mark.threads
def test_two_threads_count_exactly_too() -> None:
    search = make(threads=2)
    search.run(GoState(SIZE, SIZE), playouts=3000)
    assert search.info().visits == 3000
    assert sum(visits for _, visits in lines(search)) == 3000


@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_ends_at_its_depth(threads: int) -> None:
    """Depth is the mean length of the paths; the deepest is longer. A thread that was not running while another one
    reached the depth ends its own round after it, so that two may come out a little deeper."""
    search = make(threads=threads)
    state, played = GoState(SIZE, SIZE, komi=7.5), []
    for depth in (2, 4):
        search.clear()
        search.run(state, depth=depth, playouts=200000)
        info = search.info()
        assert depth <= info.lines[0].depth <= depth + (threads > 1)
        assert info.lines[0].depth < info.lines[0].seldepth <= 60
        played.append(info.playouts)
    assert 64 <= played[0] < played[1] < 200000


@pytest.mark.timing
def test_a_full_tree_ends_a_search_for_depth() -> None:
    search = make(memory_mb=1, threads=1)
    search.run(GoState(19, 19, komi=7.5), depth=300)
    assert search.info().hashfull > 0.9 and search.info().lines[0].depth < 300


def test_visits_bound_counts_the_reused_tree() -> None:
    search = make()
    state = GoState(SIZE, SIZE, komi=7.5)
    search.run(state, playouts=2000)
    best = search.info().lines[0]
    state.play(best.move)
    search.run(state, recent=[best.move], visits=best.visits)
    assert search.info().playouts == 0  # the reused tree already has them
    assert search.info().visits == best.visits


def test_reuse_needs_the_moves_that_lead_there() -> None:
    search = make()
    state = GoState(SIZE, SIZE, komi=7.5)
    search.run(state, playouts=500)
    other = GoState(SIZE, SIZE, komi=7.5)
    other.play_as(1, 40)
    search.run(other, recent=[40], playouts=100)
    assert search.info().visits == 100


@pytest.mark.timing
@pytest.mark.threads
@pytest.mark.parametrize("threads", [1, 2])
def test_stop_is_prompt(threads: int) -> None:
    search = make(threads=threads)
    delays = []
    for _ in range(10):
        stop = StopToken()
        thread = threading.Thread(target=search.run, args=(GoState(19, 19, komi=7.5),), kwargs={"stop": stop})
        thread.start()
        time.sleep(0.03)
        start = time.perf_counter()
        stop.stop()
        thread.join()
        delays.append(time.perf_counter() - start)
    assert sorted(delays)[len(delays) // 2] < 0.02


def test_stop_before_the_run_is_not_lost() -> None:
    search = make()
    stop = StopToken()
    stop.stop()
    start = time.perf_counter()
    search.run(GoState(SIZE, SIZE), seconds=30, stop=stop)
    assert time.perf_counter() - start < 5


@pytest.mark.threads
def test_info_while_running_from_another_thread() -> None:
    search = make(threads=2)
    thread = threading.Thread(target=search.run, args=(GoState(SIZE, SIZE, komi=7.5),), kwargs={"playouts": 10000})
    thread.start()
    seen = 0
    while thread.is_alive():
        info = search.info(5, True)
        assert info.visits >= seen
        seen = info.visits
        for line in info.lines:
            assert line.pv[0] == line.move
            assert 0 <= line.win <= 1
    thread.join()
    assert len(search.info(0, True).ownership) == SIZE * SIZE


def test_allow_and_avoid_bind_the_root_only() -> None:
    search = make()
    search.run(GoState(SIZE, SIZE), allow=[0, 80], playouts=300)
    assert {move for move, _ in lines(search)} <= {0, 80}
    search.run(GoState(SIZE, SIZE), avoid=[40], playouts=300)
    assert 40 not in {move for move, _ in lines(search)}
    assert len(lines(search)) > 2


def test_superko_keys_are_not_repeated() -> None:
    search = make()
    state = GoState(SIZE, SIZE)
    state.play(40)
    state = board(CAPTURE, komi=5.5)
    capture = 3 * 5 + 2
    search.run(state, seen=[state.key_after(capture)], playouts=300)
    assert capture not in {move for move, _ in lines(search)}


@pytest.mark.threads
@pytest.mark.parametrize("threads", [1, 2])
def test_tree_is_pruned_at_its_memory_bound(threads: int) -> None:
    search = make("uniform", memory_mb=1, expand_visits=1, threads=threads)
    search.run(GoState(SIZE, SIZE, komi=7.5), playouts=2500)
    info = search.info()
    assert info.playouts == 2500
    assert 0.3 < info.hashfull <= 1.0
    assert sum(visits for _, visits in lines(search)) == 2500


def test_a_tree_holds_two_and_a_half_times_what_it_held() -> None:
    """Positions with moves below them on 19x19, at least: it was 24,872 in 512 MB. A cell of the tree is 16 bytes."""
    megabytes, cell, most_moves = 4, 16, 362
    search = make(memory_mb=megabytes)
    search.run(GoState(19, 19, komi=7.5), playouts=4000)
    info = search.info()
    assert info.hashfull > 0.7
    moves = info.hashfull * megabytes * 2**20 / cell - 2 * info.nodes
    assert moves / most_moves / info.hashfull >= 2.5 * 24872 * megabytes / 512


@pytest.mark.timing
def test_resident_memory_stays_inside_the_bound() -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    search = make("uniform", memory_mb=40, expand_visits=1, seed=1)
    search.run(GoState(9, 9, komi=7.5), playouts=4000)  # 2,500 fill it
    assert search.info().hashfull > 0.5
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    assert after - before < 40 + 12


@pytest.mark.slow
@pytest.mark.timing
def test_a_full_tree_keeps_the_deadline_and_the_stop() -> None:
    search = make("uniform", memory_mb=300, expand_visits=1)
    state = GoState(SIZE, SIZE, komi=7.5)
    search.run(state, seconds=4)  # full from here on
    late = []
    for seconds in (0.03 + 0.01 * n for n in range(20)):
        start = time.perf_counter()
        search.run(state, seconds=seconds)
        late.append(time.perf_counter() - start - seconds)
        stop = StopToken()
        thread = threading.Thread(target=search.run, args=(state,), kwargs={"seconds": 60, "stop": stop})
        thread.start()
        time.sleep(seconds)
        start = time.perf_counter()
        stop.stop()
        thread.join()
        late.append(time.perf_counter() - start)
    assert search.info().hashfull > 0.5
    assert sorted(late)[36] < 0.02


def test_a_winning_pass_is_proven() -> None:
    state = board(". X . X .\nX X X X X\nO O O O O\nO . O . O\nO O O O O", to_move=0, komi=-9.5)
    state.play(25)  # Black passes; White is far behind
    search = make()
    search.run(state, playouts=200)
    assert all(line.proof <= 0 for line in search.info().lines if line.move == 25)
    state.set_to_move(0)  # and for Black the second pass wins
    search.run(state, playouts=200)
    best = search.info().lines[0]
    assert (best.move, best.proof) == (25, 1)


def test_values_are_for_the_side_to_move() -> None:
    rows = ". X . X .\nX X X X X\n. O . O .\n. . O . .\n. . . . ."
    for to_move, ahead in ((0, True), (1, False)):
        search = make()
        search.run(board(rows, to_move, komi=-20), playouts=300)
        info = search.info(0, True)
        assert (info.win > 0.9) == ahead
        assert (info.score > 0) == ahead
        assert (info.ownership[1] > 0.5) == ahead
        assert info.to_move == to_move


def test_komi_shift_moves_the_result_but_not_the_reported_score() -> None:
    search = make()
    state = GoState(SIZE, SIZE, komi=7.5)
    search.run(state, playouts=500)
    plain = search.info()
    search.run(state, komi_shift=60, playouts=500)
    shifted = search.info()
    assert shifted.win > plain.win + 0.3
    assert abs(shifted.score - plain.score) < 15


def test_early_stop_ends_a_decided_search() -> None:
    search = make()
    search.run(board(CAPTURE, komi=5.5), allow=[17], playouts=100000, early_stop=True)
    assert search.info().playouts < 100000


@pytest.mark.parametrize("name, value", [("nonsense", 1), ("c", -1), ("c", float("nan")), ("threads", 0)])
def test_bad_options_are_refused(name: str, value: float) -> None:
    with pytest.raises(ValueError, match=name):
        make().set(name, value)


def test_unknown_evaluator() -> None:
    with pytest.raises(ValueError, match="unknown evaluator"):
        GoMcts("best")


@pytest.mark.parametrize("size", [(2, 2), (5, 3), (13, 13), (19, 19), (25, 25), (4, 25)])
def test_any_board_size(size: tuple[int, int]) -> None:
    search = make()
    search.run(GoState(*size, komi=0.5), playouts=50)
    assert search.info().visits == 50


def test_finished_game_has_no_move() -> None:
    state = GoState(SIZE, SIZE)
    state.play(81)
    state.play(81)
    search = make()
    search.run(state, playouts=10)
    assert search.info().lines == []
