"""`tengen solve`: what it prints, what it says of a file that knows it better, bad files."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]

# Positions of random games, their scores by the plain solver of the tests.
POSITIONS = [
    "OOOO-O--X-OOXO---OOXXXOXOOXOXO-OOXOXXXO-XXXXOOOOXXOOXXO-XXXXXXXO X; G2:+20; H7:+14; A3:+14; H2:+12; H5:+10; G1:+8; B2:+0; G4:-10;",
    "XOOOOO-OXOOOOO-OXOOOOOOOXXOOOOO-OOOOXXOX-XOXXXOXXO-XOOXX--XXXXXX O; A6:-14; C7:-20;",
    "OOX---O-XOOX-O--XOXOOOOOXOXOOXXOXOXOXOOOXOOXOOOOXOOOOOOOX-OOOOOO X; D1:-6; E2:-8; F1:-8; B8:-12; H2:-16; G2:-28; --:-127",
]
FOUND = [("1", "10", "+20", "g2"), ("2", "7", "-14", "a6"), ("3", "8", "-6", "d1")]


def rows(text: str) -> list[tuple[str, ...]]:
    """number, empty cells, score and best move of each line."""
    return re.findall(r"^ +(\d+) +(\d+) +([-+]\d+|win|loss|draw) +(\S+) +[\d,]+ +\d+\.\d\d", text, re.MULTILINE)


@pytest.mark.parametrize("threads", ["1", "2"])
def test_a_line_a_position(tengen: Run, tmp_path: Path, threads: str) -> None:
    file = tmp_path / "a.obf"
    file.write_text("% endings\n" + "\n".join(POSITIONS) + "\n", "utf-8")
    done = tengen("solve", str(file), "--threads", threads, "--memory", "4")
    assert done.returncode == 0, done.stderr
    assert rows(done.stdout) == FOUND
    assert re.search(r"^3 positions, [\d,]+ nodes, ", done.stdout, re.MULTILINE) and "otherwise" not in done.stdout


def test_some_of_them(tengen: Run, tmp_path: Path) -> None:
    file = tmp_path / "a.obf"
    file.write_text("\n".join(POSITIONS), "utf-8")
    assert rows(tengen("solve", str(file), "--from", "2", "--to", "2").stdout) == FOUND[1:2]
    assert "has no position from 4 on" in tengen("solve", str(file), "--from", "4").stderr


def test_who_wins(tengen: Run, tmp_path: Path) -> None:
    file = tmp_path / "a.obf"
    file.write_text("\n".join(POSITIONS), "utf-8")
    done = tengen("solve", str(file), "--winner")
    results = [row[2] for row in rows(done.stdout)]
    assert done.returncode == 0
    assert results == ["win" if int(score) > 0 else "loss" if int(score) < 0 else "draw" for _, _, score, _ in FOUND]


# One line each, and whether the answer disagrees with it: another score, a move that is worse, moves that are not listed,
# nothing known.
LAST = POSITIONS[2].split(";")[0]
WRONG = [
    (LAST + "; D1:-4;", True),
    (LAST + "; D1:-8; E2:-6;", True),
    (LAST + "; E2:-6;", False),
    (LAST + ";", False),
]


@pytest.mark.parametrize(("line", "says"), WRONG)
def test_a_file_that_says_otherwise(tengen: Run, tmp_path: Path, line: str, says: bool) -> None:
    file = tmp_path / "a.obf"
    file.write_text(line + "\n", "utf-8")
    done = tengen("solve", str(file))
    assert done.returncode == (1 if says else 0)
    assert ("the file says otherwise of 1" in done.stdout) == says


BAD = [
    ("XO-\n", "is not 64 cells and a side"),
    ("-" * 63 + "? X\n", "'?' is not a disc of the board"),
    ("", "no OBF position"),
    ("@FIRST@; A1:+2;", "position 1 gives A1 a score, which is not a legal move"),
]


@pytest.mark.parametrize(("text", "sentence"), BAD)
def test_bad_files(tengen: Run, tmp_path: Path, text: str, sentence: str) -> None:
    file = tmp_path / "a.obf"
    file.write_text(text.replace("@FIRST@", POSITIONS[0].split(";")[0]), "utf-8")
    done = tengen("solve", str(file))
    assert done.returncode == 2 and sentence in done.stderr and done.stderr.count("\n") == 1


def test_no_file(tengen: Run) -> None:
    done = tengen("solve", "nowhere.obf")
    assert done.returncode == 2 and "cannot read 'nowhere.obf'" in done.stderr
