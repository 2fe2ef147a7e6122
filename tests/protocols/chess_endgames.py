"""Plays out endings that Syzygy's tables know: does Tengen, which asks them, get the result that they promise?

    python tests/protocols/chess_endgames.py FOLDERS --count 1000 --nodes 200 --seed 1

Positions are random legal ones of every kind of pieces that a table is there for, in turn, without castling and en
passant. Tengen plays the side that wins, in drawn positions a random one, as a UCI engine. The other side makes a move
that keeps the tables' result: the one that resists longest where it loses, else a random one. Won means mate before a
draw can be claimed, drawn by the fifty moves included. Prints a line for each kind and the sum; exits with 1 if a result
was missed.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections import Counter
from collections.abc import Iterator

import chess
import chess.engine
import chess.syzygy

DEAD = ("KBvK", "KNvK", "KBvKB", "KBvKN", "KNvKN")
"""Kinds whose positions are over, or nearly all drawn for certain."""
LONGEST = 600
"""Plies of a game at most."""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", help="of tables, several as in PATH")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--nodes", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--least", type=int, default=3, help="men on the board at least (3)")
    asked = parser.parse_args()
    tables = chess.syzygy.Tablebase()
    for folder in asked.folders.split(os.pathsep):
        tables.add_directory(folder)
    command = [sys.executable, "-m", "tengen", "uci", "--file-root", "/"]
    with chess.engine.SimpleEngine.popen_uci(command) as engine:
        engine.configure({"SyzygyPath": asked.folders, "OwnBook": False})
        kept: Counter[str] = Counter()
        played: Counter[str] = Counter()
        source = random.Random(asked.seed)
        for name, board in positions(tables, asked.count, asked.least, source):
            played[name] += 1
            fen = board.fen()
            expected, found = play(engine, tables, board, asked.nodes, source)
            kept[name] += expected == found
            if expected != found:
                print(f"{fen}: the tables say {expected:+d}, it ended {found:+d} after {board.ply()} plies")
    for name in sorted(played, key=lambda name: (len(name), name)):
        print(f"{name:8}{kept[name]:5} of {played[name]}")
    print(f"all     {kept.total():5} of {played.total()} as the tables say")
    return kept.total() != played.total()


def positions(
    tables: chess.syzygy.Tablebase, count: int, least: int, source: random.Random
) -> Iterator[tuple[str, chess.Board]]:
    """Positions that are not over, of each kind in turn."""
    names = sorted(
        name for name, table in tables.wdl.items() if table.key == name and len(name) - 1 >= least and name not in DEAD
    )
    for number in range(count):
        name = names[number % len(names)]
        white, black = name.split("v")
        while True:
            board = chess.Board(None)
            letters = white + black.lower()
            for square, letter in zip(source.sample(range(64), len(letters)), letters, strict=True):
                board.set_piece_at(square, chess.Piece.from_symbol(letter))
            board.turn = source.random() < 0.5
            if board.is_valid() and not board.is_game_over() and _is_known(tables, board):
                yield name, board
                break


def play(
    engine: chess.engine.SimpleEngine,
    tables: chess.syzygy.Tablebase,
    board: chess.Board,
    nodes: int,
    source: random.Random,
) -> tuple[int, int]:
    """The result that the tables promise and the one of the game, for the side that is to move first."""
    first, expected = board.turn, _sign(tables.probe_wdl(board))
    winner = first if expected > 0 else not first
    ours = winner if expected else source.random() < 0.5
    game = object()
    while not board.is_game_over(claim_draw=True) and board.ply() < LONGEST:
        if board.turn == ours:
            move = engine.play(board, chess.engine.Limit(nodes=nodes), game=game).move
            assert move is not None
        else:
            move = resistance(tables, board, source)
        board.push(move)
    outcome = board.outcome(claim_draw=True)
    if outcome is None or outcome.winner is None:
        return expected, 0
    return expected, 1 if outcome.winner == first else -1


def resistance(tables: chess.syzygy.Tablebase, board: chess.Board, source: random.Random) -> chess.Move:
    """A move that keeps the result; of a lost position one after which the win is farthest."""
    ranks = []
    for move in board.legal_moves:
        board.push(move)
        over = board.is_game_over()
        value = (2 if board.is_checkmate() else 0) if over else -tables.probe_wdl(board)
        distance = 0 if over or value >= 0 else abs(tables.probe_dtz(board)) if board.halfmove_clock else 0
        board.pop()
        ranks.append((_sign(value), distance, source.random(), move))
    return max(ranks, key=lambda rank: rank[:3])[3]


def _is_known(tables: chess.syzygy.Tablebase, board: chess.Board) -> bool:
    """Whether the tables know the position and what follows a move, by results and by distances."""
    try:
        tables.probe_dtz(board)
    except KeyError:
        return False
    return True


def _sign(value: int) -> int:
    """2, 1, 0, -1, -2 of the tables as a result where fifty moves are a draw."""
    return (value > 1) - (value < -1)


if __name__ == "__main__":
    sys.exit(main())
