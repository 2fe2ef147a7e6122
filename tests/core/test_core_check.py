"""The program that checks the core where there is no Python (tests/native), here, where all it says can be compared."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

units = pytest.importorskip("_tengen_units")
core_check = pytest.importorskip("core_check")
PROGRAM = [str(Path(units.__file__).with_name("tengen-core-check"))]


def test_it_finds_what_this_installation_finds(capsys: pytest.CaptureFixture[str]) -> None:
    """Leaves, signatures; not the clock, which a busy machine holds up."""
    assert core_check.compare(PROGRAM, clock=False) == 0
    rows = capsys.readouterr().out.splitlines()
    assert len(rows) == len(core_check.TREES) + 4 and all(row.startswith("ok ") for row in rows)


def test_a_search_ends_by_its_clock_and_from_another_thread() -> None:
    by_clock, stopped = core_check.times(PROGRAM, 100, 1)
    assert 90 <= by_clock < 5000 and 90 <= stopped < 5000


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("dance", "no work is called dance"),
        ("perft draughts 1", "no game is called draughts"),
        ("perft reversi 1", "the work is cut short"),
        ("perft gomoku 15 15 pente 0 1", "an unknown name: pente"),
        ("perft go 9 9 simple area none 0 7 2 5 5 1", "an illegal move"),
        ("weights chess no-such-file 0", "cannot read no-such-file"),
    ],
)
def test_wrong_work_is_told(words: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"ended with 1: error: {sentence}"):
        core_check.ask(PROGRAM, [words])


def test_a_wrong_answer_is_a_row_and_an_exit_code(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A core that counts one leaf everywhere."""
    program = tmp_path / "program.py"
    program.write_text("for line in open(0):\n    print('1\\ndone' if line.strip() else '')\n", encoding="utf-8")

    assert core_check.compare([sys.executable, str(program)], clock=False) == 1
    assert capsys.readouterr().out.startswith("WRONG ")
