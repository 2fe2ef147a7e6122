"""`tengen solve` on suites of chess: what it asks of a position, what it prints, lines that are no positions."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tengen.engine.games import get_game
from tengen.tools.solve.suite import Found, Refused, Searcher, Wanted, read_suite

Run = Callable[..., "subprocess.CompletedProcess[str]"]
CHESS = get_game("chess")
MATE = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - -"  # Ra8
TAKES = "4k3/8/8/3q4/8/8/8/3R2K1 w - -"  # Rxd5
CASTLES = "4k3/8/8/8/8/8/8/R3K2R w KQ -"

# line, best moves, moves to avoid, mate in
ASKED = [
    (f'{TAKES} bm Rxd5; id "one";', "d1d5", "", 0),
    (f"{TAKES} ; bm Rxd5 ; id one", "d1d5", "", 0),
    (f"{TAKES} 0 1 ; bm Rd5", "d1d5", "", 0),
    (f"{TAKES} bm Rdx5;", "d1d5", "", 0),
    (f"{TAKES} bm d1d5;", "d1d5", "", 0),
    (f"{TAKES} bm R1d3+ Kf1, Kh2;", "d1d3 g1f1 g1h2", "", 0),
    (f"{TAKES} am Kf1 Nf3;", "", "g1f1", 0),
    (f"{MATE} bm Ra8 +; dm 1;", "a1a8", "", 1),
    (f"{MATE} bm Ra8 #;", "a1a8", "", 0),
    (f"{CASTLES} bm O-O 0-0-0;", "e1g1 e1c1", "", 0),
    (f"{MATE}", "", "", 2),
    ("8/P6k/8/8/8/8/8/K7 w - - bm a8=Q a8N;", "a7a8q a7a8n", "", 0),
]


def moves(wanted: Wanted, found: frozenset[int]) -> set[str]:
    return {CHESS.move_to_text(wanted.state, move) for move in found}


@pytest.mark.parametrize(("line", "best", "avoid", "mate"), ASKED)
def test_what_is_asked(tmp_path: Path, line: str, best: str, avoid: str, mate: int) -> None:
    file = tmp_path / "a.epd"
    file.write_text(line + "\n", "utf-8")
    (wanted,) = read_suite(file, 2)
    assert isinstance(wanted, Wanted)
    assert (moves(wanted, wanted.best), moves(wanted, wanted.avoid)) == (set(best.split()), set(avoid.split()))
    assert wanted.mate == mate


REFUSED = [
    (f"{TAKES} bm Nf3;", "bm Nf3 is no legal move"),
    (f"{TAKES} dm soon;", "dm 'soon' is no number of moves"),
    (f"{TAKES} id 5;", "neither bm, am nor dm says what is wanted"),
    ("R5k1/5ppp/8/8/8/8/8/6K1 b - - bm Kf8;", "the game is over"),
    ("6k1/8 w - - bm Kf8;", "2 ranks instead of 8"),
    ("hello", "'hello' is no position"),
]


@pytest.mark.parametrize(("line", "reason"), REFUSED)
def test_what_is_not_counted(tmp_path: Path, line: str, reason: str) -> None:
    file = tmp_path / "a.epd"
    file.write_text(f"# two\n{MATE} bm Ra8;\n\n{line}\n", "utf-8")
    first, second = read_suite(file)
    assert isinstance(first, Wanted) and isinstance(second, Refused)
    assert second.number == 2 and reason in second.reason


def test_a_line_a_position(tengen: Run, tmp_path: Path) -> None:
    file = tmp_path / "a.epd"
    file.write_text(f"{MATE} bm Ra8;\nhello\n{TAKES} am Rxd5; id first;\n", "utf-8")
    done = tengen("solve", str(file), "--seconds", "0.05", "--threads", "1", "--memory", "4")
    assert done.returncode == 1, done.stderr
    rows = re.findall(
        r"^ +(\d+) +(yes|no) +(\S+) +(mate 1|[+-]\d+) +\d+ +[\d,]+ +\d+\.\d\d  (.*)$", done.stdout, re.MULTILINE
    )
    assert [(row[:3], row[4]) for row in rows] == [
        (("1", "yes", "a1a8"), "Ra8"),
        (("3", "no", "d1d5"), "first: am Rxd5"),
    ]
    assert "position 2 is not counted: 'hello' is no position" in done.stdout and "solved 1 of 2;" in done.stdout
    assert tengen("solve", str(file), "--to", "1", "--seconds", "0.05").returncode == 0


def test_draws_that_have_come_or_may_be_claimed_are_positions_like_any(tengen: Run, tmp_path: Path) -> None:
    file = tmp_path / "a.epd"
    board = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - -"
    rows = [f"{board} bm Rd8#; hmvc 100;", f"{board} 100 80 bm Rd8#;", f"{board} 150 90 bm Rd8#;"]
    rows += ["8/8/4k3/8/8/4K3/8/8 w - - bm Ke4 Kd4 Kf4 Kd3 Ke2 Kd2 Kf2 Kf3;", f"{TAKES} bm Rxd5;"]
    file.write_text("".join(f"{row}\n" for row in rows), "utf-8")
    done = tengen("solve", str(file), "--seconds", "0.1", "--threads", "1", "--memory", "4")
    assert done.returncode == 0 and "solved 5 of 5;" in done.stdout, done.stdout + done.stderr


def test_a_search_that_breaks_is_told_and_the_others_are_solved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.epd"
    file.write_text(f"{MATE} bm Ra8;\n{TAKES} bm Rxd5;\n", "utf-8")
    first, second = read_suite(file)
    assert isinstance(first, Wanted) and isinstance(second, Wanted)
    searcher = Searcher(0.05, 1, 4, "none")
    found = Searcher._found

    def broken(self: Searcher, wanted: Wanted) -> Found:
        if wanted is first:
            raise AssertionError("no such move")
        return found(self, wanted)

    monkeypatch.setattr(Searcher, "_found", broken)
    answers = list(searcher.find([first, second]))
    assert answers[0] == Refused(1, "its search broke: AssertionError: no such move")
    assert isinstance(answers[1], Found) and answers[1].is_solved


def test_a_longer_mate_is_not_what_was_asked_for(tengen: Run, tmp_path: Path) -> None:
    file = tmp_path / "a.fen"
    file.write_text("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1\n6k1/8/5K2/8/8/8/8/Q7 w - - 0 1\n", "utf-8")
    done = tengen("solve", str(file), "--mate", "1", "--seconds", "0.2")
    assert done.returncode == 1 and "solved 1 of 2, 1 more by a longer mate;" in done.stdout


MISTAKES = [
    (("--winner",), f"{MATE} bm Ra8;", "--winner is for .obf files"),
    (("--from", "3"), f"{MATE} bm Ra8;", "has no position from 3 on"),
    ((), f"{MATE} bm Rh9;", "position 1 is not counted: bm Rh9 is no legal move"),
    ((), "", "the file holds no chess position"),
    (("--weights", "nothing.safetensors"), f"{MATE} bm Ra8;", "nothing.safetensors"),
]


@pytest.mark.parametrize(("words", "text", "sentence"), MISTAKES)
def test_a_mistake_is_one_sentence(
    tengen: Run, tmp_path: Path, words: tuple[str, ...], text: str, sentence: str
) -> None:
    file = tmp_path / "a.epd"
    file.write_text(text, "utf-8")
    done = tengen("solve", str(file), *words)
    assert done.returncode == 2 and sentence in done.stderr and done.stderr.count("\n") == 1


def test_options_of_chess_are_refused_for_reversi(tengen: Run, tmp_path: Path) -> None:
    file = tmp_path / "a.obf"
    file.write_text("-" * 64 + " X;\n", "utf-8")
    assert "--seconds is for .epd files" in tengen("solve", str(file), "--seconds", "1").stderr
