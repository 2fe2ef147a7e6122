"""Openings that cannot be played are left out with their file and line; the others are played. Of every format."""

from __future__ import annotations

from pathlib import Path

import pytest

from tengen.tools import cli
from tengen.tools.match.openings.choice import OpeningsSpec, choose
from tengen.tools.match.openings.parts import parts
from tengen.tools.match.spec import GameSpec

GOMOKU, REVERSI, GO, CHESS = (
    GameSpec("gomoku", 15),
    GameSpec("reversi", 8),
    GameSpec("go", 9, komi=7),
    GameSpec("chess"),
)
BOARD = "BO[8 ---------------------------O*------*O--------------------------- *]"
START = "-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27
KINGS = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"

# File, content, game, lines of what is left out, words about the first of them, how many are left.
FILES = [
    ("a.pgn", '[Event "a"]\n\n1. e4 e5 *\n\n[Event "b"]\n\n1. e4 Ke5 *\n\n[Event "c"]\n\n1. d4 d5 *\n', CHESS, [5], "'Ke5', is illegal", 2),
    ("b.pgn", '[Event "a"]\n\n1. e4 e5 (1... Ke5) 2. Nf3 *\n\n[FEN "8/8 w"]\n\n1. e4 *\n', CHESS, [5], "part of fen", 1),
    ("c.pgn", '[Event "a"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[Event "b"]\n\n1. d4 *\n', CHESS, [1], "end the game", 1),
    ("a.epd", f"{KINGS}\n8/8/8/8 w - -\n\n# a remark\n8/8/8/8/8/8/8/8 w - -\n{KINGS}\nhello\n", CHESS, [2, 5, 7], "4 ranks", 2),
    ("b.epd", f'7k/5Q2/6K1/8/8/8/8/8 b - -\n{KINGS} id "x";\n', CHESS, [1], "no position to play from", 1),
    ("a.sgf", "(;GM[1]SZ[9];B[ee];W[gg])\n(;GM[1]SZ[9];B[ee]\n;W[ee])\n(;GM[1]SZ[9];B[cc])", GO, [2], "move 2, E5, is illegal", 2),
    ("b.sgf", "(;GM[1]SZ[9];B[ee](;W[gg])(;W[cc]))(;GM[1]SZ[9];B[zz])\n\n(;GM[1]SZ[19];B[ee])", GO, [1, 3], "not a point", 1),
    ("c.sgf", "(;GM[1]SZ[9];B[ee]C[a \\] ( b])\n(;GM[1]SZ[9];B[ee];B[ef])", GO, [2], "do not alternate", 1),
    ("d.sgf", "(;GM[4]SZ[15];B[hh];W[hh])\n(;GM[4]SZ[15];B[hh];W[ii])", GOMOKU, [1], "move 2", 1),
    ("a.ggf", f"(;GM[Othello]{BOARD}B[f5];)\n(;GM[Othello]{BOARD}B[a1];)\n(;GM[Othello]{BOARD}B[d3;)\n(;GM[Othello]{BOARD}B[d3];)", REVERSI, [2, 3], "a1, is illegal", 2),
    ("a.psq", "Piskvorky 15x15, 11:11, 0\n8,8,0\n8,8,0\n0\nPiskvorky 15x15, 11:11, 0\n8,8,0\n99,9,0\n0\nPiskvorky 15x15, 11:11, 0\n8,8,0\n0\n", GOMOKU, [1, 5], "move 2, h8, is illegal", 1),
    ("a.obf", f"{START} X;\n{START[:-1]} X;\n% a remark\n{START} O;\n{'X' * 64} O;\n", REVERSI, [2, 5], "64 cells", 2),
    ("a.txt", "h8i9\n\nh8 h8\n# no\nzz9\nh8 g7\n", GOMOKU, [3, 5], "move 2, h8, is illegal", 2),
    ("b.txt", "0,0, 1,1\n0,0, 99,0\n0,0, 0,0\n1,1, 2,2\n", GOMOKU, [2, 3], "99,0", 2),
    ("c.txt", "f5d6\nf5a1\nc4\n", REVERSI, [2], "illegal", 2),
    ("d.txt", "game: gomoku\nsize: 15x15\nh8 i9\nh8 h8\n\nsize: 15x15\ngame: gomoku\ng7\n", GOMOKU, [4], "move 2, h8, is illegal", 2),
    ("e.txt", "E5 G3\nI9\nC3 C3\nE5\n", GO, [2, 3], "", 2),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content", "game", "lines", "words", "left"), FILES, ids=[row[0] for row in FILES])
def test_what_cannot_be_played_is_left_out(
    tmp_path: Path, name: str, content: str, game: GameSpec, lines: list[int], words: str, left: int
) -> None:
    if game is CHESS:
        pytest.importorskip("chess")
    (tmp_path / name).write_text(content)
    for order in ("sequential", "random"):
        told: list[str] = []
        found = choose(OpeningsSpec(str(tmp_path / name), order=order), game, 9, 1, told.append)
        assert len(found) == left
        assert sorted(int(line.split("line ")[1].split(":")[0]) for line in told) == lines
        assert all(name in line and "\n" not in line for line in told)
        assert any(words in line for line in told), told
    for path in (tmp_path, tmp_path / name):  # a folder too, beside a file that holds none
        (tmp_path / "zz.txt").write_text("")
        if path.is_dir() and game is CHESS:
            continue
        assert len(choose(OpeningsSpec(str(path)), game, 9, 1)) == left


def test_only_the_first_are_named(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("h8h8\n" * 50 + "h8\n")
    told: list[str] = []
    assert len(choose(OpeningsSpec(str(tmp_path / "a.txt")), GOMOKU, 9, 1, told.append)) == 1
    assert len(told) == 11 and told[-1] == "40 more openings are left out"


def test_no_opening_at_all_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("h8h8\nh8 zz\n")
    with pytest.raises(ValueError, match=r"there are no openings in '.*' that can be played: '.*a\.txt', line 1: "):
        choose(OpeningsSpec(str(tmp_path / "a.txt")), GOMOKU, 9, 1)


@pytest.mark.parametrize("kind", ["pgn", "epd", "obf", "sgf", "ggf", "psq", "text"])
@pytest.mark.parametrize(
    "text", ["", "\n\n", "(", ")", "((;", "[", "]\\", "a: b\n\n", "Piskvorky", "(;GM[", "\0", "é\u2028x"]
)
def test_cutting_takes_any_text(kind: str, text: str) -> None:
    for part in parts(text, kind):
        assert part.line >= 1 and part.text.strip()


def test_a_match_plays_the_others_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("o.txt").write_text("h8i9\nh8h8\nh8g7\n")
    words = ["match", "--game", "gomoku", "--player", "random", "--engine", "player=random", "name=b", "--games", "6"]
    assert cli.main([*words, "--openings", "o.txt", "--dry-run"]) == 0
    out, errors = capsys.readouterr()
    assert "2 openings" in out
    assert errors.count("warning: an opening is left out: 'o.txt', line 2: opening 2: move 2, h8, is illegal") == 1
