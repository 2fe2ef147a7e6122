"""The real process with the real engine: transcripts, attaching like Sabaki, and how a conversation ends."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from gtp_client import Process, matches

DATA = Path(__file__).parent.parent / "data" / "gtp"
QUICK = "--time", "0.1", "--seed", "1", "--threads", "1", "--memory", "64"


@pytest.mark.parametrize("name", sorted(path.stem for path in DATA.glob("*.transcript")))
def test_transcript(name: str) -> None:
    """`> sent` and `< expected` lines; blank lines of the output are left out, `< ...` skips lines up to the next."""
    with Process(*QUICK) as talk:
        skipping = False
        for number, row in enumerate((DATA / f"{name}.transcript").read_text().splitlines(), 1):
            mark, text = row[:1], row[2:].rstrip()
            if mark == ">":
                talk.send(text)
            elif text == "...":
                skipping = True
            elif mark == "<":
                while True:
                    got = talk.line(15)
                    if got == "" or (skipping and got != "EOF" and not matches(text, got)):
                        continue
                    assert matches(text, got), f"line {number}: expected {text!r}, got {got!r}"
                    break
                skipping = False


def test_attach_like_sabaki_then_a_pipelined_game() -> None:
    moves = [f"play {'BW'[n % 2]} {'ABCDEFGHJ'[n % 9]}{1 + n // 9}" for n in range(40)]
    lines = ["name", "version", "protocol_version", "list_commands", "komi 0", "boardsize 9", "clear_board", *moves]
    with Process(*QUICK) as talk:
        talk.send("\r\n".join(lines), end="\r\n")
        assert [talk.take()[:1] for _ in lines] == ["="] * len(lines)


def test_nothing_is_lost_while_searching() -> None:
    with Process("--net", "none", "--time", "0.5", "--threads", "1") as talk:
        talk.send("boardsize 9\n1 genmove b\n" + "\n".join(f"{n} name" for n in range(2, 500)))
        talk.take()
        start = time.monotonic()
        assert talk.take().startswith("=1 ") and time.monotonic() - start > 0.3
        assert [talk.take() for _ in range(2, 500)] == [f"={n} Tengen" for n in range(2, 500)]


@pytest.mark.timing
def test_analysis_begins_and_ends_at_once() -> None:
    with Process("--net", "none", "--threads", "1") as talk:
        talk.ask("boardsize 9")
        first, ended = [], []
        for _ in range(5):
            start = time.monotonic()
            talk.send("lz-analyze b 50")
            talk.line()
            assert talk.line().startswith("info ")
            first.append(time.monotonic() - start)
            time.sleep(0.1)
            start = time.monotonic()
            talk.send("")
            while talk.line() != "":
                pass
            ended.append(time.monotonic() - start)
    assert sorted(first)[2] < 0.05 and sorted(ended)[2] < 0.03


@pytest.mark.timing
def test_the_interrupt_comment_ends_a_long_genmove() -> None:
    with Process("--net", "none", "--time", "60", "--threads", "1") as talk:
        talk.send("boardsize 9\ngenmove b\nversion")
        talk.take()
        time.sleep(0.3)
        assert talk.lines.empty()
        start = time.monotonic()
        talk.send("# interrupt")
        assert talk.take().startswith("= ") and time.monotonic() - start < 0.3


@pytest.mark.timing
@pytest.mark.parametrize("busy, leave, limit", [
    ("name", "quit", 3.0), ("genmove b", "quit", 3.0), ("lz-analyze b 10", "quit", 3.0), ("kata-genmove_analyze b 10", "quit", 3.0),
    ("name", "", 1.0), ("lz-analyze b 10", "", 1.0),
])  # fmt: skip
def test_leaving(busy: str, leave: str, limit: float) -> None:
    """What is finished at the end of input: test_end_of_input.py."""
    with Process("--net", "none", "--time", "60", "--threads", "1") as talk:
        talk.ask("boardsize 9")
        talk.send(busy)
        time.sleep(0.2)
        start = time.monotonic()
        if leave:
            talk.send(leave)
        else:
            talk.stdin.close()
        assert talk.process.wait(5) == 0
        assert time.monotonic() - start < limit
        assert talk.process.stderr.read() == b""


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_ctrl_c_ends_a_search_without_a_traceback() -> None:
    with Process("--net", "none", "--time", "60", "--threads", "1") as talk:
        talk.ask("boardsize 9")  # it has started
        talk.send("genmove b")
        time.sleep(0.2)
        talk.process.send_signal(signal.SIGINT)
        assert talk.process.wait(2) == -signal.SIGINT
        assert talk.process.stderr.read() == b""


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX shell")
@pytest.mark.parametrize("streams, status", [("<&-", 0), ("2>&-", 0), ("| head -c 1 >/dev/null", 0)])
def test_missing_streams(streams: str, status: int) -> None:
    command = f"{sys.executable} -m tengen.tools gtp {streams}"
    done = subprocess.run(["sh", "-c", command], input=b"name\n" * 9, capture_output=True, timeout=10)
    assert done.returncode == status and b"Traceback" not in done.stderr


def test_a_mistake_in_the_options_is_one_sentence_and_no_protocol() -> None:
    command = [sys.executable, "-m", "tengen.tools", "gtp", "--log", "/nonexistent/folder/log"]
    done = subprocess.run(command, input="name\n", capture_output=True, text=True, timeout=10)
    assert done.returncode == 2 and done.stdout == "" and len(done.stderr.splitlines()) == 1


def test_the_log_has_both_directions(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tengen.tools", "gtp", "--net", "none", "--log", str(tmp_path / "log")]
    subprocess.run(command, input="7 name\nquit\n", capture_output=True, text=True, timeout=10, check=True)
    assert {"> 7 name", "< =7 Tengen", "> quit"} <= set((tmp_path / "log").read_text().splitlines())


def test_refusals_agree_with_katago(shared: Callable[[str], Path]) -> None:
    """Every refusal in KataGo's own transcripts is one of ours, and no more, but for what it alone has.

    `play` is left out: an earlier move of ours, which a search chose, may be in its way.
    """
    folder = shared("data/go/katago_gtp")
    for name in ("handicap", "misc", "rules", "set_position", "set_boardsize_twice", "printsgf", "time"):
        expected = [
            row[0]
            for row in (folder / f"{name}.txt.expected_stdout").read_text().splitlines()
            if row[:1] in "=?" and row
        ]
        with open(folder / f"{name}.txt", "rb") as script:
            command = [sys.executable, "-m", "tengen.tools", "gtp", "--time", "0.01", "--rules", "tromp-taylor"]
            done = subprocess.run(command, stdin=script, capture_output=True, text=True, timeout=60)
        got = [row[0] for row in done.stdout.splitlines() if row[:1] in "=?" and row]
        sent = [row for row in (folder / f"{name}.txt").read_text().splitlines() if row]
        assert len(got) == len(expected) == len(sent)
        for line, ours, theirs in zip(sent, got, expected, strict=True):
            if not line.startswith(("kata-debug", "play")) and "delayMove" not in line:
                assert ours == theirs, f"{name}: {line}"
