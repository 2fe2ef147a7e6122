"""What is known of endings of chess: each class of the list by an example, draws proved to be closed, tables by their rows."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from tengen.engine._core import ChessAlphaBeta, ChessState, chess_ending, chess_pawn_endings_won
from tengen.engine.games.chess.text import LETTERS, board_of, state_from_fen

KPK, CORNER = "king and pawn against king", "edge pawns and no bishop of their corner against king"
MATES, KNPK, KBNK = "enough to mate against king", "knight and edge pawn against king", "bishop and knight against king"

# FEN, the class, whether it is drawn for certain
KNOWN = [
    ("8/8/8/3k4/8/3K4/3P4/8 w - - 0 1", KPK, True),
    ("8/8/3k4/8/3K4/8/3P4/8 w - - 0 1", KPK, False),
    ("8/3p4/3k4/8/3K4/8/8/8 b - - 0 1", KPK, True),
    ("8/8/3p4/3k4/8/3K4/8/8 w - - 0 1", KPK, False),
    ("6k1/8/7P/8/8/3B1K2/8/8 b - - 9 7", CORNER, True),
    ("7k/8/5K1P/8/8/3B4/8/8 w - - 0 1", CORNER, True),
    ("1k6/8/P7/P1K5/8/4B3/8/6B1 w - - 0 1", CORNER, True),
    ("8/8/8/8/8/p3b3/p4k2/1K6 w - - 0 1", "", False),
    ("8/8/8/8/8/p4b2/p4k2/K7 w - - 0 1", CORNER, True),
    ("7k/8/7P/7P/6K1/8/8/8 b - - 0 1", CORNER, True),
    ("7k/8/6PP/8/6K1/8/8/8 b - - 0 1", "", False),
    ("k7/P7/1N6/8/3K4/8/8/8 b - - 0 1", KNPK, True),
    ("8/Pk6/8/1N6/3K4/8/8/8 w - - 0 1", KNPK, True),
    ("k7/P7/1K6/1N6/8/8/8/8 w - - 0 1", "", False),
    ("8/Pk6/1N6/K7/8/8/8/8 w - - 0 1", "", False),
    ("8/8/8/4k3/8/8/8/KBN5 w - - 0 1", MATES, False),
    ("8/8/8/8/8/8/1k6/1NBK4 b - - 0 1", KBNK, True),
    ("8/8/8/4k3/8/2N5/8/K1N5 w - - 0 1", "two knights against king", False),
    ("8/8/8/4k3/8/8/8/KR6 w - - 0 1", MATES, False),
    ("8/8/8/K7/8/8/2pk4/6Q1 w - - 0 1", "queen against pawn", False),
    ("3k4/3r4/8/8/8/8/8/KQ6 w - - 0 1", "pieces against rook", False),
    ("3k4/3n4/8/8/8/8/8/KQ6 w - - 0 1", "pieces against knight", False),
    ("3k4/3b4/8/8/8/8/8/KQ6 w - - 0 1", "pieces against bishop", False),
    ("3k4/3q4/8/8/8/8/8/KQR5 w - - 0 1", "pieces against queen", False),
    ("8/8/8/8/3k4/8/1R1K4/6b1 w - - 0 1", "rook against bishop", False),
    ("8/8/3k4/4n3/8/8/1R1K4/8 w - - 0 1", "rook against knight", False),
    ("3k4/3q4/8/8/8/8/8/KQ6 w - - 0 1", "", False),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "", False),
]


def position(fen: str) -> ChessState | None:
    try:
        return state_from_fen(fen)
    except ValueError:
        return None


@pytest.mark.parametrize(("fen", "name", "is_drawn"), KNOWN)
def test_what_is_known(fen: str, name: str, is_drawn: bool) -> None:
    known = chess_ending(state_from_fen(fen))
    assert (("", False) if known is None else (known[0], known[2])) == (name, is_drawn)


def placed(letters: str, source: random.Random, squares: dict[str, list[int]]) -> Iterator[ChessState]:
    """Random legal positions of these men; squares: where some of them may stand."""
    while True:
        board = bytearray(64)
        for letter in letters:
            square = source.choice(squares.get(letter, range(64)))  # type: ignore[arg-type]
            board[square] = LETTERS.index(letter)
        if len(letters) != 64 - board.count(0):
            continue
        state = position(f"{board_of(bytes(board))} {source.choice('wb')} - - 0 1")
        if state is not None and not state.is_terminal():
            yield state


EDGE = [file + 8 * rank for file in (0, 7) for rank in range(1, 7)]
PAWNS = list(range(8, 56))
CLOSED = [
    ("KPk", {"P": PAWNS}),
    ("KPPk", {"P": [8 * rank for rank in range(1, 7)]}),
    ("KBPk", {"P": EDGE, "k": [54, 55, 62, 63, 56, 57, 48, 49]}),
    ("KBPPk", {"P": [7 + 8 * rank for rank in range(1, 7)], "k": [54, 55, 62, 63]}),
    ("KNPk", {"P": [48, 55], "k": [54, 55, 62, 63, 56, 57, 48, 49]}),
    ("Kkbp", {"p": EDGE, "K": [0, 1, 8, 9, 6, 7, 14, 15]}),
    ("Kknp", {"p": [8, 15], "K": [0, 1, 8, 9, 6, 7, 14, 15]}),
    ("KBNk", {}),
]


def replies(state: ChessState) -> Iterator[ChessState]:
    for move in state.legal_moves():
        after = state.copy()
        after.play(move)
        yield after


def is_drawn(state: ChessState) -> bool:
    if state.is_terminal():
        return state.ending() != "checkmate"
    known = chess_ending(state)
    return known is not None and known[2]


@pytest.mark.parametrize(("letters", "squares"), CLOSED)
def test_no_move_leads_out_of_a_draw_and_one_stays_in_it(letters: str, squares: dict[str, list[int]]) -> None:
    """By induction nobody wins: the side that has more has no move out of it that the other cannot answer at once, the bare
    king has one that stays."""
    source, strong = random.Random(len(letters)), int(letters[1] == "k")
    positions, checked = placed(letters, source, squares), 0
    for _ in range(4000):
        state = next(positions)
        if not is_drawn(state):
            continue
        checked += 1
        follow = []
        for move in state.legal_moves():
            after = state.copy()
            after.play(move)
            follow.append(is_drawn(after) or (state.to_move == strong and any(map(is_drawn, replies(after)))))
        assert (all if state.to_move == strong else any)(follow)
    assert checked > 15


def test_the_table_of_pawns_knows_as_many_wins_as_others() -> None:
    """111,282 of these positions are won, as Stockfish's table has it, too."""
    assert chess_pawn_endings_won() == 111_282


def test_the_table_of_bishop_and_knight_agrees_with_its_own_moves() -> None:
    positions, source = placed("KBNk", random.Random(5), {}), random.Random(6)
    for _ in range(1500):
        state = next(positions)
        if source.random() < 0.5:  # nearer to a mate, too
            state = next(placed("KBNk", source, {"k": [0, 1, 2, 8, 16], "K": [9, 10, 17, 18, 25], "N": PAWNS}))
        plies, follow = chess_ending(state)[3], []  # type: ignore[index]
        for move in state.legal_moves():
            after = state.copy()
            after.play(move)
            known = chess_ending(after)
            mated = after.ending() == "checkmate"
            follow.append(0 if mated else None if after.is_terminal() or known is None else known[3])
        won = [found for found in follow if found is not None]
        if state.to_move == 0:
            assert plies == (1 - max(won) if won else None)
        else:
            assert plies == (None if len(won) < len(follow) else -1 - max(won))


def played(start: str, attacker: int, defender: int, attacks: int = 0) -> ChessState:
    """The end of a game between searches of so many nodes a move."""
    state, sides, seen = state_from_fen(start), [ChessAlphaBeta("tables") for _ in range(2)], []
    while not state.is_terminal() and state.halfmove < 100:
        seen.append(state.situational_key)
        if seen.count(seen[-1]) == 3:
            break
        side = sides[state.to_move]
        side.run(state, seen=seen, playouts=attacker if state.to_move == attacks else defender)
        state.play(side.info().lines[0].move)
    return state


WRONG_BISHOPS = [
    "8/5k2/8/4K2P/8/3B4/8/8 b - - 0 1", "6k1/8/7P/4K3/4B3/8/8/8 b - - 0 1", "7k/8/5K2/7P/8/3B4/8/8 b - - 0 1",
    "8/6k1/8/5K2/7P/3B4/8/8 b - - 0 1", "k7/8/2K5/P7/8/4B3/8/8 b - - 0 1", "8/8/8/3b4/p7/1k6/8/1K6 w - - 0 1",
    "8/8/8/8/7p/2b2k2/8/6K1 w - - 0 1", "8/8/8/2k5/P7/P1B1K3/8/8 b - - 0 1",
]  # fmt: skip


@pytest.mark.parametrize("fen", WRONG_BISHOPS)
def test_the_wrong_bishop_does_not_win(fen: str) -> None:
    state = played(fen, 3000, 3000, attacks=int(" w " in fen))
    assert state.ending() != "checkmate" and state.pieces().count(5) + state.pieces().count(11) == 0


MATED = ["8/8/k7/2K5/5B2/8/5N2/8 w - - 0 1", "8/8/4k3/8/8/8/8/KBN5 w - - 0 1", "8/2k5/8/8/5n2/5b2/8/1K6 b - - 0 1"]


@pytest.mark.parametrize("fen", MATED)
def test_bishop_and_knight_mate(fen: str) -> None:
    state = played(fen, 3000, 3000, attacks=int(" b " in fen))
    assert state.ending() == "checkmate"


DRAWN = [
    ("4k3/8/r7/4PK2/8/8/8/7R b - - 0 1", 100), ("8/8/8/8/3k4/8/1R1K4/6b1 w - - 0 1", 60),
    ("8/8/3k4/4n3/8/8/1R1K4/8 w - - 0 1", 60), ("8/8/8/4k3/8/2N5/8/K1N5 w - - 0 1", 0),
    ("8/8/4k3/3bP3/4K3/2B5/8/8 w - - 0 1", 60), ("8/8/8/3k4/8/3K4/3P4/8 w - - 0 1", 0),
]  # fmt: skip
"""Philidor's rook ending, rook against a minor piece, two knights, bishops of opposite colours, a stopped pawn: the worth
at most."""


@pytest.mark.parametrize(("fen", "most"), DRAWN)
def test_well_known_draws_are_worth_little(fen: str, most: int) -> None:
    state, search = state_from_fen(fen), ChessAlphaBeta("tables")
    search.run(state, playouts=20_000)
    assert abs(search.info().lines[0].score) <= most
