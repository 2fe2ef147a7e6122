"""What networks see of chess: boards turned to the side to move, places of moves, rows of games."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from chess_boards import random_positions
from numpy import float32
from numpy.typing import NDArray

from tengen.engine._core import ChessState, encode_rows_chess, feature_sets
from tengen.engine.games.chess.text import square_of, square_text, state_from_fen

SETS = {features.name: features for features in feature_sets() if features.game == "chess"}
V1, V2, FROM_TO = SETS["chess-v1"], SETS["chess-v2"], SETS["chess-fromto-v1"]
FACTS = {
    "piece": 6, "taken": 7, "exchange": 8, "threatened": 4, "check": 2, "attacks": 4, "received": 4, "supported": 3,
    "left": 7, "threat": 4, "new": 2,
}  # fmt: skip
"""Digits of a move's number in chess-v2 (engine/core/chess/move_facts.hpp)."""
FEN = "r3k2r/pp1p1ppp/1b6/2pP4/8/4P3/PP3PPP/R1B1K2R w Kkq c6 7 12"


def encode(state: Any, name: str = "chess-v1", recent: tuple[int, ...] = ()) -> NDArray[float32]:
    return np.asarray(state.planes(name, list(recent)))


def squares(plane: NDArray[float32], is_black: bool = False) -> str:
    """Where a plane is not 0, by the squares of the board; negative ones in upper case."""
    found = [(int(cell) ^ (0 if is_black else 56), plane.ravel()[cell]) for cell in np.flatnonzero(plane)]
    return " ".join(
        square_text(square) if value > 0 else square_text(square).upper() for square, value in sorted(found)
    )


def mirrored(fen: str) -> str:
    """The position with colours exchanged and turned upside down."""
    ranks, side, castling, en_passant, *rest = fen.split()
    other = "/".join(rank.swapcase() for rank in ranks.split("/")[::-1])
    turned = en_passant if en_passant == "-" else en_passant[0] + str(9 - int(en_passant[1]))
    return " ".join([other, "b" if side == "w" else "w", castling.swapcase(), turned, *rest])


def test_what_the_sets_are() -> None:
    assert (len(V1.planes), V1.globals, V1.recent) == (24, ["black", "rating", "enemy_rating", "rated"], 2)
    assert (FROM_TO.planes, FROM_TO.globals) == (["pawns", "knights", "bishops", "rooks", "queens", "kings"], ["black"])
    for features in SETS.values():
        assert features.policy_size(8, 8) == 4096 + 72 and features.moves(8, 8) == ChessState().move_bound
        assert features.symmetries(8, 8) == 1


def test_the_planes_of_a_position() -> None:
    state: Any = state_from_fen(FEN)
    planes = dict(zip(V1.planes, encode(state), strict=True))
    told = {name: squares(plane) for name, plane in planes.items() if plane.any() and not plane.all()}
    assert told == {
        "own_pawns": "a2 b2 f2 g2 h2 e3 d5", "own_bishops": "c1", "own_rooks": "a1 h1", "own_king": "e1",
        "enemy_pawns": "c5 a7 b7 d7 f7 g7 h7", "enemy_bishops": "b6", "enemy_rooks": "a8 h8", "enemy_king": "e8",
        "own_castling": "h1", "enemy_castling": "a8 h8", "en_passant": "c6",
        "own_attacks": told["own_attacks"], "enemy_attacks": told["enemy_attacks"],
    }  # fmt: skip
    assert planes["on_board"].all() and planes["halfmove"].min() == planes["halfmove"].max() == pytest.approx(0.07)
    assert squares(encode(state_from_fen("4k3/8/8/8/1b6/8/8/4K3 w - - 0 1"))[19]) == "b4"
    attacked = state_from_fen("4k3/8/8/8/8/8/3P4/R3K3 w - - 0 1")
    assert squares(encode(attacked)[17]) == "b1 c1 d1 e1 f1 a2 d2 e2 f2 a3 c3 e3 a4 a5 a6 a7 a8"
    assert squares(encode(attacked)[18]) == "d7 e7 f7 d8 f8"


def test_the_last_moves() -> None:
    state: Any = state_from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    moves = (square_of("e2") | square_of("e4") << 6, square_of("e7") | square_of("e5") << 6)
    for move in moves:
        state.play(move)
    planes = encode(state, recent=moves)
    assert [squares(plane) for plane in planes[20:]] == ["e7", "e5", "e2", "e4"]
    assert not encode(state, recent=(-1,))[20:].any()


def test_the_board_of_from_and_to() -> None:
    white, black = (
        encode(state_from_fen(fen), "chess-fromto-v1") for fen in (FEN, FEN.replace(" w ", " b ").replace("c6", "-"))
    )
    assert squares(white[0]) == "a2 b2 f2 g2 h2 e3 C5 d5 A7 B7 D7 F7 G7 H7"
    assert squares(white[2]) == "c1 B6" and squares(white[5]) == "e1 E8"
    assert squares(black[0], is_black=True) == "A2 B2 F2 G2 H2 E3 c5 D5 a7 b7 d7 f7 g7 h7"
    assert black[5][7, 4] == 1 and black[5][0, 4] == -1, "the own king is in the last row"


def facts(state: Any, recent: tuple[int, ...] = ()) -> dict[str, dict[str, int]]:
    """What is told of each move, by its squares."""
    told, turn = encode(state, "chess-v2", recent)[24:].reshape(64, 64), 0 if state.to_move else 56
    found: dict[str, dict[str, int]] = {}
    for begin, end in np.argwhere(told).tolist():
        number, digits = int(told[begin, end]) - 1, {}
        for name, values in reversed(FACTS.items()):
            number, digits[name] = divmod(number, values)
        assert number == 0
        found[square_text(begin ^ turn) + square_text(end ^ turn)] = digits
    return found


def test_what_is_told_of_moves() -> None:
    """A pawn takes a bishop or a knight; a knight goes where it is taken; the king leaves a pawn and two threats."""
    told = facts(state_from_fen("6k1/5ppp/3b4/4P3/2n5/1P6/8/1N2R1K1 w - - 0 1"))
    takes = told["e5d6"]
    assert (takes["piece"], takes["taken"], takes["exchange"], takes["left"]) == (0, 2, 5, 0)
    assert (told["b3c4"]["exchange"], told["b3c4"]["left"]) == (5, 0), "the rook stands behind the other pawn"
    quiet = told["b1d2"]
    assert (quiet["piece"], quiet["taken"], quiet["exchange"]) == (1, 6, 1), "the knight there loses itself"
    assert told["g1f2"]["left"] == 1 and told["g1f2"]["threat"] == 2 and told["e1e2"]["threatened"] == 0
    mates = facts(state_from_fen("6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1"))["e1e8"]
    assert (mates["check"], mates["left"], mates["supported"]) == (1, 5, 0)
    assert facts(state_from_fen("7k/8/6Q1/8/8/8/8/K7 w - - 0 1"))["g6f7"]["left"] == 6, "stalemate"


def test_the_piece_that_moved_last_is_known() -> None:
    state: Any = state_from_fen("4k3/8/8/8/4n3/8/8/R2QK3 b - - 0 1")
    move = square_of("e4") | square_of("c3") << 6
    state.play(move)
    assert {name[:2] for name, digits in facts(state, (move,)).items() if digits["new"]} == {"d1"}
    assert not any(digits["new"] for digits in facts(state).values())


def test_moves_that_are_told_are_legal() -> None:
    """All of them, but promotions to less than a queen; what is taken and who checks is what python-chess says."""
    import chess

    for board, state, _ in random_positions(400, seed=6):
        if board.chess960 or state.is_terminal():
            continue
        told = facts(state)
        for move in board.legal_moves:
            if move.promotion in (None, chess.QUEEN):
                castles = board.is_castling(move)
                end = (7 if move.to_square % 8 == 6 else 0) + move.to_square // 8 * 8 if castles else move.to_square
                digits = told.pop(square_text(move.from_square) + square_text(end))
                taken = chess.PAWN if board.is_en_passant(move) else board.piece_type_at(move.to_square)
                assert digits["piece"] + 1 == board.piece_type_at(move.from_square)
                assert digits["taken"] == ((taken or 7) - 1 if not castles else 6)
                assert digits["check"] == board.gives_check(move)
                board.push(move)
                assert (digits["left"] == 5) == board.is_checkmate()
                board.pop()
        assert not told


@pytest.mark.parametrize("name", SETS)
def test_black_sees_what_white_would(name: str) -> None:
    for board, state, _ in random_positions(300, seed=4):
        if not board.chess960:
            np.testing.assert_array_equal(encode(state, name), encode(state_from_fen(mirrored(board.fen())), name))


def test_the_places_of_moves() -> None:
    """Those of a position are its own; of a pair of squares it is their number, a queen's promotion too."""
    seen = set[int]()
    for _, state, _ in random_positions(2000, seed=9):
        moves = state.legal_moves()
        places = [V1.policy_index(move, 8, 8) for move in moves]
        assert len(set(places)) == len(moves) and all(0 <= place < 4168 for place in places)
        for move, place in zip(moves, places, strict=True):
            assert place == move & 4095 if move >> 12 in (0, 4) else place >= 4096
        seen |= {place for place in places if place >= 4096}
    assert len(seen) > 30
    knight = square_of("a7") | square_of("b8") << 6 | 1 << 12
    assert V1.policy_index(knight, 8, 8) == 4096 + 2 and V1.policy_index(knight + (2 << 12), 8, 8) == 4096 + 48 + 2
    with pytest.raises(ValueError, match="no move"):
        V1.policy_index(5 << 12, 8, 8)


@pytest.mark.parametrize("name", SETS)
def test_rows_are_what_the_position_is(name: str) -> None:
    features, dice = SETS[name], random.Random(2)
    state, moves, wanted = ChessState(), list[int](), []
    for _ in range(60):
        wanted.append(encode(state, name, tuple(moves[-2:])))
        moves.append(dice.choice(state.legal_moves()))
        state.play(moves[-1])
    n = len(wanted)
    planes, numbers = np.empty((n, len(features.planes), 8, 8), float32), np.empty((n, len(features.globals)), float32)
    flat, offsets = np.tile(np.array(moves, np.int16), n), np.arange(n + 1, dtype=np.int64) * n
    plies, whole = np.arange(n, dtype=np.int32), np.ones(n, np.bool_)
    encode_rows_chess(name, [ChessState()] * n, flat, offsets, plies, np.zeros(n, np.int32), whole, planes, numbers)
    np.testing.assert_array_equal(planes, np.stack(wanted))
    np.testing.assert_array_equal(numbers[:, 0], plies % 2)
    assert not numbers[:, 1:].any()
