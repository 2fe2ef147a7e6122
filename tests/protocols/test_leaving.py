"""How the front ends leave: with the right exit code, whatever begins or runs just then, also on a busy machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from analysis_client import query
from checkout import needs_openvino
from katago_files import file_of, network

COMMAND = [sys.executable, "-m", "tengen.tools"]
RUNS = int(os.environ.get("TENGEN_LEAVING_RUNS", "48"))
"""Of the busy machine, three a race; the release figure is taken with 200."""
SPINNERS = 3
# front end, options, what is sent in one go
RACES = [
    ("uci", (), "uci\ngo depth 4\nquit\n"),
    ("uci", (), "go depth 1\nquit\n"),
    ("uci", (), "go infinite\nquit\n"),
    ("uci", (), "go depth 9\nstop\ngo movetime 50\nquit\n"),
    ("uci", (), "go perft 6\nquit\n"),
    ("uci", (), "bench 20\nquit\n"),
    ("uci", (), "go nodes 2000\n"),
    ("xboard", (), "protover 2\nsd 4\ngo\nquit\n"),
    ("xboard", (), "hard\nsd 4\ngo\nusermove a7a6\nquit\n"),
    ("xboard", (), "analyze\nquit\n"),
    ("xboard", (), "st 0.1\ngo\n"),
    ("gtp", ("--net", "none", "--playouts", "50"), "boardsize 9\ngenmove b\nquit\n"),
    ("gtp", ("--net", "none"), "boardsize 9\nkata-analyze b 1\nquit\n"),
    ("gtp", ("--net", "none"), "boardsize 9\nlz-analyze b 1\n"),
    ("gomocup", (), "START 15\nINFO timeout_turn 50\nBEGIN\nEND\n"),
    ("gomocup", (), "START 15\nINFO pondering 1\nINFO timeout_turn 50\nBEGIN\n"),
    ("nboard", (), "nboard 2\nset depth 4\ngo\nquit\n"),
    ("nboard", (), "set depth 4\nhint 3\n"),
    ("analysis", (), json.dumps(query("a", maxVisits=500)) + "\nquit\n"),
    ("analysis", (), "quit\n"),
]  # fmt: skip
HURRIED = """
import sys
from tengen.protocols.chess import conversation
conversation.LEAVING = conversation.LAST_WORDS = 0.0
from tengen.tools.cli import main
sys.exit(main(["uci"]))
"""
"""`tengen uci`, which waits for no search."""


@pytest.fixture
def busy_processor() -> Iterator[None]:
    """One processor for all that this test begins, with others at work on it."""
    if not hasattr(os, "sched_setaffinity"):
        pytest.skip("processes cannot be kept to one processor")
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    spinners = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(SPINNERS)]
    yield
    for spinner in spinners:
        spinner.kill()
        spinner.wait()
    os.sched_setaffinity(0, before)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("nets") / "tiny.bin.gz"
    path.write_bytes(file_of(network(("ordinary",), 15)))
    return path


def test_a_search_that_nobody_waits_for_takes_nothing_along() -> None:
    """The interpreter ended around it, and the process by SIGABRT: in every third run."""
    codes = [
        subprocess.run(
            [sys.executable, "-c", HURRIED], input="go depth 9\nquit\n", capture_output=True, text=True
        ).returncode
        for _ in range(12)
    ]
    assert codes == [0] * 12


@pytest.mark.slow
def test_leaving_on_a_busy_machine(busy_processor: None, model: Path) -> None:
    needs_openvino()
    for run in range(RUNS):
        front_end, words, send = RACES[run % len(RACES)]
        words = ("-model", str(model), "--precision", "f32") if front_end == "analysis" else ("--threads", "1", *words)
        done = subprocess.run([*COMMAND, front_end, *words], input=send, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0 and "terminate" not in done.stderr, (send, done.returncode, done.stderr)


HELLO = {
    "uci": "isready\n", "xboard": "ping 1\n", "gtp": "name\n", "gomocup": "ABOUT\n", "nboard": "nboard 2\n",
    "analysis": json.dumps({"id": "v", "action": "query_version"}) + "\n",
}  # fmt: skip


@pytest.mark.timing
@pytest.mark.parametrize(
    ("front_end", "words", "send"), [race for race in RACES if race[2].endswith(("quit\n", "END\n"))]
)
def test_it_is_gone_a_second_after_quit(front_end: str, words: tuple[str, ...], send: str, model: Path) -> None:
    """Once it has started, also where `quit` comes while a search begins."""
    if front_end == "analysis":
        needs_openvino()
        words = ("-model", str(model), "--precision", "f32")
    command = [*COMMAND, front_end, *words]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin and process.stdout
        process.stdin.write(HELLO[front_end].encode())
        process.stdin.flush()
        assert process.stdout.readline()
        begun = time.monotonic()
        process.stdin.write(send.encode())
        process.stdin.flush()
        assert process.wait(10) == 0 and time.monotonic() - begun < 1.0


@pytest.mark.parametrize(("front_end", "words", "code"), [
    ("uci", ("--log", "/nonexistent/folder/log"), 2),
    ("xboard", ("--log", "/nonexistent/folder/log"), 2),
    ("gtp", ("--log", "/nonexistent/folder/log"), 2),
    ("analysis", ("--log", "/nonexistent/folder/log"), 2),
    ("nboard", ("--player", "nobody"), 2),
    ("gomocup", (), 0),
])  # fmt: skip
def test_exit_codes(front_end: str, words: tuple[str, ...], code: int, model: Path) -> None:
    needs_openvino()
    more = ("-model", str(model)) if front_end == "analysis" else ()
    done = subprocess.run([*COMMAND, front_end, *more, *words], input="", capture_output=True, text=True, timeout=30)
    assert done.returncode == code and done.stdout == ""
