"""Before the first game: engines that cannot begin stop the match with the reason, and nobody is silently not told."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from match_games import COMMAND as FAKE

from tengen.tools.match.run.check import fault_of
from tengen.tools.match.run.plan import headline, untold_lines
from tengen.tools.match.settings.table import run_spec
from tengen.tools.match.spec import Opening, TimeSpec

Run = Callable[..., "subprocess.CompletedProcess[str]"]

CANNOT = [
    # the command, its protocol, what is said of it
    ("/no/such/engine", "gtp", "b cannot be started: No such file or directory (/no/such/engine)"),
    (f"{FAKE} gtp --fault dead", "gtp", "b exited with code 4"),
    (f"{FAKE} gtp --fault refuse", "gtp", "b refuses boardsize 5: unacceptable size"),
    (
        f"{sys.executable} -c 'import nowhere'",
        "gtp",
        "b exited with code 1; it said: ModuleNotFoundError: No module named",
    ),
    (f"{sys.executable} -c 'import nowhere'", "uci", "b cannot play go over uci|b exited with code 1; it said"),
]


@pytest.mark.parametrize(("command", "protocol", "sentence"), CANNOT)
def test_an_engine_that_cannot_begin_stops_the_match(
    called: Run, tmp_path: Path, command: str, protocol: str, sentence: str
) -> None:
    """No void games, no score, no folder: the cause."""
    out = tmp_path / "run"
    engine = ["--engine", "name=b", f"command={command}", f"protocol={protocol}"]
    found = called("match", "--player", "random", *engine, "--size", "5", "--out", str(out))
    assert found.returncode == 1 and found.stdout == "" and not out.exists()
    assert any(f"stopped before the first game: {words}" in found.stderr for words in sentence.split("|")), found.stderr
    assert "Traceback" not in found.stderr


def test_an_arbiter_that_cannot_begin_stops_the_match(called: Run, tmp_path: Path) -> None:
    words = [
        "--player",
        "random",
        "--engine",
        "name=b",
        "player=random",
        "--cleanup",
        "arbiter",
        "--arbiter",
        "cmd=/no",
    ]
    found = called("match", *words, "--out", str(tmp_path / "run"))
    assert found.returncode == 1 and "stopped before the first game: arbiter cannot be started" in found.stderr


def run_of(game: str, each: dict[str, object], row: dict[str, object], **table: object) -> dict[str, object]:
    return {"game": game, "each": each, "engine": [{"name": "own", "player": "uct"}, {"name": "other", **row}], **table}


TIMES = [
    # the game, the other engine, the match, its own time control
    ("go", {"command": "b"}, {}, TimeSpec(movetime=1.5)),
    ("gomoku", {"command": "b", "protocol": "gomocup"}, {}, TimeSpec(movetime=1.5)),
    ("go", {"command": "b", "tc": "60"}, {}, TimeSpec(base=60)),
    ("go", {"command": "b"}, {"tc": "60"}, None),  # the clock of the match beats it, as with our players
    ("reversi", {"command": "b", "protocol": "nboard"}, {"tc": "60"}, None),
    ("go", {"player": "rollout"}, {}, None),
]


@pytest.mark.parametrize(("game", "row", "table", "expected"), TIMES)
def test_a_time_of_all_reaches_other_engines(
    game: str, row: dict[str, object], table: dict[str, object], expected: TimeSpec | None
) -> None:
    own, other = run_spec(run_of(game, {"time": 1.5}, row, **table)).engines
    assert other.time == expected and own.time is None and "--time" in own.command


@pytest.mark.parametrize(
    ("protocol", "game", "line"),
    [("gtp", "go", "time_settings 0 1 1"), ("gomocup", "gomoku", "INFO timeout_turn 1000")],
)
def test_it_is_told_by_the_protocol(called: Run, tmp_path: Path, protocol: str, game: str, line: str) -> None:
    engine = ["--engine", "name=b", f"command={FAKE} {protocol} --game {game}", f"protocol={protocol}"]
    words = ["--player", "random", *engine, "--each", "time=1", "--game", game, "--size", "9", "--games", "2"]
    found = called("match", *words, "--out", str(tmp_path))
    assert found.returncode == 0, found.stderr
    assert line in (tmp_path / "logs" / "b-1.log").read_text("utf-8")
    if protocol == "gtp":
        assert "warning: b is not told 'move=1': it refuses time_settings" in found.stderr


WHOLE_SECONDS = """
import sys
for line in sys.stdin:
    number, word = line.split()[:2]
    print(f"={number} {'time_settings' if word == 'list_commands' else ''}\\n", flush=True)
"""


@pytest.mark.parametrize(("time", "told"), [("0.5", "e is told 'time_settings 0 1 1' for 'move=0.5'"), ("2", "")])
def test_seconds_that_gtp_cannot_tell_are_a_warning(time: str, told: str) -> None:
    row = {"name": "e", "command": [sys.executable, "-S", "-c", WHOLE_SECONDS], "time": time}
    spec = run_spec(run_of("go", {}, row))
    assert spec.engines[1].name == "e"
    fault, warning = asyncio.run(fault_of(spec.engines[1], spec, Opening("none")))
    assert fault == "" and warning.startswith(told) and bool(warning) == bool(told)


def test_what_only_ours_know_is_a_warning() -> None:
    table = run_of("go", {"playouts": 30, "seed": 1, "time": 1, "tc": "60"}, {"cmd": "b"})
    assert untold_lines(table, run_spec(table)) == [
        "other is not told playouts=30, seed=1: only players of ours know it"
    ]
    table = run_of("go", {"playouts": 30}, {"player": "rollout"})
    assert untold_lines(table, run_spec(table)) == []


@pytest.mark.parametrize(
    ("table", "line"),
    [
        ({}, "go 9x9 tromp-taylor komi 7, 100 games (matches of Go are on 9x9 without --size)"),
        ({"size": 19}, "go 19x19 tromp-taylor komi 7, 100 games"),
        ({"game": "gomoku"}, "gomoku 15x15 freestyle, 100 games"),
    ],
)
def test_the_first_line_says_the_board(table: dict[str, object], line: str) -> None:
    full = {**run_of("go", {}, {"player": "rollout"}), **table}
    assert headline(full, run_spec(full)) == line
