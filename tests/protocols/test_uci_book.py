"""Opening books under UCI: moves from them, and files that are of no use."""

from __future__ import annotations

import random
import struct
from dataclasses import replace
from pathlib import Path

import chess
import chess.polyglot
import pytest
from uci_client import CONFIG, best, field, say, told

from tengen.engine.games.chess.polyglot import Polyglot, PolyglotError
from tengen.engine.games.chess.text import state_from_fen

PROMOTIONS = {None: 0, chess.KNIGHT: 1, chess.BISHOP: 2, chess.ROOK: 3, chess.QUEEN: 4}
CASTLE = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


def entry(fen: str, move: str, weight: int) -> bytes:
    """One move of a book; castling as the king that takes its rook."""
    board, told = chess.Board(fen), chess.Move.from_uci(move)
    written = told.to_square | told.from_square << 6 | PROMOTIONS[told.promotion] << 12
    return struct.pack(">QHHI", chess.polyglot.zobrist_hash(board), written, weight, 0)


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """a2a3 and h2h4 from the start, which no search plays; castling; an illegal move and one of weight 0."""
    rows = [
        entry(chess.STARTING_FEN, "a2a3", 3), entry(chess.STARTING_FEN, "h2h4", 1), entry(chess.STARTING_FEN, "e2e5", 9),
        entry(chess.STARTING_FEN, "g2g4", 0), entry(CASTLE, "e1h1", 5), entry("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 1),
    ]  # fmt: skip
    path = tmp_path / "book.bin"
    path.write_bytes(b"".join(sorted(rows)))
    return path


def test_moves_of_a_book(book: Path) -> None:
    known = Polyglot(book)
    found = {one.move: one.weight for one in known.find(state_from_fen(chess.STARTING_FEN))}
    assert found == {8 | 16 << 6: 3, 15 | 31 << 6: 1, 14 | 30 << 6: 0}
    dice = random.Random(1)
    drawn = [known.choose(state_from_fen(chess.STARTING_FEN), dice) for _ in range(200)]
    assert set(drawn) == {8 | 16 << 6, 15 | 31 << 6} and drawn.count(8 | 16 << 6) > 110
    assert known.choose(state_from_fen(CASTLE), dice) == 4 | 7 << 6
    assert known.choose(state_from_fen("4k3/P7/8/8/8/8/8/4K3 w - - 0 1"), dice) == 48 | 56 << 6 | 4 << 12
    assert known.choose(state_from_fen(MIDDLE), dice) is None
    known.close()


MIDDLE = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"


@pytest.mark.parametrize("data", [b"", b"short", bytes(17), b"\xff" * 16 + bytes(16)])
def test_what_is_no_book(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "no.bin"
    path.write_bytes(data)
    with pytest.raises(PolyglotError):
        Polyglot(path)


def test_a_move_from_the_book(book: Path) -> None:
    config = replace(CONFIG, file_root=str(book.parent))
    use = "setoption name Book File value book.bin"
    lines = say(use, "position startpos", "go wtime 1000 btime 1000", config=config)
    assert best(lines)[0] in ("a2a3", "h2h4") and "the move is from the book" in told(lines)
    assert field(lines[-2], "pv") == best(lines)[0] and " score cp " in lines[-2]
    assert best(say(use, f"position fen {CASTLE}", "go depth 1", config=config)) == ["e1g1"]
    for off in (
        "setoption name OwnBook value false",
        "setoption name UCI_AnalyseMode value true",
        "setoption name Book File value",
    ):
        lines = say(use, off, "go depth 6", config=config)
        assert best(lines)[0] not in ("a2a3", "h2h4") and not told(lines)
    assert best(say(use, "go depth 1 searchmoves e2e4", config=config)) == ["e2e4"]
    assert best(say("go depth 1", config=replace(CONFIG, book=str(book))))[0] in ("a2a3", "h2h4")


@pytest.mark.parametrize("data", [b"short", b"\xff" * 16 + bytes(16)])
def test_a_damaged_book_is_told_once(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "no.bin").write_bytes(data)
    config = replace(CONFIG, file_root=str(tmp_path))
    lines = say("setoption name Book File value no.bin", "go depth 1", "go depth 1", config=config)
    assert len(told(lines)) == 1 and "no opening book" in told(lines)[0] and len(best(lines)) == 2
