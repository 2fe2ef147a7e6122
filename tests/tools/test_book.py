"""`tengen book`: grown by searches, told what follows, going on where it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from tengen.engine._core import ReversiState
from tengen.engine.games import get_game
from tengen.engine.games.book import Book, key_of, read, state_of
from tengen.tools import cli, locking
from tengen.tools.book.growing import Growth

REVERSI = get_game("reversi")


def values(key: str, worths: list[float]) -> list[tuple[int, float, int, bool]]:
    """The first moves of a position, with these values."""
    return [(move, worth, 3, False) for move, worth in zip(state_of(key, REVERSI).legal_moves(), worths, strict=False)]


def test_values_come_back_along_the_lines() -> None:
    growth = Growth(Book(REVERSI))
    (start,) = growth.next(4)
    assert start == key_of(ReversiState())[0]
    growth.add(start, values(start, [0.5]))
    growth.back_up()
    (answer,) = growth.next(4)
    growth.add(answer, values(answer, [2.0, -1.0, -3.0]))
    growth.back_up()
    assert growth.worth(answer) == 2.0 and growth.worth(start) == -2.0
    assert growth.book.moves(start)[0].searched == 0.5, "what the search found stays"
    following = growth.next(9)
    assert len(following) == 3
    growth.add(following[0], values(following[0], [1.5]))
    growth.back_up()
    assert growth.worth(answer) == -1.0 and growth.worth(start) == 1.0, "the best answer turned out to be bad"
    assert growth.next(9)[0] == following[1], "now that one is the best"
    again = Growth(growth.book)
    assert again.next(9) == growth.next(9) and again.line() == growth.line()


def test_what_gives_little_away_comes_first_and_few_stones_are_the_limit() -> None:
    growth = Growth(Book(REVERSI), most_stones=6)
    start = growth.start
    growth.add(start, values(start, [0.0]))
    growth.back_up()
    (answer,) = growth.next(1)
    growth.add(answer, values(answer, [0.0, -0.5, -20.0]))
    growth.back_up()
    assert growth.next(9) == [], "six stones are on the board then"


def test_the_command_grows_a_book_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.book"
    words = ["book", str(path), "--depth", "3", "--lines", "3", "--jobs", "1"]
    assert cli.main([*words, "--positions", "12"]) == 2, "a name that is mistyped begins no book"
    assert "there is no book" in capsys.readouterr().err and not path.exists()
    assert cli.main([*words, "--new", "--positions", "12"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("0 positions") and "12 positions" in told
    first = read(path, REVERSI)
    assert len(first) == 12 and all(move.depth == 3 for move in first.find(ReversiState()))
    assert cli.main([*words, "--positions", "30"]) == 0
    second = read(path, REVERSI)
    assert len(second) == 30 and set(first.keys()) < set(second.keys())
    for key in second.keys():
        state = state_of(key, REVERSI)
        assert all(state.is_legal(move.cell) for move in second.moves(key))
    assert cli.main([*words, "--positions", "30"]) == 0, "nothing is left to do"
    assert path.read_bytes() == second.packed()
    capsys.readouterr()
    assert cli.main([*words, "--new", "--positions", "30"]) == 2 and "is there already" in capsys.readouterr().err
    assert cli.main(["book", str(tmp_path / "mien.book")]) == 2
    assert "(did you mean 'mine.book'?): --new begins one" in capsys.readouterr().err
    with locking.beside(path, "tests"):
        assert cli.main([*words, "--positions", "40"]) == 2
    assert "another process (process " in capsys.readouterr().err and path.read_bytes() == second.packed()
    assert [one.name for one in tmp_path.iterdir()] == ["mine.book"]


def test_a_file_that_is_no_book_stays_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("mine")
    assert cli.main(["book", str(path), "--positions", "3"]) == 2
    assert path.read_text() == "mine" and "cannot read the opening book" in capsys.readouterr().err
    assert cli.main(["book", str(tmp_path / "no" / "folder.book"), "--positions", "3"]) == 2
