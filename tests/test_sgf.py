"""SGF: awkward real files, encodings, hostile input, and what is written can be read."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.engine.records import sgf
from tengen.engine.records.base import Record, RecordError

Shared = Callable[[str], Path]


def test_the_main_line() -> None:
    record = sgf.loads("noise (;GM[1]SZ[9]KM[6.5]PB[A\\]b]PW[C]RE[B+R]RU[Chinese];B[aa];W[ii](;B[];W[tt])(;B[cc]))")
    assert (record.width, record.height, record.komi, record.players) == (9, 9, 6.5, ("A]b", "C"))
    assert record.moves == ((0, 0), (1, 80), (0, 81), (1, 81)) and record.rules == "Chinese" and record.result == "B+R"


def test_setup_and_handicap() -> None:
    record = sgf.loads("(;SZ[5]HA[2]AB[aa][ee]AW[bb:cc]PL[W];W[dd])")
    assert record.handicap == 2 and record.to_move == 1 and record.moves == ((1, 18),)
    assert record.setup is not None and record.setup.count(1) == 2 and record.setup.count(2) == 4


def test_setup_in_the_middle_restarts_the_record() -> None:
    record = sgf.loads("(;SZ[3];B[aa];W[ba];B[bb]AE[aa]AB[cc];W[ca])")
    assert record.moves == ((1, 2),) or record.moves[-1] == (1, 2)
    assert record.setup is not None and record.setup[8] == 1 and record.setup[0] == 0


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
        ("(;GM[2])", "other than Go"),
        ("(;SZ[x])", "not a number"),
        ("(;SZ[99])", "not between"),
        ("(;SZ[9];B[zz])", "not a point"),
        ("(;SZ[9]AB[a])", "not a point"),
        ("(;" * 5000 + ")" * 5000, "nested deeper"),
        ("(;C[" + "x" * (4 << 20) + "])", "larger than 4 MB"),
    ],
)
def test_bad_files_get_one_sentence(text: str, says: str) -> None:
    for data in (text, text.encode()):
        with pytest.raises(RecordError) as error:
            sgf.loads(data)
        assert says in str(error.value) and "\n" not in str(error.value)


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


def test_what_is_written_can_be_read() -> None:
    generator = random.Random(1)
    for size in (2, 9, 19, 25):
        cells = size * size
        record = Record(
            game="go", width=size, height=size, komi=-0.5, rules="aga", handicap=2,
            setup=bytes(generator.choice((0, 0, 1, 2)) for _ in range(cells)), to_move=1,
            moves=tuple((generator.randrange(2), generator.randrange(cells + 1)) for _ in range(50)),
            players=("a]b\\", "x:y"), result="B+3.5", properties={"DT": "2026-11-20"},
        )  # fmt: skip
        text = sgf.dumps(record)
        assert sgf.loads(text) == record and "\n\n" not in text.strip()


def test_every_shared_file_is_read_or_refused(shared: Shared) -> None:
    read = 0
    folders = [shared("data/go/sabaki_sgf"), shared("data/go/katrain_sgf"), shared("data/go/gnugo_regression")]
    for path in [path for folder in folders for path in sorted(folder.rglob("*.sgf"))]:
        try:
            read += bool(sgf.loads(path.read_bytes()).width)
        except RecordError as error:
            assert str(error) and "\n" not in str(error)
    assert read > 700
