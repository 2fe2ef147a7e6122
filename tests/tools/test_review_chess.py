"""`tengen review` of chess: what moves cost, mistakes by winning chances, the annotated PGN."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from tengen.engine.config import Config
from tengen.engine.records import Record, RecordError, pgn
from tengen.tools import cli
from tengen.tools.review.canvas import Svg
from tengen.tools.review.chess import ChessReviewer
from tengen.tools.review.games import Numbers, subjects
from tengen.tools.review.grading import CHESS, Grade
from tengen.tools.review.move_costs import judge, summary
from tengen.tools.review.picture import draw
from tengen.tools.review.plot import GROUND, HEIGHT, WIDTH
from tengen.tools.review.reviewed import Review
from tengen.tools.review.table import lines
from tengen.tools.review.writing import form_of, text_of

chess = pytest.importorskip("chess")

MATED = """[White "Ann"]
[Black "Bob"]
[Result "1-0"]

1. e4 e5 2. Bc4 {my idea} Nc6 3. Qh5 Nf6?! (3... g6 4. Qf3) 4. Qxf7# 1-0
"""
HANGING = "1. e4 e5 2. Nf3 Nc6 3. Bb5 Qg5 4. Nxg5 Nf6 *\n"


def reviewed(text: str, depth: int = 6) -> Review:
    reviewer = ChessReviewer(Config(threads=1), depth)
    record = pgn.loads(text)
    reviewer.check(record)
    positions = reviewer.review(record, lambda done: None)
    from tengen.tools.review.games import Subject

    return Review(
        Subject(1, "pgn", record, text=text),
        CHESS,
        reviewer.who(record),
        positions,
        judge(record.moves, positions, CHESS),
    )


def test_a_mate_that_is_allowed_is_a_blunder() -> None:
    review = reviewed(MATED)
    assert len(review.positions) == len(review.subject.record.moves) + 1
    grades = [verdict.grade for verdict in review.verdicts]
    assert grades[5] is Grade.BLUNDER and review.verdicts[5].lost > 500 and review.verdicts[5].win_lost > 0.3
    assert grades[6] is Grade.FINE and review.verdicts[6].is_best and review.verdicts[6].lost == 0
    before, last = review.positions[6], review.positions[7]
    assert before.is_exact and (before.win, before.lead) == (1.0, 1000.0) and len(before.line) == 1
    assert last.is_exact and (last.win, last.lead, last.line) == (1.0, 1000.0, ())
    assert all(0 <= position.win <= 1 and abs(position.lead) <= 1000 for position in review.positions)


HUNG = """[SetUp "1"]
[FEN "6k1/5pp1/7p/8/8/8/3Q1PPP/r5K1 w - - {plies} 90"]
[Result "*"]

90. Qe1 Rb1 91. f3 Rxe1+ 92. Kf2 Re8 *
"""


@pytest.mark.parametrize("plies", [3, 110, 148])
def test_what_is_given_away_is_seen_where_a_draw_could_be_claimed(plies: int) -> None:
    """Black does not take the queen that stands before its rook; who may claim need not."""
    review = reviewed(HUNG.format(plies=plies))
    assert review.verdicts[1].grade is Grade.BLUNDER and review.positions[1].line[0][1] == 0 | 4 << 6
    assert len(review.positions) == 7 and all(position.line for position in review.positions)


DEAD = """[SetUp "1"]
[FEN "8/8/4k3/8/8/4K3/3n4/8 w - - 148 100"]
[Result "1/2-1/2"]

100. Kd3 Kd5 101. Kxd2 Ke5 102. Ke3 1/2-1/2
"""


def test_a_game_that_went_on_after_its_end_is_reviewed() -> None:
    review = reviewed(DEAD)
    assert len(review.positions) == 6 and all(position.lead == 0 for position in review.positions)


def test_a_queen_that_is_given_away() -> None:
    review = reviewed(HANGING)
    verdict = review.verdicts[5]
    assert verdict.grade is Grade.BLUNDER and 600 < verdict.lost <= 1000 + 200
    white, black = (summary(review.verdicts, colour, CHESS) for colour in (0, 1))
    assert white is not None and black is not None and white.accuracy is not None and black.accuracy is not None
    assert white.accuracy > 70 > black.accuracy and black.counts[Grade.BLUNDER] == 1
    table = "\n".join(lines(review.subject.record, review.verdicts, CHESS))
    assert "White wins" in table and "3...  Black Qg5" in table and "centipawns" in table and "blunder" in table
    assert "Black ahead" not in table


def test_the_pgn_keeps_what_it_had() -> None:
    text = text_of(reviewed(MATED), "pgn")
    game = chess.pgn.read_game(io.StringIO(text))
    assert not game.errors and game.headers["White"] == "Ann" and "Review by Tengen's alpha-beta" in game.comment
    assert "White: accuracy" in game.comment and "blunder from 15" in game.comment
    nodes = list(game.mainline())
    assert [node.san() for node in nodes] == "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#".split()
    assert "] my idea" in nodes[2].comment and all("[%eval" in node.comment for node in nodes[:-1])
    assert (
        "[%eval #1]" in nodes[5].comment and "Blunder: " in nodes[5].comment and "White mates in 1." in nodes[5].comment
    )
    assert nodes[5].nags == {6}, "its own sign stays"
    others = nodes[4].variations[1:]
    assert others[0].san() == "g6" and others[0].variations[0].san() == "Qf3"
    again = text_of(reviewed(text), "pgn")
    assert again.count("[%eval") == text.count("[%eval")


def test_a_better_line_is_a_variation() -> None:
    game = chess.pgn.read_game(io.StringIO(text_of(reviewed(HANGING), "pgn")))
    nodes = list(game.mainline())
    assert nodes[5].nags == {4} and len(nodes[4].variations) == 2 and nodes[4].variations[1].san() in nodes[5].comment


def test_draws_by_the_rules_end_a_game() -> None:
    shuffle = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1/2-1/2\n"
    last = reviewed(shuffle, 2).positions[-1]
    assert last.is_exact and (last.win, last.lead) == (0.5, 0.0)
    stalemate = '[FEN "7k/8/6K1/8/8/8/5Q2/8 w - - 0 1"]\n\n1. Qf7 1/2-1/2\n'
    review = reviewed(stalemate, 4)
    assert review.positions[-1].lead == 0 and review.verdicts[0].grade is Grade.BLUNDER


def test_a_picture() -> None:
    review = reviewed(HANGING, 3)
    drawn = draw(Svg(WIDTH, HEIGHT, GROUND), review.subject.record, review.positions, review.verdicts, CHESS).decode()
    assert (
        "White wins" in drawn
        and "Centipawns ahead" in drawn
        and "blunder (from 15 %)" in drawn
        and "Black wins" not in drawn
    )


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("g.pgn").write_text(f'{HANGING}\n{MATED}\n[White "x"]\n\n1. e5 *\n')
    words = ["review", "g.pgn", "--number", "1-2", "--depth", "3", "--threads", "1"]
    assert cli.main([*words, "-o", "out.pgn", "--picture", "p.svg"]) == 0
    out = capsys.readouterr().out
    assert "Game 1" in out and "Game 2" in out and Path("p-1.svg").exists() and Path("p-2.svg").exists()
    assert len(pgn.loads_all(Path("out.pgn").read_bytes())) == 2
    for more, sentence in (
        (["--number", "3"], "game 3: move 1, 'e5', is illegal"),
        (["--number", "4"], "there is no game 4: the file holds 3"),
        (["-o", "x.sgf"], "a reviewed game of chess is a PGN"),
        (["--visits", "9"], "--visits is for games of Go"),
        (["--exact", "9"], "--exact is for games of Reversi"),
        (["--set", "alphabeta.weights=no.safetensors"], "no.safetensors"),
    ):
        assert cli.main(["review", "g.pgn", *more]) == 2
        errors = capsys.readouterr().err
        assert sentence in errors and errors.count("\n") == 1


def test_other_games_are_no_pgn(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("f5 d6\n")
    (subject,) = subjects(str(path), Numbers())
    with pytest.raises(RecordError, match="PGN holds games of chess only"):
        form_of("x.pgn", subject)
    assert isinstance(subject.record, Record)
