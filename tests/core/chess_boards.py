"""Chess positions for tests: those that everybody counts, and a second opinion by python-chess."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from tengen.engine._core import ChessState
from tengen.engine.games.chess.text import state_from_fen
from tengen.engine.records.pgn import dense

# FEN -> leaves at depth 1, 2, ... The first six are the Chess Programming Wiki's, the last five of Chess960 "fischer.epd".
PERFT = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": [20, 400, 8902, 197281, 4865609, 119060324],
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -": [48, 2039, 97862, 4085603, 193690690],
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -": [14, 191, 2812, 43238, 674624, 11030083],
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": [6, 264, 9467, 422333, 15833292],
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": [44, 1486, 62379, 2103487, 89941194],
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10": [46, 2079, 89890, 3894594],
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9": [21, 528, 12189, 326672, 8146062],
    "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9": [21, 807, 18002, 667366, 16253601],
}


def random_positions(count: int, seed: int) -> Iterator[tuple[Any, ChessState, Any]]:
    """(python-chess's board with its moves, the same position of ours, the move that will be played on both or None):
    random games, every third one of Chess960, every fourth from an ending of few pieces."""
    dice = random.Random(seed)
    while count > 0:
        board = start(dice)
        state = state_from_fen(board.fen(), board.chess960)
        for _ in range(200):
            legal = list(board.legal_moves)
            move = dice.choice(legal) if legal and not state.is_terminal() else None
            yield board, state, move
            count -= 1
            if move is None or count <= 0:
                break
            state.play(dense(board, move))
            board.push(move)


def start(dice: random.Random) -> Any:
    """A board to begin a random game with."""
    import chess

    kind = dice.randrange(12)
    if kind % 3 == 0:
        board = chess.Board.from_chess960_pos(dice.randrange(960))
        board.chess960 = True
        return board
    while kind % 4 == 0:
        board = chess.Board(None)
        pieces = [chess.Piece(chess.KING, True), chess.Piece(chess.KING, False)]
        few = (chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK)
        pieces += [chess.Piece(dice.choice(few), dice.random() < 0.5) for _ in range(dice.randrange(5))]
        for square, piece in zip(dice.sample(range(64), len(pieces)), pieces, strict=True):
            board.set_piece_at(square, piece)
        board.halfmove_clock = dice.choice((0, 90, 98, 140))
        if board.is_valid():
            return board
    return chess.Board()
