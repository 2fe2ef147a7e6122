"""`tengen convert`: every pair of formats that can hold the game, standard streams, mistakes."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tengen.engine import records
from tengen.engine.records.base import Record
from tengen.tools import cli
from tengen.tools.told import Told

Tengen = Callable[..., subprocess.CompletedProcess[str]]
GOMOKU = Record("gomoku", 15, 15, moves=((0, 112), (1, 97), (0, 113)), players=("a", "b"))
REVERSI = Record("reversi", 8, 8, moves=((0, 37), (1, 43), (0, 18)), players=("a", "b"), result="B+2")
GO = Record("go", 9, 9, komi=6.5, moves=((0, 40), (1, 81), (0, 81)), players=("a", "b"), result="B+R")


@pytest.mark.parametrize(
    ("record", "source", "target"),
    [
        (record, source, target)
        for record, names in ((GOMOKU, ("sgf", "psq", "txt")), (REVERSI, ("sgf", "ggf", "txt")), (GO, ("sgf", "txt")))
        for source in names
        for target in names
    ],
)
def test_every_pair_of_formats(
    record: Record, source: str, target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two = tmp_path / f"one.{source}", tmp_path / f"two.{target}"
    records.write([record, record], one)
    assert cli.main(["convert", str(one), str(two)]) == 0
    assert capsys.readouterr() == ("", f"2 games written to '{two}'\n")
    for read in records.read_all(two):
        assert (read.game, read.width, read.moves, read.players) == (
            record.game,
            record.width,
            record.moves,
            ("a", "b"),
        )
        assert read.result == ("" if "psq" in (source, target) else record.result)


def test_standard_streams(tmp_path: Path, tengen: Tengen) -> None:
    done = tengen("convert", "-", "-", "--format", "sgf", "--game", "gomoku", "--number", "2", send="h8i9\ng7\n")
    assert done.returncode == 0 and done.stderr == ""
    assert records.read(done.stdout.encode()).moves == ((0, 8 * 15 + 6),)
    again = tengen("convert", "-", "-", "--format", "text", "--from", "sgf", send=done.stdout)
    assert again.stdout == "game: gomoku\nsize: 15x15\nmoves: g7\n"


def test_a_game_becomes_a_position(tmp_path: Path, tengen: Tengen) -> None:
    records.write(REVERSI, tmp_path / "a.ggf")
    assert tengen("convert", str(tmp_path / "a.ggf"), str(tmp_path / "a.obf")).returncode == 0
    position = records.read(tmp_path / "a.obf")
    assert position.to_move == 1 and position.setup is not None and sum(map(bool, position.setup)) == 7


START = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("(;GM[Othello]B[f5]W[f5];)", "move 2 is illegal"),
        ("(;GM[Othello]B[a1];)", "move 1 is illegal"),
        ("(;GM[Othello]B[f5]W[PA];)", "move 2 is illegal"),
        ("(;GM[Othello]B[f5]W[d6]B[h8];)", "move 3 is illegal"),
        ("(;GM[Othello]B[f5];)(;GM[Othello]B[f5]W[e3];)", "game 2: move 2 is illegal"),
        (f"(;GM[Othello]BO[{START[:-1]}O]B[c5];)", "move 1 is illegal"),
        ("(;GM[2];B[fe];W[aa])", "move 2 is illegal"),
    ],
)
@pytest.mark.parametrize("target", ["ggf", "sgf", "txt", "obf"])
def test_an_illegal_game_of_reversi_is_not_written(
    content: str, says: str, target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / f"a.{'sgf' if 'GM[2]' in content else 'ggf'}"
    source.write_text(content)
    assert cli.main(["convert", str(source), str(tmp_path / f"b.{target}")]) == 2
    assert says in capsys.readouterr().err and not (tmp_path / f"b.{target}").exists()


def test_boards_that_our_rules_do_not_have_are_not_judged(tmp_path: Path) -> None:
    (tmp_path / "a.ggf").write_text(f"(;GM[Othello]BO[26 {'-' * 676} *]B[a1];)")
    assert cli.main(["convert", str(tmp_path / "a.ggf"), str(tmp_path / "b.ggf")]) == 0


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("missing.sgf", "b.ggf"), "cannot read 'missing.sgf': No such file"),
        (("a.sgf", "b.psq"), "PSQ holds Gomoku games"),
        (("a.sgf", "b"), "no extension of a record format"),
        (("a.sgf", "a.sgf"), "the same file"),
        (("a.sgf", "b.txt", "--format", "pgm"), "unknown record format 'pgm' (did you mean 'pgn'?)"),
        (("a.sgf", "b.txt", "--format", "pgn"), "PGN holds games of chess only"),
        (("a.sgf", "b.txt", "--from", "texts"), "unknown record format 'texts' (did you mean 'text'?)"),
        (("a.sgf", "b.txt", "--from", "psq"), "not the first line of a PSQ game"),
        (("a.sgf", "b.txt", "--game", "gomoku"), "holds a game of go, not gomoku"),
        (("a.sgf", "b.txt", "--number", "2"), "there is no game 2: 'a.sgf' holds 1"),
        (("a.sgf", "b.txt", "--number", "x"), "--number"),
        (("a.sgf", "-"), "give --format"),
        (("a.sgf", "missing/b.txt"), "No such file"),
        (("bad.sgf", "b.txt"), "nested deeper"),
        (("list.txt", "b.sgf", "--game", "chess"), "no games of 'chess'"),
        (("a.sgf",), "required"),
        (("a.sgf", "b.txt", "--fromat", "x"), "unknown option --fromat (did you mean '--format'?)"),
    ],
)
def test_mistakes_get_one_sentence(
    words: tuple[str, ...],
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    records.write(GO, "a.sgf")
    Path("bad.sgf").write_text("(;" * 200_000)
    Path("list.txt").write_text("h8")
    before = sorted(path.name for path in tmp_path.iterdir())
    assert cli.main(["convert", *words]) == 2
    output, errors = capsys.readouterr()
    assert says in errors and errors.count("\n") == 1 and output == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == before


LENIENT = {
    "komi.sgf": ("(;GM[1]SZ[9]KM[375];B[ee])", "KM[7.5]", "KM[375] is read as a komi of 7.5"),
    "rules.sgf": ("(;GM[1]SZ[9]RU[of the house];B[ee])", "RU[of the house]", "the rules 'of the house' are not known"),
    "illegal.sgf": (
        "(;GM[1]SZ[9];B[ee]\n;W[ee];B[cc])",
        ";B[ee])",
        "line 2: move 2, W E5, is illegal: occupied: the game is read up to it",
    ),
    "suicide.sgf": (
        "(;GM[1]SZ[9]AW[ab][ba];B[ee];W[ef]\n;B[aa])",
        ";B[ee];W[ef])",
        "line 2: move 3, B A9, is illegal: suicide: the game is read up to it",
    ),
    "point.sgf": (
        "(;GM[1]SZ[9];B[ee]\n;W[zz];B[cc])",
        ";B[ee])",
        "line 2: move 2 is illegal: 'zz' is not a point of the board: the game is read up to it",
    ),
    "end.sgf": ("(;GM[1]SZ[9]\n;B[ee];W[cc]", ";B[ee];W[cc])", "line 2: the file ends without a parenthesis"),
    "bracket.sgf": ("(;GM[1]SZ[9]US[a[b]];B[ee])", "US[a[b\\]]", "line 1: a ] in US[ ] is not escaped"),
    "dashes.sgf": ("(;GM[1]SZ[9]\n---\n;B[ee])", ";B[ee])", "line 2: '---' is no SGF and is left out"),
}


@pytest.mark.parametrize("name", LENIENT)
def test_what_is_not_plain_is_read_and_told(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content, kept, said = LENIENT[name]
    (tmp_path / name).write_text(content)
    assert cli.main(["convert", str(tmp_path / name), str(tmp_path / "out.sgf")]) == 0
    assert kept in (tmp_path / "out.sgf").read_text().replace("\n", "")
    assert capsys.readouterr().err.splitlines()[:-1] == [f"tengen convert: warning: {said}"]


def test_stones_in_mid_game_are_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "(;GM[1]SZ[9];B[ee];W[cc];AE[ee]AW[gg]PL[W];W[gc](;B[aa])(;B[bb]))"
    (tmp_path / "in.sgf").write_text(text)
    assert cli.main(["convert", str(tmp_path / "in.sgf"), str(tmp_path / "out.sgf")]) == 0
    assert ";B[ee];W[cc];AE[ee]AW[gg];W[gc];B[aa])" in (tmp_path / "out.sgf").read_text()
    assert cli.main(["convert", str(tmp_path / "in.sgf"), str(tmp_path / "out.txt")]) == 2
    assert "text cannot hold stones that are set up in mid-game (after move 2)" in capsys.readouterr().err


def test_the_same_is_told_once_for_many_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in.sgf").write_text(
        "(;SZ[9];B[ee])" + "(;SZ[9]KM[375];B[ee])" * 40 + "(;SZ[9];B[zz])".replace("zz", "aa")
    )
    assert cli.main(["convert", str(tmp_path / "in.sgf"), str(tmp_path / "out.sgf")]) == 0
    told = capsys.readouterr().err.splitlines()
    assert told[:-1] == ["tengen convert: warning: game 2: KM[375] is read as a komi of 7.5 (and 39 more)"]


def test_what_is_told_is_bounded() -> None:
    told = Told()
    for number in range(1000):
        told.add(f"game {number}", f"sentence {number}")
    assert len(told.lines()) == 21 and told.lines()[-1] == "980 more of other kinds"
