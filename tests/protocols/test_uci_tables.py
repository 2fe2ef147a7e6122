"""Opening books and endgame tables under UCI: moves from them, and files that are of no use."""

from __future__ import annotations

import random
import struct
from dataclasses import replace
from pathlib import Path

import chess
import chess.polyglot
import chess.syzygy
import pytest
from uci_client import CONFIG, best, field, say, told

from tengen.engine.games.chess.polyglot import Polyglot, PolyglotError
from tengen.engine.games.chess.syzygy import SyzygyError, Tablebases
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


class Tables:
    """Stands in for python-chess's: rook against king, always won for the rook, and nothing more."""

    wdl = {"KRvK": None}
    is_broken = False

    def add_directory(self, folder: str) -> int:
        return 1 if any(Path(folder).iterdir()) else 0

    def probe_wdl(self, board: chess.Board) -> int:
        if self.is_broken:
            raise struct.error("unpack requires a buffer")
        if not board.rooks:
            return 0
        return 2 if bool(board.rooks & board.occupied_co[board.turn]) else -2

    def probe_dtz(self, board: chess.Board) -> int:
        """Shorter the nearer the kings are."""
        distance = chess.square_distance(board.king(chess.WHITE), board.king(chess.BLACK))
        return self.probe_wdl(board) // 2 * (2 * distance)

    def close(self) -> None:
        """Nothing is open."""


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(chess.syzygy, "Tablebase", Tables)
    folder = tmp_path / "tables"
    folder.mkdir()
    (folder / "KRvK.rtbw").write_bytes(b"")
    return folder


ROOK = "8/8/8/4k3/8/8/8/K6R w - - 0 1"


def test_what_the_tables_keep(tables: Path) -> None:
    known = Tablebases(str(tables))
    won = known.probe(state_from_fen(ROOK))
    assert won is not None and won.result == 1 and won.moves == (9 << 6,)  # the king comes nearer
    lost = known.probe(state_from_fen("8/8/8/4k3/8/8/8/K6R b - - 0 1"))
    assert lost is not None and lost.result == -1
    drawn = known.probe(state_from_fen("8/8/8/8/8/8/6k1/K6R b - - 0 1"))
    assert drawn is not None and drawn.result == 0 and drawn.moves == (14 | 7 << 6,)  # it takes the rook
    assert known.probe(state_from_fen(chess.STARTING_FEN)) is None
    assert known.probe(state_from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")) is None


def test_a_move_that_the_tables_know(tables: Path) -> None:
    config = replace(CONFIG, file_root=str(tables.parent))
    lines = say("setoption name SyzygyPath value tables", "setoption name UCI_ShowWDL value true", f"position fen {ROOK}",
                "go depth 2", config=config)  # fmt: skip
    assert best(lines) == ["a1b2"] and int(field(lines[-2], "tbhits")) > 0
    assert " score cp 20000 " in lines[-2] and " wdl 1000 0 0 " in lines[-2]
    lines = say(
        "setoption name SyzygyPath value tables", f"position fen {ROOK}", "go depth 2 searchmoves h1h2", config=config
    )
    assert best(lines) == ["h1h2"]


def test_tables_that_cannot_be_read_are_told_once(tables: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = replace(CONFIG, file_root=str(tables.parent))
    (tables.parent / "empty").mkdir()
    lines = say("setoption name SyzygyPath value empty", "go depth 1", "go depth 1", config=config)
    assert len(told(lines)) == 1 and "no tables" in told(lines)[0] and len(best(lines)) == 2
    monkeypatch.setattr(Tables, "is_broken", True)
    use = ("setoption name SyzygyPath value tables", f"position fen {ROOK}")
    lines = say(*use, "go depth 1", "go depth 1", config=config)
    assert len(told(lines)) == 1 and "cannot be read" in told(lines)[0] and len(best(lines)) == 2
    with pytest.raises(SyzygyError):
        Tablebases(str(tables.parent / "missing"))
