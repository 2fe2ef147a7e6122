"""Reversi's solver and its parts: what a plain alpha-beta finds, windows, threads, stopping, stable discs."""

from __future__ import annotations

import random
import threading
import time

import pytest
from _tengen_units import reversi_plain_solve, reversi_stable, reversi_wrong_moves
from whole_sets import portion

from tengen.engine._core import ReversiAlphaBeta, ReversiSolver, ReversiState, StopToken

PASS = 64


def late(choose: random.Random, empties: int) -> ReversiState:
    """A position of a random game with so many empty cells; of a game that ended before, another one."""
    while True:
        state = ReversiState()
        while state.stones().count(0) > empties and not state.is_terminal():
            state.play(choose.choice(state.legal_moves()))
        if not state.is_terminal():
            return state


def words(state: ReversiState) -> tuple[int, int]:
    """The discs of the side to move and those of the other as sets of bits."""
    sets = [sum(1 << cell for cell, stone in enumerate(state.stones()) if stone == colour) for colour in (1, 2)]
    return sets[state.to_move], sets[1 - state.to_move]


def plain(state: ReversiState) -> int:
    """Its score by the plain solver."""
    return int(reversi_plain_solve(*words(state)))


def after(state: ReversiState, move: int) -> ReversiState:
    child = state.copy()
    child.play(move)
    return child


def check(solver: ReversiSolver, state: ReversiState) -> None:
    """The score is the plain solver's, and the best move has it."""
    wanted = plain(state)
    found = solver.solve(state)
    assert found is not None
    score, move, nodes = found
    assert score == wanted and nodes > 0 and state.is_legal(move)
    assert -plain(after(state, move)) == wanted


def test_moves_and_flips_are_those_of_the_plain_code() -> None:
    assert reversi_wrong_moves(seed=1, positions=3000) == 0


@pytest.mark.parametrize("empties", range(1, 13))
def test_it_finds_what_a_plain_search_finds(empties: int) -> None:
    choose, solver = random.Random(empties), ReversiSolver(memory_mb=1)
    for _ in range(12):
        check(solver, late(choose, empties))


# Boards, the side to move, its score by the plain solver. Stable discs of the other side bound each score within the
# search, and the bound is reached: one that is two discs too low finds another score.
BOUNDED = """
XXXXXXXOXXXXXXXOXXXXXXXOXXXXXO-OXXXOOOOOXXXO-OOXXXO--OOXXOX----X X  54
OOOO----XXXXOO--XXXXXO--XXXXXO-OXXXXXOOOXXXXXOOOXXXXXXOOXXXXXXXO X  46
XXXXX---X-O--X--XXXOXXXXXXXXXXXXXXXXXXX-XXXXXXX-XXXXXXXOXXXXXXXX O -64
--X-OOXO---XXXXX--OXXXXX-OOXXXXX--XXXXXXXXXXXOXXXXXXXXXXXXXXXXXX O -62
XXXXXXXOOXOOO-OXOXOOOOXXOOOXOXXX-OOOOOXX----OXXX--XXXXXX---XXXXX O -58
XXX--XXXXXXO-XXXXXX-OXXX-OXOOXXX--OOOOXX-OOOOOOX--OXOO-XOOOOOO-X O -52
OOO---O-OOO--O--OOOOO---OOOOOOO-XXXXXXOXXXXXXXXOXXXXXXXXXXXXXXXX X  46
XXXXXXXX-XXXXXXX--OXXXXX--OXXXXX--OXXXXX--OXXXXX---XXXXX-OOOOOOO X  50
-OOOOOOO---OO-O---OOOOOX-OOOOOOO-OOXO-OO-OXXOOOO-XXXXXXXXXXXXXXX X  34
-X-X-XXXOOXXXXXXOOOXXXXXOOXOXXXXOOOXXXX-OOOOO--XOOOO----OOOOO--- O  40
OXXXXXXXOOXXXX--OOOXXXX-OOOXXXXXOOOOOX--OOOOO-X-OOOOO---OOOOO--- O  48
"""


@pytest.mark.parametrize("row", BOUNDED.strip().splitlines())
def test_a_bound_by_stable_discs_is_not_too_low(row: str) -> None:
    cells, side, score = row.split()
    state = ReversiState()
    state.setup(bytes("-XO".index(cell) for cell in cells), "XO".index(side))
    found = ReversiSolver(memory_mb=1).solve(state)
    assert found is not None and found[0] == plain(state) == int(score)


def lopsided(choose: random.Random, empties: int) -> ReversiState:
    """Black leaves White few replies and takes corners, White moves at random: nearly all discs become stable."""
    while True:
        state = ReversiState()
        while state.stones().count(0) > empties and not state.is_terminal():
            moves = state.legal_moves()
            if state.to_move == 0:
                left = {move: len(after(state, move).legal_moves()) - 8 * (move in (0, 7, 56, 63)) for move in moves}
                moves = [move for move in moves if left[move] == min(left.values())]
            state.play(choose.choice(moves))
        if not state.is_terminal():
            return state


@pytest.mark.parametrize("seed", range(10))
def test_lopsided_games(seed: int) -> None:
    """Where most is decided by stable discs: about one game in 30 tells a bound that is two discs too low."""
    choose, solver = random.Random(seed), ReversiSolver(memory_mb=1)
    for number in range(40):
        state = lopsided(choose, 6 + number % 6)
        found = solver.solve(state)
        assert found is not None and found[0] == plain(state), number


@pytest.mark.slow
def test_many_positions() -> None:
    """14 to 18 empty cells, one table for all."""
    choose, solver = random.Random(2), ReversiSolver(memory_mb=4)
    for number in range(portion(200)):
        state = late(choose, 14 + number % 5)
        found = solver.solve(state)
        assert found is not None and found[0] == plain(state), number


def test_far_nodes() -> None:
    """The kinds of nodes that only larger positions have."""
    choose, solver = random.Random(3), ReversiSolver(memory_mb=1)
    for empties in (14, 15, 16):
        state = late(choose, empties)
        found = solver.solve(state)
        assert found is not None and found[0] == plain(state)


@pytest.mark.parametrize("seed", range(20))
def test_windows(seed: int) -> None:
    """Exact within, a bound outside; a move only where it is better than the lower end."""
    choose = random.Random(seed)
    state = late(choose, 9 + seed % 4)
    wanted, solver = plain(state), ReversiSolver(memory_mb=1)
    for alpha, beta in [(-1, 1), (wanted - 1, wanted + 1), (wanted, wanted + 9), (wanted - 9, wanted), (-64, 64)]:
        alpha, beta = max(alpha, -64), min(beta, 64)
        if alpha >= beta:
            continue
        found = solver.solve(state, alpha, beta)
        assert found is not None
        score, move, _ = found
        if alpha < wanted < beta:
            assert score == wanted
        else:
            assert wanted <= score <= alpha if wanted <= alpha else beta <= score <= wanted
        if beta - alpha > 1 and wanted > alpha and state.legal_moves() != [PASS]:
            assert -plain(after(state, move)) > alpha
    with pytest.raises(ValueError, match="a window is"):
        solver.solve(state, 3, 3)


# board, score of Black, his move: a pass and then a wipe-out, a wipe-out, games that are over
SHORT = [("OX", -64, PASS), ("XO", 64, 2), ("XX", 64, -1), ("X--O", 0, -1), ("", 0, -1)]


@pytest.mark.parametrize(("cells", "score", "move"), SHORT)
def test_passes_and_endings(cells: str, score: int, move: int) -> None:
    state = ReversiState()
    state.setup(bytes("-XO".index(c) for c in cells.ljust(64, "-")), 0)
    found = ReversiSolver(memory_mb=1).solve(state)
    assert found is not None and found[:2] == (score, move)


@pytest.mark.threads
def test_threads_find_the_same() -> None:
    choose, solver = random.Random(4), ReversiSolver(threads=3, memory_mb=1)
    for empties in (17, 17, 18):
        state = late(choose, empties)
        found = solver.solve(state)
        assert found is not None
        one = ReversiSolver(memory_mb=1).solve(state)
        assert one is not None and found[0] == one[0]
        reply = ReversiSolver(memory_mb=1).solve(after(state, found[1]))
        assert reply is not None and -reply[0] == one[0]


def test_one_thread_repeats() -> None:
    state = late(random.Random(5), 15)
    assert ReversiSolver(memory_mb=1).solve(state) == ReversiSolver(memory_mb=1).solve(state)


@pytest.mark.threads
@pytest.mark.parametrize("threads", [1, 2])
def test_a_stop_ends_it(threads: int) -> None:
    """And it solves what comes next."""
    state, stop, solver = late(random.Random(6), 34), StopToken(), ReversiSolver(threads=threads, memory_mb=1)
    threading.Timer(0.05, stop.stop).start()
    started = time.monotonic()
    assert solver.solve(state, stop=stop) is None and time.monotonic() - started < 5
    assert solver.solve(state, stop=stop) is None, "a wish that came before"
    check(solver, late(random.Random(7), 10))


@pytest.mark.parametrize("seed", range(30))
def test_stable_discs_stay(seed: int) -> None:
    """Whatever is played to the end of the game; and a full board is stable altogether."""
    choose = random.Random(seed)
    state = late(choose, choose.randrange(2, 30))
    sets = words(state)
    stays = [int(reversi_stable(sets[0], sets[1])), int(reversi_stable(sets[1], sets[0]))]
    assert stays[0] & ~sets[0] == 0 and stays[1] & ~sets[1] == 0
    for _ in range(40):
        end = state.copy()
        while not end.is_terminal():
            end.play(choose.choice(end.legal_moves()))
            own, enemy = words(end) if end.to_move == state.to_move else words(end)[::-1]
            assert stays[0] & ~own == 0 and stays[1] & ~enemy == 0
    full = choose.getrandbits(64)
    assert reversi_stable(full, ~full & (1 << 64) - 1) == full


# rows from the top, which of the X are stable
STABLE = [
    ("XXX.....", "XXX....."),
    (".XXX....", ""),
    ("XX.....X X", "XX.....X X"),
    (".XXXXXXO", ""),
    ("XXXXXXXO", "XXXXXXX."),
    ("OXXXXXXO", ".XXXXXX."),
    ("OXXX.XXO", ""),
    ("XXXX.... XXX..... XX......", "XXXX.... XXX..... XX......"),
]


@pytest.mark.parametrize(("board", "wanted"), STABLE)
def test_stable_discs(board: str, wanted: str) -> None:
    def bits(text: str, letter: str) -> int:
        rows = text.split()
        return sum(1 << 8 * y + x for y, row in enumerate(rows) for x, cell in enumerate(row) if cell == letter)

    assert reversi_stable(bits(board, "X"), bits(board, "O")) == bits(wanted, "X")


@pytest.mark.parametrize("empties", [6, 10, 13])
def test_alpha_beta_hands_over_to_it(empties: int) -> None:
    """The end of the game is looked at once; score, line and node counts are those of one search."""
    choose = random.Random(empties)
    for _ in range(4):
        state = late(choose, empties)
        search = ReversiAlphaBeta("mobility")
        search.set("memory_mb", 4)
        search.run(state)
        info = search.info()
        line = info.lines[0]
        wanted = plain(state)
        assert (line.score, line.is_proved, line.bound) == (wanted, True, "exact")
        end = state.copy()
        for move in line.pv:
            end.play(move)
        assert end.is_terminal() and end.result() * (1 if state.to_move == 0 else -1) == wanted
        assert info.nodes > len(line.pv)


def test_a_depth_bounds_alpha_beta_in_endings() -> None:
    search = ReversiAlphaBeta("mobility")
    search.run(late(random.Random(8), 14), depth=6)
    (line,) = search.info().lines
    assert line.depth == 6 and not line.is_proved
