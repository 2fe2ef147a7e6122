"""`tengen review` of games with side lines that cannot be played: they are left out with a sentence, the game is not."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

import pytest

from tengen.engine.config import Config
from tengen.engine.records import pgn, pgn_tree
from tengen.tools import cli
from tengen.tools.review.chess import ChessReviewer
from tengen.tools.review.games import Numbers, Subject, subjects
from tengen.tools.review.move_costs import judge
from tengen.tools.review.reviewed import Review
from tengen.tools.review.writing import text_of

pytest.importorskip("chess.pgn")

SIDE_LINES = {
    "an illegal first move": ("1. e4 e5 (1... Ke5) 2. Nf3 Nc6 3. Bb5 a6 *", 1, ""),
    "later in the line": ("1. e4 e5 (1... c5 2. Nf3 Qxf3 3. gxf3 d6) 2. Nf3 Nc6 *", 1, "c5 Nf3"),
    "lines in a bad line": ("1. e4 e5 (1... c5 2. Ke5 (2. Nc3 a6 (2... b6) 3. h3) 2... d6) 2. Nf3 (2. d4 exd4) Nc6 *", 1, "c5"),
    "a bad line in a good one": ("1. e4 e5 (1... c5 2. Nf3 (2. Nf6 g5) d6 3. d4) 2. Nf3 *", 1, "c5 Nf3 d6 d4"),
    "comments and signs": ("1. e4 e5 ({why} 1... Ke5 $2 {no} ?! 2. d4 {nor this}) {mine} 2. Nf3 *", 1, ""),
    "two of them": ("1. e4 (1. e5) (1. Ke2) e5 (1... e4) 2. Nf3 *", 3, ""),
    "an ambiguous move": ("1. Nf3 d5 2. d4 e6 (2... c6 3. Nd2 e6) 3. e3 *", 1, "c6"),
    "an empty line": ("1. e4 () e5 ({nothing}) 2. Nf3 *", 0, ""),
    "a null move": ("1. e4 e5 (1... -- 2. d4 d5) 2. Nf3 *", 0, "-- d4 d5"),
    "a line that does not end": ("1. e4 e5 2. Nf3 Nc6 (2... Ke5 3. Bb5 *", 1, ""),
    "too many ends": ("1. e4 e5 (1... Ke5)) 2. Nf3) Nc6 *", 1, ""),
    "a line before the first move": ("(1. d4 d5) 1. e4 e5 2. Nf3 *", 0, ""),
    "castling that may not be": ("1. e4 e5 (1... O-O 2. d4) 2. Nf3 *", 1, ""),
    "a promotion without a piece": (
        '[FEN "8/P6k/8/8/8/8/8/K7 w - - 0 1"]\n\n1. a8=Q (1. a8=K Kg7) Kg7 (1... Kh9) 2. Qb8 *', 2, ""
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SIDE_LINES)
def test_side_lines_that_cannot_be_played(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    text, count, left = SIDE_LINES[name]
    record = pgn.loads(text)
    kept = pgn_tree.read(text, record)
    assert kept.left_out.count("illegal") == (count > 0)
    assert [pgn.dense(node.parent.board(), node.move) for node in kept.game.mainline()] == [
        move for _, move in record.moves
    ]
    assert capfd.readouterr().err == "", "python-chess says nothing of its own"
    node, found = kept.game, ""
    while node.variations:
        for other in node.variations[1:]:
            board, words = node.board(), []
            for move in [other.move, *(one.move for one in other.mainline())]:
                words.append(board.san(move))
                board.push(move)
            found = found or " ".join(words)
        node = node.variations[0]
    assert found == left or not left or found.startswith(left)
    reviewer = ChessReviewer(Config(threads=1), 2)
    positions = reviewer.review(record, lambda done: None)
    (subject,) = _subject(text)
    written = text_of(
        Review(subject, reviewer.terms, "a test", positions, judge(record.moves, positions, reviewer.terms)), "pgn"
    )
    import chess.pgn

    again = chess.pgn.read_game(io.StringIO(written))
    assert again is not None
    assert not again.errors and pgn.loads(written).moves == record.moves
    if name == "comments and signs":
        assert "mine" in written and "why" not in written and "nor this" not in written


def _subject(text: str) -> list[Subject]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "a.pgn"
        file.write_text(text)
        return list(subjects(str(file), Numbers()))


def test_the_command_says_what_it_leaves_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("g.pgn").write_text("1. d4 d5 *\n\n1. e4 e5 (1... Ke5) 2. Nf3 (2. Ng7) *\n\n1. d4 d5 *\n")
    assert cli.main(["review", "g.pgn", "--number", "all", "--depth", "2", "--threads", "1", "-o", "o.pgn"]) == 0
    out, errors = capsys.readouterr()
    told = [line for line in errors.splitlines() if "warning" in line]
    assert len(told) == 1 and "game 2" in told[0] and "1... Ke5" in told[0] and "2 side lines" in told[0], errors
    assert len(pgn.loads_all(Path("o.pgn").read_bytes())) == 3 and "Game 3" in out


def test_what_cannot_be_written_is_told_before_the_analysis(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("g.sgf").write_text("(;GM[2];B[fe]W[ff])")
    assert cli.main(["review", "g.sgf", "-o", "o.sgf"]) == 2
    out, errors = capsys.readouterr()
    assert out == "" and errors.count("\n") == 1 and not Path("o.sgf").exists()


@pytest.mark.parametrize(
    "side_line", ["W[fe]", "W[zz]", "W[aa]", "W[ff]B[fg]", "W[]W[]", "AB[aa]AW[zz]", "B[fe];B[fe]", "C[x]"]
)
def test_sgf_keeps_side_lines_as_they_are(
    side_line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("g.sgf").write_text(f"(;GM[2];B[fe](;W[fd];B[ec])(;{side_line}))")
    assert cli.main(["review", "g.sgf", "-o", "o.sgf", "--depth", "2", "--exact", "4", "--threads", "1"]) == 0
    written = Path("o.sgf").read_text()
    assert side_line.split("[")[0] + "[" in written and "Review by" in written
