"""`tengen review` of Gomoku and Renju: what moves cost, wins told to the five, rules, libraries."""

from __future__ import annotations

from pathlib import Path

import pytest

from tengen.engine.config import Config
from tengen.engine.records import Record, RecordError, read, renlib
from tengen.tools import cli
from tengen.tools.review.annotating import comment
from tengen.tools.review.gomoku import KIND, GomokuReviewer
from tengen.tools.review.grading import GOMOKU, Grade
from tengen.tools.review.move_costs import Verdict, judge
from tengen.tools.review.position import Position
from tengen.tools.review.table import WIDTH, lines

BAD_DEFENCE = "h8 i8 h9 a1 h10 a3 h11 h12 h7"
"""White plays elsewhere; Black wins by an open four."""


def record_of(moves: str, rules: str = "freestyle") -> Record:
    cells = [(15 - int(word[1:])) * 15 + ord(word[0]) - ord("a") for word in moves.split()]
    return Record("gomoku", 15, 15, rules=rules, moves=tuple((number % 2, cell) for number, cell in enumerate(cells)))


def reviewed(record: Record, depth: int = 6) -> tuple[list[Position], list[Verdict]]:
    reviewer = GomokuReviewer(Config(threads=1), depth)
    reviewer.check(record)
    positions = list(reviewer.review(record, lambda done: None))
    return positions, judge(record.moves, positions, GOMOKU)


def test_a_move_that_loses_is_told_with_the_win_that_it_allows() -> None:
    record = record_of(BAD_DEFENCE)
    positions, verdicts = reviewed(record)
    assert len(positions) == len(record.moves) + 1 and positions[-1].is_exact and positions[-1].win == 1.0
    assert [verdict.number for verdict in verdicts if verdict.grade is not Grade.FINE][0] in (4, 6)
    win = positions[6]
    assert win.is_exact and win.line[0][0] == 0 and len(win.line) == 3 and win.lead == 1500
    assert win.why == "Black wins by fours in 2 moves: H11 (open four) H12, H7 (five)"
    assert comment(record, verdicts[5], GOMOKU).splitlines()[-1] == win.why + "."
    table = lines(record, verdicts, GOMOKU)
    assert all(len(line) <= WIDTH for line in table) and "units" in "\n".join(table)


def test_a_blunder_is_followed_by_its_refutation_in_the_table() -> None:
    """White misses the point of a four that was there."""
    record = record_of("h8 i8 h9 h10 g8 i10 f8 e8 i7 f10 j6")
    _, verdicts = reviewed(record)
    text = "\n".join(lines(record, verdicts, GOMOKU))
    bad = [verdict for verdict in verdicts if verdict.grade is not Grade.FINE and verdict.after.why]
    assert bad and all(f"{verdict.number}: {verdict.after.why[:30]}" in text for verdict in bad)


def test_rules_are_those_of_the_file_or_as_given() -> None:
    """Seven in a row: Black may not make them in renju, and they are nothing under exactly five."""
    long = "h8 a1 h9 a3 h10 a5 h12 a7 h13 a9 h14 a11 h11"
    assert KIND.legal(record_of(long), None).moves == record_of(long).moves
    cut = KIND.legal(record_of(long), "renju")
    assert len(cut.moves) == 12 and "overline" in cut.cut
    assert len(KIND.legal(record_of(long + " b1", "standard"), None).moves) == 14
    over = KIND.legal(record_of(long + " b1"), None)
    assert len(over.moves) == 13 and "move 14, W B1, is illegal: game over" in over.cut
    with pytest.raises(RecordError, match="chinese"):
        KIND.legal(record_of(long), "chinese")
    assert "renju rules" in GomokuReviewer(Config(threads=1), 2).who(cut)


def test_a_library_and_a_psq_are_reviewed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    points = [(8, 8), (9, 8), (8, 7), (1, 15), (8, 6), (1, 13)]
    nodes = b"".join(bytes((16 * (y - 1) + x, 64 * (n == 5))) for n, (x, y) in enumerate(points))
    (tmp_path / "a.lib").write_bytes(renlib.SIGN + b"\3\4" + b"\xff" * 10 + b"\0\0" + nodes)
    out = tmp_path / "a.sgf"
    words = ["--depth", "4", "--threads", "1", "--rules", "freestyle"]
    assert cli.main(["review", str(tmp_path / "a.lib"), "-o", str(out), *words]) == 0
    text = out.read_text().replace("\n", " ")
    assert "Black wins by fours in 2 moves: H11 (open four) H12, H7 (five)." in text and "freestyle rules" in text
    assert [cell for _, cell in read(out).moves] == [(y - 1) * 15 + x - 1 for x, y in points]
    psq = tmp_path / "a.psq"
    psq.write_text("Piskvorky 15x15, 11:11, 0\n" + "".join(f"{x},{y},0\n" for x, y in points) + "A\nB\n-1\n")
    assert cli.main(["review", str(psq), "--depth", "3", "--threads", "1"]) == 0
    assert "Black (A) - White (B)" in capsys.readouterr().out
