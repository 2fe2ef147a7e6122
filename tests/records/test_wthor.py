"""WTHOR: the base of the French federation, names beside it, passes, damaged and hostile files."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.engine import records
from tengen.engine.records import wthor
from tengen.engine.records.base import RecordError
from tengen.engine.records.replay import state_of
from tengen.tools import cli

Shared = Callable[[str], Path]
GAME = "f5 d6 c3 d3 c4"


def cell(point: str) -> int:
    return 10 * int(point[1]) + "abcdefgh".index(point[0]) + 1


def base(
    *games: str, count: int | None = None, size: int = 8, kind: int = 0, discs: int = 40, year: int = 1999
) -> bytes:
    """A base of games; each has tournament 1, Black 2, White 3."""
    header = struct.pack(
        "<4BIHHBBBB", 20, 26, 1, 31, len(games) if count is None else count, 0, year, size, kind, 24, 0
    )
    entries = (struct.pack("<HHHBB60s", 1, 2, 3, discs, 33, bytes(map(cell, game.split()))) for game in games)
    return header + b"".join(entries)


def names(*texts: str, length: int) -> bytes:
    return bytes(16) + b"".join(text.encode("cp1252").ljust(length, b"\0") for text in texts)


def test_a_base_and_its_names(tmp_path: Path) -> None:
    path = tmp_path / "WTH_1999.wtb"
    path.write_bytes(base(GAME, "c4 c3"))
    first, second = records.read_all(path)
    assert (first.game, first.width, first.setup) == ("reversi", 8, None)
    assert first.moves == ((0, 37), (1, 43), (0, 18), (1, 19), (0, 26)) and len(second.moves) == 2
    assert first.players == ("2", "3") and first.result == "B+16"
    assert first.properties == {"EV": "1", "DT": "1999", "TH": "+2 at 24 empty"}
    (tmp_path / "WTHOR.JOU").write_bytes(names("???", "Nobody", "Tastet Marc", "Juhem  André", length=20))
    (tmp_path / "wthor.trn").write_bytes(names("Diverses parties", "World Championship", length=26))
    named = records.read(path)
    assert named.players == ("Tastet Marc", "Juhem André") and named.properties["EV"] == "World Championship"


@pytest.mark.parametrize(("discs", "result"), [(32, "0"), (33, "B+2"), (64, "B+64"), (0, "W+64"), (65, "")])
def test_results(discs: int, result: str) -> None:
    assert wthor.loads(base(GAME, discs=discs)).result == result


def test_passes_are_put_in() -> None:
    """Black has no move after White's fourth."""
    (record,) = wthor.loads_all(base("d3 c3 e6 d2 d1 e1 b2 c1 a3"))
    assert record.moves[8:] == ((0, 64), (1, 16)) and len(record.moves) == 10


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "too short"),
        (b"\0" * 15, "too short"),
        (base(), "no WTHOR game"),
        (base(GAME, count=2), "it should hold 2 games and has 1"),
        (base(GAME, count=2**32 - 1), "should hold 4294967295 games"),
        (base(GAME)[:-1], "should hold 1 games and has 0"),
        (base(GAME, size=10), "no games on 8x8"),
        (base(GAME, kind=1), "solitaires"),
        (base("f5 f5"), "move 2 ('f5') is illegal"),
        (base(GAME, "a1"), "game 2: move 1 ('a1') is illegal"),
        (base(GAME)[:-60] + b"\x63" * 60, "move 1 (99) is not on the board"),
        (b"x" * (17 << 20), "larger than 16 MB"),
        ("text", "no text"),
    ],
)
def test_damaged_bases_get_one_sentence(data: bytes | str, says: str) -> None:
    with pytest.raises(RecordError) as error:
        wthor.loads_all(data)
    assert says in str(error.value) and "\n" not in str(error.value)


@given(st.binary(max_size=300))
def test_any_bytes(data: bytes) -> None:
    for content in (data, base(count=1) + data, base(GAME) + data):
        try:
            wthor.loads_all(content)
        except RecordError as error:
            assert str(error) and "\n" not in str(error)


def test_convert(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.wtb"
    path.write_bytes(base(GAME, GAME))
    for name in ("ggf", "sgf", "txt"):
        assert cli.main(["convert", str(path), str(tmp_path / f"b.{name}")]) == 0
        assert [record.moves for record in records.read_all(tmp_path / f"b.{name}")] == [
            wthor.loads(base(GAME)).moves
        ] * 2
    capsys.readouterr()
    assert cli.main(["convert", str(tmp_path / "b.ggf"), str(tmp_path / "c.wtb")]) == 2
    assert capsys.readouterr().err == "tengen: WTHOR is read only: write GGF, SGF or text\n"
    assert not (tmp_path / "c.wtb").exists()


def test_names_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    (tmp_path / "a.wtb").write_bytes(base(GAME))
    (tmp_path / "wthor.jou").mkdir()
    with pytest.raises(RecordError, match=r"wthor\.jou': Is a directory"):
        records.read_all(tmp_path / "a.wtb")


def test_the_games_of_some_years(shared: Shared) -> None:
    """Every game is legal, and its score is what the last position has; all 137,548 games to 2025 were, once."""
    count = 0
    for year in (1977, 1985, 2020):
        for record in records.read_all(shared(f"data/othello/wthor/WTH_{year}.wtb")):
            state = state_of(record)
            discs = [state.stones().count(colour) for colour in (1, 2)]
            lead = discs[0] - discs[1]
            lead += (64 - sum(discs)) * ((lead > 0) - (lead < 0))
            if state.is_terminal():
                assert record.result == ("0" if lead == 0 else f"{'B' if lead > 0 else 'W'}+{abs(lead)}")
            assert not record.players[0].isdigit() and record.properties["DT"] == str(year)
            count += 1
    assert count == 12 + 954 + 896
