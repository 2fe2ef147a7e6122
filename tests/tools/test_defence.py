"""`tengen defence`: the positions that lost games could last hold, a suite that is gone on with, moves that hold."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tengen.engine.games.base import State
from tengen.engine.info import Line
from tengen.engine.limits import Limits
from tengen.engine.records import Record
from tengen.tools import cli
from tengen.tools.defence.proving import Searcher, is_held, last_held, tried
from tengen.tools.defence.suite import Case, case_of, read

GAME = "h8 i8 h9 i9 h10 a11 h11 h7 h12"
"""White's third move lets Black make an open four."""
LINE = "15x15 freestyle: h8i8h9i9h10; lost by a11; game 0123456789ab"


def record_of(moves: str) -> Record:
    cells = [(15 - int(word[1:])) * 15 + ord(word[0]) - ord("a") for word in moves.split()]
    return Record("gomoku", 15, 15, moves=tuple((number % 2, cell) for number, cell in enumerate(cells)))


@pytest.fixture(scope="module")
def judge() -> Searcher:
    return Searcher(Limits(playouts=20_000), 1, 64, judges=True)


def test_the_last_position_that_held(judge: Searcher) -> None:
    found = last_held(record_of(GAME), judge)
    assert found is not None and len(found.moves) == 5 and found.text(found.lost_by) == "a11"
    resigned = replace(record_of(" ".join(GAME.split()[:7])), result="B+R")
    assert last_held(resigned, judge) == replace(found, game=last_held(resigned, judge).game)


@pytest.mark.parametrize("moves", ["h8 i8 h9 i9", "h8 h8", "h8 i8 h9 i9 h10 a11 h11 h7 h12 a1"])
def test_other_games_give_no_position(moves: str, judge: Searcher) -> None:
    """Without a result, with an illegal move, on beyond the end; and one whose loser resigned too early."""
    assert last_held(record_of(moves), judge) is None
    early = replace(record_of("h8 i8 h9"), result="B+R")
    assert last_held(early, judge) is None and last_held(replace(early, setup=bytes(225)), judge) is None


@pytest.mark.parametrize(
    ("move", "result", "held"), [("h11", 0, True), ("h11", -1, True), ("h11", 1, False), ("a11", 0, False)]
)
def test_moves_are_judged(move: str, result: int, held: bool) -> None:
    """One that lost the game is not looked at again; another one holds unless the other side wins."""
    case = case_of(LINE)
    cell = next(cell for cell in range(225) if case.text(cell) == move)

    class Fixed:
        def best(self, state):
            return Line(cell, (cell,), 1, win=0.5, loss=0.5)

        def result(self, state):
            assert state.to_move == 0 and state.stones()[cell] == 2
            return result

    found = tried(case, Fixed(), Fixed())
    assert found.is_held == held and found.line.move == cell


@pytest.mark.parametrize(
    ("score", "after", "held"), [(-300, 0, True), (-300, -1, True), (-300, 1, False), (-31_000, 0, False)]
)
def test_a_position_is_held_by_a_move_that_is_known(score: float, after: int, held: bool) -> None:
    """No loss is found there, and no win of the other side after the move that the judge would play."""

    class Fixed:
        def best(self, state: State) -> Line:
            return Line(60, (60,), 1, win=0.5, loss=0.5, score=score)

        def result(self, state: State) -> int:
            assert state.stones()[60] == 2
            return after

    state = case_of(LINE).state()
    assert is_held(state, Fixed()) == held and not state.stones()[60]


def test_a_line_is_read_as_it_was_written(tmp_path: Path) -> None:
    case = case_of(LINE)
    assert case == Case(15, 15, "freestyle", case.moves, 60, "0123456789ab") and case.line() == LINE
    path = tmp_path / "suite.txt"
    path.write_text(f"# mine\n{LINE}\n\n# game ba9876543210\n")
    suite = read(path)
    assert suite.cases == [case] and suite.games == ["0123456789ab", "ba9876543210"]
    assert suite.text() == f"{LINE}\n# game ba9876543210\n"


BAD = {
    "hello": "'hello' is no position of a suite",
    "15x15 freestyle: h8h8; lost by a1": "occupied",
    "15x15 freestyle: h8i8; lost by h8": "h8 is no legal move there",
    "15x15 calvinball: h8i8; lost by a1": "unknown rules 'calvinball'",
    "99x99 freestyle: h8i8; lost by a1": "unacceptable size",
    "15x15 freestyle: h8i8; lost by z9": "z9",
    "15x15 freestyle: h8a1h9a3h10a5h11a7h12; lost by a9": "the game is over",
}


@pytest.mark.parametrize("line", BAD)
def test_a_bad_line_is_told_with_its_number(line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "suite.txt"
    path.write_text(f"{LINE}\n{line}\n")
    assert cli.main(["defence", str(path)]) == 2
    told = capsys.readouterr().err
    assert f"'{path}', line 2: " in told and BAD[line] in told and told.count("\n") == 1


def test_a_suite_is_made_gone_on_with_and_tried(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite, first, other = tmp_path / "suite.txt", tmp_path / "a.txt", tmp_path / "b.txt"
    first.write_text(f"Game: gomoku\nSize: 15\nMoves: {GAME}\n")
    other.write_text("Game: gomoku\nSize: 15\nMoves: h8 i8 h9\n")
    words = ["defence", str(suite), "--judge", "0.3", "--memory", "64"]
    assert cli.main([*words, "--from", str(first)]) == 0
    once = suite.read_text()
    assert cli.main([*words, "--from", str(first), str(other)]) == 0
    assert suite.read_text().startswith(once) and suite.read_text().count("\n") == 2
    assert "1 positions of 2 games" in capsys.readouterr().out
    assert cli.main([*words, "--seconds", "0.1"]) == 0
    assert "held 1 of 1: 100.0 %" in capsys.readouterr().out
    go = tmp_path / "go.sgf"
    go.write_text("(;SZ[9];B[ee])")
    assert cli.main([*words, "--from", str(go)]) == 2
    assert "holds a game of go" in capsys.readouterr().err
