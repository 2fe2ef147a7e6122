"""SGF: awkward real files, encodings, hostile input, and what is written can be read."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.engine.records import format_of, sgf
from tengen.engine.records.base import Change, Record, RecordError
from tengen.engine.records.replay import state_of

Shared = Callable[[str], Path]


def test_the_main_line() -> None:
    record = sgf.loads("noise (;GM[1]SZ[9]KM[6.5]PB[A\\]b]PW[C]RE[B+R]RU[Chinese];B[aa];W[ii](;B[];W[tt])(;B[cc]))")
    assert (record.width, record.height, record.komi, record.players) == (9, 9, 6.5, ("A]b", "C"))
    assert record.moves == ((0, 0), (1, 80), (0, 81), (1, 81)) and record.rules == "Chinese" and record.result == "B+R"


@pytest.mark.parametrize(
    ("text", "name", "komi", "moves"),
    [
        ("(TE[a title]RD[2018-04-24]KO[7.5]PB[x];B[aa];W[bb])", "a title", 7.5, 2),
        ("(\nTE[a]\nRD[2018-04-24]\nKO[7,5]\nPB[x]\n;B[aa](B[cc];W[dd])(;B[ee]))\n", "a", 7.5, 3),
        ("\ufeff(TE[b \\] (TE[x]RD[2018-04-24]GM[1]SZ[9]PB[x];B[aa])", "b ] (TE[x", None, 1),
        ("(;TE[c]RD[2018-04-24]KO[6.5]KM[5.5]PB[x])", "c", 5.5, 0),
        ("(;TE[1]GN[d]DT[2018-04-24]KO[]PB[x];B[aa]TE[2])", "d", None, 1),
        ("(GM[1]GN[e]DT[2018-04-24]PB[x]SZ[9];B[aa];W[])", "e", None, 2),
    ],
)
def test_files_of_chinese_servers(text: str, name: str, komi: float | None, moves: int) -> None:
    """Trees without their first semicolon; TE, RD and KO for title, date and komi."""
    assert format_of("", text) == "sgf"
    record = sgf.loads(text)
    assert sgf.loads(text.encode()) == sgf.loads_all(text)[0] == record
    assert (record.properties["GN"], record.properties["DT"], record.players[0]) == (name, "2018-04-24", "x")
    assert (record.komi, len(record.moves)) == (komi, moves)


def test_names_have_one_line_and_no_controls() -> None:
    record = sgf.loads("(;SZ[9]PB[a\nb\x1b[31m\\]c]PW[d\0e])")
    assert record.players == ("a b [31m]c", "d e")


def test_setup_and_handicap() -> None:
    record = sgf.loads("(;SZ[5]HA[2]AB[aa][ee]AW[bb:cc]PL[W];W[dd])")
    assert record.handicap == 2 and record.to_move == 1 and record.moves == ((1, 18),)
    assert record.setup is not None and record.setup.count(1) == 2 and record.setup.count(2) == 4


def test_setup_in_the_middle_keeps_what_was_before() -> None:
    record = sgf.loads("(;SZ[3];B[aa];W[ba];B[bb]AE[aa]AB[cc];W[ca])")
    assert record.moves == ((0, 0), (1, 1), (0, 4), (1, 2)) and record.setup is None
    assert record.changes == (Change(2, ((0, 0), (8, 1))),)
    assert state_of(record).stones() == bytes([0, 2, 2, 0, 1, 0, 0, 0, 1])
    assert sgf.loads(sgf.dumps(record)) == record


def test_gomoku_and_othello() -> None:
    gomoku = sgf.loads("(;GM[4]PB[x];B[hh];W[h9];B[oo])")
    assert (gomoku.game, gomoku.width, gomoku.setup) == ("gomoku", 15, None)
    assert gomoku.moves == ((0, 112), (1, 6 * 15 + 7), (0, 224))
    othello = sgf.loads("(;GM[2];B[fe];W[f6];B[];W[tt])")
    assert (othello.game, othello.width) == ("reversi", 8)
    assert othello.moves == ((0, 37), (1, 45), (0, 64), (1, 64))
    usual = sgf.loads("(;GM[2]SZ[8]AB[ed][de]AW[dd][ee];B[fe])")
    assert usual.setup is None and usual.moves == ((0, 37),)
    other = sgf.loads("(;GM[2]AB[ed][de]AW[dd]PL[W])")
    assert other.setup is not None and other.to_move == 1
    stones = sgf.loads("(;GM[4];B[aa];W[bb];B[cc]AW[dd])")
    assert [cell for cell, _ in stones.changes[0].stones] == [48] and stones.changes[0].after == 2
    assert [state_of(stones).stones()[cell] for cell in (0, 16, 32, 48)] == [1, 2, 1, 2]


def test_collections() -> None:
    records = sgf.loads_all("(;SZ[9];B[aa])(;GM[4];B[bb](;W[cc])(;W[dd]))")
    assert [(record.game, len(record.moves)) for record in records] == [("go", 1), ("gomoku", 2)]
    with pytest.raises(RecordError, match="^game 2: "):
        sgf.loads_all("(;SZ[9])(;SZ[0])")


def test_rectangular_boards() -> None:
    record = sgf.loads("(;SZ[5:3];B[ec])")
    assert (record.width, record.height, record.moves) == (5, 3, ((0, 14),))
    assert sgf.loads(sgf.dumps(record)) == record


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not an SGF file"),
        ("(;", "not an SGF file"),
        ("hello", "not an SGF file"),
        ("(;GM[3])", "other than Go"),
        ("(;GM[2]SZ[8];B[j1])", "not a point"),
        ("(;GM[4];B[a16])", "not a point"),
        ("(;" + ";B[aa]" * 210_000 + ")", "more than 200000 nodes"),
        ("(" * 200_000, "nested deeper"),
        ("(;SZ[99999])", "not between"),
        ("(;SZ[25]AB" + "[aa:yy]" * 100_000 + ")", "sets up too many stones"),
        ("(;SZ[25]" + ";AB[aa];W[bb]" * 20_000 + ")", "sets up too many stones"),
        ("(;SZ[9];B[\0\0])", "not a point"),
        ("(;SZ[x])", "not a number"),
        ("(;SZ[99])", "not between"),
        ("(;SZ[9];B[zz])", "not a point"),
        ("(;SZ[9]AB[a])", "not a point"),
        ("(;" * 5000 + ")" * 5000, "nested deeper"),
        ("(;C[" + "x" * (4 << 20) + "])", "larger than 4 MB"),
    ],
)
def test_bad_files_get_one_sentence(text: str, says: str) -> None:
    for data in (text, text.encode())[len(text) > 10_000 :]:
        start = time.process_time()
        with pytest.raises(RecordError) as error:
            sgf.loads(data)
        assert says in str(error.value) and "\n" not in str(error.value)
        assert time.process_time() - start < 3


def test_brackets_in_comments_do_not_nest() -> None:
    assert sgf.loads("(;SZ[9]C[" + "(" * 5000 + "\\]];B[aa])").moves == ((0, 0),)


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "shift_jis", "euc-kr", "big5"])
def test_named_encodings(encoding: str) -> None:
    name = {"euc-kr": "이세돌", "shift_jis": "本因坊表"}.get(encoding, "棋")
    assert sgf.loads(f"(;CA[{encoding}]SZ[9]PB[{name}])".encode(encoding)).players[0] == name


@pytest.mark.parametrize("mark", ["utf-8-sig", "utf-16"])
def test_byte_order_marks(mark: str) -> None:
    assert sgf.loads("(;SZ[9]PB[é])".encode(mark)).players[0] == "é"


def test_unknown_encodings_are_survived() -> None:
    assert sgf.loads(b"(;CA[nonsense]SZ[9]PB[\xe9])").players[0] == "é"


@given(st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    for text in (data, b"(;" + data + b")", b"(;SZ[9]" + data):
        try:
            sgf.loads(text)
        except RecordError as error:
            assert str(error) and "\n" not in str(error)


@given(st.data(), st.sampled_from(["go", "gomoku", "reversi"]), st.integers(2, 25), st.integers(2, 25))
def test_what_is_written_can_be_read(data: st.DataObject, game: str, width: int, height: int) -> None:
    cells = width * height
    stones = st.lists(st.sampled_from([0, 0, 1, 2]), min_size=cells, max_size=cells)
    names = st.text(st.characters(exclude_categories=["C", "Z"]), max_size=8)
    record = Record(
        game=game, width=width, height=height,
        komi=data.draw(st.none() | st.integers(-20, 20).map(lambda half: half / 2)), rules=data.draw(st.none() | st.just("aga")),
        handicap=data.draw(st.integers(0, 9)), setup=bytes(data.draw(stones)), to_move=data.draw(st.integers(0, 1)),
        moves=tuple(data.draw(st.lists(st.tuples(st.integers(0, 1), st.integers(0, cells)), max_size=50))),
        players=(data.draw(names), data.draw(names)), result=data.draw(st.sampled_from(["", "B+3.5", "W+R", "0"])),
        properties=data.draw(st.sampled_from([{}, {"DT": "2026-11-20", "EV": "a]b\\"}])),
    )  # fmt: skip
    if not any(record.setup or b""):
        record = replace(record, setup=None)
    text = sgf.dumps(record)
    assert sgf.loads(text) == record and "\n\n" not in text.strip()
    assert sgf.loads_all(text + text) == [record, record]


def test_every_shared_file_is_read_or_refused(shared: Shared) -> None:
    read = 0
    folders = [shared("data/go/sabaki_sgf"), shared("data/go/katrain_sgf"), shared("data/go/gnugo_regression")]
    for path in [path for folder in folders for path in sorted(folder.rglob("*.sgf"))]:
        try:
            read += bool(sgf.loads(path.read_bytes()).width)
        except RecordError as error:
            assert str(error) and "\n" not in str(error)
    assert read > 700
