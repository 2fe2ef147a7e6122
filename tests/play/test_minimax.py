"""The player `minimax` of chess: plain minimax by material and ranks, which a slow one in Python repeats."""

from __future__ import annotations

import os
import random
import time
from typing import Any

import pytest
from whole_sets import portion

from tengen.engine._core import CHESS_MINIMAX_MATE, StopToken, chess_minimax, chess_minimax_evaluation
from tengen.engine.config import Config
from tengen.engine.games import get_game
from tengen.engine.games.chess.text import state_from_fen
from tengen.engine.info import Info, Proof
from tengen.engine.limits import Limits
from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest
from tengen.engine.records.pgn import dense
from tengen.engine.search import make_search
from tengen.engine.search.base import Root

chess = pytest.importorskip("chess")
GAME, NO_LIMITS = get_game("chess"), Limits()
VALUES = (10, 500, 500, 900, 5000, 50000)
MATE_IN_TWO = "7k/8/8/8/8/8/R7/1R5K w - - 0 1"


def side(board: Any, colour: bool) -> int:
    """Pieces, and 400 less their ranks from the enemy's end."""
    own = board.occupied_co[colour]
    kinds = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    total = 400 + sum(value * (own & kind).bit_count() for value, kind in zip(VALUES, kinds, strict=True))
    return total - sum((7 - rank if colour else rank) * (own & 255 << 8 * rank).bit_count() for rank in range(8))


def plain(board: Any, depth: int, ply: int = 0) -> int:
    """Minimax, every line to its end."""
    if not any(board.generate_legal_moves()):
        return ply - CHESS_MINIMAX_MATE if board.is_check() else 0
    if ply and (board.is_insufficient_material() or board.halfmove_clock >= 100):
        return 0
    if depth == 0:
        return side(board, board.turn) - side(board, not board.turn)
    return max(after(board, move, depth, ply) for move in list(board.legal_moves))


def after(board: Any, move: Any, depth: int, ply: int) -> int:
    board.push(move)
    found = -plain(board, depth - 1, ply + 1)
    board.pop()
    return found


def positions(count: int) -> list[Any]:
    """Boards of random games in all their stages, before a move that somebody has."""
    dice, out = random.Random(15), list[Any]()
    while len(out) < count:
        board = chess.Board()
        for _ in range(dice.randrange(2, 90)):
            moves = list(board.legal_moves)
            if not moves or board.is_insufficient_material():
                break
            board.push(dice.choice(moves))
        if any(board.legal_moves) and not board.is_insufficient_material() and board.halfmove_clock < 100:
            out.append(board)
    return out


def run(fen: str, limits: Limits = NO_LIMITS, stop: StopToken | None = None, **options: Any) -> Info:
    search = make_search(GAME, "minimax", {f"minimax.{name}": value for name, value in options.items()})
    return search.run(Root(state_from_fen(fen)), limits, stop or StopToken())


def agree(boards: list[Any], depth: int) -> None:
    for board in boards:
        wanted = {dense(board, move): after(board, move, depth, 0) for move in list(board.legal_moves)}
        info = run(board.fen(), depth=depth)
        assert {line.move: line.score for line in info.lines} == wanted, board.fen()
        assert info.lines[0].move == min(wanted, key=lambda move: (-wanted[move], move)), board.fen()


def test_it_answers_as_plain_minimax_does() -> None:
    agree(positions(portion(30)), 2)


@pytest.mark.slow
def test_it_answers_as_plain_minimax_does_three_plies_ahead() -> None:
    """The reference takes about two seconds a position: all 200 only where so many are asked for."""
    agree(positions(int(os.environ.get("TENGEN_MINIMAX_POSITIONS", "8"))), 3)


def test_a_few_positions_three_plies_ahead() -> None:
    agree([board for board in positions(40) if board.legal_moves.count() < 14][:4], 3)


def test_the_evaluation() -> None:
    """Own less enemy: a pawn that has come two ranks further counts 2 more, a piece less takes its rank away too."""
    for fen, wanted in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", -2),
        ("rnbqkbnr/pppp1ppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", -10 + 6),
        ("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", 5000 - 7),
    ]:
        assert chess_minimax_evaluation(state_from_fen(fen)) == wanted


def test_mates_are_proofs_and_the_nearest_is_taken() -> None:
    info = run(MATE_IN_TWO)
    best = info.lines[0]
    assert best.proof == Proof(1, 3) and len(best.pv) == 3 and best.score == CHESS_MINIMAX_MATE - 3
    state: Any = state_from_fen(MATE_IN_TWO)
    for move in best.pv:
        state.play(move)
    assert state.ending() == "checkmate"


def test_limits_bound_it() -> None:
    start = state_from_fen(chess.STARTING_FEN)
    assert {line.depth for line in run(chess.STARTING_FEN).lines} == {3}
    assert {line.depth for line in run(chess.STARTING_FEN, Limits(depth=2), depth=4).lines} == {2}
    stop = StopToken()
    stop.stop()
    assert {line.depth for line in run(chess.STARTING_FEN, stop=stop).lines} == {1}
    begin = time.monotonic()
    info = run(chess.STARTING_FEN, Limits(seconds=0.1), depth=12)
    assert time.monotonic() - begin < 3 and 3 <= info.lines[0].depth < 12
    search = make_search(GAME, "minimax", {})
    only = search.run(Root(start, allow=(12 | 28 << 6,)), Limits(), StopToken())
    assert [line.move for line in only.lines] == [12 | 28 << 6] and len(search.info(1).lines) == 1


def test_what_is_refused() -> None:
    state: Any = state_from_fen(chess.STARTING_FEN)
    with pytest.raises(ValueError, match="illegal move"):
        chess_minimax(state, 2, [0])
    with pytest.raises(ValueError, match="a depth is 1 to 12"):
        chess_minimax(state, 0, [])
    with pytest.raises(ValueError, match=r"minimax\.depth"):
        run(chess.STARTING_FEN, depth=0)


def test_it_plays_a_game() -> None:
    live = Player(Config(game="chess", player="minimax", set={"minimax.depth": 2}))
    for _ in range(12):
        live.genmove(MoveRequest(live.state.to_move))
    assert len(live.history.moves) == 12
    live.close()
