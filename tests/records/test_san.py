"""Moves of chess by their SAN, without python-chess; and with it, the same moves of random games."""

from __future__ import annotations

import random

import pytest
from whole_sets import some_of

from tengen.engine.games import get_game
from tengen.engine.games.chess.text import state_from_fen
from tengen.engine.records.san import move_of, text_of

CHESS = get_game("chess")
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KNIGHTS = "4k3/8/8/8/8/N7/8/N3K1N1 w - - 0 1"
QUEENS = "1k6/8/8/8/7Q/8/8/K3Q2Q w - - 0 1"
CASTLES = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1"
CHESS960 = "4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1"
PROMOTES = "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1"
PASSES = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"

# position, what is read, the move as UCI writes it or "" for none
READ = [
    (START, "e4", "e2e4"), (START, "Nf3", "g1f3"), (START, "Nf3!?", "g1f3"), (START, "Ngf3", "g1f3"),
    (START, "e5", ""), (START, "Nf4", ""), (START, "", ""), (START, "x", ""), (START, "O-O", ""), (START, "e2e4", "e2e4"),
    (KNIGHTS, "Nc2", ""), (KNIGHTS, "N1c2", "a1c2"), (KNIGHTS, "N3c2", "a3c2"), (KNIGHTS, "Nac2", ""), (KNIGHTS, "Nf3", "g1f3"),
    (QUEENS, "Qe4", ""), (QUEENS, "Qh4e4+", "h4e4"), (QUEENS, "Qee4", "e1e4"),
    (CASTLES, "O-O", "e8g8"), (CASTLES, "O-O-O+", "e8c8"), (CASTLES, "0-0", "e8g8"), (CASTLES, "Rxh1+", "h8h1"),
    (CHESS960, "O-O", "e1g1"), (CHESS960, "O-O-O", "e1b1"), (CHESS960, "Rf1", "g1f1"),
    (PROMOTES, "a8=Q", "a7a8q"), (PROMOTES, "axb8N", "a7b8n"), (PROMOTES, "a8", ""),
    (PASSES, "exd6", "e5d6"), (PASSES, "ed6", "e5d6"), (PASSES, "d6", "e5d6"), (PASSES, "e6", "e5e6"),
]  # fmt: skip


@pytest.mark.parametrize(("fen", "san", "move"), READ)
def test_moves_are_read(fen: str, san: str, move: str) -> None:
    state = state_from_fen(fen)
    found = move_of(state, san)
    assert (CHESS.move_to_text(state, found) if found >= 0 else "") == move


def test_what_python_chess_writes_is_read_and_written() -> None:
    chess = pytest.importorskip("chess")
    from tengen.engine.records.pgn import dense

    dice = random.Random(5)
    for number in some_of(12):
        board = chess.Board.from_chess960_pos(dice.randrange(960)) if number % 2 else chess.Board()
        board.chess960 = bool(number % 2)
        state = state_from_fen(board.fen(), board.chess960)
        while board.ply() < 120 and not state.is_terminal():
            for move in board.legal_moves:
                assert move_of(state, board.san(move)) == dense(board, move), (board.fen(), move)
                assert text_of(state, dense(board, move)) == board.san(move), (board.fen(), move)
            move = dice.choice(list(board.legal_moves))
            state.play(dense(board, move))
            board.push(move)
