"""Running a match with games that are made up: what is played, recorded, replayed, and what a kill leaves behind."""

from __future__ import annotations

import asyncio
import io
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from match_games import COMMAND

from tengen.tools.jobs import Slots
from tengen.tools.match.drivers.base import Driver
from tengen.tools.match.openings.choice import choose
from tengen.tools.match.run import store
from tengen.tools.match.run.progress import Progress
from tengen.tools.match.run.store import Store
from tengen.tools.match.run.supervisor import Ending, Play, supervise
from tengen.tools.match.run.units import Unit, game_by_game
from tengen.tools.match.settings.schedule import pairs
from tengen.tools.match.settings.table import RunSpec, run_spec
from tengen.tools.match.spec import GameResult, GameTask, MoveRecord, Reason

TABLE: dict[str, Any] = {
    "game": "gomoku", "games": 20, "concurrency": 3,
    "engine": [{"name": "a", "command": "true"}, {"name": "<script>", "command": "true"}],
}  # fmt: skip


def made_up(task: GameTask, **changes: Any) -> GameResult:
    """A game that the first engine wins by five."""
    values = {
        "result": "1-0",
        "reason": Reason.FIVE,
        "moves": (MoveRecord("A1", 0.5),),
        "hash": task.id,
        "round": task.round,
    }
    return GameResult(task.id, task.pair, task.first, task.second, task.opening.name, **{**values, **changes})


async def wins(task: GameTask, first: Driver, second: Driver, arbiter: Driver | None) -> GameResult:
    await asyncio.sleep(0)
    return made_up(task)


def run(folder: Path, play: Play = wins, is_json: bool = False, **changes: Any) -> tuple[Ending, Store, str, str]:
    """Run to the end; (ending, store, stderr, stdout)."""
    table = {**TABLE, **changes}
    spec = run_spec(table)
    err, out = io.StringIO(), io.StringIO()
    with Store(folder, table) as opened:
        openings = openings_of(spec)
        opened.freeze(openings)
        ending = asyncio.run(supervise(spec, opened, openings, Progress(spec, is_json, err, out), play))
    return ending, opened, err.getvalue(), out.getvalue()


def openings_of(spec: RunSpec) -> list[Any]:
    return choose(spec.openings, spec.game, spec.rounds, spec.seed)[: spec.rounds]


def test_every_game_is_played_once(tmp_path: Path) -> None:
    ending, opened, err, out = run(tmp_path, is_json=True)
    assert ending is Ending.DONE
    results = store.read(tmp_path)
    assert sorted(row.id for row in results) == [f"{pair:06d}{order}" for pair in range(1, 11) for order in "ab"]
    assert all((row.first == "a") == row.id.endswith("a") for row in results)
    rows = [json.loads(line) for line in out.splitlines()]
    assert [row["event"] for row in rows] == ["game"] * 20 + ["end"]
    assert rows[-1]["pentanomial"] == [0, 0, 10, 0, 0] and rows[-1]["trinomial"] == [10, 0, 10]
    assert "20/20" in err and "a 10/20" in err
    assert len(list((tmp_path / "games").glob("*.psq"))) == 20
    opening = store.read_openings(tmp_path)[2]
    text = (tmp_path / "games" / "000003a.psq").read_text()
    assert (
        text.splitlines()[0] == "Piskvorky 15x15, 11:11, 0"
        and len(text.splitlines()) == 1 + len(opening.moves) + 1 + 2 + 1 + 1
    )


def test_a_second_interrupt_does_not_disturb_the_end_of_the_engines(tmp_path: Path) -> None:
    drivers: list[Driver] = []

    async def is_interrupted(task: GameTask, first: Driver, second: Driver, arbiter: Driver | None) -> GameResult:
        await first.start()
        drivers.append(first)
        try:
            os.kill(os.getpid(), signal.SIGINT)
            await asyncio.sleep(60)
        finally:
            os.kill(os.getpid(), signal.SIGINT)
        return made_up(task)

    engines = [{"name": name, "command": f"{COMMAND} gomocup", "protocol": "gomocup"} for name in "ab"]
    ending, *_ = run(tmp_path, is_interrupted, engine=engines, concurrency=1)
    assert ending is Ending.INTERRUPTED and [driver.process for driver in drivers] == [None]


def test_the_same_command_goes_on(tmp_path: Path) -> None:
    calls: list[str] = []

    async def stops(task: GameTask, first: Driver, second: Driver, arbiter: Driver | None) -> GameResult:
        calls.append(task.id)
        if len(calls) == 8:
            raise RuntimeError("a mistake of ours")
        return made_up(task)

    with pytest.raises(RuntimeError):
        run(tmp_path, stops)
    before = store.read(tmp_path)
    assert 4 <= len(before) < 8
    _, _, err, _ = run(tmp_path)
    assert f"{len(before)} of 20 games are there; going on" in err
    after = store.read(tmp_path)
    assert after[: len(before)] == before and len({row.id for row in after}) == len(after) == 20
    calls.clear()
    assert run(tmp_path, stops)[0] is Ending.DONE and not calls
    assert run(tmp_path, games=24)[0] is Ending.DONE and len(store.read(tmp_path)) == 24


def test_a_kill_between_record_and_file_leaves_no_gap(tmp_path: Path) -> None:
    run(tmp_path)
    lost, torn = tmp_path / "games" / "000003a.psq", tmp_path / "games" / "000004b.psq.new"
    text = lost.read_text()
    lost.unlink()
    torn.write_text(text[:9])
    assert run(tmp_path)[0] is Ending.DONE
    assert lost.read_text() == text and len(list((tmp_path / "games").glob("*.psq"))) == 20


def test_void_games_are_played_again(tmp_path: Path) -> None:
    tries: dict[str, int] = {}

    async def play(task: GameTask, first: Driver, second: Driver, arbiter: Driver | None) -> GameResult:
        tries[task.id] = tries.get(task.id, 0) + 1
        is_void = task.pair == 4 and tries[task.id] < 3
        return made_up(task, **({"result": "*", "reason": Reason.VOID, "detail": "no room"} if is_void else {}))

    ending, opened, err, _ = run(tmp_path, play)
    found = store.counted(store.read(tmp_path))
    assert ending is Ending.DONE and len(found.games) == 20 and found.void == 4
    assert "000004a void: no room" in err


def test_a_game_that_stays_void_ends_the_run(tmp_path: Path) -> None:
    async def play(task: GameTask, first: Driver, second: Driver, arbiter: Driver | None) -> GameResult:
        return made_up(task, result="*", reason=Reason.VOID, detail="cannot be started")

    ending, _, _, _ = run(tmp_path, play, concurrency=1)
    assert ending is Ending.VOID
    assert len([row for row in store.read(tmp_path) if row.id == "000001a"]) == 3


def test_the_test_stops_the_run(tmp_path: Path) -> None:
    async def a_wins(task: GameTask, first: Driver, second: Driver, arbiter: Driver | None) -> GameResult:
        score = "1/2-1/2" if task.pair % 3 == 0 else "1-0" if task.first == "a" else "0-1"
        return made_up(task, result=score)

    ending, _, err, _ = run(tmp_path, a_wins, games=1000, sprt={"elo0": 0, "elo1": 50})
    assert ending is Ending.SPRT
    played = len(store.read(tmp_path))
    assert 20 < played < 400
    assert run(tmp_path, a_wins, games=1000, sprt={"elo0": 0, "elo1": 50})[0] is Ending.SPRT
    assert len(store.read(tmp_path)) == played


def test_faults_are_told_without_what_a_terminal_obeys(tmp_path: Path) -> None:
    async def play(task: GameTask, first: Driver, second: Driver, arbiter: Driver | None) -> GameResult:
        return made_up(task, reason=Reason.CRASH, culprit=task.second, detail=f"{task.second} said \x1b[2J and went")

    _, _, err, _ = run(tmp_path, play, games=2)
    assert "000001a crash: <script> said ?[2J and went" in err and "\x1b" not in err and "faults 2" in err


SUPERVISED = """
import asyncio, random, sys
sys.path.insert(0, sys.argv[2])
from tengen.tools.match.run import progress
from tengen.tools.match.run import supervisor
from tengen.tools.match.settings.table import run_spec
from tengen.tools.match.openings.choice import choose
from tengen.tools.match.drivers.process import EngineProcess
from tengen.tools.match.spec import GameResult, Reason
from tengen.tools.match.run.store import Store

STUBBORN = "import signal, subprocess, sys, time; signal.signal(15, signal.SIG_IGN); " \\
    "subprocess.Popen([sys.executable, '-S', '-c', 'import time; time.sleep(600)', sys.argv[1]]); time.sleep(600)"
ENGINE = {"command": [sys.executable, "-S", "-c", STUBBORN, sys.argv[1]]}
# More games than twenty slow rounds can play.
TABLE = {"game": "gomoku", "games": 100000, "concurrency": 2, "engine": [{"name": "a", **ENGINE}, {"name": "b", **ENGINE}]}

async def play(task, first, second, arbiter):
    for driver in (first, second):
        if not driver.is_running or random.random() < 0.05:  # engines that ignore everything, with a child of their own
            await driver.kill()
            driver.process = await EngineProcess.start(driver.spec)
    await asyncio.sleep(0.002)
    return GameResult(task.id, task.pair, task.first, task.second, "o", "1-0", Reason.FIVE, hash=task.id)

class Told:
    def begin(self, standing): pass
    def game(self, result, standing): print(result.id, flush=True)
    def end(self, ending, standing): pass

spec = run_spec(TABLE)
openings = choose(spec.openings, spec.game, 20, 1)
with Store(sys.argv[1], TABLE) as store:
    store.freeze(openings)
    asyncio.run(supervisor.supervise(spec, store, openings, Told(), play))
"""


def processes_with(word: str) -> list[int]:
    """Processes whose command line has the word."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if word.encode() in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                pass
    return found


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_twenty_kills_lose_no_game_and_leave_no_orphan(tmp_path: Path) -> None:
    """kill -9 of the supervisor at random moments: every game that it told of is recorded once, and its engines, which
    ignore the end of their input and have children, are gone."""
    dice = random.Random(20)
    told: set[str] = set()
    most = 0
    folder = tmp_path / "run"
    for _ in range(20):
        command = [sys.executable, "-c", SUPERVISED, str(folder), ""]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert process.stdout is not None
        lines = [process.stdout.readline()]
        assert lines[0], "the supervisor ended before its first game"
        time.sleep(dice.random() * 0.3)
        most = max(most, len(processes_with(str(folder))))
        process.send_signal(signal.SIGKILL)
        lines += process.stdout.read().splitlines()
        process.wait()
        process.stdout.close()
        new = [line.strip() for line in lines if len(line.strip()) == 7]
        assert not told & set(new), "a recorded game was played again"
        told |= set(new)
        recorded = [row.id for row in store.read(folder)]
        assert len(recorded) == len(set(recorded))
        assert told <= set(recorded)
    assert most >= 5  # the supervisor, its engines and their children
    deadline = time.monotonic() + 10
    while (left := processes_with(str(folder))) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not left, f"orphans: {left}"


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_the_run_in_order(tmp_path: Path, number: int) -> None:
    command = [sys.executable, "-c", SUPERVISED, str(tmp_path / "run"), ""]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 0 and "Traceback" not in err
    if Path("/proc").exists():
        assert not processes_with(str(tmp_path / "run"))


def test_a_lost_cancellation_does_not_hang_the_end() -> None:
    """Python 3.11's wait_for drops a cancellation that comes together with what it waits for."""
    lost = 0

    async def work(slot: int, task: GameTask) -> GameResult:
        nonlocal lost
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            lost += 1
        return GameResult(task.id, task.pair, task.first, task.second, "o", "1-0", Reason.FIVE, hash=task.id)

    async def nothing(slot: int) -> None: ...

    async def scenario() -> None:
        slots = Slots(1, game_by_game(work), nothing)
        spec = run_spec({"game": "gomoku", "engine": [{"command": "a", "name": "a"}, {"command": "b", "name": "b"}]})
        pair = next(iter(pairs(spec.kind, spec.names, 1, choose(spec.openings, spec.game, 1, 1), 1, 1)))
        slots.submit(Unit(pair.number, tuple(pair.tasks)))
        await asyncio.sleep(0.05)
        await asyncio.wait_for(slots.close(), 10)

    asyncio.run(scenario())
    assert lost >= 1
