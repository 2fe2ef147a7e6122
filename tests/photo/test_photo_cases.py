"""Pictures of other people that went wrong once; they are looked at and never learned from."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tengen.tools import cli

Run = Callable[..., tuple[int, list[dict[str, object]], str]]


@pytest.fixture
def run(shared: Callable[[str], Path], capsys: pytest.CaptureFixture[str]) -> Run:
    """A function from a picture's name and options to exit code, boards and what was said."""

    def ran(name: str, *options: str) -> tuple[int, list[dict[str, object]], str]:
        code = cli.main(["photo", str(shared(f"cases/photo/{name}")), "--json", *options])
        captured = capsys.readouterr()
        answer = json.loads(captured.out.splitlines()[-1])
        return code, answer["boards"], captured.err

    return ran


@pytest.mark.parametrize("name", ["acarp_four_2", pytest.param("acarp_random_rot", marks=pytest.mark.slow)])
def test_boards_of_squares_are_whole(name: str, run: Run, shared: Callable[[str], Path]) -> None:
    code, [board], _ = run(f"{name}.jpg")
    text = shared(f"cases/photo/{name}.txt").read_text("utf-8")
    rows = ["".join(line.split()) for line in text.splitlines() if set(line) <= set(".XO ") and line.strip()]
    assert code == 0 and board["rows"] == rows


@pytest.mark.parametrize(
    ("name", "options"),
    [("chob_omok.jpg", ()), ("feev_gomoku.jpg", ()),
     *(pytest.param("chob_omok.jpg", words, marks=pytest.mark.slow) for words in (("--game", "gomoku"), ("--size", "15")))],
)  # fmt: skip
def test_fifteen_lines(name: str, options: tuple[str, ...], run: Run) -> None:
    _, [board], _ = run(name, *options)
    assert board["size"] == 15 and board["game"] == "gomoku"


@pytest.mark.slow
def test_twelve_diagrams(run: Run) -> None:
    _, boards, _ = run("gokyo-seimyo_p1.png", "--boards", "20")
    assert len(boards) == 12 and all(board["window"] == "A1-M11" for board in boards)
    _, boards, _ = run("gokyo-seimyo_p1.png")
    assert len(boards) == 4 and any("8 of 12" in warning for warning in boards[0]["warnings"])  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "window"),
    [("dai_16.jpg", "H1-T19"), *(pytest.param(*one, marks=pytest.mark.slow) for one in (
        ("dai_16.jpg", "right"), ("uiuc_demo3.png", "A1-J7"), ("uiuc_demo3.png", "lower-left")))],
)  # fmt: skip
def test_windows_that_are_named(name: str, window: str, run: Run) -> None:
    code, [board], _ = run(name, "--size", "19", "--window", window)
    assert code == 1 and board["window"] == {"dai_16.jpg": "H1-T19"}.get(name, "A1-J7")


@pytest.mark.parametrize(
    "name", ["comp_checkers.png", pytest.param("chess_grant_png_board4.png", marks=pytest.mark.slow)]
)
def test_chess_boards(name: str, run: Run) -> None:
    code, boards, told = run(name)
    assert code == 3 and not boards and "looks like a chess board" in told and "--window" not in told
