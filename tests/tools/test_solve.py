"""`tengen solve`: what it prints, what it says of a file that knows it better, bad files."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]

# Positions of random games, their scores by the plain solver of the tests.
@@POSITIONS@@


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


@@WRONG@@


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
