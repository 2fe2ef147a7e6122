"""UCI: `info` lines."""

from __future__ import annotations

import math

import pytest

from tengen.engine.games.chess.game import CHESS
from tengen.engine.games.chess.text import state_from_fen
from tengen.engine.info import Info, Line, Proof
from tengen.protocols.chess.report import Reports, View, variation
from tengen.protocols.uci import report


def view(fen: str, **fields: object) -> View:
    state = state_from_fen(fen)
    return View(state, [state.situational_key], **fields)  # type: ignore[arg-type]


START = view("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")


def line(words: str, state: View = START, **fields: object) -> Line:
    """A line of these moves."""
    position, moves = state.state.copy(), []
    for word in words.split():
        moves.append(CHESS.move_from_text(position, word))
        position.play(moves[-1])
    return Line(moves[0], tuple(moves), 10, 0.4, 0.3, 0.3, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(("fields", "text"), [
    ({"score": 31.4}, "cp 31"), ({"score": -0.4}, "cp 0"), ({"score": 1e9}, "cp 30000"),
    ({"proof": Proof(0, 9), "score": 12.0}, "cp 0"), ({"proof": Proof(1, 5)}, "mate 3"),
    ({"proof": Proof(-1, 6)}, "mate -3"), ({"proof": Proof(1, 67)}, "mate 34"), ({"proof": Proof(-1, 2)}, "mate -1"),
    ({"score": 5.0, "bound": "lower"}, "cp 5 upperbound"), ({"score": 5.0, "bound": "upper"}, "cp 5 lowerbound"),
])  # fmt: skip
def test_scores(fields: dict[str, object], text: str) -> None:
    assert score("e2e4", START, **fields) == text


def score(words: str, state: View, **fields: object) -> str:
    """What is told of a line's worth."""
    text, _ = report.info_line(line(words, state, **fields), 1, Info(), state)
    return text.partition(" score ")[2].partition(" nodes ")[0]


def test_mates_are_counted_by_their_variation() -> None:
    """The fool's mate: three plies before it, two, one."""
    position = START.state.copy()
    told = {}
    for number, word in enumerate("f2f3 e7e5 g2g4 d8h4".split()):
        now = View(position.copy(), [position.situational_key])
        rest = " ".join("f2f3 e7e5 g2g4 d8h4".split()[number:])
        told[number] = score(rest, now, proof=Proof(1 if number % 2 else -1, 4 - number))
        position.play(CHESS.move_from_text(position, word))
    assert told == {0: "mate -2", 1: "mate 2", 2: "mate -1", 3: "mate 1"}


def test_an_info_line_is_whole() -> None:
    info = Info((), playouts=1234, seconds=0.1239, hashfull=0.5)
    text, pv = report.info_line(line("e2e4 e7e5", score=31.0, depth=3, seldepth=5), 1, info, START)
    assert text == (
        "info depth 3 seldepth 5 multipv 1 score cp 31 nodes 1234 nps 9959 hashfull 500 tbhits 0 time 123 pv e2e4 e7e5"
    )
    assert len(pv.moves) == 2
    shown = report.info_line(line("e2e4"), 1, info, START._replace(shows_wdl=True))[0]
    assert " wdl 400 300 300 nodes " in shown


def test_no_number_is_strange() -> None:
    info = Info((), playouts=10**15, seconds=0.0, hashfull=1.5)
    text, _ = report.info_line(line("e2e4", score=-math.inf), 1, info, START)
    assert "." not in text and " time 0 " in text and " hashfull 1000 " in text and " cp -30000 " in text


def test_a_variation_ends_with_the_game() -> None:
    shuffle = "g1f3 g8f6 f3g1 f6g8 " * 3
    assert len(variation(START, line(shuffle).pv, is_proof=False).moves) == 8
    late = view("4k3/8/8/8/8/8/4P3/4K2R w - - 98 80")
    assert variation(late, line("h1h2 e8d8 h2h3", late).pv, is_proof=False).text == "h1h2 e8d8"
    illegal = (*line("e2e4").pv, 0)
    assert variation(START, illegal, is_proof=False).text == "e2e4"


def test_the_last_lines_are_about_the_move() -> None:
    lines: list[str] = []
    reports = Reports(lines.append, START._replace(lines=2), report.STYLE)
    info = Info((line("e2e4 e7e5"), line("d2d4")), playouts=5)
    text, reply = reports.last(info, info.lines[1].move)
    assert [row.split(" pv ")[1] for row in text.splitlines()] == ["e2e4 e7e5", "d2d4", "d2d4"] and reply is None
    text, reply = reports.last(info, info.lines[0].move)
    assert text.splitlines()[-1].endswith(" multipv 1 " + text.splitlines()[-1].partition(" multipv 1 ")[2])
    assert text.splitlines()[-1].endswith("pv e2e4 e7e5") and reply is not None


def test_what_is_known_is_not_told_twice() -> None:
    lines: list[str] = []
    reports = Reports(lines.append, START, report.STYLE)
    info = Info((line("e2e4 e7e5"),), playouts=5)
    reports(info)
    reports(info)
    assert len(lines) == 1
    assert reports.last(info, info.lines[0].move)[0] == ""
