"""Progress of long commands: on stderr, a changing line on a terminal, plain lines elsewhere; stdout holds results."""

from __future__ import annotations

import io
import json
import os
import re
import select
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from rich.cells import cell_len

from tengen.tools import live
from tengen.tools.live import Live, Pace, fitted, wrapped

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


PARTS = [
    "[####................] 12/100",
    "日本語のエンジン 6/12 0.500",
    "Elo +0 [-100, +100]",
    "LLR 0.12 [-2.94, 2.94]",
    "ETA 0:12:05",
]


@pytest.mark.parametrize("columns", [1, 2, 5, 12, 30, 45, 60, 80, 119, 200])
def test_parts_that_do_not_fit_are_left_out(columns: int) -> None:
    text = fitted(PARTS, columns, "  ")
    assert cell_len(text) <= columns
    if columns >= 45:
        assert text.startswith(PARTS[0]) and text.endswith(PARTS[-1])
    if columns >= 119:
        assert text == "  ".join(PARTS)
    assert (
        cell_len(fitted(["本" * 100], columns)) <= columns
        and cell_len(fitted(["a" * 300, "b" * 300], columns)) <= columns
    )


def test_lines_that_stay_are_broken_between_words() -> None:
    path = "/" + "long/" * 20
    assert wrapped(f"one two three {path} four", 10).split("\n") == ["one two", "three", path, "four"]
    assert wrapped("  1 2\n  日本 日本", 8) == "  1 2\n  日本\n日本"


SCRIPT = """
import sys, time
from tengen.tools.live import Live, bar
with Live() as live:
    for done in range(6):
        live.update([f"{bar(done, 6)} games", "a name of fifty letters, or what is as wide as fifty", "x" * 90, "ETA 0:00:09"])
        if done == 3:
            live.line("a line that stays and that is wider than a narrow terminal, which breaks it between its words alone")
            live.row(["  4/6 +0.5", *(f"option{number} {number}" for number in range(20))])
        time.sleep(float(sys.argv[1]))
print("done")
"""


@contextmanager
def on_a_terminal(words: list[str], columns: int, **environment: str) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    import pty

    controller, terminal = pty.openpty()
    size(controller, columns)
    try:
        with subprocess.Popen(
            [sys.executable, *words], stdin=terminal, stdout=terminal, stderr=terminal, env={**os.environ, "TERM": "xterm", **environment}
        ) as process:  # fmt: skip
            os.close(terminal)
            yield controller, process
    finally:
        os.close(controller)


def size(terminal: int, columns: int) -> None:
    import fcntl
    import termios

    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))


def heard(terminal: int, seconds: float = 60.0) -> str:
    """All that comes until the other end closes, or for so long."""
    data, end = b"", time.monotonic() + seconds
    while time.monotonic() < end and select.select([terminal], [], [], max(0.0, end - time.monotonic()))[0]:
        try:
            part = os.read(terminal, 1 << 16)
        except OSError:  # Linux: nobody has it open any more
            break
        if not part:
            break
        data += part
    return data.decode()


def widths(text: str) -> list[int]:
    return [cell_len(re.sub(r"\x1b\[[0-9]*[A-Za-z]", "", part)) for part in re.split(r"[\r\n]+", text)]


@pytest.mark.skipif(os.name == "nt", reason="pty")
@pytest.mark.parametrize("columns", [20, 60, 80, 200])
def test_nothing_is_wider_than_the_terminal(columns: int) -> None:
    with on_a_terminal(["-c", SCRIPT, "0.01"], columns) as (terminal, process):
        text = heard(terminal)
        assert process.wait(20) == 0
    assert max(widths(text)) <= columns and text.endswith("\r\x1b[Kdone\r\n")
    assert text.count("\n") == 3 + sum(
        len(wrapped(line, columns).split("\n")) - 1 for line in re.findall('line\\("(.*)"\\)', SCRIPT)
    )
    assert "ETA 0:00:09" in text or columns < 60


@pytest.mark.skipif(os.name == "nt", reason="pty")
@pytest.mark.parametrize("term", ["xterm", "linux"])
def test_a_terminal_that_becomes_narrower_gets_a_shorter_line(term: str) -> None:
    """The rows that a broken line takes are cleared where the terminal breaks lines anew."""
    with on_a_terminal(["-c", SCRIPT, "2"], 200, TERM=term, TMUX="", XTERM_VERSION="") as (terminal, process):
        first = heard(terminal, 1.5)
        size(terminal, 50)
        second = heard(terminal, 1.2)
        process.kill()
    assert max(widths(first)) > 100 and 0 < max(widths(second)) < 50
    assert ("\x1b[3A\r\x1b[J" in second or "\x1b[2A\r\x1b[J" in second) == (term == "xterm")


@pytest.mark.skipif(os.name == "nt", reason="pty")
@pytest.mark.parametrize(
    ("name", "value", "changes"), [("TERM", "dumb", False), ("TERM", "unknown", False), ("NO_COLOR", "1", True)]
)
def test_plain_terminals_get_plain_lines(name: str, value: str, changes: bool) -> None:
    with on_a_terminal(["-c", SCRIPT, "0.01"], 80, **{name: value}) as (terminal, process):
        text = heard(terminal)
        assert process.wait(20) == 0
    assert ("\x1b[K" in text) == changes and not re.search(r"\x1b\[[0-9;]*m", text)


def test_something_is_said_while_nothing_changes() -> None:
    out = io.StringIO()
    with Live(out, pause=0.2, is_patient=True) as shown:
        shown.update(["counting", "depth 9"])
        assert out.getvalue() == ""
        time.sleep(1.1)
    lines = out.getvalue().splitlines()
    assert (
        2 <= len(lines) <= 6
        and lines[0] == "counting | depth 9"
        and re.fullmatch(r"counting \| depth 9 \(0:00:0\d so far\)", lines[1])
    )
    time.sleep(0.5)
    assert len(out.getvalue().splitlines()) == len(lines), "nothing more behind its end"


def test_what_nobody_can_read_ends_no_command(capsys: pytest.CaptureFixture[str]) -> None:
    out = Terminal()
    out.close()
    for shown in (Live(out), Live(pause=0)):
        shown.is_terminal = shown.is_terminal or out.closed
        shown.update("1")
        shown.line("2")
        shown.result("3")
        shown.clear()
    assert capsys.readouterr().out == "3\n3\n"


def test_controls_and_rows_stay_out_of_the_line() -> None:
    out = Terminal()
    with Live(out) as shown:
        shown.update(["a\nb", "c\x1b[31m"])
    assert "a?b | c?[31m" in out.getvalue()


def test_the_time_left_follows_the_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(live.time, "monotonic", lambda: now[0])
    pace = Pace(done=10)  # ten are from an earlier run
    assert pace.left(10, 30) == "?"
    now[0] += 60
    assert pace.left(12, 30) == "0:09:00" and pace.left(30, 30) == "0:00:00"


def test_bench_says_what_it_measures(tengen: Run) -> None:
    done = tengen("bench", "--json", "--seconds", "0.05")
    assert (
        set(json.loads(done.stdout)) == {"go9", "go19", "gomoku15", "reversi", "chess"} and done.stdout.count("\n") == 1
    )
    lines = done.stderr.splitlines()
    assert lines[0] == f"measuring go9 playouts (1 of {len(lines)}, 0.05 CPU s each)" and len(lines) >= 11


def test_tune_says_how_far_an_iteration_is(tengen: Run, tmp_path: Path) -> None:
    words = "--game reversi --player uct --options mcts.c --playouts 2 --games 8 --pairs 2 --verify 2".split()
    done = tengen("tune", *words, "--out", str(tmp_path / "x.toml"))
    assert done.returncode == 0 and "iteration 1/2: 0 of 4 games, ETA ?\n" in done.stderr
    assert "\x1b" not in done.stderr and "iteration" not in done.stdout
