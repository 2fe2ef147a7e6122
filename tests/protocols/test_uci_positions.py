"""UCI: the words of `position`, and how moves are written."""

from __future__ import annotations

import pytest

from tengen.engine.games.chess.text import fen_of
from tengen.protocols.chess.position import Unusable
from tengen.protocols.uci.position import Position

# what follows `position` -> the FEN after it (None: the start), what is told
POSITIONS = [
    ("startpos", None, ""),
    ("startpos moves", None, ""),
    ("startpos moves e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", ""),
    ("startpos moves e2e5", None, "illegal move e2e5 at ply 1 ignored from here"),
    ("startpos moves e2e4 e7e5 e2e4 a7a6", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
     "illegal move e2e4 at ply 3 ignored from here"),
    ("fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - moves E2E4", "8/2p5/3p4/KP5r/1R2Pp1k/8/6P1/8 b - - 0 1", ""),
    ("fen 4k3/P7/8/8/8/8/8/4K3 w - - 0 1 moves a7a8q", "Q3k3/8/8/8/8/8/8/4K3 b - - 0 1", ""),
    ("fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1 e8c8", "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2", ""),
    ("fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1h1", "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1", ""),
    ("fen r5k1/8/8/8/8/8/8/4K2R w Kq - 3 9", "r5k1/8/8/8/8/8/8/4K2R w K - 3 9", ""),
    ("fen 6k1/8/8/8/8/8/8/R2K3R w KQkq - 0 1", "6k1/8/8/8/8/8/8/R2K3R w - - 0 1", ""),
    ("fen 4k3/8/8/8/8/8/8/1R2K1R1 w KQ - 0 1", "4k3/8/8/8/8/8/8/1R2K1R1 w - - 0 1", ""),
    ("fen 1r2k1r1/8/8/8/8/8/8/4K2R w HGb - 0 1", "1r2k1r1/8/8/8/8/8/8/4K2R w K - 0 1", ""),
    ('fen 4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id "one"; moves e2e4', "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1", ""),
    ("fen 4k3/8/8/8/8/8/4P3/4K3 w - - 7 9 bm e4; hmvc 3;", "4k3/8/8/8/8/8/4P3/4K3 w - - 7 9", ""),
    ('fen 4k3/8/8/8/8/8/4P3/4K3 w - - 7 9 c0 "e2e4 moves"; moves e2e3', "4k3/8/8/8/8/4P3/8/4K3 b - - 0 9", ""),
    ('fen 4k3/8/8/8/8/8/4P3/4K3 w - - id "no end; moves e2e3', "4k3/8/8/8/8/4P3/8/4K3 b - - 0 1", ""),
    ("fen 4k3/8/8/8/8/8/4P3/4K3 w - - 7 dm 3;", "4k3/8/8/8/8/8/4P3/4K3 w - - 7 1", ""),
    ("fen 8/8/4k3/8/8/4K3/8/8 w - - 0 1 moves e3e4 e6d6 e4d4", "8/8/3k4/8/3K4/8/8/8 b - - 3 2", ""),
    ("fen 4k3/8/8/8/8/4K3/4P3/8 w - - 149 90 moves e3e4 e8d8 e2e3", "3k4/8/8/8/4K3/4P3/8/8 b - - 0 91", ""),
    ("startpos moves 0000", None, "illegal move 0000 at ply 1 ignored from here"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "fen", "remark"), POSITIONS)
def test_positions(text: str, fen: str | None, remark: str) -> None:
    position = Position()
    start = fen_of(position.state)
    assert position.set(text.split(), False) == remark
    assert fen_of(position.state) == (fen or start)


@pytest.mark.parametrize("text", [
    "", "somewhere", "fen", "fen garbage", "fen 8/8/8/8/8/8/8/8 w - - 0 1", "fen 8/8/8/8/8/8/8/K7 w - - 0 1",
    "fen 4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1", "fen 4k2P/8/8/8/8/8/8/4K3 w - - 0 1",
    "fen kk6/8/8/8/8/8/8/KK6 w - - 0 1", "fen 9/9/9/9/9/9/9/9 w - - 0 1",
])  # fmt: skip
def test_positions_that_are_refused_change_nothing(text: str) -> None:
    position = Position()
    position.set("startpos moves e2e4".split(), False)
    before = fen_of(position.state)
    with pytest.raises(Unusable):
        position.set(text.split(), False)
    assert fen_of(position.state) == before
    assert position.set("startpos moves e2e4 e7e5".split(), False) == "" and len(position.moves) == 2


def test_a_game_that_goes_on_is_not_played_anew() -> None:
    position = Position()
    moves = "g1f3 g8f6 f3g1 f6g8 e2e4 e7e5".split()
    for plies in (2, 4, 6, 3, 6, 0, 5):
        start = position.start
        position.set(["startpos", "moves", *moves[:plies]], False)
        other = Position()
        other.set(["startpos", "moves", *moves[:plies]], False)
        assert fen_of(position.state) == fen_of(other.state) and position.start is start
        assert position.moves == other.moves
    position.set(["startpos", "moves", "e2e4", "c7c5"], False)
    assert fen_of(position.state).startswith("rnbqkbnr/pp1ppppp/8/2p5/4P3/")


def test_castling_is_written_as_the_gui_wants_it() -> None:
    fen = "fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    for is_chess960, text in ((False, "e1g1"), (True, "e1h1")):
        position = Position()
        position.set(fen.split(), is_chess960)
        move = position.move("e1g1")
        assert move == 4 | 7 << 6 and position.text(move) == text
