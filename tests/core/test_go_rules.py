"""The rules of Go in the core, against sgfmill's board, OpenSpiel's playthrough and tables of our own."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from go_boards import board, cell, show, stones_of
from go_games import SlowBoard, choose
from whole_sets import portion, some_of

from tengen.engine._core import GoState, go_perft

# diagram, colour, vertex, what comes of it: the reason of a refusal, or the diagram after the move
MOVES = [
    ("...\n.X.\n...", 0, "b2", "occupied"),
    ("...\n.X.\n...", 1, "b2", "occupied"),
    (".X.\nX.X\n.X.", 1, "b2", "suicide"),
    (".X.\nX.X\n.X.", 0, "b2", ".X.\nXXX\n.X."),
    (".O.\nOX.\n.O.", 1, "c2", ".O.\nO.O\n.O."),
    ("O.O\nOOO\nXX.", 1, "b3", "OOO\nOOO\nXX."),  # fills an own eye: foolish, not forbidden
    ("OOO\nOOO\nXX.", 0, "c1", "...\n...\nXXX"),  # takes the last liberty of the whole board
    ("..O\n.OO\nOO.", 0, "c1", "suicide"),
    ("XX.\nOX.\n.X.", 1, "a1", "suicide"),  # its own chain's last liberty
    (".O.O\nOX.X\n.O.O", 1, "c2", ".O.O\nO.O.\n.O.O"),  # two chains at once
]  # fmt: skip

# textbook eyes: vertex, colour, is_eye, is_playout_eye
EYES = [
    (".X.\nXX.\n...", "a3", 0, True, True),  # corner, its one diagonal own
    (".X.\nX..\n...", "a3", 0, False, True),  # corner, diagonal empty
    (".X.\nXO.\n...", "a3", 0, False, False),
    ("X.X\nXXX\n...", "b3", 0, True, True),  # edge, both diagonals own
    ("X.X\n.XX\n...", "b3", 0, False, True),
    ("X.X\nOXX\n...", "b3", 0, False, False),
    ("XXX\nX.X\n.XX", "b2", 0, True, True),  # centre, three of four
    ("XX.\nX.X\n.XX", "b2", 0, False, True),
    ("XXO.\nX.X.\nXXX.", "b2", 0, True, True),
    ("XXO.\nX.X.\nXXO.", "b2", 0, False, False),
    ("XXX\nX.O\nXXX", "b2", 0, False, False),
    ("XXX\nX.X\nXXX", "b2", 1, False, False),
    ("OOO\nO.O\nOOO", "b2", 1, True, True),
]


@pytest.mark.parametrize(("diagram", "colour", "vertex", "expected"), MOVES)
def test_moves(diagram: str, colour: int, vertex: str, expected: str) -> None:
    state = board(diagram, to_move=colour)
    before = state.state_key
    move = cell(state, vertex)
    if "\n" in expected:
        assert state.is_legal(move)
        state.play(move)
        assert show(state) == expected
        assert state.to_move == 1 - colour
    else:
        assert not state.is_legal(move)
        with pytest.raises(ValueError, match=f"^{expected}$"):
            state.play(move)
        assert state.state_key == before
    state.check()


@pytest.mark.parametrize(("diagram", "vertex", "colour", "textbook", "playout"), EYES)
def test_eyes(diagram: str, vertex: str, colour: int, textbook: bool, playout: bool) -> None:
    state = board(diagram)
    point = cell(state, vertex)
    assert state.is_eye(colour, point) is textbook
    assert state.is_playout_eye(colour, point) is playout


def test_refusals_outside_the_board() -> None:
    state = GoState(3, 3)
    for move in (-1, 10, 1000):
        assert not state.is_legal(move)
        with pytest.raises(ValueError, match="^off the board$"):
            state.play(move)
    for colour in (-1, 2):
        with pytest.raises(ValueError, match="colour"):
            state.play_as(colour, 0)
    for size in (1, 26):
        with pytest.raises(ValueError, match="^unacceptable size$"):
            GoState(size, 9)
    with pytest.raises(ValueError, match="^unknown ko rule$"):
        GoState(9, 9, ko="superb")


def test_ko() -> None:
    state = board(".XO.\nX.XO\n.XO.\n....", to_move=1)
    state.play(cell(state, "b3"))
    assert show(state).splitlines()[1] == "XO.O"
    assert state.ko_point == cell(state, "c3")
    with pytest.raises(ValueError, match="^ko$"):
        state.play(cell(state, "c3"))
    other = state.copy()
    other.play(other.pass_move)
    other.play(other.pass_move)
    assert other.ko_point == -1 and other.is_legal(cell(state, "c3"))
    state.play_as(1, cell(state, "c3"))  # forbidden to Black alone
    assert state.captured(0) == 1 and state.captured(1) == 0


def test_suicide_rule() -> None:
    single = board(".X.\nX..\n...", to_move=1, suicide=True)
    assert not single.is_legal(0), "suicide of one stone is never allowed"
    state = board("O.X\nXX.\n...", to_move=1, suicide=True)
    state.play(cell(state, "b3"))
    assert show(state) == "..X\nXX.\n..."
    assert state.captured(1) == 2
    state.check()


def test_passes_end_the_game_and_clear_the_ko() -> None:
    state = GoState(5, 5)
    state.play(state.pass_move)
    assert not state.is_terminal() and state.passes == 1
    state.play(3)
    assert state.passes == 0
    state.play(state.pass_move)
    state.play(state.pass_move)
    assert state.is_terminal() and state.move_number == 4
    state.play(7)  # a cleanup may follow
    assert not state.is_terminal()
    for passes in range(1, 600):
        state.play(state.pass_move)
        assert state.is_terminal() == (passes >= 2)


def test_setup() -> None:
    state = GoState(3, 3, komi=2.5)
    state.play(0)
    before = state.state_key
    for stones, reason in [(b"\1\2\0\2\0\0\0\0\0", "no liberties"), (b"\1" * 9, "no liberties"), (b"\1", "wrong"), (b"\3" * 9, "0, 1 or 2")]:  # fmt: skip
        with pytest.raises(ValueError, match=reason):
            state.setup(stones, 0)
        assert state.state_key == before
    state.setup(b"\1\1\1\0\2\0\1\1\1", 1)
    assert (show(state), state.to_move, state.move_number, state.komi) == ("XXX\n.O.\nXXX", 1, 0, 2.5)
    state.check()


@pytest.mark.parametrize(("size", "counts"), [((2, 2), [1, 5, 21, 69, 177, 381]), ((3, 3), [1, 10, 91, 739, 5291])])
def test_perft_against_brute_force(size: tuple[int, int], counts: list[int]) -> None:
    """Counted here with sgfmill's board; two passes end a line."""

    def count(slow: SlowBoard, colour: int, passes: int, depth: int) -> int:
        if depth == 0 or passes == 2:
            return 1
        total = 0
        for move in range(slow.size**2 + 1):
            is_pass = move == slow.size**2
            if not is_pass and not slow.is_legal(colour, move, suicide=False):
                continue
            after = SlowBoard(slow.size)
            after.board = slow.board.copy()
            after.ko = slow.ko
            after.play(colour, move)
            total += count(after, 1 - colour, passes + 1 if is_pass else 0, depth - 1)
        return total

    deepest = 4 if size == (2, 2) else 3
    assert [go_perft(GoState(*size), depth) for depth in range(deepest + 1)] == [
        count(SlowBoard(size[0]), 0, 0, depth) for depth in range(deepest + 1)
    ]


def play_random_game(size: int, seed: int, suicide: bool) -> None:
    """One game in step with sgfmill's board; legality compared everywhere now and then."""
    rng = random.Random(seed)
    state, slow = GoState(size, size, suicide=suicide), SlowBoard(size)
    for number in range(2 * size * size):
        if number % 17 == seed % 17:
            legal = {m for m in range(size * size) if slow.is_legal(state.to_move, m, suicide)}
            assert set(state.legal_moves()[:-1]) == legal
            state.check()
        move = choose(state, rng)
        colour = state.to_move if rng.random() < 0.95 else rng.randrange(2)
        try:
            state.play_as(colour, move)
        except ValueError:  # chosen for the other colour
            assert not slow.is_legal(colour, move, suicide)
            continue
        slow.play(colour, move)
        assert state.stones() == slow.stones()
        is_single = suicide and slow.ko is None
        assert is_single or state.ko_point == (-1 if slow.ko is None else (size - 1 - slow.ko[0]) * size + slow.ko[1])
        if state.is_terminal():
            break
    assert state.result() == slow.board.area_score()
    assert [state.captured(c) for c in (0, 1)] == [slow.taken(c) for c in (0, 1)]
    state.check()
    again = GoState(size, size, suicide=suicide)
    again.setup(state.stones(), state.to_move)
    assert again.position_key == state.position_key
    assert (again.liberties() == state.liberties()).all() and (again.area() == state.area()).all()


SIZES = (2, 3, 5, 7, 9, 9, 9, 13)


@pytest.mark.parametrize("block", range(3))
def test_random_games_against_sgfmill(block: int) -> None:
    for seed in range(100 * block, 100 * block + portion(100)):
        play_random_game(SIZES[seed % len(SIZES)], seed, suicide=seed % 3 == 0)
    play_random_game(19, block, suicide=False)


@pytest.mark.slow
@pytest.mark.parametrize("block", some_of(10))
def test_thousands_of_random_games_against_sgfmill(block: int) -> None:
    for seed in range(1000 * block, 1000 * block + portion(1000)):
        play_random_game((*SIZES, *SIZES, 19)[seed % 17], seed + 1_000_000, suicide=seed % 3 == 0)


def sgfmill_diagram(text: str) -> tuple[int, int, bytes]:
    """sgfmill's `#` black, `o` white, with coordinates around."""
    rows = [line[2:] for line in text.splitlines()[:-1]]
    return stones_of("\n".join(row.replace("#", "X").replace("o", "O") for row in rows))


def test_sgfmill_tables(shared: Callable[[str], Path]) -> None:
    tables = json.loads(shared("data/go/sgfmill/board_test_data.json").read_text("utf-8"))
    assert len(tables["play_tests"]) == 16
    for code, moves, diagram, ko, score in tables["play_tests"]:
        state = GoState(9, 9, suicide=True)
        for move in moves:
            colour, vertex = move.split()
            if code == "self-capture-1" and vertex == "D5":  # one stone's suicide changes nothing and is no move here
                with pytest.raises(ValueError, match="^suicide$"):
                    state.play_as(1, cell(state, vertex))
                continue
            state.play_as("BW".index(colour), cell(state, vertex))
            state.check()
        assert state.stones() == sgfmill_diagram(diagram)[2], code
        assert state.ko_point == (-1 if ko is None else cell(state, ko)), code
        assert state.result() == score, code
    for code, diagram, score in tables["score_tests"]:
        width, height, stones = sgfmill_diagram(diagram)
        state = GoState(width, height)
        state.setup(stones, 0)
        assert state.result() == score, code
    for code, black, white, _empty, diagram, is_legal in tables["setup_tests"]:
        state = GoState(9, 9)
        stones = bytearray(81)
        for colour, vertices in ((1, black), (2, white)):
            for vertex in vertices:
                stones[cell(state, vertex)] = colour
        if is_legal:
            state.setup(bytes(stones), 0)
            assert state.stones() == sgfmill_diagram(diagram)[2], code
        else:
            with pytest.raises(ValueError, match="no liberties"):
                state.setup(bytes(stones), 0)


def test_open_spiel_playthrough(shared: Callable[[str], Path]) -> None:
    """Every state, its legal actions and the returns. OpenSpiel numbers rows from the bottom."""
    blocks = shared("data/go/open_spiel/go.txt").read_text("utf-8").split("\n# State ")[1:]
    assert len(blocks) == 70
    state = GoState(7, 7, komi=4.5)

    def ours(action: int) -> int:
        return action if action == 49 else (6 - action // 7) * 7 + action % 7

    described = 0
    for block in blocks:
        rows = re.findall(r"^# +\d (\S+)$", block, re.MULTILINE)
        if rows:
            described += 1
            assert show(state) == "\n".join(rows).replace("+", ".")
            assert ("True" in re.findall(r"IsTerminal\(\) = (\w+)", block)) is state.is_terminal()
        if legal := re.search(r"^LegalActions\(\) = \[(.*)\]", block, re.MULTILINE):
            assert state.legal_moves() == sorted(ours(int(a)) for a in legal[1].split(","))
        if player := re.search(r"^CurrentPlayer\(\) = (\d)", block, re.MULTILINE):
            assert state.to_move == int(player[1])
        if returns := re.search(r"^Returns\(\) = \[(.*)\]", block, re.MULTILINE):
            black = int(returns[1].split(",")[0])
            assert not state.is_terminal() or (state.result() > 0) == (black > 0)
        if action := re.search(r"^action: (\d+)", block, re.MULTILINE):
            state.play(ours(int(action[1])))
    assert described > 5 and state.is_terminal()
