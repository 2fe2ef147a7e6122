"""Text: diagrams, lists of moves and offset openings of every game; guesses, refusals, and writing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.engine import records
from tengen.engine.records import obf, text
from tengen.engine.records.base import Record, RecordError
from tengen.engine.records.points import point_text

Shared = Callable[[str], Path]
EMPTY8 = "\n".join(["........"] * 8)
START8 = "........\n........\n........\n...OX...\n...XO...\n........\n........\n........\n"


def words(record: Record) -> str:
    """The moves in the notation of the game."""
    return " ".join(point_text(record.game, record.width, record.height, move) for _, move in record.moves)


@pytest.mark.parametrize(
    ("source", "game", "wanted", "moves"),
    [
        ("h8i9g7", None, ("gomoku", 15, 15), "h8 i9 g7"),
        ("H8 I9, G7", None, ("gomoku", 15, 15), "h8 i9 g7"),
        ("q3o5o7p8o3", None, ("gomoku", 20, 20), "q3 o5 o7 p8 o3"),
        ("k10j10i9j9m7", None, ("gomoku", 15, 15), "k10 j10 i9 j9 m7"),
        ("a1o15a15", None, ("gomoku", 15, 15), "a1 o15 a15"),
        ("moves: 1. h8 2. i9 3.g7", None, ("gomoku", 15, 15), "h8 i9 g7"),
        ("0,0, 1,0, -1,1", None, ("gomoku", 15, 15), "h8 i8 g7"),
        ("0,0, 8,-9", None, ("gomoku", 20, 20), "k10 s19"),
        ("size: 9\n0,0, -4,-4", None, ("gomoku", 9, 9), "e5 a9"),
        ("size: 11x7\n0,0", None, ("gomoku", 11, 7), "f4"),
        ("game: go\nsize: 9\nC3 g7 pass J9", None, ("go", 9, 9), "C3 G7 pass J9"),
        ("D4Q16", "go", ("go", 19, 19), "D4 Q16"),
        ("game: gomoku\nf5d6", None, ("gomoku", 15, 15), "f5 d6"),
        ("game: reversi", None, None, ""),
    ],
)
def test_lists(source: str, game: str | None, wanted: tuple[str, int, int] | None, moves: str) -> None:
    if wanted is None:
        with pytest.raises(RecordError, match="neither a diagram nor moves"):
            text.loads(source, game)
        return
    record = text.loads(source, game)
    assert (record.game, record.width, record.height) == wanted and words(record) == moves
    assert [colour for colour, _ in record.moves] == [number % 2 for number in range(len(record.moves))]


def test_gomoku_rows_count_from_the_bottom_and_othello_rows_from_the_top() -> None:
    assert text.loads("a1", "gomoku").moves == ((0, 14 * 15),)
    assert text.loads("a1", "go").moves == ((0, 18 * 19),)
    assert text.loads("f5").moves == ((0, 4 * 8 + 5),) and text.loads("f5").game == "reversi"


def test_colours_that_do_not_alternate() -> None:
    record = text.loads("game: go\nb:D4 b:Q16 C3 w:pass")
    assert [colour for colour, _ in record.moves] == [0, 0, 1, 1] and text.loads(text.dumps(record)) == record


@pytest.mark.parametrize(
    ("source", "wanted", "stones"),
    [
        (START8.replace("X", "*").replace(".", "-"), ("reversi", 8, 8), None),
        (START8 + "to move: white", ("reversi", 8, 8), {27: 2, 28: 1, 35: 1, 36: 2}),
        ("a b c d e f g h\n" + "\n".join(f"{8 - n} . . . . X . . O {8 - n}" for n in range(8)), ("reversi", 8, 8), {n: 1 if n % 8 == 4 else 2 for n in range(64) if n % 8 in (4, 7)}),
        ("\n".join(["0" * 15] * 7 + ["0" * 7 + "12" + "0" * 6] + ["0" * 15] * 7), ("gomoku", 15, 15), {112: 1, 113: 2}),
        ("   A B C\n 3 . X .\n 2 O + .\n 1 . . #\n   A B C", ("go", 3, 3), {1: 1, 3: 2, 8: 1}),
        ("game: gomoku\n| . X |\n| O . |", ("gomoku", 2, 2), {1: 1, 2: 2}),
        ("x.w\n_,o", ("go", 3, 2), {0: 1, 2: 2, 5: 2}),
        ("0 1\n2 0", ("go", 2, 2), {1: 1, 2: 2}),
    ],
)  # fmt: skip
def test_diagrams(source: str, wanted: tuple[str, int, int], stones: dict[int, int] | None) -> None:
    record = text.loads(source)
    assert (record.game, record.width, record.height) == wanted
    assert stones == (None if record.setup is None else {c: v for c, v in enumerate(record.setup) if v})
    assert text.loads(text.dumps(record)) == record


def test_facts() -> None:
    record = text.loads(
        "# a comment\ngame: gomoku\nsize: 15x15\nrules: renju\nkomi: 0.5\nhandicap: 2\nblack: a b\nWhite: c:d\n"
        "result: B+\nto move: white\nEvent: final: 1\nmoves: h8 i9\n"
    )
    assert (record.rules, record.komi, record.handicap, record.players) == ("renju", 0.5, 2, ("a b", "c:d"))
    assert (record.result, record.to_move, record.properties) == ("B+", 1, {"Event": "final: 1"})
    assert record.moves == ((1, 112), (0, 6 * 15 + 8)) and text.loads(text.dumps(record)) == record


def test_many_games() -> None:
    source = f"h8i9\ng7\n\n{EMPTY8}\n\ngame: go\nsize: 9\n. \n" + "\n\n% comment\n0,0\n"
    with pytest.raises(RecordError, match="game 4: the diagram is 1x1, not 9"):
        text.loads_all(source)
    games = text.loads_all(source.replace("\n. \n", "\nD4\nE5\n"))
    assert [(g.game, g.width, len(g.moves)) for g in games] == [
        ("gomoku", 15, 2), ("gomoku", 15, 1), ("reversi", 8, 0), ("go", 9, 1), ("go", 9, 1), ("gomoku", 15, 1),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("", "neither a diagram nor moves"),
        ("# nothing\n\n%\n", "neither"),
        ("hello", "'hello' is not a move"),
        ("h8 i9 ?", "'?' is not a move"),
        ("h8i99", "'i99' is not a point of the 15x15 gomoku board"),
        ("h8i100", "'i100' is not a move"),
        ("game: go\ni5", "'i5' is not a point of the 19x19 go board"),
        ("game: chess\ne2e4", "'chess' is not a game"),
        ("game: reversi\nf5 f5", "move 2 ('f5') is illegal"),
        ("game: reversi\na1", "move 1 ('a1') is illegal"),
        ("size: 99999\nh8", "board size '99999' is not between"),
        ("size: 0\nh8", "not between"),
        ("size: 9\nX..\n...\n...", "the diagram is 3x3, not 9"),
        ("X..\n....\n", "row 2 of the diagram has 4 cells instead of 3"),
        ("." * 26, "larger than 25x25"),
        ("." * 60_000, "longer than 50000"),
        (".\n" * 40, "more than 25 rows"),
        ("a: x", "'a: x' is not a move"),
        ("to move: nobody\nh8", "'n' is not a side"),
        ("0,0, 30,1", "30,1 from the centre"),
        ("0,0, 1", "'1' is not a pair"),
        ("0,0 x", "not a pair"),
        ("h8\0", "not text"),
        ("h8" * 10_000, "more than 5000 moves"),
        ("0,0," * 6_000, "more than 5000 moves"),
        ("\n".join(f"k{chr(97 + n % 26)}{chr(97 + n // 26)}: 1" for n in range(200)), "more than 100 facts"),
        ("(;" * 200_000, "longer than 50000"),
        ("x" * 15_000_000, "longer than 50000"),
        ("1" * 40_000, "larger than 25x25"),
        ("game: reversi\nsize: 8x9\nf5", "square"),
    ],
    ids=lambda value: value[:20],
)
def test_bad_files_get_one_sentence(source: str, says: str) -> None:
    for data in (source, source.encode()):
        with pytest.raises(RecordError) as error:
            text.loads_all(data)
        assert says in str(error.value) and "\n" not in str(error.value) and len(str(error.value)) < 120


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(RecordError, match="no games of 'chess'"):
        text.loads("h8", "chess")


@given(st.data(), st.sampled_from(["go", "gomoku"]), st.integers(2, 25), st.integers(2, 25))
def test_what_is_written_can_be_read(data: st.DataObject, game: str, width: int, height: int) -> None:
    cells = width * height
    stones = st.lists(st.sampled_from([0, 0, 1, 2]), min_size=cells, max_size=cells).map(bytes)
    names = st.text(st.characters(exclude_categories=["C", "Z"]), max_size=8)
    record = Record(
        game=game, width=width, height=height, komi=data.draw(st.none() | st.integers(-9, 9).map(float)),
        rules=data.draw(st.none() | st.just("renju")), handicap=data.draw(st.integers(0, 9)),
        setup=data.draw(st.none() | stones), to_move=data.draw(st.none() | st.integers(0, 1)),
        moves=tuple(data.draw(st.lists(st.tuples(st.integers(0, 1), st.integers(0, cells)), max_size=40))),
        players=(data.draw(names), data.draw(names)), result=data.draw(st.sampled_from(["", "B+3.5", "0"])),
        properties=data.draw(st.sampled_from([{}, {"DT": "2026-11-20", "Event": "a: b"}])),
    )  # fmt: skip
    written = text.dumps(record)
    assert text.loads(written) == record and text.loads_all(f"{written}\n{written}") == [record, record]


@pytest.mark.parametrize("moves", ["f1", "pass f1", "-- F1", "pa, f1", "b:f1", "w:pass b:f1"])
def test_passes_that_a_list_leaves_out(moves: str) -> None:
    """White cannot turn the disc in the corner."""
    cells = bytes([0, 0, 0, 0, 0, 0, 2, 1, *[0] * 56])
    blocked = text.dumps(Record("reversi", 8, 8, setup=cells, to_move=1))
    record = text.loads(f"{blocked}moves: {moves}\n")
    assert record.setup == cells and record.moves == ((1, 64), (0, 5))
    assert text.loads(text.dumps(record)) == record


def test_a_whole_game_of_othello() -> None:
    record = text.loads("e6f4e3f6g5d6e7f5c5")  # White is wiped out
    assert record.game == "reversi" and [colour for colour, _ in record.moves] == [0, 1] * 4 + [0]
    assert obf.dumps(record).count("O") == 1 and obf.dumps(record)[:64].count("X") == 13


def test_openings_of_othello(shared: Shared) -> None:
    games = records.read_all(shared("data/othello/xot_small.txt"))
    assert len(games) > 3600 and all(game.game == "reversi" and len(game.moves) == 8 for game in games)
    assert obf.loads(obf.dumps(games[0])).setup is not None


@pytest.mark.parametrize(
    ("name", "count", "size"),
    [("piskvork_default_openings", 41, 15), ("pos_freestyle_20x20", 4, 20), ("rapfi_opengen_freestyle15", 24, 15),
     ("gomocupjudge_openings_20", 6, 20), ("gomocuponline_openings", 3, 20)],
)  # fmt: skip
def test_openings_of_gomoku(shared: Shared, name: str, count: int | None, size: int | None) -> None:
    games = records.read_all(shared(f"data/gomoku/openings/{name}.txt"))
    assert games and all(game.game == "gomoku" and game.moves for game in games)
    assert count in (None, len(games)) and size in (None, *(game.width for game in games))
