"""A network that loads, or answers, slowly never keeps a controller waiting: moves come in time, and it may leave."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

import pytest
from checkout import needs_openvino
from katago_files import file_of, network

needs_openvino()

SLOW_LOADER = """
import sys, time
from tengen.engine.evaluators.katago import loading
from tengen.protocols import session
session.AFTERWARDS = 0.25
def slow(*words, **terms):
    time.sleep(60)
loading.load_for_play = slow
from tengen.tools.cli import main
sys.exit(main(sys.argv[1:]))
"""
"""The command, with a loading that is under way in one step for a minute, and little time after the end of input."""
LATE_LOADER = """
import sys, time
from tengen.engine.evaluators.katago import loading
known = loading.load_for_play
def late(*words, **terms):
    time.sleep(0.4)
    return known(*words, **terms)
loading.load_for_play = late
from tengen.tools.cli import main
sys.exit(main(sys.argv[1:]))
"""
"""The command, with a network that is there a little later."""
SLOW_NETWORK = """
import sys, time
from tengen.engine.evaluators.katago.evaluator import KataGoEvaluator
from tengen.protocols import session
session.AFTERWARDS = 0.25
known = KataGoEvaluator.submit
def slow(*words, **terms):
    time.sleep(60)
KataGoEvaluator.submit = slow
from tengen.tools.cli import main
sys.exit(main(sys.argv[1:]))
"""
"""The same with a network that takes a minute for an answer."""


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("nets") / "tiny.bin.gz"
    path.write_bytes(file_of(network(("ordinary",), 15)))
    return path


@pytest.fixture
def engine(tiny: Path) -> Callable[..., subprocess.Popen[str]]:
    def start(code: str, *words: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", code, "gtp", "--net", str(tiny), "--precision", "f32", "--threads", "1", *words],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1,
        )  # fmt: skip

    return start


def pipes(process: subprocess.Popen[str]) -> tuple[IO[str], IO[str], IO[str]]:
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    return process.stdin, process.stdout, process.stderr


def answer(stdout: IO[str]) -> str:
    lines = [stdout.readline()]
    while lines[-1].strip():
        lines.append(stdout.readline())
    return "".join(lines).strip()


# What it is doing when the controller leaves -> the words of its command line, what is sent.
BUSY = {
    "loading": (SLOW_LOADER, [], ""),
    "a move while it loads": (SLOW_LOADER, ["--time", "30"], "genmove b\n"),
    "a counted move while it loads": (SLOW_LOADER, ["--playouts", "50"], "genmove b\n"),
    "an analysis while it loads": (SLOW_LOADER, [], "kata-analyze b 50\n"),
    "kata-raw-nn while it loads": (SLOW_LOADER, [], "kata-raw-nn 0\n"),
    "kata-raw-nn of a slow network": (SLOW_NETWORK, [], "kata-raw-nn 0\n"),
    "a move by a slow network": (SLOW_NETWORK, ["--playouts", "50"], "genmove b\n"),
    "a judgement beside it": (SLOW_NETWORK, [], "final_score\n"),
}


@pytest.mark.timing
@pytest.mark.parametrize("words", ["quit\n", ""], ids=["quit", "end of input"])
@pytest.mark.parametrize("doing", BUSY)
def test_leaving_takes_no_second(doing: str, words: str, engine: Callable[..., subprocess.Popen[str]]) -> None:
    code, options, sent = BUSY[doing]
    with engine(code, *options) as process:
        stdin, stdout, stderr = pipes(process)
        stdin.write("boardsize 9\n")
        assert answer(stdout) == "="
        stdin.write(sent)
        time.sleep(0.4)
        started = time.monotonic()
        stdin.write(words)
        stdin.close()
        assert process.wait(20) == 0
        assert time.monotonic() - started < 1.0
        assert "Traceback" not in stderr.read()
        if sent.startswith("genmove"):
            assert answer(stdout)[:2] == "= "


@pytest.mark.timing
def test_moves_come_in_time_while_it_loads(engine: Callable[..., subprocess.Popen[str]]) -> None:
    with engine(SLOW_LOADER) as process:
        stdin, stdout, _ = pipes(process)
        stdin.write("boardsize 9\ntime_settings 6 0 0\n")
        assert [answer(stdout) for _ in range(2)] == ["=", "="]
        started = time.monotonic()
        for colour in "bwbwbw":
            stdin.write(f"genmove {colour}\n")
            assert len(answer(stdout)) >= 4
        assert time.monotonic() - started < 4
        stdin.write("quit\n")


@pytest.mark.parametrize(
    "sent",
    [
        "kata-analyze b 50",
        "genmove b",
        "boardsize 9",
        *(pytest.param(sent, marks=pytest.mark.slow) for sent in ("boardsize 9\nlz-analyze 50", "clear_board")),
    ],
)
def test_a_network_that_arrives_is_named_then(sent: str, engine: Callable[..., subprocess.Popen[str]]) -> None:
    """Nothing more is sent; a move lasts until it is interrupted."""
    with engine(LATE_LOADER, "--time", "30") as process:
        stdin, stdout, stderr = pipes(process)
        stdin.write(f"{sent}\n")
        said: list[str] = []
        reader = threading.Thread(target=lambda: said.append(stderr.readline()), daemon=True)
        reader.start()
        reader.join(20)
        assert said == ["Tengen: the network 'tiny.bin.gz' (tiny-net), named, in f32\n"]
        stdin.write("# interrupt\nquit\n")
        assert process.wait(20) == 0 and stderr.read() == "" and stdout.read()


def test_who_plays_instead_of_a_bad_network_is_told_once(
    tiny: Path, tmp_path: Path, tengen: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    path = tmp_path / "cut.bin.gz"
    path.write_bytes(tiny.read_bytes()[:-2000])
    done = tengen(
        "gtp",
        "--net",
        str(path),
        "--playouts",
        "20",
        "--threads",
        "1",
        script="boardsize 5\ngenmove b\nclear_board\ngenmove b\nquit\n",
    )
    assert "?" not in done.stdout and done.stderr == (
        "Tengen: the network 'cut.bin.gz' cannot be used: it is cut short; fetch it again: a KataGo network (.bin.gz) that is complete; uct plays\n"
    )


def found(folder: Path) -> dict[str, str]:

    return {**os.environ, "TENGEN_NETWORKS": str(folder)}


# The options -> what is said on stderr, where a network lies in a place that is looked into.
SAID = [
    ([], "Tengen: the network 'tiny.bin.gz' (tiny-net), found in Tengen's folder, in f32\n"),
    (["--net", "auto"], "Tengen: the network 'tiny.bin.gz' (tiny-net), found in Tengen's folder, in f32\n"),
    (["--player", "puct"], "Tengen: the network 'tiny.bin.gz' (tiny-net), found in Tengen's folder, in f32\n"),
    (["--net", "none"], ""),
    (["--player", "uct"], ""),
    (["--set", "mcts.c=0.5"], ""),
    (["--game", "reversi"], ""),
]


@pytest.mark.parametrize(("options", "says"), SAID)
def test_a_network_that_is_found_plays(options: list[str], says: str, tiny: Path, tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text(f"boardsize {8 if 'reversi' in options else 5}\ngenmove b\nquit\n")
    for folder, expected in [(tiny.parent, says), *([(tmp_path, NOTHING)] if says else [])]:
        with script.open() as lines:
            done = subprocess.run(
                [sys.executable, "-m", "tengen.tools", "gtp", "--precision", "f32", "--playouts", "20", "--threads", "1", *options],
                stdin=lines, capture_output=True, text=True, timeout=60, env=found(folder),
            )  # fmt: skip
        assert done.returncode == 0 and "?" not in done.stdout and done.stderr == expected


NOTHING = "Tengen: no network for boards of 5x5 was found on this machine ('tengen net get' fetches one); uct plays\n"


WITHIN = """
import sys
from tengen.engine.evaluators.background import loading_of
loading_of(sys.argv[1], wish="f32").get()
from tengen.tools.cli import main
code = main(["gtp", "--log", "nowhere/log"])
print("went on after", code)
"""
"""A program that has a network of its own and calls the command."""


def test_a_program_that_calls_the_command_goes_on(tiny: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHIN, str(tiny)], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert done.stdout == "went on after 2\n" and "cannot write the log" in done.stderr
