"""What a review shows is what it grades by, is possible, and fits 80 columns; of every game that has reviews."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import replace

import pytest

from tengen.engine.config import Config
from tengen.engine.info import Info, Line
from tengen.engine.records import Record, pgn
from tengen.engine.records import text as text_records
from tengen.engine.records.sgf_tree import GameTree
from tengen.protocols.nboard.report import decision, search_line
from tengen.tools.review.annotating import annotate, comment
from tengen.tools.review.grading import CHESS, GO, REVERSI, Grade, Terms
from tengen.tools.review.move_costs import judge, worst
from tengen.tools.review.position import Position
from tengen.tools.review.reversi import ReversiReviewer
from tengen.tools.review.table import lines

LOPSIDED = (
    "C4 C5 B6 D3 C2 A7 D6 E7 B5 C3 E3 D2 B3 E2 D1 A3 F1 C1 F2 B4 A6 F3 A8 A5 C6 D7 C7 B7 B1 E1 B2 G3 A2 A1 A4 G1 B8"
)
"""Black is nearly wiped out and recovers: an evaluation of discs that is not bounded goes beyond 64."""

EDGES = (8 | 16 << 6, 48 | 40 << 6)
"""a3 and a6 of chess: better than what is played, and legal throughout."""


def width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def chess_positions() -> tuple[Record, list[Position]]:
    """19. Rhd1 and the like: the move's own search and the next position's differ."""
    record = pgn.loads("1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 *")
    found = []
    for turn in range(7):
        line = ((turn & 1, EDGES[turn & 1]),)
        found.append(
            Position(turn & 1, 0.5 + 0.01 * turn, 12.4 * turn, 9, line, played=-150.6, played_win=0.39951, depth=7)
        )
    return record, [*found[:-1], replace(found[-1], played=None, played_win=None)]


def test_chances_shown_are_those_graded_by() -> None:
    pytest.importorskip("chess")
    record, found = chess_positions()
    verdicts = judge(record.moves, found, CHESS)
    rows = [row for row in lines(record, verdicts, CHESS) if " -> " in row]
    assert len(rows) == 3
    for row, verdict in zip(rows, worst(verdicts, 9, CHESS), strict=True):
        before, after = (
            float(word) for word in row.split(" %")[0].split("->")[0].split()[-1:] + row.split("->")[1].split()[:1]
        )
        sign = 1 if verdict.colour == 0 else -1
        assert CHESS.grade(round(sign * (before - after), 1)) is verdict.grade, row
        assert f"White {after:.1f} %" in comment(record, verdict, CHESS)
        assert f"{sign * (before - after):.1f} % lost" in comment(record, verdict, CHESS)


@pytest.mark.parametrize(("before", "after"), [(0.48149, 0.38151), (0.4805, 0.38049), (0.5, 0.40000001), (0.57, 0.52)])
def test_a_loss_is_graded_as_it_is_shown(before: float, after: float) -> None:
    position = Position(0, before, 0.0, 9, ((0, 5),), played=0.0, played_win=after)
    verdict = judge([(0, 6)], [position, Position(1, 0.1, 0.0, 9, ())], CHESS)[0]
    assert verdict.grade is CHESS.grade(float(f"{100 * verdict.win_lost:.1f}"))
    assert f"{100 * verdict.before.win - 100 * verdict.win:.1f}" == f"{100 * verdict.win_lost:.1f}"


def test_discs_shown_are_those_lost() -> None:
    record = text_records.loads("F5 D6", "reversi")
    found = [
        Position(0, 0.5, 25.86, 9, ((0, 3),), played=-2.64, depth=4),
        Position(1, 0.5, 0.0, 9, ((1, 3),), played=7.0, depth=4),
        Position(0, 0.5, 0.0, 9, ()),
    ]
    verdict = judge(record.moves, found, REVERSI)[0]
    row = next(row for row in lines(record, [verdict], REVERSI) if "->" in row)
    assert "+25.9 ->  -2.6" in row and " 28.5 " in row
    tree = GameTree("(;GM[2];B[fe];W[df])")
    annotate(tree, judge(record.moves, found, REVERSI), found[0], "a test", REVERSI)
    assert "V[-2.6]" in tree.dumps() and "White leads by 2.6 discs" in tree.dumps(), "the figure that is graded by"


def test_no_review_tells_more_discs_than_there_are() -> None:
    record = text_records.loads(LOPSIDED, "reversi")
    found = ReversiReviewer(Config(threads=1), 6, 0).review(record, lambda done: None)
    told = [value for position in found for value in (position.lead, position.played or 0.0)]
    assert max(map(abs, told)) <= 64


def test_nboard_tells_no_more_discs_than_there_are() -> None:
    line = Line(0, (0,), 9, 1.0, score=75.09)
    assert decision(0, line, 1.0) == "=== A1/64.00/1.00"
    assert decision(0, line._replace(score=-66.1), 1.0) == "=== A1/-64.00/1.00"
    assert " 64.00 " in search_line(line, Info((line,)))


SIDES: Sequence[tuple[Terms, Record]] = (
    (GO, Record("go", 19, 19, moves=((0, 72), (1, 340)) * 60)),
    (REVERSI, Record("reversi", 8, 8, moves=((0, 19), (1, 18)) * 30)),
    (CHESS, replace(pgn.loads("1. Nf3 Nf6 2. Ng1 Ng8 *"))),
)


@pytest.mark.parametrize(
    "names", [("", ""), ("Anna", "Ben"), ("A name of thirty letters or so", "囲碁棋士囲碁棋士囲碁棋士囲碁棋士")]
)
@pytest.mark.parametrize("number", range(len(SIDES)))
def test_tables_fit_80_columns_and_are_straight(number: int, names: tuple[str, str]) -> None:
    terms, record = SIDES[number]
    if terms is CHESS:
        pytest.importorskip("chess")
        record = replace(record, moves=record.moves * 30)
    record = replace(record, players=names)
    found = []
    for turn, (colour, move) in enumerate([*record.moves, (0, 0)]):
        other = EDGES[colour] if terms is CHESS else record.moves[turn ^ 1][1] if turn < len(record.moves) else move
        sign = 1 - 2 * colour
        win, lead = 0.5 + sign * 0.5, sign * terms.steps[-1 if terms is not GO else 9]
        found.append(Position(colour, win, lead, 9, ((colour, other),), -lead, 1 - win, is_exact=turn > 50, depth=7))
    shown = lines(record, judge(record.moves, found, terms), terms)
    assert max(map(width, shown)) <= 80, "\n".join(shown)
    head = next(row for row in shown if " played" in row)
    rows = shown[shown.index(head) + 1 :]
    assert len(rows) == 10 and all(row.split()[0][0].isdigit() for row in rows)
    for row in rows:
        assert row.index("->") == rows[0].index("->")
        assert row[head.index("grade") - 1] == " " and row[head.index("grade")].isalpha(), "the column is straight"
        assert row[head.index("played")] in "WB" and row[head.index("played") - 1] == " "
        assert any(row[head.index("grade") :].startswith(grade.word) for grade in Grade if grade.word)
    for row in shown[: shown.index(head)]:
        assert row == row.rstrip()


@pytest.mark.parametrize("terms", [GO, REVERSI, CHESS])
def test_a_loss_of_just_the_threshold_has_the_grade(terms: Terms) -> None:
    for grade, least in terms.least.items():
        assert terms.grade(least) is grade and terms.grade(least - 0.01) is not grade
    assert terms.grade(0.0) is Grade.FINE
