"""The registry of formats, OBF, PSQ: real files, hostile input, and what is written can be read."""

from __future__ import annotations

import itertools
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.engine import records
from tengen.engine.records import obf, psq
from tengen.engine.records.base import Note, Record, RecordError, lines_of

Shared = Callable[[str], Path]
BOARD = "-" * 27 + "OX------XO" + "-" * 27
PSQ = "Piskvorky 15x15, 11:11, {first}\r\n8,8,120\r\n9,7,0\r\n{more}one.exe\r\ntwo.zip\r\n0\r\n"

# Each row: a file (as text), and what its refusal says.
BAD_OBF = [
    ("", "no OBF position"),
    ("% only a comment\n\n", "no OBF position"),
    (BOARD, "not 64 cells and a side"),
    (BOARD[1:] + " X;", "not 64 cells and a side"),
    (BOARD + " X O;", "not a side"),
    (BOARD + " ?", "not a side"),
    ("?" * 64 + " X", "not a disc"),
    (BOARD + " X\0", "not text"),
    (BOARD + " X;" + "A1:+1;" * 50_000, "longer than 10000"),
    ("-" * 15_000_000, "longer than 10000"),
    ("(;GM[1])", "not 64 cells"),
]
BAD_PSQ = [
    ("", "no PSQ game"),
    ("hello\n1,1,1\n", "not the first line"),
    ("Piskvorky 99999x99999, 11:11, 0\n", "not between 5x5 and 25x25"),
    ("Piskvorky 4x20, 11:11, 0\n", "not between"),
    ("Piskvorky 15x15, 11:11, 0\n16,1,0\n", "'16,1,0' is not a move"),
    ("Piskvorky 15x15, 11:11, 0\n0,1,0\n", "'0,1,0' is not a move"),
    ("Piskvorky 5x5, 11:11, 0\n" + "1,1,0\n" * 26, "more than 25 moves"),
    ("Piskvorky 5x5, 11:11, 0\n" + "x\n" * 2_000_000, "more than 635 lines"),
    ("Piskvorky 5x5\0", "not text"),
    ("x" * 15_000_000, "not the first line"),
    ("Piskvorky " + " " * 5_000_000, "not the first line"),
    ("(;" * 200_000, "not the first line"),
]


@pytest.mark.parametrize(
    ("read", "text", "says"),
    [(obf.loads_all, *row) for row in BAD_OBF] + [(psq.loads_all, *row) for row in BAD_PSQ],
    ids=lambda value: value[:20].strip() if isinstance(value, str) else None,
)
def test_bad_files_get_one_sentence(read: Callable[[bytes], object], text: str, says: str) -> None:
    start = time.perf_counter()
    with pytest.raises(RecordError) as error:
        read(text.encode())
    assert says in str(error.value) and "\n" not in str(error.value) and len(str(error.value)) < 120
    assert time.perf_counter() - start < 5


def test_a_position() -> None:
    record = obf.loads("% title\n" + BOARD.replace("X", "*") + " O; D3:+2; --:-127; PA:0; solved by hand\n")
    assert record.setup is not None and record.to_move == 1 and record.setup.count(1) == 2
    assert dict(record.properties) == {"D3": "+2", "--": "-127", "PA": "0", "comment": "solved by hand"}
    usual = obf.loads(BOARD + " X")
    assert usual.setup is None and usual.to_move is None and obf.dumps(usual) == BOARD + " X;\n"


@pytest.mark.parametrize(
    ("name", "count"), [("fforum-1-19", 19), ("fforum-20-39", 20), ("fforum-40-59", 20), ("edax_hard-20", 276)]
)
def test_files_of_endgames(shared: Shared, name: str, count: int) -> None:
    path = shared(f"data/othello/{name}.obf")
    positions = records.read_all(path)
    assert len(positions) == count and positions == obf.loads_all(path.read_bytes())
    for record in positions:
        best, *others = [int(score) for score in record.properties.values()]
        assert record.setup is not None and all(best >= score for score in others)
        assert record.to_move in (0, 1) and obf.loads(obf.dumps(record)) == record


def test_positions_without_scores(shared: Shared) -> None:
    assert len(records.read_all(shared("data/othello/edax_small-35.txt"))) == 30


SCORES = st.dictionaries(st.from_regex("[A-H][1-8]", fullmatch=True), st.integers(-64, 64).map("{:+d}".format))


@given(st.binary(min_size=64, max_size=64), st.integers(0, 1), SCORES)
def test_written_positions_can_be_read(cells: bytes, to_move: int, scores: dict[str, str]) -> None:
    setup = bytes(cell % 3 for cell in cells)
    record = Record("reversi", 8, 8, setup=setup, to_move=to_move, properties=scores)
    assert obf.loads(obf.dumps(record)) == record


def test_a_gomoku_game() -> None:
    record = psq.loads(PSQ.format(first=0, more=""))
    assert (record.game, record.width, record.height) == ("gomoku", 15, 15)
    assert record.moves == ((0, 7 * 15 + 7), (1, 6 * 15 + 8)) and record.notes == (Note(None, 0.12), Note(None, 0.0))
    assert record.players == ("one.exe", "two.zip") and record.properties == {"levels": "11:11", "code": "0"}


@pytest.mark.parametrize(
    ("text", "players", "moves", "result", "rules"),
    [
        (PSQ.format(first=1, more="1,1,5\n"), ("two.zip", "one.exe"), 3, "", None),
        ("Piskvorky 20x20, 11:11, 0\n1,1\n2,2\n-1\n", ("", ""), 2, "", None),
        ("Piskvorky 20x20, 11:11, 0\na\nb\n-1\n2,Freestyle\n", ("a", "b"), 0, "W+", "freestyle"),
        ("piskvorky 20 x 15\n20,15,1", ("", ""), 1, "", None),
    ],
)
def test_what_managers_write(text: str, players: tuple[str, str], moves: int, result: str, rules: str | None) -> None:
    record = psq.loads(text)
    assert (record.players, len(record.moves), record.result, record.rules) == (players, moves, result, rules)


def test_a_real_gomoku_game(shared: Shared) -> None:
    record = records.read(shared("data/gomoku/gomocuponline_1x0-16.psq"))
    assert (record.width, record.height, len(record.moves)) == (20, 20, 16)
    assert record.moves[:2] == ((0, 9 * 20 + 9), (1, 11 * 20 + 10)) and record.moves[-1] == (1, 11 * 20 + 14)
    assert record.players == ("pisq7.exe", "renjusolver.ZIP") and record.properties == {"levels": "7:7", "code": "0"}
    assert record.notes[1].seconds == 4.5 and psq.loads(psq.dumps(record)) == record


WORDS = st.text(st.characters(exclude_categories=["C", "Z"], exclude_characters=","), min_size=1, max_size=12)


@given(st.data(), st.integers(5, 25), st.integers(5, 25))
def test_written_games_can_be_read(data: st.DataObject, width: int, height: int) -> None:
    cells = data.draw(st.lists(st.integers(0, width * height - 1), max_size=60))
    times = data.draw(st.lists(st.integers(0, 180_000), min_size=len(cells), max_size=len(cells)))
    record = Record(
        game="gomoku", width=width, height=height, moves=tuple((n % 2, cell) for n, cell in enumerate(cells)),
        players=(data.draw(WORDS), data.draw(WORDS)), properties={"levels": "7:7", "code": "-1"},
        notes=tuple(Note(None, time / 1000) for time in times) if any(times) else (),
        rules=data.draw(st.sampled_from(["freestyle", "renju"])), result=data.draw(st.sampled_from(["B+", "W+", "0"])),
    )  # fmt: skip
    text = psq.dumps(record)
    assert psq.loads(text) == record and psq.loads_all(text + text) == [record, record]


@pytest.mark.parametrize(
    ("form", "record"),
    [
        ("psq", Record("go", 9, 9)),
        ("psq", Record("gomoku", 30, 30)),
        ("psq", Record("gomoku", 15, 15, setup=bytes([1, *[0] * 224]))),
        ("psq", Record("gomoku", 15, 15, moves=((0, 225),))),
        ("psq", Record("gomoku", 15, 15, moves=((0, 1), (0, 2)))),
        ("obf", Record("gomoku", 8, 8)),
        ("obf", Record("reversi", 6, 6)),
        ("obf", Record("reversi", 8, 8, setup=b"\0")),
        ("ggf", Record("reversi", 8, 10)),
        ("ggf", Record("go", 8, 8)),
        ("sgf", Record("chess", 8, 8)),
        ("sgf", Record("go", 30, 30)),
        ("text", Record("chess", 8, 8)),
    ],
)  # fmt: skip
def test_what_a_format_cannot_hold_is_refused(form: str, record: Record) -> None:
    with pytest.raises(RecordError) as error:
        records.get_format(form).dumps(record)
    assert str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("name", "content", "wanted"),
    [
        ("a.sgf", "", "sgf"), ("A.GGF", "", "ggf"), ("x/y.psq", "", "psq"), ("y.obf", "", "obf"), ("y.txt", "", "text"),
        ("", "(;GM[1]SZ[9])", "sgf"), ("", "text before (;SZ[9])", "sgf"), ("", "(;FF[4]GM[4];B[aa])", "sgf"),
        ("", "\ufeff 1 (;GM[Othello]BO[8", "ggf"), ("", "(;PC[x]GM[othello]", "ggf"), ("a.txt", "(;GM[Othello]", "ggf"),
        ("", "Piskvorky 20x20, 7:7, 0", "psq"), ("a.txt", BOARD + " X; A1:+2", "obf"), ("", "% c\n" + BOARD + " O", "obf"),
        ("", "h8i9g7", "text"), ("", "", "text"), ("a.txt", "(;" * 200_000, "sgf"), ("", "\0" * 100, "text"),
    ],
)  # fmt: skip
def test_the_format_of_a_file(name: str, content: str, wanted: str) -> None:
    assert records.format_of(name, content) == records.format_of(name, content.encode()) == wanted
    if name == "" and content.isascii() and content:
        assert records.format_of(name, content.encode("utf-16")) == wanted


def test_reading_and_writing_files(tmp_path: Path) -> None:
    record = psq.loads(PSQ.format(first=0, more=""))
    for name in ("a.psq", "b.sgf", "c.txt"):
        records.write(record, tmp_path / name)
        assert records.read(tmp_path / name).moves == record.moves
    records.write([record, record], tmp_path / "many", "sgf")
    assert len(records.read_all(tmp_path / "many")) == 2 and len(records.read_all(tmp_path / "many", "sgf")) == 2
    assert records.read((tmp_path / "many").read_bytes(), "sgf").game == "gomoku"
    with pytest.raises(RecordError, match="no extension of a record format"):
        records.write(record, tmp_path / "d.xyz")
    with pytest.raises(RecordError, match="PSQ holds Gomoku"):
        records.write([record, Record("go", 9, 9)], tmp_path / "e.psq")
    assert not (tmp_path / "e.psq").exists()
    with pytest.raises(RecordError, match="cannot read"):
        records.read(tmp_path / "missing.sgf")
    with pytest.raises(RecordError, match=r"unknown record format 'sgg' \(did you mean"):
        records.read(b"", "sgg")


@given(st.text(st.sampled_from("ab \r\n")))
def test_lines(text: str) -> None:
    """As splitlines, blank lines in a row as one empty line."""
    text += "\n"
    runs = itertools.groupby(text.splitlines(), lambda line: bool(line.strip()))
    assert list(lines_of(text)) == [line for is_text, run in runs for line in (run if is_text else [""])]


@pytest.mark.parametrize("blank", [b"\n", b"\r\n", b" \n", b"\t\r"])
@pytest.mark.parametrize("form", ["text", "obf", "psq"])
def test_megabytes_of_blank_lines_are_refused_at_once(form: str, blank: bytes) -> None:
    """15 MB took five seconds."""
    start = time.process_time()
    with pytest.raises(RecordError):
        records.read_all(blank * ((15 << 20) // len(blank)), form)
    assert time.process_time() - start < 1.5


@given(st.binary(max_size=300), st.sampled_from(["", "text", "ggf", "obf", "psq", "sgf"]))
def test_any_bytes(data: bytes, form: str) -> None:
    try:
        records.read_all(data, form)
    except RecordError as error:
        assert str(error) and "\n" not in str(error)


@pytest.mark.parametrize("form", ["ggf", "obf", "psq", "text", "sgf"])
@pytest.mark.parametrize(
    "unit",
    [
        "(;",
        "\n",
        " ",
        "x",
        "[",
        "1",
        ";B[aa]",
        ". ",
        "a1 ",
        "0,0,",
        "A: b\n",
        "Piskvorky 5x5\n",
        "(;GM[Othello];)",
        "\\]",
    ],
)
def test_repetition_costs_little(form: str, unit: str) -> None:
    """100 kilobytes of the same is read or refused in seconds and without 100 times its memory."""
    data = (unit * (100_000 // len(unit))).encode()
    tracemalloc.start()
    start = time.process_time()
    try:
        records.read_all(data, form)
    except RecordError as error:
        assert "\n" not in str(error)
    seconds, peak = time.process_time() - start, tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert seconds < 5 and peak < 15 << 20, (seconds, peak)
