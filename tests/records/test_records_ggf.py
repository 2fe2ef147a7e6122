"""GGF: real games of GGS and NBoard, passes, set-ups, hostile input, and what is written can be read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.engine.records import ggf, othello
from tengen.engine.records.base import Change, Note, Record, RecordError

Shared = Callable[[str], Path]
START = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *"
GAME = f"(;GM[Othello]PC[NBoard]DT[2026-11-20]PB[a b]PW[c]TI[05:00//02:00]TY[8]RE[+2.000]BO[{START}]%s;)"
PASS = 64


def test_a_game_of_the_viewer() -> None:
    record = ggf.loads(GAME % "B[F5]W[f6//0.01]B[e6/2.39/12.5]W[D6/-1]")
    assert (record.game, record.width, record.height) == ("reversi", 8, 8)
    assert record.setup is None and record.to_move is None and record.first == 0
    assert record.moves == ((0, 37), (1, 45), (0, 44), (1, 43))
    assert record.notes == (Note(), Note(None, 0.01), Note(2.39, 12.5), Note(-1.0))
    assert record.players == ("a b", "c") and record.result == "B+2"
    assert record.properties["TI"] == "05:00//02:00" and record.properties["DT"] == "2026-11-20"


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("tags in any case and order, blanks between them", f"( ; bo[{START}] pb [x] gm[othello] b[f5]\n w[pa] ; )", "f5 pass"),
        ("no board: the usual start", "(;GM[Othello]B[F5];)", "f5"),
        ("spellings of a pass", "(;GM[Othello]B[PA]W[PASS]B[--]W[pass//0.38];)", "pass pass pass pass"),
        ("a count in front", "1 (;GM[Othello]B[h8];)", "h8"),
        ("no semicolon at the end", "(;GM[Othello]B[a1])", "a1"),
        ("a byte order mark", "\ufeff(;GM[Othello]B[b1];)", "b1"),
        ("other tags", "(;GM[Othello]KO[0]CO[0.5]KB[1]KM[2.5]TB[05:00]TW[05:00]RB[1]RW[2]B[b2];)", "b2"),
    ],
)  # fmt: skip
def test_what_other_programs_write(name: str, text: str, wanted: str) -> None:
    for data in (text, text.encode()):
        record = ggf.loads(data)
        assert " ".join(othello.move_text(move, 8, "pass") for _, move in record.moves) == wanted
        assert record.setup is None


@pytest.mark.parametrize(
    ("board", "cells", "to_move"),
    [
        (START[:-1] + "O", {27: 2, 28: 1, 35: 1, 36: 2}, 1),
        ("8 " + "-" * 27 + "oXxo" + "-" * 33 + "o", {27: 2, 28: 1, 29: 1, 30: 2}, 1),
        ("8 *" + "-" * 62 + "O *", {0: 1, 63: 2}, 0),
        ("4 *O-- ---- ---- ---O *", {0: 1, 1: 2, 15: 2}, 0),
    ],
)
def test_set_ups(board: str, cells: dict[int, int], to_move: int) -> None:
    record = ggf.loads(f"(;GM[Othello]BO[{board}];)")
    assert record.setup is not None and record.to_move == to_move
    assert {cell: value for cell, value in enumerate(record.setup) if value} == cells


@pytest.mark.parametrize(
    ("text", "result"),
    [("+12.00", "B+12"), ("-4", "W+4"), ("-64.00:r", "W+R"), ("+1:t", "B+T"), ("0.000", "0"), ("?", ""), ("", "")],
)
def test_results(text: str, result: str) -> None:
    assert ggf.loads(f"(;GM[Othello]RE[{text}];)").result == result


BAD = [
    ("empty", "", "no GGF game"),
    ("no game", "hello", "no GGF game"),
    ("only an opening", "(;", "does not end with"),
    ("truncated value", "(;GM[Othello]BO[8 ----", "BO does not end"),
    ("truncated game", "(;GM[Othello]B[f5]", "does not end with"),
    ("wrong game", "(;GM[Amazons];)", "'Amazons' is not Othello"),
    ("a Go game", "(;GM[1]SZ[9];B[aa])", "'1' is not Othello"),
    ("no game tag", "(;PB[x];)", "GM tag is missing"),
    ("a huge board", "(;GM[Othello]BO[99999 *];)", "even size"),
    ("an odd board", "(;GM[Othello]BO[9 *];)", "even size"),
    ("too few cells", "(;GM[Othello]BO[8 ---*** *];)", "6 cells instead of 64"),
    ("too many cells", f"(;GM[Othello]BO[8 {'-' * 65} *];)", "65 cells instead of 64"),
    ("a board without end", f"(;GM[Othello]BO[8 {'-' * 100_000} *];)", "more than 64 cells"),
    ("a strange cell", f"(;GM[Othello]BO[8 {'?' * 64} *];)", "not a disc"),
    ("a strange side", f"(;GM[Othello]BO[8 {'-' * 64} B];)", "not a side"),
    ("off the board", "(;GM[Othello]B[i9];)", "'i9' is not a move"),
    ("an empty move", "(;GM[Othello]B[];)", "not a move"),
    ("a superscript", "(;GM[Othello]B[a\u00b2];)", "not a move"),
    ("NULs", "(;GM[Othello]B[\0];)", "not text"),
    ("text between tags", "(;GM[Othello]what is this?B[a1];)", "not a GGF tag"),
    ("deep nesting", "(;" * 200_000, "not a GGF tag"),
    ("nested openings", "(" * 200_000, "no GGF game"),
    ("many open values", "(;" + "A[" * 1_000_000, "does not end with"),
    ("blanks without end", "(;" + " " * 4_000_000, "does not end with"),
    ("a long line", "x" * 15_000_000, "no GGF game"),
    ("too many moves", "(;GM[Othello]" + "B[a1]" * 500_000 + ";)", "more than 2000 tags"),
    ("a file too large", "(;" * (9 << 20), "larger than 16 MB"),
]


@pytest.mark.parametrize(("text", "says"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_bad_files_get_one_sentence(text: str, says: str) -> None:
    for data in (text, text.encode()):
        for read in (ggf.loads, ggf.loads_all):
            with pytest.raises(RecordError) as error:
                read(data)
            assert says in str(error.value) and "\n" not in str(error.value) and len(str(error.value)) < 120


def test_other_encodings_are_survived() -> None:
    assert ggf.loads(b"(;GM[Othello]PB[\xe9];)").players[0] == "\xe9"
    assert ggf.loads("(;GM[Othello]PB[é];)".encode("utf-16")).players[0] == "é"


def test_many_games() -> None:
    text = "2 " + GAME % "B[f5]" + GAME % "B[c4]" + "\n\n1 " + GAME % "B[d3]" + "\n"
    assert [record.moves for record in ggf.loads_all(text)] == [((0, 37),), ((0, 26),), ((0, 19),)]
    with pytest.raises(RecordError, match="^game 2: "):
        ggf.loads_all(GAME % "B[f5]" + GAME % "B[f9]")


@given(st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    for text in (data, b"(;" + data + b";)", b"(;GM[Othello]" + data):
        try:
            ggf.loads_all(text)
        except RecordError as error:
            assert str(error) and "\n" not in str(error)


NAMES = st.text(st.characters(exclude_characters="[]", exclude_categories=["C", "Z"]), max_size=12)
NUMBERS = st.none() | st.integers(-6400, 6400).map(lambda number: number / 100)
MOVES = st.lists(st.tuples(st.integers(0, 1), st.integers(0, PASS), st.tuples(NUMBERS, NUMBERS)), max_size=70)


@given(
    st.binary(min_size=64, max_size=64),
    st.integers(0, 1),
    st.booleans(),
    MOVES,
    NAMES,
    NAMES,
    st.sampled_from(["", "B+12", "W+R", "0", "B+T"]),
)
def test_what_is_written_can_be_read(
    cells: bytes, to_move: int, is_usual: bool, moves: list, black: str, white: str, result: str
) -> None:  # type: ignore[type-arg]
    notes = tuple(Note(*note) for _, _, note in moves)
    record = Record(
        game="reversi", width=8, height=8,
        setup=None if is_usual else bytes(cell % 3 for cell in cells), to_move=None if is_usual else to_move,
        moves=tuple(move[:2] for move in moves), players=(black, white), result=result,
        properties={"TI": "15:00", "DT": "2026-11-20"}, notes=notes if any(note != Note() for note in notes) else (),
    )  # fmt: skip
    text = ggf.dumps(record)
    again = ggf.loads(text)
    assert replace(again, properties=record.properties) == record
    assert dict(record.properties).items() <= dict(again.properties).items()
    assert ggf.loads(ggf.dumps(again)) == again and text.count("\n") == 1


def test_the_games_of_a_server(shared: Shared) -> None:
    data = shared("data/othello/ntest_TestGames.ggf").read_bytes()
    records = ggf.loads_all(data)
    assert len(records) == 12 and ggf.loads(data) == records[0]
    passes = [[(number, colour) for number, (colour, move) in enumerate(r.moves) if move == PASS] for r in records]
    assert [[colour for _, colour in row] for row in passes] == [[], [], [0], [], [1], [], [], [], [0], [0], [], [1]]
    for record in records:
        assert record.setup is None and record.players != ("", "") and len(record.moves) >= 60
        assert [colour for colour, _ in record.moves] == [number % 2 for number in range(len(record.moves))]
        assert len({move for _, move in record.moves if move != PASS}) == 60
        assert len(record.notes) == len(record.moves) and record.properties["TY"] == "8"
        assert replace(ggf.loads(ggf.dumps(record)), properties=record.properties) == record
    assert [record.result for record in records][6:8] == ["B+2", "0"]
    assert records[0].notes[7] == Note(2.39, 0.01)


def test_stones_in_mid_game_are_refused() -> None:
    record = replace(ggf.loads(GAME % "B[F5]W[f6]"), changes=(Change(1, ((0, 1),)),))
    with pytest.raises(RecordError, match=r"GGF cannot hold stones that are set up in mid-game \(after move 1\)"):
        ggf.dumps(record)
