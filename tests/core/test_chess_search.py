"""Chess by alpha-beta: mates, draws that a search must see, exchanges, limits, threads, and that one thread repeats itself."""

from __future__ import annotations

import random
import threading
import time
from typing import Any

import pytest

from tengen.engine._core import ChessAlphaBeta, ChessState, StopToken, chess_evaluation, chess_see, chess_see_ge
from tengen.engine.games.chess.game import CHESS
from tengen.engine.games.chess.text import state_from_fen
from tests.core.chess_boards import random_positions

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def searched(fen: str, moves: str = "", **bounds: Any) -> Any:
    """The report of a new search; moves: played before, so that what repeats is known."""
    state, seen = state_from_fen(fen), []
    for word in moves.split():
        seen.append(state.situational_key)
        state.play(CHESS.move_from_text(state, word))
    search = ChessAlphaBeta("tables")
    search.set("memory_mb", 16)
    search.run(state, seen=[*seen, state.situational_key], **bounds)
    return search.info()


def best(fen: str, moves: str = "", **bounds: Any) -> str:
    state = state_from_fen(fen)
    for word in moves.split():
        state.play(CHESS.move_from_text(state, word))
    return CHESS.move_to_text(state, searched(fen, moves, **bounds).lines[0].move)


# FEN, moves to mate by the side to move (negative: it is mated)
MATES = [
    ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1),
    ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 1),
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
    ("6k1/pp4p1/2p5/2bp4/8/P5Pb/1P3rrP/2BRRN1K b - - 0 1", 2),
    ("7k/8/8/8/8/8/1R6/R3K3 w - - 0 1", 2),
    ("8/8/8/8/8/5k2/8/r6K w - - 0 1", 0),
    ("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", 2),
    ("8/8/8/8/8/2k5/1q6/K7 w - - 0 1", 0),
]


@pytest.mark.parametrize(("fen", "moves"), MATES)
def test_mates_are_proved_and_as_short_as_they_are(fen: str, moves: int) -> None:
    if not moves:
        state = state_from_fen(fen)
        assert not searched(fen, depth=3).lines or not state.is_terminal()
        return
    line = searched(fen, depth=14).lines[0]
    assert line.is_proved and line.proof == 1
    assert len(line.pv) == 2 * moves - 1
    state = state_from_fen(fen)
    for move in line.pv:
        state.play(move)
    assert state.ending() == "checkmate"


def test_a_lost_position_says_in_how_many_plies() -> None:
    line = searched("7k/6pp/8/8/8/8/1r6/r6K w - - 0 1", depth=8)  # mated at once
    assert not line.lines
    line = searched("7k/6pp/8/8/8/8/1r5P/r5K1 w - - 0 1", depth=8)
    assert not line.lines  # mated, too: Ra1 gives check and nothing stands between
    lost = searched("7k/6pp/8/8/8/r7/1r5P/6K1 w - - 0 1", depth=8).lines[0]
    assert lost.is_proved and lost.proof == -1 and len(lost.pv) == 2


def test_stalemate_is_no_win() -> None:
    assert best("7k/5Q2/8/6K1/8/8/8/8 w - - 0 1", depth=6) not in ("g5g6", "f7f8")
    assert searched("k7/P7/K7/8/8/8/8/8 b - - 0 1", depth=4).lines == []  # stalemate already
    drawn = searched("8/8/8/8/8/k7/p7/K7 b - - 0 1", depth=12).lines[0]  # the pawn is stopped
    assert drawn.score == 0


def test_the_third_repetition_is_a_draw_in_whatever_order_the_game_is_told() -> None:
    state = state_from_fen("7k/8/8/8/8/8/Q7/K7 w - - 10 80")
    move = CHESS.move_from_text(state, "a2b2")
    after = state.copy()
    after.play(move)
    others = [(number * 0x9E3779B97F4A7C15) % 2**64 for number in range(1, 40)]
    for times, is_drawn in ((1, False), (2, True)):
        for seed in range(5):
            seen = [*others, *[after.situational_key] * times]
            random.Random(seed).shuffle(seen)
            search = ChessAlphaBeta("tables")
            search.run(state, seen=seen, depth=3, allow=[move])
            assert (search.info().lines[0].score == 0) == is_drawn


def test_fifty_moves_without_progress_are_a_draw_and_a_mate_comes_before() -> None:
    assert searched("7k/8/8/8/8/8/Q7/K7 w - - 99 80", depth=6).lines[0].score == 0
    mate = searched("7k/8/5KQ1/8/8/8/8/8 w - - 99 80", depth=6).lines[0]
    assert mate.is_proved and mate.proof == 1
    assert abs(searched("7k/8/8/8/8/8/Q7/K7 w - - 10 80", depth=6).lines[0].score) > 500


# FEN, the best move, at least and at most how much it is worth: where a draw may be claimed, from the next move on
CLAIMABLE = [
    ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 100 80", "d1d8", 30000, 40000),
    ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 149 80", "d1d8", 30000, 40000),
    ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 5000 900", "d1d8", 30000, 40000),
    ("6k1/5ppp/8/8/8/8/4QPPP/3r2K1 w - - 120 80", "e2d1", 400, 3000),
    ("7k/8/8/8/8/8/Q7/K7 w - - 110 80", "", 0, 0),
    ("7k/8/8/8/8/8/q7/5K2 w - - 110 80", "", 0 - 3000, 0),
]


@pytest.mark.parametrize(("fen", "move", "least", "most"), CLAIMABLE)
def test_a_root_that_may_be_claimed_as_a_draw_is_searched(fen: str, move: str, least: int, most: int) -> None:
    state, search = state_from_fen(fen).as_root(), ChessAlphaBeta("tables")
    search.run(state, seen=[state.situational_key] * 3, playouts=20_000)
    line = search.info().lines[0]
    assert search.info().nodes > 0 and least <= line.score <= most
    assert CHESS.move_to_text(state, line.move) == move or not move


def test_who_may_claim_need_not() -> None:
    """The queen is not left where it is because the other side could claim: it takes it."""
    state, search = state_from_fen("3r2k1/4bppp/8/8/8/5P2/3Q2PP/6K1 w - - 120 90").as_root(), ChessAlphaBeta("tables")
    search.run(state, playouts=5_000)
    line = search.info().lines[0]
    assert CHESS.move_to_text(state, line.move).startswith("d2") and line.score == 0


@pytest.mark.parametrize("fen", ["8/8/4k3/8/8/3NK3/8/8 w - - 0 1", "8/8/4k3/8/8/4K3/8/8 b - - 150 90"])
def test_a_dead_root_is_searched_where_somebody_plays_on(fen: str) -> None:
    state, search = state_from_fen(fen), ChessAlphaBeta("tables")
    assert state.is_terminal() and not state.as_root().is_terminal() and state.is_terminal()
    search.run(state.as_root(), depth=4)
    assert search.info().lines[0].score == 0
    after = state.as_root()
    after.play(after.legal_moves()[0])
    assert after.is_terminal()
    state.play_on()
    for _ in range(5):
        state.play(state.legal_moves()[-1])
    assert not state.is_terminal() and state.legal_moves()


@pytest.mark.parametrize("fen", ["8/8/4k3/8/8/3NK3/8/8 w - - 0 1", "8/8/4k3/5b2/8/3BK3/8/8 w - - 0 1"])
def test_dead_positions_or_those_that_hardly_can_be_won_are_no_more_than_a_piece(fen: str) -> None:
    state = state_from_fen(fen)
    if state.is_terminal():
        assert state.ending() == "dead position" and not searched(fen, depth=4).lines
    else:
        assert abs(searched(fen, depth=6).lines[0].score) < 400


@pytest.mark.parametrize(
    "fen", ["8/8/8/3k4/8/8/8/K6R w - - 0 1", "8/8/8/3k4/8/8/8/KQ6 w - - 0 1", "8/8/8/3k4/8/8/8/K4BB1 w - - 0 1"]
)
def test_a_lone_king_is_mated_in_time(fen: str) -> None:
    state, search, plies = state_from_fen(fen), ChessAlphaBeta("tables"), 0
    while not state.is_terminal() and state.halfmove < 100:
        search.run(state, playouts=20_000)
        state.play(search.info().lines[0].move)
        plies += 1
    assert state.ending() == "checkmate" and plies < 80


HARDLY_WON = [
    "8/8/4k3/8/8/5b2/8/3RK3 w - - 0 1",
    "8/8/3k4/8/8/5n2/4R3/3K4 w - - 0 1",
    "8/3r4/4k3/8/8/2RB1K2/8/8 w - - 0 1",
    "k7/8/8/P7/8/8/3B4/4K3 w - - 0 1",
    "k7/8/P7/P7/8/8/3B4/4K3 w - - 0 1",
    "8/5k2/4b3/6p1/4P1P1/2B1KP2/8/8 w - - 0 1",
]
"""Rook against a piece, rook and piece against a rook, a bishop that does not see where its pawn promotes, opposite bishops."""
WON = [
    "k7/8/8/P7/8/8/4B3/4K3 w - - 0 1",
    "8/8/4k3/8/5r2/8/8/3QK3 w - - 0 1",
    "8/5k2/3b4/6p1/4P1P1/2B1KP2/8/8 w - - 0 1",
]
"""The bishop sees it, a queen against a rook, bishops of one colour."""


@pytest.mark.parametrize("fen", [*HARDLY_WON, *WON])
def test_an_advantage_that_hardly_wins_is_worth_little(fen: str) -> None:
    assert (abs(searched(fen, depth=8).lines[0].score) < 130) == (fen in HARDLY_WON)


def test_a_queen_beats_a_rook_in_time() -> None:
    state, search = state_from_fen("3k4/3r4/8/8/8/8/8/KQ6 w - - 0 1"), ChessAlphaBeta("tables")
    while not state.is_terminal() and state.halfmove < 100:
        search.run(state, playouts=20_000)
        state.play(search.info().lines[0].move)
    assert state.ending() == "checkmate"


ZUGZWANG = [("8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1", "e1f1"), ("1q1k4/2Rr4/8/2Q3K1/8/8/8/8 w - - 0 1", "g5h6")]


@pytest.mark.parametrize(("fen", "move"), ZUGZWANG)
def test_zugzwang_is_seen_where_doing_nothing_would_be_best(fen: str, move: str) -> None:
    """The moves leave the other side nothing good to do, which null moves would hide. The first takes 660,000 nodes to find
    by a search that leaves little out."""
    assert best(fen, playouts=660_000) == move


def test_one_thread_repeats_itself_to_the_node() -> None:
    first, second = (searched(KIWIPETE, depth=9) for _ in range(2))
    assert (first.nodes, first.lines[0].pv, first.lines[0].score) == (
        second.nodes,
        second.lines[0].pv,
        second.lines[0].score,
    )


def test_nodes_depth_time_and_a_stop_bound_a_run() -> None:
    assert searched(KIWIPETE, playouts=5000).nodes <= 5000 + 1024
    assert searched(KIWIPETE, depth=5).lines[0].depth == 5
    begin = time.monotonic()
    searched(KIWIPETE, seconds=0.05)
    assert time.monotonic() - begin < 2
    search, stop = ChessAlphaBeta("tables"), StopToken()
    thread = threading.Thread(target=lambda: search.run(ChessState(), stop=stop))
    thread.start()
    time.sleep(0.05)
    stop.stop()
    begin = time.monotonic()
    thread.join(5)
    assert not thread.is_alive() and time.monotonic() - begin < 2
    assert search.info().lines


def test_several_lines_and_allowed_moves() -> None:
    search = ChessAlphaBeta("tables")
    search.set("lines", 3)
    state = ChessState()
    search.run(state, depth=6)
    lines = search.info().lines
    assert len({line.move for line in lines}) == 3
    assert [line.score for line in lines] == sorted((line.score for line in lines), reverse=True)
    only = CHESS.move_from_text(state, "a2a3")
    search.run(state, depth=4, allow=[only])
    assert [line.move for line in search.info().lines] == [only]


@pytest.mark.threads
def test_two_threads_find_what_one_finds() -> None:
    search = ChessAlphaBeta("tables")
    search.set("threads", 2)
    search.run(state_from_fen(MATES[2][0]), depth=8)
    assert search.info().lines[0].is_proved


def test_win_draw_loss_fit_together() -> None:
    line = searched(KIWIPETE, depth=5).lines[0]
    assert 0 <= line.draw <= min(2 * line.win, 2 * (1 - line.win)) + 1e-9


def mirrored(state: ChessState) -> ChessState:
    """The same with colours changed and the board turned upside down."""
    swap = [piece and (piece + 6 if piece <= 6 else piece - 6) for piece in state.pieces()]
    turned = bytes(swap[square ^ 56] for square in range(64))
    rooks = [rook if rook < 0 else rook ^ 56 for rook in state.castling]
    out, passant = ChessState(), state.en_passant
    out.setup(
        turned,
        1 - state.to_move,
        [*rooks[2:], *rooks[:2]],
        passant if passant < 0 else passant ^ 56,
        state.halfmove,
        state.fullmove,
        state.is_chess960,
    )
    return out


def test_colours_are_worth_the_same() -> None:
    for _, state, _ in random_positions(150, seed=4):
        assert chess_evaluation(state) == chess_evaluation(mirrored(state))


VALUES = {1: 100, 2: 320, 3: 330, 4: 500, 5: 950, 6: 20000}


def exchange(board: Any, move: Any) -> int:
    """Static exchange by python-chess's attackers: the least piece takes first, each side may stop."""
    import chess

    if board.is_castling(move):
        return 0
    target, us = move.to_square, board.turn
    board = board.copy(stack=False)
    taken = chess.PAWN if board.is_en_passant(move) else board.piece_type_at(target)
    gain = VALUES[taken] if taken else 0
    if board.is_en_passant(move):
        board.remove_piece_at(target - 8 if us else target + 8)
    standing = board.piece_type_at(move.from_square)
    if move.promotion:
        standing = move.promotion
        gain += VALUES[standing] - VALUES[chess.PAWN]
    board.remove_piece_at(move.from_square)
    board.set_piece_at(target, chess.Piece(standing, us))
    return gain - _goes_on(board, target, not us)


def _goes_on(board: Any, target: int, side: bool) -> int:
    """What `side` wins there by taking on, 0 where it rather stops."""
    import chess

    own = sorted(board.attackers(side, target), key=lambda square: board.piece_type_at(square))
    if not own:
        return 0
    least = board.piece_type_at(own[0])
    candidates = [square for square in own if board.piece_type_at(square) == least]
    if least == chess.KING and board.attackers(not side, target):
        return 0
    gain = VALUES[board.piece_type_at(target)]
    board = board.copy(stack=False)
    board.remove_piece_at(min(candidates))
    board.set_piece_at(target, chess.Piece(least, side))
    return max(0, gain - _goes_on(board, target, not side))


def test_exchanges_are_those_of_a_plain_reference() -> None:
    pytest.importorskip("chess")
    from tengen.engine.records.pgn import dense

    checked = 0
    for board, state, _ in random_positions(400, seed=11):
        if state.is_terminal():
            continue
        for move in list(board.legal_moves):
            if not (board.is_capture(move) or move.promotion or checked % 7 == 0):
                checked += 1
                continue
            expected, own = exchange(board, move), dense(board, move)
            checked += 1
            assert chess_see(state, own) == expected, (board.fen(), move)
            for least in (expected - 1, expected, expected + 1):
                assert chess_see_ge(state, own, least) == (expected >= least), (board.fen(), move, least)
    assert checked > 2000
