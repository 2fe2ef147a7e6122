"""What was sent before the end of input is done, by every front end; nothing that has no end, and nothing for nobody."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from analysis_client import query
from busy_machine import without_remarks
from checkout import needs_openvino
from katago_files import file_of, network

COMMAND = [sys.executable, "-m", "tengen.tools"]
QUIET = "--threads", "1", "--seed", "1"


def say(front_end: str, send: str, *words: str, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    """All lines, then the end of input."""
    return subprocess.run([*COMMAND, front_end, *words], input=send, capture_output=True, text=True, timeout=timeout)


# front end, options, lines -> what is on the last lines, and seconds that this takes at least
FINISHED = [
    ("uci", (), "position startpos\ngo depth 9\n", r"depth 9 .*\nbestmove \w+", 0.0),
    ("uci", (), "go depth 8\nposition startpos moves e2e4\ngo depth 7\n", r"depth 8 (.*\n)*bestmove (.*\n)*.*depth 7 .*\nbestmove \w+", 0.0),
    ("uci", (), "go movetime 400\n", r"bestmove \w+", 0.35),
    ("uci", (), "go wtime 16000 btime 16000\nisready\n", r"readyok\n(.*\n)*bestmove \w+", 0.0),
    ("uci", (), "bench 5\n", r"Nodes searched  : \d+", 0.0),
    ("uci", (), "go perft 4\n", r"Nodes searched: 197281", 0.0),
    ("uci", (), "setoption name Nodes value 20000\ngo\n", r"nodes 20000 .*\nbestmove", 0.0),
    ("uci", (), "go nodes 40000\nstop\n", "bestmove", 0.0),
    ("xboard", (), "protover 2\nst 0.5\ngo\n", r"move \w+", 0.35),
    ("xboard", (), "post\nsd 8\ngo\nusermove a7a6\nusermove a7a5\nping 1", r"8 .*\nmove \w+\n(.*\n)*move \w+\npong 1", 0.0),
    ("xboard", ("--ponder",), "level 0 0:16 0\ngo\nping 2\n", r"move \w+\npong 2", 0.0),
    ("gtp", ("--net", "none", "--time", "0.4"), "boardsize 9\ngenmove b\ngenmove w\n", r"= [A-J]\d\n\n= [A-J]\d", 0.7),
    ("gtp", ("--net", "none", "--time", "0.4"), "boardsize 9\nkata-genmove_analyze b 10\nname", r"play [A-J]\d\n\n= Tengen", 0.35),
    ("gtp", ("--net", "none", "--time", "0.4"), "boardsize 9\nkata-search_cancellable b", r"= [A-J]\d", 0.35),
    ("gtp", ("--net", "none"), "boardsize 9\ntime_settings 15 0 0\ngenmove b\n", r"= [A-J]\d", 0.4),
    ("gomocup", (), "START 15\nINFO timeout_turn 1200\nBEGIN\n", r"OK\n\d+,\d+", 0.5),
    ("gomocup", (), "START 15\nINFO timeout_turn 1200\nBOARD\n7,7,1\n8,8,2\nDONE\nABOUT", r"OK\n\d+,\d+\nname=", 0.5),
    ("nboard", ("--time", "0.4"), "nboard 2\ngo\nping 1", "=== ", 0.0),
    ("nboard", ("--time", "0.4"), "nboard 2\nset depth 60\ngo\n", r"=== \w\d", 0.35),
    ("nboard", ("--time", "0.4"), "set depth 40\nhint 3\n", r"search .*\n(.*\n)*status", 0.35),
]  # fmt: skip


@pytest.mark.parametrize(("front_end", "words", "send", "pattern", "least"), FINISHED)
def test_bounded_searches_are_finished(
    front_end: str, words: tuple[str, ...], send: str, pattern: str, least: float
) -> None:
    begun = time.monotonic()
    done = say(front_end, send, *QUIET, *words)
    assert (done.returncode, without_remarks(done.stderr)) == (0, "")
    assert re.search(pattern, done.stdout), done.stdout[-600:]
    assert least < time.monotonic() - begun < 30


@pytest.mark.timing
@pytest.mark.parametrize(("front_end", "send", "answer"), [
    ("uci", "go infinite\n", "bestmove"),
    ("uci", "go ponder wtime 9000 btime 9000\n", "bestmove"),
    ("uci", "go infinite depth 60\n", "bestmove"),
    ("uci", "go\n", "bestmove"),
    ("xboard", "protover 2\npost\nanalyze\n", "feature"),
    ("gtp", "boardsize 9\nlz-analyze b 10\n", "="),
    ("gtp", "boardsize 9\nkata-analyze b 10\n", "="),
])  # fmt: skip
def test_what_has_no_end_ends_at_once(front_end: str, send: str, answer: str) -> None:
    words = ("--net", "none") if front_end == "gtp" else ()
    assert say(front_end, send, *QUIET, *words, timeout=5).stdout.count(answer) >= 1


# front end, its options, a search of a minute, the first answer
ENDLESS = [
    ("gtp", ("--net", "none", "--time", "60"), "boardsize 9\n\nname\n", "genmove b\n"),
    ("gtp", ("--net", "none", "--time", "60"), "boardsize 9\n\nname\n", "genmove b\ngenmove w\nfinal_score\ngenmove b\n"),
    ("gomocup", (), "START 15\nINFO timeout_turn 60000\n", "BEGIN\n"),
    ("nboard", ("--time", "60"), "nboard 2\nset depth 60\n", "go\n"),
    ("nboard", ("--time", "60"), "nboard 2\nset depth 60\n", "hint 4\n"),
    ("uci", (), "isready\n", "go movetime 60000\n"),
    ("uci", (), "isready\n", "go depth 60\nposition startpos\ngo depth 60\n"),
    ("xboard", (), "st 60\nping 1\n", "go\n"),
    ("xboard", (), "sd 90\nping 1\n", "go\nping 2\nusermove a7a6\n"),
    ("uci", (), "isready\n", "bench 40\n"),
    ("uci", (), "isready\n", "go perft 9\n"),
]  # fmt: skip


@pytest.mark.timing
@pytest.mark.parametrize("leave", ["nobody reads", "quit"])
@pytest.mark.parametrize(("front_end", "words", "hello", "busy"), ENDLESS)
def test_nobody_is_waited_for(front_end: str, words: tuple[str, ...], hello: str, busy: str, leave: str) -> None:
    """A controller that is gone closes both pipes; one that wants to leave says so."""
    command = [*COMMAND, front_end, *QUIET, *words]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    ) as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdin.write(hello.encode())
        assert process.stdout.readline()
        process.stdin.write(busy.encode())
        time.sleep(0.2)
        if leave == "quit":
            process.stdin.write(b"END\n" if front_end == "gomocup" else b"quit\n")
        begun = time.monotonic()
        process.stdin.close()
        if leave == "nobody reads":
            process.stdout.close()
        assert process.wait(10) == 0
        assert time.monotonic() - begun < 1.0
        assert process.stderr.read() == b""


ANSWERS = {
    "gtp": r"^= \S+\n\n",
    "gomocup": r"^\d+,\d+$",
    "nboard": r"^(===|search) ",
    "xboard": r"^(move|pong|Illegal move)",
    "uci": r"^(bestmove|Nodes searched|info string bench was ended)",
}


@pytest.mark.slow
@pytest.mark.timing
def test_half_a_minute_is_all() -> None:
    """A reader who waits gets an answer for each question; all programs at once, for each takes its half a minute."""
    with ThreadPoolExecutor(len(ENDLESS)) as readers:
        for front_end, busy, answered, spent in readers.map(half_a_minute, ENDLESS):
            assert 27 < spent < 30, (front_end, busy, spent)
            asked = busy.count("\n") - busy.count("position")
            assert len(re.findall(ANSWERS[front_end], answered, re.MULTILINE)) >= asked, (front_end, busy, answered)


def half_a_minute(row: tuple[str, tuple[str, ...], str, str]) -> tuple[str, str, str, float]:
    """A front end, what it was asked, what it answered, and the seconds from the end of its input to its own."""
    front_end, words, hello, busy = row
    command = [*COMMAND, front_end, *QUIET, *words]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as process:
        assert process.stdin and process.stdout
        process.stdin.write(hello)
        assert process.stdout.readline()
        begun = time.monotonic()
        answered = process.communicate(busy)[0]
        assert process.returncode == 0
    return front_end, busy, answered, time.monotonic() - begun


@pytest.mark.timing
def test_queries_are_answered(tmp_path: Path) -> None:
    """KataGo's analysis finishes its queue, and leaves within a second when nobody reads what it finds."""
    needs_openvino()
    model = tmp_path / "tiny.bin.gz"
    model.write_bytes(file_of(network(("ordinary",), 15)))
    words = ["-model", str(model), "--precision", "f32"]
    lines = "".join(json.dumps(query(f"q{number}", maxVisits=300)) + "\n" for number in range(5))
    done = say("analysis", lines, *words)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert sorted(one["id"] for one in found) == [f"q{number}" for number in range(5)]
    assert done.returncode == 0 and all(one["rootInfo"]["visits"] >= 300 for one in found)
    reading, writing = os.pipe()
    with subprocess.Popen(
        [*COMMAND, "analysis", *words], stdin=subprocess.PIPE, stdout=writing, stderr=subprocess.PIPE
    ) as process:
        os.close(writing)
        assert process.stdin and process.stderr
        process.stdin.write((json.dumps(query("endless", maxVisits=10**9)) + "\n").encode())
        process.stdin.flush()
        while b"Started" not in process.stderr.readline():
            pass
        process.stdin.close()
        os.close(reading)
        begun = time.monotonic()
        assert process.wait(10) == 0 and time.monotonic() - begun < 1.0
