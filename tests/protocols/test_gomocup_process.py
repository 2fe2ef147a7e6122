"""The real process with the real engine: transcripts as managers write them, starting, leaving, time and memory."""

from __future__ import annotations

import itertools
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from gomocup_client import Process, is_move

DATA = Path(__file__).parent.parent / "data" / "gomocup"
COMMAND = [sys.executable, "-m", "tengen.tools", "gomocup"]
HEAVY = ("numpy", "sgfmill", "rich", "torch", "cv2", "openvino", "chess", "gymnasium", "matplotlib", "multiprocessing")


def fits(expected: str, got: str) -> bool:
    """Whether a line is as written: "*" stands for any text, "#" for a number, "*/a/b" for a or b."""
    choices = expected[2:].split("/") if expected.startswith("*/") else [expected]
    marks = {"*": ".*", "#": r"\d+"}
    return any(
        re.fullmatch("".join(marks.get(part, re.escape(part)) for part in re.split(r"([*#])", choice)), got)
        for choice in choices
    )


NAMES = sorted(path.stem for path in DATA.glob("*.transcript"))


@pytest.mark.parametrize(
    ("name", "end"),
    [
        *zip(NAMES, itertools.cycle(["\n", "\r\n"])),  # noqa: B905  (the ends go on for ever)
        *(pytest.param(*one, marks=pytest.mark.slow) for one in zip(NAMES, itertools.cycle(["\r\n", "\n"]))),  # noqa: B905
    ],
)
def test_transcript(name: str, end: str) -> None:
    """`> sent` and `< expected` lines in order; `< ...` skips lines up to the next expected one."""
    with Process("--threads", "1", "--seed", "1") as talk:
        skipping = False
        for number, row in enumerate((DATA / f"{name}.transcript").read_text().splitlines(), 1):
            mark, text = row[:1], row[2:].rstrip()
            if mark == ">":
                talk.send(text, end=end)
            elif text == "...":
                skipping = True
            elif mark == "<":
                while not fits(text, got := talk.line(15)):
                    assert skipping and got != "EOF", f"line {number}: expected {text!r}, got {got!r}"
                skipping = False
        assert talk.process.wait(5) == 0
        assert talk.process.stderr.read() == b""


# position, rule, points that are right -- the admission tests of Gomocup: moves as letter and number, Black first
CHECKS = [
    ("h8h9i8i9j8j9k8k9", (0, 1, 4, 8), "g8 l8", True),
    ("h8h9i8h10g8h11j13h12g14h14i15", (1,), "f8 j8", True),
    ("h8h9i7i9h10i6i11i12", (4,), "g9", False),
    ("h8f8g8f9i8f7j8l8", (8,), "f5 f6 f10 f11", True),
]


@pytest.fixture(scope="module")
def judged() -> Iterator[Process]:
    """A process for one position after another."""
    with Process("--threads", "1", "--seed", "1") as talk:
        yield talk


@pytest.mark.parametrize(("moves", "rule", "points", "is_right"), [
    (moves, rule, points, is_right) for moves, rules, points, is_right in CHECKS for rule in rules
])  # fmt: skip
def test_admission(moves: str, rule: int, points: str, is_right: bool, judged: Process) -> None:
    def xy(point: str) -> str:
        return f"{ord(point[0]) - ord('a')},{int(point[1:]) - 1}"

    stones = [xy(stone) for stone in re.findall(r"[a-z]\d+", moves)]
    own = len(stones) % 2
    lines = [f"{stone},{1 if number % 2 == own else 2}" for number, stone in enumerate(stones)]
    judged.send("\n".join(["START 15", f"INFO rule {rule}", "INFO timeout_turn 500", "BOARD", *lines, "DONE"]))
    assert judged.line() == "OK"
    move = judged.line()
    assert is_move(move) and (move in [xy(point) for point in points.split()]) == is_right, move


def busy() -> float:
    """How much longer things take now than on a quiet machine."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1)) if hasattr(os, "getloadavg") else 1.0


def start(words: list[str], send: str, answer: str) -> tuple[float, int]:
    """Seconds until the answer, and the resident kilobytes then (0 where the system does not tell)."""
    begun = time.perf_counter()
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(send)
        process.stdin.flush()
        assert process.stdout.readline().startswith(answer)
        wall = time.perf_counter() - begun
        status = Path(f"/proc/{process.pid}/status")
        rows = status.read_text().splitlines() if status.exists() else []
        resident = next((int(row.split()[1]) for row in rows if row.startswith("VmRSS:")), 0)
        process.stdin.write("END\n")
        process.stdin.flush()
        assert process.wait(10) == 0
    return wall, resident


@pytest.mark.timing
@pytest.mark.parametrize(("send", "answer"), [("ABOUT\n", "name="), ("START 20\n", "OK")])
def test_the_first_answer_comes_soon_and_small(send: str, answer: str) -> None:
    runs = [start(COMMAND, send, answer) for _ in range(7)]
    assert statistics.median(wall for wall, _ in runs) <= 0.3 * busy()
    assert max(resident for _, resident in runs) <= 60_000


def test_heavy_packages_stay_unloaded() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *COMMAND[1:]], input="ABOUT\nSTART 9\nINFO timeout_turn 20\nBEGIN\nEND\n",
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    loaded = {line.rpartition("|")[2].strip().split(".")[0] for line in done.stderr.splitlines() if "|" in line}
    assert "tengen" in loaded and not loaded & set(HEAVY)


def test_the_name_that_piskvork_wants() -> None:
    """The console script takes no options; whatever a manager appends is ignored."""
    code = "import sys; from tengen.tools.gomocup import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", code, "--whatever"], input="ABOUT\nEND\n", capture_output=True, text=True, timeout=10
    )
    assert done.returncode == 0 and done.stdout.startswith('name="Tengen"') and done.stderr == ""


@pytest.mark.parametrize(("words", "says"), [(["--game", "go"], "gtp --game go"), (["--gane", "x"], "--game")])
def test_a_mistake_is_one_sentence(words: list[str], says: str, called: Callable[..., Any]) -> None:
    done = called("gomocup", *words)
    assert done.returncode == 2 and done.stdout == "" and says in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.timing
@pytest.mark.parametrize(("work", "leave"), [
    ("ABOUT", None), *((work, leave) for work in ("ABOUT", "BEGIN", "YXNBEST 5") for leave in ("END", "end\r")),
])  # fmt: skip
def test_leaving(work: str, leave: str | None) -> None:
    """Managers kill after 500 ms. What is finished at the end of input: test_end_of_input.py."""
    with Process("--threads", "1") as talk:
        talk.send("START 15\nINFO timeout_turn 60000")
        assert talk.line() == "OK"
        talk.send(work)
        time.sleep(0.2)
        begun = time.monotonic()
        if leave is None:
            talk.stdin.close()
        else:
            talk.send(leave)
        assert talk.process.wait(5) == 0
        assert time.monotonic() - begun < (1.0 if leave is None else 0.5)
        assert talk.process.stderr.read() == b""
        rest = []
        while (line := talk.line()) != "EOF":
            rest.append(line)
        if leave is not None:
            assert not [line for line in rest if is_move(line)]


def test_a_script_in_a_pipe_is_answered() -> None:
    script = "START 15\nINFO timeout_turn 60000\nBEGIN\nTURN 0,0\nEND\n"
    begun = time.monotonic()
    done = subprocess.run(COMMAND, input=script, capture_output=True, text=True, timeout=10)
    lines = done.stdout.splitlines()
    assert lines[0] == "OK" and len(lines) == 3 and all(map(is_move, lines[1:]))
    assert time.monotonic() - begun < 2


def play_game(talk: Process, limit: float, match: float, size: int, seed: int) -> list[float]:
    """A game against random moves under a limit per move and per match; seconds of each answer."""
    generator = random.Random(seed)
    free = [(x, y) for x in range(size) for y in range(size)]
    generator.shuffle(free)
    talk.send(f"RESTART\nINFO timeout_turn {round(1000 * limit)}\nINFO timeout_match {round(1000 * match)}")
    assert talk.line() == "OK"
    times, left = [], match
    for number in range(30):
        question = "BEGIN" if number == 0 else "TURN {},{}".format(*free.pop())
        begun = time.perf_counter()
        talk.send(f"INFO time_left {round(1000 * left) if match else 2147483647}\r\n{question}", end="\r\n")
        move = talk.line()
        times.append(time.perf_counter() - begun)
        left -= times[-1]
        assert is_move(move, size), move
        free.remove(tuple(map(int, move.split(","))))
    return times


@pytest.mark.timing
@pytest.mark.parametrize(("limit", "match"), [(0.05, 0), (0.2, 0), (0.03, 0), (0.5, 2.0), (0, 0), (0, 5)])
def test_no_move_is_late(limit: float, match: float) -> None:
    """On a quiet machine no move; beside other work, which delays this process as well, hardly any."""
    with Process("--threads", "1") as talk:
        talk.send("START 20")
        assert talk.line() == "OK"
        times = [one for seed in range(2 if limit < 0.1 else 1) for one in play_game(talk, limit, match, 20, seed)]
        late = [one for one in times if one > (limit or 0.1)]
        assert len(late) <= (0 if busy() < 1.2 else 0.2 * len(times)), [round(1000 * one) for one in times]
        if match:
            assert sum(times) < match * (2 if limit < 0.1 else 1)
        elif limit >= 0.05:
            assert statistics.median(times[:4]) > 0.4 * limit  # a move that is proved takes less


def tree_kilobytes(pid: int) -> int:
    """Resident memory of a process and its children."""
    total, todo = 0, [pid]
    while todo:
        one = todo.pop()
        rows = Path(f"/proc/{one}/status").read_text().splitlines()
        total += next((int(row.split()[1]) for row in rows if row.startswith("VmRSS:")), 0)
        todo += map(int, Path(f"/proc/{one}/task/{one}/children").read_text().split())
    return total


@pytest.mark.memory
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
@pytest.mark.parametrize(("memory", "most"), [
    (367001600, 100_000), (83886080, 80_000), pytest.param(0, 100_000, marks=pytest.mark.slow)
])  # fmt: skip
def test_memory(memory: int, most: int) -> None:
    with Process() as talk:
        talk.send(f"INFO max_memory {memory}\nSTART 20\nINFO timeout_turn 2000\nBEGIN")
        assert talk.line() == "OK" and is_move(talk.line(), 20)
        assert tree_kilobytes(talk.process.pid) < most


@pytest.mark.timing
@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_a_stopped_process_counts_its_start_on_the_first_move() -> None:
    """The judge writes START and INFO, stops the process at once, and lets it go on with the first question.

    Other work on the machine can only lengthen this, so the best of three tells.
    """
    times = []
    for _ in range(3):
        with Process("--threads", "1") as talk:
            talk.send("START 15\nINFO timeout_turn 400\nINFO rule 0")
            os.kill(talk.process.pid, signal.SIGSTOP)
            time.sleep(0.5)
            begun = time.perf_counter()
            threading.Timer(0.01, os.kill, (talk.process.pid, signal.SIGCONT)).start()
            talk.send("INFO time_left 2147483647\nBOARD\nDONE")
            assert talk.line() == "OK" and is_move(talk.line())
            times.append(time.perf_counter() - begun)
    assert min(times) < 0.41 * busy()


def test_settings_reach_the_engine(tmp_path: Path) -> None:
    options = ["--log", str(tmp_path / "log"), "--name", "Other", "--rules", "renju", "--playouts", "50"]
    script = "ABOUT\nSTART 15\nYXSHOWFORBID\nBEGIN\nEND\n"
    done = subprocess.run([*COMMAND, *options], input=script, capture_output=True, text=True, timeout=10, check=True)
    assert done.stdout.startswith('name="Other"')
    assert {"> ABOUT", "< OK", "< FORBID .", "> END"} <= set((tmp_path / "log").read_text().splitlines())
