"""The real `tengen nboard`: transcripts, a ping that comes while it thinks, how it starts, leaves, and stays small."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from nboard_client import Process, ggf
from transcripts import replay

DATA = Path(__file__).parent.parent / "data" / "nboard"
COMMAND = [sys.executable, "-m", "tengen.tools", "nboard"]
HEAVY = ("numpy", "sgfmill", "rich", "torch", "cv2", "openvino", "chess", "gymnasium", "matplotlib", "multiprocessing")


@pytest.mark.parametrize("name", sorted(path.stem for path in DATA.glob("*.transcript")))
def test_transcript(name: str) -> None:
    with Process("--seed", "1", "--threads", "1") as talk:
        replay(talk, DATA / f"{name}.transcript", blanks_count=True)


@pytest.mark.timing
@pytest.mark.parametrize("busy", ["go", "hint 4", "analyze"])
def test_a_ping_is_answered_while_it_thinks(busy: str) -> None:
    """Each `go` is answered, and nothing of the old search comes after the pong."""
    late = []
    with Process("--threads", "1") as talk:
        talk.send(f"nboard 2\nset depth 40\n{ggf('F5 D6 C3', time='60:00')}\nping 1")
        talk.until("pong 1")
        for number in range(2, 9):
            talk.send(busy)
            time.sleep(0.1)
            start = time.monotonic()
            talk.send(f"ping {number}")
            got = talk.until("pong")
            late.append(time.monotonic() - start)
            assert got[-1] == f"pong {number}"
            assert sum(line.startswith("=== ") for line in got) == (busy == "go")
            if busy != "analyze":
                assert any(line.startswith("search ") for line in got)
        time.sleep(0.1)
        assert talk.lines.empty()
    assert sorted(late)[len(late) // 2] < 0.1 and max(late) < 0.3


def test_a_ping_in_the_same_breath_still_leaves_an_answer() -> None:
    with Process("--threads", "1") as talk:
        talk.send("set depth 40\nhint 2\nping 1\ngo\nping 2")
        got = talk.until("pong 1")
        assert sum(line.startswith("search ") for line in got) >= 2
        got = talk.until("pong 2")
        assert sum(line.startswith("=== ") for line in got) == 1


@pytest.mark.timing
def test_the_next_request_ends_a_hint_but_no_go() -> None:
    with Process("--threads", "1", "--time", "0.5") as talk:
        talk.send("set depth 40\nping 1")
        talk.until("pong")
        start = time.monotonic()
        talk.send("hint 1\nhint 2\nF5\nhint 3\nmove D6\ngo\nmove C3")
        talk.until("===")
        assert 0.35 < time.monotonic() - start < 1.5


def test_carriage_returns_and_broken_lines() -> None:
    with Process("--threads", "1") as talk:
        talk.stdin.write(b"nboard 2\r\nset depth 1\r\nmove F5\r\nmo")
        talk.stdin.flush()
        time.sleep(0.05)
        talk.stdin.write(b"ve D6\r\n\r\n\xff\xfe\x00garbage\r\nping 9\r\n")
        talk.stdin.flush()
        assert [talk.line() for _ in range(3)] == ["set myname Tengen", "set myname Tengen1", "pong 9"]


def test_garbage_is_ignored_and_the_engine_lives() -> None:
    rng = random.Random(4)
    with Process("--threads", "1") as talk:
        for _ in range(300):
            talk.stdin.write(bytes(rng.randrange(256) for _ in range(rng.randrange(90))) + b"\n")
        talk.send("\nping 77")
        assert talk.until("pong 77")[-1] == "pong 77"


@pytest.mark.timing
@pytest.mark.parametrize(
    "busy, leave", [("ping 1", ""), *((busy, "quit") for busy in ("ping 1", "go", "hint 2", "analyze"))]
)
def test_leaving(busy: str, leave: str) -> None:
    """What is finished at the end of input: test_end_of_input.py."""
    with Process("--threads", "1") as talk:
        talk.send(f"set depth 40\n{ggf('F5 D6', time='60:00')}\nping 1")
        talk.until("pong")
        talk.send(busy)
        time.sleep(0.2)
        start = time.monotonic()
        if leave:
            talk.send(leave)
        else:
            talk.stdin.close()
        assert talk.process.wait(5) == 0
        assert time.monotonic() - start < 1.0
        assert talk.process.stderr.read() == b""


def test_a_script_is_read_to_its_end(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("nboard 2\nset depth 10\nhint 1\nping 1\nanalyze\nping 2")
    with open(script, "rb") as stdin:
        done = subprocess.run(COMMAND, stdin=stdin, capture_output=True, text=True, timeout=30, check=True)
    assert "\nanalysis 0 " in done.stdout and done.stdout.endswith("pong 2\n") and done.stderr == ""


def test_a_whole_game_against_itself() -> None:
    """By the protocol alone, every answer played with the time that it names."""
    with Process("--threads", "1") as talk:
        talk.send("nboard 2\nset depth 1\n" + ggf(time="0:30") + "\nping 1")
        talk.until("pong 1")
        passes = moves = 0
        while passes < 2 and moves < 130:
            talk.send("go")
            word, _, rest = talk.until("=== ")[-1].removeprefix("=== ").partition("/")
            passes = passes + 1 if word == "PA" else 0
            moves += 1
            if passes < 2:
                talk.send(f"move {word}/{rest}")
        talk.send("ping 2")
        got = talk.until("pong 2")
        assert all("PA is illegal" in line for line in got[:-1]) and moves >= 10


@pytest.mark.memory
def test_it_stays_below_100_mb() -> None:
    status = Path("/proc/self/status")
    if not status.exists():
        pytest.skip("no /proc")
    with Process("--time", "1.5") as talk:
        talk.send("nboard 2\nset depth 40\ngo")
        talk.until("===")
        rows = Path(f"/proc/{talk.process.pid}/status").read_text().splitlines()
        peak = next(int(row.split()[1]) for row in rows if row.startswith("VmHWM:"))
    assert peak < 100_000


@pytest.mark.timing
def test_the_first_answer_comes_soon() -> None:
    walls = []
    for _ in range(5):
        start = time.perf_counter()
        with Process() as talk:
            talk.send("nboard 2")
            assert talk.line() == "set myname Tengen"
            walls.append(time.perf_counter() - start)
    busy = max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1)) if hasattr(os, "getloadavg") else 1.0
    assert sorted(walls)[2] <= 0.3 * busy


def test_heavy_packages_stay_unloaded() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *COMMAND[1:]], capture_output=True, text=True, check=True, timeout=30,
        input="nboard 2\nset depth 2\n" + ggf("F5") + "\ngo\nquit\n",
    )  # fmt: skip
    loaded = {line.rpartition("|")[2].strip().split(".")[0] for line in done.stderr.splitlines() if "|" in line}
    assert "tengen" in loaded and not loaded & set(HEAVY)


@pytest.mark.parametrize("words, sentence", [
    (["--game", "go"], "NBoard plays reversi"),
    (["--player", "nobody"], "unknown player"),
    (["--log", "/nonexistent/folder/log"], "cannot write the log"),
])  # fmt: skip
def test_a_mistake_in_the_options_is_one_sentence(words: list[str], sentence: str, called: Callable[..., Any]) -> None:
    done = called("nboard", *words)
    assert done.returncode == 2 and done.stdout == ""
    assert sentence in done.stderr and len(done.stderr.splitlines()) == 1


def test_the_memory_is_the_users_when_named(tmp_path: Path) -> None:
    from argparse import Namespace

    from tengen.engine.config import Config
    from tengen.tools import options

    base = Config(game="reversi", memory=options.SMALL_MEMORY)
    file = tmp_path / "tengen.toml"
    file.write_text("memory = 300\n")
    assert options.config_from(Namespace(), base).memory == options.SMALL_MEMORY
    assert options.config_from(Namespace(config=str(file)), base).memory == 300
    assert options.config_from(Namespace(config=str(file), memory="200"), base).memory == 200
