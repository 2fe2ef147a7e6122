"""RenLib's libraries: their lines as games; damaged ones up to the damage, in one sentence and bounded time."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tengen.engine import records
from tengen.engine.records import RecordError, renlib
from tengen.engine.records.base import MAX_GAMES, Record
from tengen.engine.records.points import point_text
from tengen.tools import cli

HEADER = renlib.SIGN + bytes((3, 4)) + b"\xff" * 10
DOWN, END, OLD, MARK, COMMENT, START, NO_MOVE, MORE = (1 << bit for bit in range(7, -1, -1))
ROOT = b"\0\0"


def node(text: str, flags: int = 0) -> bytes:
    """A node of a point as people write it, "h8"; "--" is a pass."""
    point = 0 if text == "--" else (15 - int(text[1:])) * 16 + ord(text[0]) - ord("a") + 1
    return bytes((point, flags))


def lines(data: bytes) -> list[str]:
    """The moves of each line."""
    return [moves(record) for record in renlib.loads_all(data)]


def moves(record: Record) -> str:
    return " ".join(point_text(record.game, record.width, record.height, cell) for _, cell in record.moves)


BRANCHED = (
    HEADER
    + ROOT
    + node("h8")
    + node("h9", DOWN)
    + node("j9", END)
    + node("i9")
    + node("i8", DOWN | END)
    + node("j7", END)
)


def test_every_line_of_a_tree_is_a_game() -> None:
    assert lines(BRANCHED) == ["h8 h9 j9", "h8 i9 i8", "h8 i9 j7"]
    first = renlib.loads(BRANCHED)
    assert (first.game, first.width, first.height, first.rules) == ("gomoku", 15, 15, "renju")
    assert [colour for colour, _ in first.moves] == [0, 1, 0] and not first.warnings


def test_rows_are_counted_from_the_top() -> None:
    assert lines(HEADER + ROOT + b"\x01\x00" + b"\xef\x40") == ["a15 o1"]


def test_a_library_of_the_oldest_kind_has_no_header() -> None:
    assert lines(node("h8") + node("h9", END)) == ["h8 h9"]


def test_comments_and_texts_are_passed_over() -> None:
    data = (
        HEADER
        + bytes((0, COMMENT)) + b"a library\0"
        + node("h8", COMMENT | MARK) + b"odd\0" + node("h9", COMMENT) + b"even\0\0"
        + node("i9", OLD) + b"o\xec" + node("i8", MORE) + b"\0\1" + b"A\0"
        + node("j9", OLD | MORE) + b"\0\1" + b"ol\xe4\0" + b"\0\0" + node("j8", END | START)
    )  # fmt: skip
    assert lines(data) == ["h8 h9 i9 i8 j9 j8"]


def test_a_text_on_the_board_is_no_move() -> None:
    texts = node("a1", NO_MOVE | END | MORE | DOWN) + b"\0\1A\0" + node("b1", NO_MOVE | END | MORE) + b"\0\1B\0"
    assert lines(HEADER + ROOT + node("h8") + texts) == ["h8"]
    between = node("a1", NO_MOVE | END | MORE | DOWN) + b"\0\1A\0" + node("h9", END)
    assert lines(HEADER + ROOT + node("h8") + between) == ["h8 h9"]


def test_after_a_pass_a_side_moves_twice() -> None:
    record = renlib.loads(HEADER + ROOT + node("h8") + node("--") + node("h9", END))
    assert [colour for colour, _ in record.moves] == [0, 0] and moves(record) == "h8 h9"


BROKEN = {
    "no library": (b"hello", "the file is no RenLib library"),
    "a cut header": (HEADER[:12], "the file ends within the header of a RenLib library"),
    "a new version": (renlib.SIGN + bytes((4, 0)) + b"\xff" * 10, "of RenLib's version 4.0"),
    "nothing": (HEADER, "the library holds no moves"),
    "a root alone": (HEADER + ROOT, "the library holds no moves"),
    "no point": (HEADER + ROOT + b"\xf1\0", "byte 24: 241 is no point"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_no_library_is_refused_in_one_sentence(name: str) -> None:
    data, sentence = BROKEN[name]
    for load in (renlib.loads, renlib.loads_all):
        with pytest.raises(RecordError, match=sentence) as caught:
            load(data)
        assert "\n" not in str(caught.value)


DAMAGED = {
    "a point": (b"\x70\0", "byte 26: 112 is no point: the library is read up to it"),
    "a cut move": (b"\x71", "the file ends within a move: the library is read up to it"),
    "a cut extension": (node("h9", MORE) + b"\0", "the file ends within a move: the library is read up to it"),
    "a cut comment": (node("h9", COMMENT) + b"abc", "the file ends within a comment: the library is read up to it"),
    "a cut old comment": (node("h9", OLD) + b"abc", "the file ends within a comment: the library is read up to it"),
    "a line without an end": (
        node("i9") * 1000,
        "byte 924: a line has more than 450 moves: the library is read up to it",
    ),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_library_is_read_up_to_the_damage(name: str) -> None:
    rest, sentence = DAMAGED[name]
    found = renlib.loads_all(HEADER + ROOT + node("h8") + rest)
    assert len(found) == 1 and moves(found[0]).startswith("h8") and found[0].warnings == (sentence,)


def test_a_library_of_many_lines_is_cut() -> None:
    many = (node("h9", DOWN | END) + node("h7", DOWN | END)) * (MAX_GAMES // 2 + 10)
    found = renlib.loads_all(HEADER + ROOT + node("h8") + many)
    assert len(found) == MAX_GAMES and "more than 50000 lines" in found[-1].warnings[0]


@pytest.mark.parametrize("seed", range(60))
def test_any_bytes_are_a_library_or_one_sentence(seed: int) -> None:
    dice = random.Random(seed)
    data = bytearray(BRANCHED * 1 if seed % 3 else HEADER + bytes(dice.randrange(256) for _ in range(4000)))
    for _ in range(dice.randrange(1, 12)):
        place = dice.randrange(len(data))
        data[place : place + dice.randrange(3)] = bytes(dice.randrange(256) for _ in range(dice.randrange(3)))
    try:
        found = renlib.loads_all(bytes(data))
    except RecordError as error:
        assert "\n" not in str(error) and len(str(error)) < 200
    else:
        assert all(0 <= cell < 225 for record in found for _, cell in record.moves)
        assert sum(len(record.warnings) for record in found) <= 1


def test_a_library_is_known_by_its_name_and_its_content(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert records.format_of("", BRANCHED) == records.format_of("book.lib") == "renlib"
    source, target = tmp_path / "book.lib", tmp_path / "book.sgf"
    source.write_bytes(BRANCHED)
    assert cli.main(["convert", str(source), str(target)]) == 0
    games = records.read_all(target)
    assert [moves(game) for game in games] == ["h8 h9 j9", "h8 i9 i8", "h8 i9 j7"] and games[0].rules == "renju"
    assert cli.main(["convert", str(target), str(tmp_path / "back.lib")]) != 0
    assert "read only" in capsys.readouterr().err
