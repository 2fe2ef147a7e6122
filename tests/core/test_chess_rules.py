"""The rules of chess: everything that python-chess says of random positions too. What is counted: test_chess_perft.py."""

from __future__ import annotations

import re

import pytest
from chess_boards import random_positions

from tengen.engine._core import ChessState
from tengen.engine.games import get_game
from tengen.engine.games.chess.text import START, fen_of, state_from_fen
from tengen.engine.history import History

CHESS = get_game("chess")


def compare(count: int, seed: int) -> None:
    """Moves, checks, ends, claims, text and keys, from move to move and in copies."""
    chess = pytest.importorskip("chess")
    from tengen.engine.records.pgn import dense

    keys: dict[int, object] = {}
    positions: dict[object, int] = {}
    endings: dict[str, int] = {}
    for board, state, move in random_positions(count, seed):
        known, before = board._transposition_key(), board.fen(en_passant="legal")
        assert fen_of(state) == before
        assert state.state_key == state.situational_key
        assert keys.setdefault(state.state_key, known) == known, f"one key for two positions: {before}"
        assert positions.setdefault(known, state.state_key) == state.state_key, f"two keys: {before}"
        legal = sorted(dense(board, one) for one in board.legal_moves)
        assert state.is_check == board.is_check()
        assert (state.halfmove, state.fullmove) == (board.halfmove_clock, board.fullmove_number)
        ended = ending_of(chess, board)
        assert state.ending() == ended and state.is_terminal() == bool(ended), before
        endings[ended] = endings.get(ended, 0) + 1
        assert list(state.legal_moves()) == ([] if ended else legal), before
        claimed = board.can_claim_fifty_moves() and board.is_fifty_moves()
        assert CHESS.hooks.is_drawn(state) == (claimed and not ended), before  # type: ignore[attr-defined]
        if ended:
            winner = board.outcome().winner
            assert state.result() == (0 if winner is None else 1 if winner else -1)
        if move is None:
            continue
        number = dense(board, move)
        text = board.uci(move)
        assert CHESS.move_to_text(state, number) == text and CHESS.move_from_text(state, text.upper()) == number  # type: ignore[arg-type]
        child = state.copy()
        assert child.state_key == state.state_key and fen_of(child) == before
        child.play(number)
        assert child.position_key == state.key_after(number)
        assert fen_of(state) == before, "a copy was played on"
    assert len(keys) > count / 2 and {"", "checkmate", "dead position"} <= set(endings)


def ending_of(chess: object, board: object) -> str:
    """What the core calls the end of python-chess's board."""
    for name, holds in (
        ("checkmate", board.is_checkmate),  # type: ignore[attr-defined]
        ("stalemate", board.is_stalemate),  # type: ignore[attr-defined]
        ("dead position", board.is_insufficient_material),  # type: ignore[attr-defined]
        ("seventy-five moves", board.is_seventyfive_moves),  # type: ignore[attr-defined]
    ):
        if holds():
            return name
    return ""


def test_random_positions_as_python_chess_has_them() -> None:
    compare(2_000, 1)


@pytest.mark.slow
def test_20000_random_positions() -> None:
    compare(20_000, 2)


def test_start() -> None:
    state = ChessState()
    assert (state.width, state.height, state.cells, state.pass_move, state.move_bound) == (8, 8, 64, -1, 20480)
    assert state.to_move == 0 and fen_of(state) == START and not state.is_chess960
    assert state.stones() == bytes([2] * 16 + [0] * 32 + [1] * 16)
    assert list(state.castling) == [7, 0, 63, 56] and state.en_passant == -1


def test_castling_is_the_king_that_takes_its_rook() -> None:
    for is_chess960, text in ((False, "e1g1"), (True, "e1h1")):
        state = state_from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1", is_chess960)
        assert CHESS.move_to_text(state, 4 | 7 << 6) == text  # type: ignore[arg-type]
        assert {CHESS.move_from_text(state, word) for word in ("e1g1", "E1H1", " e1h1 ")} == {4 | 7 << 6}  # type: ignore[arg-type]
        state.play(4 | 7 << 6)
        assert fen_of(state) == "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"


# FEN, as it is written again, whether that is Chess960
FENS = [
    (START, START, False),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", False),
    ("4k3/8/8/8/8/8/8/4K3 b KQkq - 3 0", "4k3/8/8/8/8/8/8/4K3 b - - 3 1", False),
    (
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        False,
    ),
    ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", False),
    ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1", True),
    ("4k3/8/8/8/8/8/8/4KRR1 w F - 0 1", "4k3/8/8/8/8/8/8/4KRR1 w F - 0 1", True),
    ("4k3/8/8/8/8/8/8/4KRR1 w K - 0 1", "4k3/8/8/8/8/8/8/4KRR1 w K - 0 1", True),
    ("4k3/8/8/8/8/8/8/4K2R w H - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", True),
]


@pytest.mark.parametrize(("fen", "again", "is_chess960"), FENS)
def test_fen(fen: str, again: str, is_chess960: bool) -> None:
    state = state_from_fen(fen)
    assert (fen_of(state), state.is_chess960) == (again, is_chess960)
    assert state_from_fen(fen_of(state), state.is_chess960).state_key == state.state_key


BAD_FENS = [
    ("", "six fields, not 0"),
    ("8/8/8/8/8/8/8/8 w - - 0 1 1", "six fields, not 7"),
    ("8/8/8/8 w - - 0 1", "4 ranks instead of 8"),
    ("8/8/8/8/8/8/8/9 w - - 0 1", "'9', which is no piece"),
    ("8/8/8/8/8/8/8/7 w - - 0 1", "rank 1 of the FEN has fewer than 8 squares"),
    ("8/8/8/8/8/8/8/p8 w - - 0 1", "rank 1 of the FEN has more than 8 squares"),
    ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "neither w nor b"),
    ("4k3/8/8/8/8/8/8/4K3 w Z - 0 1", "castling rights of the FEN are 'Z'"),
    ("4k3/8/8/8/8/8/8/4K3 w - e4 0 1", "en passant square of the FEN is 'e4'"),
    ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "plies without progress"),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 99999", "count of moves"),
    ("8/8/8/8/8/8/8/4K3 w - - 0 1", "king"),
    ("4k3/8/8/8/8/8/8/4K2r b - - 0 1", "check"),
    ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "pawn"),
]


@pytest.mark.parametrize(("fen", "sentence"), BAD_FENS)
def test_what_is_no_position_is_named(fen: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)) as error:
        state_from_fen(fen)
    assert "\n" not in str(error.value)


def test_a_long_fen_is_refused_in_few_words() -> None:
    for fen in ("x" * 100_000 + " w", "8/" * 50_000 + " w", "4k3/8/8/8/8/8/8/4K3 w " + "K" * 100_000):
        with pytest.raises(ValueError) as error:
            state_from_fen(fen)
        assert len(str(error.value)) < 200


def test_threefold_repetition_is_known_to_the_history() -> None:
    history = History(ChessState())  # type: ignore[arg-type]
    for number, text in enumerate("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8".split()):
        assert not history.is_drawn("threefold"), number
        history.play(number % 2, CHESS.move_from_text(history.state, text), "threefold")
    assert history.is_drawn("threefold") and not history.state.is_terminal()
    history.undo()
    assert not history.is_drawn("threefold")


def test_a_capture_that_was_lost_is_another_position() -> None:
    """The pawn that may be taken in passing, and the rights to castle, are part of the position."""
    fens = (
        "4k3/8/8/8/3pP3/8/8/4K2R b K e3 0 1",
        "4k3/8/8/8/3pP3/8/8/4K2R b K - 0 1",
        "4k3/8/8/8/3pP3/8/8/4K2R b - - 0 1",
    )
    states = [state_from_fen(fen) for fen in fens]
    assert len({state.situational_key for state in states}) == 3 and len({state.position_key for state in states}) == 1


@pytest.mark.parametrize(("fen", "move", "square"), [
    ("8/8/8/8/k2p4/8/4P3/4K3 w - - 0 1", "e2e4", 20),
    ("8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1", "e2e4", -1),  # both pawns leave the rank between rook and king
    ("3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1", "e2e4", -1),  # pinned on its file
    ("8/6k1/8/8/3p4/2B5/4P3/4K3 w - - 0 1", "e2e4", -1),  # pinned on a diagonal
    ("8/8/8/8/3p1p2/8/3kP3/7K w - - 0 1", "e2e4", 20),
])  # fmt: skip
def test_a_pawn_that_may_not_capture_in_passing_leaves_no_square(fen: str, move: str, square: int) -> None:
    """So that the position is the same one when it comes again."""
    state = state_from_fen(fen)
    state.play(CHESS.move_from_text(state, move))
    assert state.en_passant == square
