"""Gomoku's brain without Python (packaging/pbrain): it answers as `tengen gomocup` does, and never plays what loses."""

from __future__ import annotations

import hashlib
import re
import shlex
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from checkout import ROOT

from tengen.engine._core import GomokuState
from tengen.engine.version import __version__

units = pytest.importorskip("_tengen_units")
PROGRAM = str(Path(units.__file__).with_name("tengen-pbrain"))
MOVE = r"\d+,\d+"


def say(*lines: str, timeout: float = 60) -> list[str]:
    """All answers to lines that come at once, then the end of input."""
    text = "".join(f"{line}\n" for line in lines)
    done = subprocess.run([PROGRAM], input=text, capture_output=True, text=True, timeout=timeout)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def board(*stones: tuple[int, int, int]) -> list[str]:
    return ["BOARD", *(f"{x},{y},{field}" for x, y, field in stones), "DONE"]


def test_it_says_who_it_is() -> None:
    (about,) = say("about")
    assert about == f'name="Tengen", version="{__version__}", author="Tengen developers", country="International"'


def test_it_carries_the_network_that_is_shipped() -> None:
    network = (ROOT / "nets" / "weights" / "tengen-gomoku.safetensors").read_bytes()
    program = Path(PROGRAM).read_bytes()
    assert network in program and hashlib.sha256(network).hexdigest().encode() in program


# What is sent after START 15 and `INFO timeout_turn 0` -> what is answered.
DIALOGUES = [
    (["BEGIN", "BEGIN"], [MOVE, "ERROR the board is not empty"]),
    (["TURN 7,7", "TURN 15,0", "TURN 7,7"], [MOVE, "ERROR 15,0 is not on the board", "ERROR 7,7 is occupied"]),
    (["TAKEBACK 1,1", "PLAY 1,1", "TAKEBACK 1,1", "PLAY 1,1"], ["ERROR 1,1 is empty", "1,1", "OK", "1,1"]),
    (["TURN a,b", "TURN 1", "TURN 1,2,3"], ["ERROR 'a,b' is not x,y", "ERROR '1' is not x,y", "ERROR '1,2,3' is not x,y"]),
    (["BOARD", "7,7,1", "7,7,2", "DONE", "BEGIN"], ["ERROR 7,7 is named twice", MOVE]),
    (["BOARD", "7,7,1", "START 20", "RECTSTART 20,10", "TURN 19,9"], ["ERROR BOARD without DONE", "OK", "OK", MOVE]),
    (["START 4", "START x", "RECTSTART 26,5", "DANCE now"],
     ["ERROR a board of 4x4 is not supported, only sides from 5 to 25", "ERROR 'x' is no board size", "ERROR a board of 26x5 .*",
      "UNKNOWN command 'DANCE'"]),
    (["INFO rule 3", "BEGIN", "INFO rule 12", "BEGIN", "ABOUT", "INFO rule 4", "RESTART", "BEGIN"],
     [MOVE, "ERROR rule 12 is not supported", "name=.*", "OK", MOVE]),
    (["SWAP2BOARD", "DONE"], [rf"{MOVE} {MOVE} {MOVE}"]),
    (["SWAP2BOARD", "7,7", "8,8", "7,9", "DONE"], [rf"SWAP|{MOVE}"]),
    (["SWAP2BOARD", "7,7", "8,8", "DONE"], ["ERROR SWAP2BOARD has 0, 3 or 5 stones, not 2"]),
    (["", "  \t", "\x00", "INFO", "INFO max_memory x", "INFO evaluate 1,1", "BEGIN\r"], [MOVE]),
]  # fmt: skip


@pytest.mark.parametrize(("lines", "answers"), DIALOGUES)
def test_it_answers_by_the_protocol(lines: list[str], answers: list[str]) -> None:
    ready, *found = say("START 15", "INFO timeout_turn 0", *lines)
    assert ready == "OK" and len(found) == len(answers), found
    for line, wanted in zip(found, answers, strict=True):
        assert re.fullmatch(wanted, line), (line, wanted)


def test_nothing_is_played_before_a_game() -> None:
    assert say("BEGIN", "TURN 1,1") == ["ERROR no game has been started"] * 2


def test_a_five_is_made_and_a_four_is_stopped() -> None:
    own, enemy = [(x, 7, 1) for x in range(3, 7)], [(x, 3, 2) for x in range(4, 8)]
    for rule in (0, 1, 8, 9):
        assert say("START 15", f"INFO rule {rule}", "INFO timeout_turn 200", *board(*own, *enemy))[1] in ("2,7", "7,7")
    wall = [(3, 3, 1), (10, 10, 1), (12, 2, 1)]
    assert say("START 15", "INFO timeout_turn 200", *board(*enemy, *wall))[1] == "8,3"


def test_a_finished_or_full_board_gets_an_answer() -> None:
    five = [(x, 7, 1) for x in range(5)]
    assert re.fullmatch(MOVE, say("START 15", "INFO timeout_turn 100", *board(*five))[1])
    everything = [(x, y, 1 + (x // 2 + y) % 2) for x in range(5) for y in range(5)]
    assert say("START 5", "INFO timeout_turn 100", *board(*everything))[1] == "ERROR the board is full"


def test_a_forbidden_point_is_not_played() -> None:
    """Black's double three in the middle is White's to fear and Black's to leave."""
    stones = [(7, 6, 1), (0, 0, 2), (7, 8, 1), (0, 14, 2), (6, 7, 1), (14, 0, 2), (8, 7, 1), (14, 14, 2)]
    state = GomokuState(15, 15, "renju")
    for x, y, field in stones:
        assert state.to_move == field - 1
        state.play(y * 15 + x)
    assert not state.is_legal(7 * 15 + 7)
    answer = say("START 15", "INFO rule 4", "INFO timeout_turn 300", *board(*stones))[1]
    x, y = map(int, answer.split(","))
    assert state.is_legal(y * 15 + x)


@pytest.mark.memory
def test_memory_is_bounded() -> None:
    lines = "INFO max_memory 367001600\nSTART 20\nINFO timeout_turn 1000\nBEGIN\n"
    with subprocess.Popen([PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as process:
        assert process.stdin and process.stdout
        process.stdin.write(lines)
        assert process.stdout.readline() == "OK\n" and re.fullmatch(MOVE + "\n", process.stdout.readline())
        status = Path(f"/proc/{process.pid}/status")
        rows = status.read_text().splitlines() if status.exists() else []
        assert next((int(row.split()[1]) for row in rows if row.startswith("VmHWM:")), 0) < 350_000
        process.stdin.write("END\n")
        assert process.wait(5) == 0


@pytest.mark.timing
@pytest.mark.parametrize("word", ["END", "YXSTOP"])
def test_a_search_is_ended(word: str) -> None:
    with subprocess.Popen([PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as process:
        assert process.stdin and process.stdout
        process.stdin.write("START 15\nINFO timeout_turn 60000\n")
        assert process.stdout.readline() == "OK\n"
        process.stdin.write("TURN 7,7\n")
        time.sleep(0.3)
        begun = time.monotonic()
        process.stdin.write(f"{word}\n")
        if word != "END":
            assert re.fullmatch(MOVE + "\n", process.stdout.readline())
            process.stdin.close()
        assert process.wait(5) == 0 and time.monotonic() - begun < 0.3


@pytest.mark.slow
def test_compliance_has_no_finding(tengen: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    done = tengen("compliance", shlex.quote(PROGRAM), "--kind", "gomocup", "--lines", "300", "--strict", timeout=240)
    assert done.returncode == 0, done.stdout
