"""Progress of long commands: on stderr, a changing line on a terminal, plain lines elsewhere; stdout holds results."""

from __future__ import annotations

import io
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tengen.tools import live
from tengen.tools.live import Live, Pace

Run = Callable[..., "subprocess.CompletedProcess[str]"]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("out", "text"),
    [
        (Terminal(), "\r\x1b[K1\r\x1b[K2\r\x1b[Kstays\n\r\x1b[K2\r\x1b[K3\r\x1b[K"),
        (io.StringIO(), "1\nstays\n3\n"),  # the second came too soon; the last one is always said
    ],
)
def test_a_line_changes_on_a_terminal_only(out: io.StringIO, text: str) -> None:
    shown = Live(out)
    shown.update("1")
    shown.update("2")
    shown.line("stays")
    shown.update("3", is_last=True)
    shown.clear()
    assert out.getvalue() == text


def test_the_time_left_follows_the_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(live.time, "monotonic", lambda: now[0])
    pace = Pace(done=10)  # ten are from an earlier run
    assert pace.left(10, 30) == "?"
    now[0] += 60
    assert pace.left(12, 30) == "0:09:00" and pace.left(30, 30) == "0:00:00"


def test_bench_says_what_it_measures(tengen: Run) -> None:
    done = tengen("bench", "--json", "--seconds", "0.05")
    assert set(json.loads(done.stdout)) == {"go9", "go19", "gomoku15", "reversi", "chess"} and done.stdout.count("\n") == 1
    lines = done.stderr.splitlines()
    assert lines[0] == f"measuring go9 playouts (1 of {len(lines)}, 0.05 CPU s each)" and len(lines) >= 11


def test_tune_says_how_far_an_iteration_is(tengen: Run, tmp_path: Path) -> None:
    words = "--game reversi --player uct --options mcts.c --playouts 2 --games 8 --pairs 2 --verify 2".split()
    done = tengen("tune", *words, "--out", str(tmp_path / "x.toml"))
    assert done.returncode == 0 and "iteration 1/2: 0 of 4 games, ETA ?\n" in done.stderr
    assert "\x1b" not in done.stderr and "iteration" not in done.stdout
