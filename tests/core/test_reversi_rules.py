"""The rules of Reversi: perft, tables as text, and a slow second implementation in Python."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from reversi_boards import board, cell

from tengen.engine._core import ReversiState, reversi_perft
from tengen.engine.games.reversi.game import REVERSI

PASS = 64
# Leaves at depth 1, 2, ...; a pass is a ply, a finished game one leaf (Edax "-count games", Egaroucid's table).
PERFT = [4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284, 212258800]
DIRECTIONS = [(row, column) for row in (-1, 0, 1) for column in (-1, 0, 1) if row or column]


def diagram(state: ReversiState) -> str:
    return "\n".join("".join("-XO"[s] for s in state.stones()[row * 8 : row * 8 + 8]) for row in range(8))


def play(moves: str) -> ReversiState:
    """A game from the start, e.g. "f5d6"; passes are written "--"."""
    state = ReversiState()
    for i in range(0, len(moves), 2):
        state.play(cell(moves[i : i + 2]))
    return state


@pytest.mark.parametrize("depth", range(1, 10))
def test_perft(depth: int) -> None:
    assert reversi_perft(ReversiState(), depth) == PERFT[depth - 1]


@pytest.mark.slow
@pytest.mark.parametrize("depth", [10, 11])
def test_deep_perft(depth: int) -> None:
    assert reversi_perft(ReversiState(), depth) == PERFT[depth - 1]


def test_perft_follows_the_shared_table(shared: Callable[[str], Path]) -> None:
    rows = [line.split() for line in shared("data/othello/perft.txt").read_text().splitlines() if line[:1].isdigit()]
    assert [int(row[1]) for row in rows[:11]] == PERFT


def test_perft_of_other_positions() -> None:
    assert reversi_perft(ReversiState(), 0) == 1
    with pytest.raises(ValueError, match="depth is negative"):
        reversi_perft(ReversiState(), -1)
    assert reversi_perft(board("XO"), 1) == 1 == reversi_perft(board("XX"), 5)
    assert reversi_perft(board("OX"), 1) == 1 == reversi_perft(board("OX"), 2)  # a pass, then the only move


def test_start() -> None:
    state = ReversiState()
    assert (state.width, state.height, state.pass_move, state.to_move) == (8, 8, PASS, 0)
    assert [i for i, s in enumerate(state.stones()) if s == 1] == [cell("e4"), cell("d5")]
    assert [i for i, s in enumerate(state.stones()) if s == 2] == [cell("d4"), cell("e5")]
    assert [REVERSI.move_to_text(state, m) for m in state.legal_moves()] == ["d3", "c4", "f5", "e6"]
    assert state.discs(0) == state.discs(1) == 2 and state.mobility(0) == state.mobility(1) == 4


# moves, discs of black and white, legal moves of the next side
OPENINGS = [
    ("f5", 4, 1, "f4 d6 f6"),
    ("f5d6", 3, 3, "c3 c4 c5 c6 c7"),
    ("f5f4", 3, 3, "c3 d3 e3 f3 g3"),
    ("f5f6", 3, 3, "d3 c4 e6 f7"),
]


@pytest.mark.parametrize(("moves", "black", "white", "legal"), OPENINGS)
def test_openings(moves: str, black: int, white: int, legal: str) -> None:
    state = play(moves)
    assert (state.discs(0), state.discs(1)) == (black, white)
    assert list(state.legal_moves()) == sorted(map(cell, legal.split()))


# board, side, move, cells turned: each direction, both sides of a line, edges, no wrapping round the board
FLIPS = [
    ("-OOX----", "X", "a1", "b1 c1"),
    ("XOOOOOO-", "X", "h1", "b1 c1 d1 e1 f1 g1"),
    ("XOO-OOOX", "X", "d1", "b1 c1 e1 f1 g1"),
    ("XOO-----", "O", "d1", ""),
    ("-OOO----", "X", "a1", ""),
    ("-------O O------X", "X", "g1", ""),  # h1 a2 b2: no line over the edge
    ("------OO X-------", "X", "f1", ""),
    ("-------- O------- X-------", "X", "a1", "a2"),
    ("X------- -O------ --O----- --------", "X", "d4", "b2 c3"),
    ("-------X ------O- -----O-- --------", "X", "e4", "f3 g2"),
    ("X--X--X- -O-O-O-- --OOO--- XOO-OOOX --OOO--- -O-O-O-- X--O--X- ---X----", "X", "d4",
     "b2 d2 f2 c3 d3 e3 b4 c4 e4 f4 g4 c5 d5 e5 b6 d6 f6 d7"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "side", "move", "turned"), FLIPS)
def test_flips(text: str, side: str, move: str, turned: str) -> None:
    state = board(text, side)
    colour = "XO".index(side)
    expected = sorted(map(cell, turned.split()))
    assert state.flips(colour, cell(move)) == expected == sorted(naive_flips(state.stones(), colour, cell(move)))
    other = board(text, "OX"[colour])
    assert other.flips(colour, cell(move)) == expected, "whoever is to move"
    if not expected:
        before = state.stones()
        with pytest.raises(ValueError, match="flips nothing|game over"):
            state.play(cell(move))
        assert state.stones() == before
    else:
        state.play(cell(move))
        assert all(state.stones()[c] == colour + 1 for c in [*expected, cell(move)])


REFUSALS = [
    ("XO------", "X", -1, "off the board"),
    ("XO------", "X", 65, "off the board"),
    ("XO------", "X", 0, "occupied"),
    ("XO------", "X", 3, "flips nothing"),
    ("XO------", "X", PASS, "pass is not allowed"),
    ("XX------", "X", PASS, "game over"),
    ("XX------", "X", 3, "game over"),
    ("OX------", "X", 2, "flips nothing"),
]


@pytest.mark.parametrize(("text", "side", "move", "reason"), REFUSALS)
def test_refusals(text: str, side: str, move: int, reason: str) -> None:
    state = board(text, side)
    with pytest.raises(ValueError, match=f"^{reason}$"):
        state.play(move)
    with pytest.raises(ValueError, match=f"^{reason}$"):
        state.play_as(state.to_move, move)
    assert diagram(state) == diagram(board(text, side)) and not state.is_legal(move)


def test_a_pass_is_the_only_move_of_who_cannot_move() -> None:
    state = board("OX")
    assert list(state.legal_moves()) == [PASS] and state.is_legal(PASS) and not state.is_terminal()
    key, state_key = state.position_key, state.state_key
    assert state.key_after(PASS) == key
    state.play(PASS)
    assert state.to_move == 1 and state.position_key == key and state.state_key != state_key
    assert list(state.legal_moves()) == [cell("c1")]


def test_double_pass_ends_the_game_before_the_board_is_full() -> None:
    """Neither side can move: the game is over at once, without any pass being played."""
    state = board("X--O")
    assert state.is_terminal() and list(state.legal_moves()) == []
    state.set_to_move(1)
    assert state.is_terminal() and list(state.legal_moves()) == []


def test_wipe_out_after_nine_moves() -> None:
    """The shortest game: every white disc is turned; the 51 empty cells are Black's."""
    state = play("e6f4e3f6g5d6e7f5c5")
    assert state.is_terminal() and (state.discs(0), state.discs(1)) == (13, 0)
    assert state.result() == 64


# board (neither side can move), score with the empty cells given to the winner
RESULTS = [
    ("X" * 64, 64),
    ("O" * 64, -64),
    ("X" * 32 + "O" * 32, 0),
    ("X" * 33 + "O" * 31, 2),
    ("X" * 40 + "-" * 4 + "O" * 20, 24),
    ("O", -64),
    ("X------O", 0),
    ("X-X----O", 62),
    ("-", 0),
]


@pytest.mark.parametrize(("text", "score"), RESULTS)
def test_results(text: str, score: int) -> None:
    assert board(text).result() == score
    swapped = text.translate(str.maketrans("XO", "OX"))
    assert board(swapped).result() == -score


def test_play_as_either_colour() -> None:
    state = ReversiState()
    assert state.flips(1, cell("c5")) == [cell("d5")]
    state.play_as(1, cell("c5"))
    assert state.to_move == 0 and state.discs(1) == 4
    state.play_as(1, cell("e3"))  # twice in a row
    assert state.to_move == 0 and state.discs(1) == 6
    for colour in (-1, 2):
        with pytest.raises(ValueError, match="a colour is 0 or 1"):
            state.play_as(colour, cell("f6"))


def test_setup() -> None:
    state = play("f5d6")
    stones = state.stones()
    other = ReversiState()
    other.setup(stones, state.to_move)
    assert (other.state_key, other.position_key, list(other.legal_moves())) == (
        state.state_key, state.position_key, list(state.legal_moves()),
    )  # fmt: skip
    for bad, reason in ((stones[:-1], "wrong number"), (stones + b"\0", "wrong number"), (b"\3" * 64, "a stone is")):
        with pytest.raises(ValueError, match=reason):
            other.setup(bad, 0)
    with pytest.raises(ValueError, match="a colour"):
        other.setup(stones, 2)
    assert other.stones() == stones


def test_text_of_moves() -> None:
    state = ReversiState()
    for text, move in (("a1", 0), ("H1", 7), ("a8", 56), (" h8 ", 63), ("pass", PASS), ("PA", PASS), ("--", PASS)):
        assert REVERSI.move_from_text(state, text) == move
    assert REVERSI.move_to_text(state, 7) == "h1" and REVERSI.move_to_text(state, PASS) == "pass"
    for text in ("i1", "a9", "a0", "", "a", "a11", "p"):
        with pytest.raises(ValueError, match="is no cell"):
            REVERSI.move_from_text(state, text)


# The second implementation: a list of stones, one step at a time.


def naive_flips(stones: bytes, colour: int, move: int) -> list[int]:
    if stones[move]:
        return []
    turned = []
    for down, right in DIRECTIONS:
        line, row, column = [], move // 8 + down, move % 8 + right
        while 0 <= row < 8 and 0 <= column < 8 and stones[row * 8 + column] == 2 - colour:
            line.append(row * 8 + column)
            row, column = row + down, column + right
        if 0 <= row < 8 and 0 <= column < 8 and stones[row * 8 + column] == colour + 1:
            turned += line
    return turned


def naive_moves(stones: bytes, colour: int) -> list[int]:
    return [move for move in range(64) if naive_flips(stones, colour, move)]


def naive_frontier(stones: bytes, colour: int, move: int) -> int:
    total = 0
    for turned in naive_flips(stones, colour, move):
        for down, right in DIRECTIONS:
            row, column = turned // 8 + down, turned % 8 + right
            inside = 0 <= row < 8 and 0 <= column < 8
            total += inside and row * 8 + column != move and not stones[row * 8 + column]
    return total


def check_against_naive(state: ReversiState) -> None:
    stones = state.stones()
    for colour in (0, 1):
        moves = naive_moves(stones, colour)
        assert state.mobility(colour) == len(moves)
        assert state.discs(colour) == stones.count(colour + 1)
        for move in range(64):
            assert sorted(naive_flips(stones, colour, move)) == state.flips(colour, move)
            assert naive_frontier(stones, colour, move) == state.frontier(colour, move)
    over = not naive_moves(stones, 0) and not naive_moves(stones, 1)
    assert state.is_terminal() == over
    assert list(state.legal_moves()) == ([] if over else naive_moves(stones, state.to_move) or [PASS])


@pytest.mark.parametrize("seed", range(6))
def test_random_games_against_the_naive_rules(seed: int) -> None:
    choose = random.Random(seed)
    state = ReversiState()
    while not state.is_terminal():
        check_against_naive(state)
        move, stones, colour = choose.choice(list(state.legal_moves())), bytearray(state.stones()), state.to_move
        if move != PASS:
            for turned in [*naive_flips(bytes(stones), colour, move), move]:
                stones[turned] = colour + 1
        assert state.is_legal(move)
        foretold = state.key_after(move)
        state.play(move)
        assert (state.stones(), state.to_move, state.position_key) == (bytes(stones), 1 - colour, foretold)
    check_against_naive(state)


@pytest.mark.parametrize("seed", range(40))
def test_random_boards_against_the_naive_rules(seed: int) -> None:
    """Boards that no game reaches find mistakes in flips that games rarely meet."""
    choose = random.Random(seed)
    state = ReversiState()
    state.setup(bytes(choose.choices([0, 1, 2], [1 + seed % 4, 2, 2], k=64)), seed % 2)
    check_against_naive(state)
