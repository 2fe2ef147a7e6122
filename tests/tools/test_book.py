"""`tengen book`: grown by searches, told what follows, going on where it was."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tengen.engine._core import ReversiState
from tengen.engine.games import GAMES, get_game
from tengen.engine.games.base import State
from tengen.engine.games.book import SHIPPED, Book, notation_of, read, shipped
from tengen.engine.games.chess.book import opened
from tengen.engine.games.reversi.book import NOTATION
from tengen.engine.games.vertex import RECORDS
from tengen.tools import cli, locking
from tengen.tools.book.growing import Growth

REVERSI, CHESS, GOMOKU = get_game("reversi"), get_game("chess"), get_game("gomoku")
NOTATIONS = {name: notation_of(get_game(name)) for name in GAMES if get_game(name).parts.book}
key_of, state_of = NOTATION.key_of, NOTATION.state_of


def values(key: str, worths: list[float]) -> list[tuple[int, float, int, bool]]:
    """The first moves of a position, with these values."""
    return [(move, worth, 3, False) for move, worth in zip(state_of(key).legal_moves(), worths, strict=False)]


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


def test_what_gives_little_away_comes_first_and_few_plies_are_the_limit() -> None:
    growth = Growth(Book(REVERSI), most_plies=2)
    start = growth.starts[0]
    growth.add(start, values(start, [0.0]))
    growth.back_up()
    (answer,) = growth.next(1)
    growth.add(answer, values(answer, [0.0, -0.5, -20.0]))
    growth.back_up()
    assert growth.next(9) == [], "two plies were played then"


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
        state = state_of(key)
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


def test_a_book_of_chess_grows_and_is_written_for_other_programs(tmp_path: Path) -> None:
    """Its positions are played from by our own file and by Polyglot's alike."""
    chess = pytest.importorskip("chess")
    polyglot = pytest.importorskip("chess.polyglot")
    path, out = tmp_path / "mine.book", tmp_path / "mine.bin"
    words = ["book", str(path), "--game", "chess", "--depth", "4", "--lines", "4", "--jobs", "1"]
    assert cli.main([*words, "--new", "--positions", "20"]) == 0
    assert cli.main([*words, "--positions", "40", "--polyglot", str(out)]) == 0
    book = read(path, CHESS)
    assert len(book) == 40 and book.packed() == path.read_bytes()
    ours, theirs = opened(str(path)), opened(str(out))
    with polyglot.open_reader(out) as reader:
        for key in book.keys():
            state = book.notation.state_of(key)
            assert book.notation.key_of(state)[0] == key
            assert all(state.is_legal(move.cell) for move in book.moves(key)) and len(book.find(state)) <= 4
            played = [move for move in ours.find(state) if move.weight]
            assert played[0].weight == 100 and sorted(played) == sorted(theirs.find(state))
            board = chess.Board(key.replace("_", " ") + " 0 1")
            known = {entry.move.uci() for entry in reader.find_all(board)}
            assert known == {CHESS.move_to_text(state, move.move) for move in played}
    assert cli.main(["book", str(tmp_path / "r.book"), "--new", "--positions", "1", "--polyglot", str(out)]) == 2


def test_a_move_back_depends_on_nothing_behind_it() -> None:
    """Knights that go out and home come to the start again: what follows there is not counted into it."""
    growth = Growth(Book(CHESS))
    for word in ("g1f3", "g8f6", "f3g1", "f6g8"):
        (key,) = growth.next(1)
        growth.add(key, [(move_of(word), 30.0, 5, False)])
        growth.back_up()
    assert growth.next(3) == [] and growth.worth(growth.starts[0]) == -30.0
    assert len(growth.line()) == 4 and Growth(growth.book).line() == growth.line()


def move_of(word: str) -> int:
    move = NOTATIONS["chess"].move_of("", word)
    assert move is not None
    return move


def test_a_book_of_gomoku_begins_with_openings_of_a_rule(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two images of an opening are one start; every position has the rule and the board, and is reached from a start."""
    path, openings = tmp_path / "mine.book", tmp_path / "openings.txt"
    openings.write_text("h8i9i8\nh8g9h9\nh8i9i10\n")
    words = ["book", str(path), "--game", "gomoku", "--rules", "renju", "--openings", str(openings), "--depth", "3"]
    assert cli.main([*words, "--jobs", "1", "--new", "--positions", "10"]) == 0
    assert cli.main([*words, "--jobs", "1", "--positions", "25"]) == 0
    told = capsys.readouterr().out
    assert "10 positions" in told and "25 positions" in told
    book = read(path, GOMOKU)
    assert len(book) == 25 and book.packed() == path.read_bytes()
    for key in book.keys():
        state = book.notation.state_of(key)
        assert key.startswith("renju/15x15/") and book.notation.key_of(state)[0] == key
        assert len(book.find(state)) == len(book.moves(key)) > 0
    assert [sum(key.count(letter) for letter in "XO") for key in book.keys()][:3] == [3, 3, 4], "two starts"
    assert len(book.find(opened_by("renju", "h8i9i8"))) == 4, "as it was asked"
    assert not book.find(opened_by("freestyle", "h8i9i8")), "other rules, other values"
    assert cli.main([*words[:3], "go", "--new"]) == 2
    assert cli.main([*words[:5], "renyu", "--positions", "30"]) == 2
    assert "gomoku has no rules 'renyu' (did you mean 'renju'?)" in capsys.readouterr().err
    assert cli.main([*words, "--size", "3"]) == 2 and "gomoku has no board of 3 lines" in capsys.readouterr().err


def opened_by(rules: str, moves: str) -> State:
    state = GOMOKU.new_state(15, 15, GOMOKU.rule_sets[rules], 0)
    for word in re.findall(r"[a-z]\d+", moves):
        state.play(cell_of(word))
    return state


def cell_of(word: str) -> int:
    cell = RECORDS.cell(word, 15, 15)
    assert cell is not None
    return cell


def test_nothing_follows_a_move_that_is_proved() -> None:
    state = opened_by("freestyle", "h8a1h9a2h10a3")
    growth = Growth(Book(GOMOKU), [state])
    (start,) = growth.next(9)
    cells = list(growth.book.notation.key_of(state)[1])
    won, quiet = cells.index(cell_of("h11")), cells.index(cell_of("a15"))
    growth.add(
        start, [(won, 32_000.0, 3, True), (quiet, 31_990.0, 3, False), (cells.index(cell_of("b15")), 0.0, 3, False)]
    )
    growth.back_up()
    assert len(growth.next(9)) == 1 and growth.worth(start) == 32_000.0


@pytest.mark.parametrize("name", sorted(name for name in NOTATIONS if shipped(get_game(name)).is_file()))
def test_the_books_that_are_shipped(name: str) -> None:
    """Every move of every position is legal, every position follows from the start, and the best lines are long."""
    game = get_game(name)
    book, notation = read(SHIPPED, game), NOTATIONS[name]
    growth = Growth(book)
    assert len(book) >= 500 and growth.starts[0] in book and len(growth.line()) >= 8
    for key in book.keys():
        state = notation.state_of(key)
        moves = book.moves(key)
        assert moves and all(state.is_legal(move.cell) for move in moves), key
    assert growth.next(1) and not [key for key in book.keys() if key not in growth.reached], "all are reached"
