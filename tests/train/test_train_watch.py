"""Watching: the board of a game that goes on, from a worker to the terminal."""

from __future__ import annotations

import io
from pathlib import Path

import made_up_run
import pytest

from tengen.engine.games import get_game
from tengen.engine.search.selfplay import Start
from tengen.tools.live import Live
from tengen.tools.train.play import watch
from tengen.tools.train.play.watch import Window, diagram, marked
from tengen.tools.train.run.runs import opened
from tengen.tools.train.show import progress
from tengen.tools.train.show.progress import Progress, board_path

ROWS = [
    (" X . O", 0, "(X). O"),
    (" X . O", 1, " X(.)O"),
    (" X . O", 2, " X .(O)"),
]
BOARD = """\
a game, move 3
  O . . .
  . X . .
  . .(X).
  . . . ."""


def start(size: int = 4) -> Start:
    go = get_game("go")
    return Start(go.new_state(size, size, go.rule_sets["tromp-taylor"], 7.0))


@pytest.mark.parametrize(("row", "column", "wanted"), ROWS)
def test_a_cell_is_marked(row: str, column: int, wanted: str) -> None:
    assert marked(row, column) == wanted


def test_the_board_of_a_game() -> None:
    assert diagram(start(), [5, 0, 10], "a game") == BOARD
    assert diagram(start(), [], "a game").splitlines()[1] == "  . . . ."
    assert "(" not in diagram(start(), [16], "a game"), "a pass is no cell"


def test_pictures_are_left_now_and_then_and_shown_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "BOARD_EVERY", 0.0)
    with opened(tmp_path, "x", made_up_run.config()) as run:
        out = io.StringIO()
        told = Progress(run, Live(out), is_watched=True)
        told.doing("games", 0, 1)
        window = Window(str(board_path(run)), 7)
        window.show(start(), [5])
        assert not board_path(run).exists(), "too soon"
        monkeypatch.setattr(watch, "EVERY", 0.0)
        window.show(start(), [5])
        told.doing("games", 0, 1)
        told.doing("games", 0, 1)
        assert out.getvalue().count("a game of generation 7, move 1\n  . . . .\n  .(X). .") == 1
        assert not list((tmp_path / "drafts").iterdir())
