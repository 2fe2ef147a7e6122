"""The drivers against real engines: ours over every protocol, with few playouts; GNU Go where it is installed."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import time
from pathlib import Path

import pytest
from test_match_play import CALM, GAMES, START, fake, is_alive, task

from tengen.tools.engines import keeper
from tengen.tools.engines.measure import cpu_of
from tengen.tools.match.clock import Clock
from tengen.tools.match.drivers import DRIVERS, log, make_driver
from tengen.tools.match.drivers.base import EngineFault, Thought, Turn
from tengen.tools.match.drivers.gtp import GtpDriver, _time_left, _time_line
from tengen.tools.match.drivers.nboard import board_text
from tengen.tools.match.drivers.process import EngineProcess
from tengen.tools.match.drivers.uci import UciDriver, _Report
from tengen.tools.match.game.judge import GoJudge, make_judge
from tengen.tools.match.game.referee import play_game
from tengen.tools.match.spec import EngineSpec, GameResult, GameSpec, Opening, Reason, TimeSpec

GNUGO = shutil.which("gnugo") or ("/usr/games/gnugo" if os.path.exists("/usr/games/gnugo") else None)
QUIET = ("--threads", "1", "--seed", "1")


def ours(protocol: str, game: str, player: str = "rollout", name: str = "", playouts: int = 40) -> EngineSpec:
    words = (sys.executable, "-m", "tengen.tools", protocol, "--game", game, "--player", player, *QUIET)
    return EngineSpec(name or player, (*words, "--playouts", str(playouts)), protocol)


async def match(
    a: EngineSpec, b: EngineSpec, game: GameSpec, spec: TimeSpec, opening: Opening = START
) -> list[GameResult]:
    """Both colours; both engines leave by themselves."""
    one, two = make_driver(a), make_driver(b)
    try:
        results = []
        for first, second in ((one, two), (two, one)):
            names = task(opening=opening, first=first.name, second=second.name)
            results.append(await play_game(names, game, first, second, (spec, spec)))
        assert [await one.quit(), await two.quit()] == [True, True]
        return results
    finally:
        await one.kill()
        await two.kill()


REAL = [
    # protocols of both, the game, the opening
    ("gtp", "gtp", GameSpec("go", size=7, rules="chinese", komi=7.5), Opening("one", ("C3", "D4"))),
    ("gtp", "gtp", GameSpec("go", size=5, rules="tromp-taylor", komi=7.5), Opening("none")),
    ("gtp", "gomocup", GameSpec("gomoku", size=15, rules="freestyle"), Opening("three", ("h8", "i9", "a15"))),
    ("gomocup", "gomocup", GameSpec("gomoku", size=13, rules="standard"), Opening("none")),
    ("gomocup", "gomocup", GameSpec("gomoku", size=15, rules="renju"), Opening("one", ("h8",))),
    ("nboard", "gtp", GameSpec("reversi", size=8), Opening("two", ("f5", "d6"))),
    ("nboard", "nboard", GameSpec("reversi", size=8), Opening("none")),
]


@pytest.mark.parametrize(("one", "two", "game", "opening"), REAL)
def test_our_engines_play_by_the_rules(one: str, two: str, game: GameSpec, opening: Opening) -> None:
    a, b = ours(one, game.game, name="a"), ours(two, game.game, "random", name="b")
    for result in asyncio.run(match(a, b, game, TimeSpec(base=60, increment=1), opening)):
        assert result.culprit is None and result.reason in (Reason.SCORE, Reason.FIVE, Reason.FULL, Reason.RESIGN), (
            result
        )
        assert all(move.seconds < 20 for move in result.moves)
        assert result.latency["a"][0] < 500


def test_nboard_starts_from_a_position() -> None:
    game = GameSpec("reversi", size=8)
    position = "---------------------------OX------XO--------------------------- O;"
    opening = Opening("white first", (), position)
    for result in asyncio.run(
        match(ours("nboard", "reversi", name="a"), ours("nboard", "reversi", "random", "b"), game, CALM, opening)
    ):
        assert result.culprit is None and result.reason is Reason.SCORE, result


def test_nodes_are_told_over_gtp() -> None:
    game = GameSpec("go", size=5, rules="chinese", komi=7.5)
    a = EngineSpec("a", (sys.executable, "-m", "tengen.tools", "gtp", *QUIET), "gtp")
    for result in asyncio.run(match(a, ours("gtp", "go", "random", "b"), game, TimeSpec(nodes=20))):
        assert result.culprit is None, result


@pytest.mark.skipif(GNUGO is None, reason="GNU Go is not installed")
@pytest.mark.parametrize(
    ("cleanup", "size"),
    [
        pytest.param("friendly", 7, marks=pytest.mark.slow),
        pytest.param("friendly", 9, marks=pytest.mark.slow),
        pytest.param("arbiter", 9, marks=pytest.mark.slow),
    ],
)
def test_gnu_go_with_dead_stones(cleanup: str, size: int) -> None:
    """A whole game; who is dead when GNU Go has passed is settled as the match says."""
    gnugo = EngineSpec("GNU Go", (str(GNUGO), "--mode", "gtp", "--level", "0", "--chinese-rules"), "gtp")
    game = GameSpec("go", size=size, rules="chinese", komi=7.5, cleanup=cleanup)

    async def play() -> GameResult:
        drivers = make_driver(gnugo), make_driver(ours("gtp", "go", "uct", "ours", 20))
        arbiter = make_driver(gnugo)
        try:
            return await play_game(
                task(first="GNU Go", second="ours"), game, *drivers, (TimeSpec(base=300),) * 2, arbiter=arbiter
            )
        finally:
            for driver in (*drivers, arbiter):
                await driver.kill()

    result = asyncio.run(play())
    assert result.culprit is None and result.reason in (Reason.SCORE, Reason.RESIGN), result
    assert result.versions["GNU Go"][0] == "GNU Go" and "without arbiter" not in result.detail


@pytest.mark.skipif(GNUGO is None, reason="GNU Go is not installed")
def test_an_arbiter_names_the_dead() -> None:
    game = GameSpec("go", size=9, rules="chinese", komi=0.5)

    async def ask() -> frozenset[str] | None:
        driver = make_driver(EngineSpec("arbiter", (str(GNUGO), "--mode", "gtp"), "gtp"))
        await driver.start()
        await driver.new_game(game, Opening("x"), True, Clock(TimeSpec()))
        for black in "B4 C4 D4 E4 F4 G4 H4 J4 A4".split():
            await driver.play(True, black)
        for white in "A6 B6 C6 D6 E6 F6 G6 H6 J6 D2".split():
            await driver.play(False, white)
        dead = await driver.dead_stones()
        await driver.quit()
        return dead

    assert asyncio.run(ask()) == {"D2"}


OPINIONS = [
    # what each engine holds for dead, the moves of the play-out, the score: 15 to 10; with D1 the space below is nobody's
    ({"D1"}, {"D1"}, 0, 4.5),
    ({"D1"}, set(), 2, -6.5),
    (None, {"D1"}, 2, -6.5),
]


class Wall(GtpDriver):
    """Passes always; holds what it is told for dead."""

    dead: frozenset[str] | None = None

    async def think(self, turn: Turn) -> Thought:
        return Thought("pass", 0.0)

    cleanup = think

    async def dead_stones(self) -> frozenset[str] | None:
        return self.dead


@pytest.mark.parametrize("rules", ["chinese", "tromp-taylor"])
@pytest.mark.parametrize(("one", "two", "moves", "score"), OPINIONS)
def test_the_friendly_count(one: set[str] | None, two: set[str] | None, moves: int, score: float, rules: str) -> None:
    """Stones that both hold for dead go; else the game goes on, and what then stands is alive. By any rules: engines
    that know others pass with dead stones on the board."""
    game = GameSpec("go", size=5, rules=rules, komi=0.5, cleanup="friendly")
    opening = Opening("wall", tuple("A3 A4 B3 B4 C3 C4 D3 D4 E3 E4 pass D1".split()))

    async def play() -> GameResult:
        seats = Wall(fake("gtp", name="a")), Wall(fake("gtp", name="b"))
        for seat, dead in zip(seats, (one, two), strict=True):
            seat.dead = None if dead is None else frozenset(dead)
        try:
            return await play_game(task(opening=opening), game, *seats, (CALM, CALM))
        finally:
            for seat in seats:
                await seat.kill()

    result = asyncio.run(play())
    assert (result.reason, len(result.moves), result.score) == (Reason.SCORE, 2 + moves, score), result


@pytest.mark.parametrize("command", [("/no/such/engine",), fake("gtp").command])
def test_a_count_without_the_arbiter_is_void(command: tuple[str, ...]) -> None:
    """All stones alive would be another result, and nobody would see it."""
    game = GameSpec("go", size=5, rules="chinese", komi=0.5, cleanup="arbiter")
    opening = Opening("wall", tuple("A3 A4 B3 B4 C3 C4 D3 D4 E3 E4 pass D1".split()))

    async def play() -> GameResult:
        drivers = [Wall(fake("gtp", name="a")), Wall(fake("gtp", name="b"))]
        drivers.append(make_driver(EngineSpec("arbiter", command, "gtp")))  # type: ignore[arg-type]
        try:
            return await play_game(task(opening=opening), game, *drivers[:2], (CALM, CALM), arbiter=drivers[2])
        finally:
            for driver in drivers:
                await driver.kill()

    result = asyncio.run(play())
    assert (result.reason, result.result, result.culprit) == (Reason.VOID, "*", "arbiter"), result


LINES = [
    # control, commands, the line, what time_left says at the start
    ("60", "", "time_settings 60 0 0", "time_left b 60 0"),
    ("60+2", "kata-time_settings", "kata-time_settings fischer 60 2", "time_left b 60 0"),
    ("60+2", "", "time_settings 60 0 0", "time_left b 60 0"),
    ("25/60", "", "time_settings 0 60 25", "time_left b 60 25"),
    ("byo=60+3x10", "kgs-time_settings", "kgs-time_settings byoyomi 60 10 3", "time_left b 60 0"),
    ("byo=0+3x10", "kgs-time_settings", "kgs-time_settings byoyomi 0 10 3", "time_left b 10 3"),
    ("byo=60+3x10", "", "time_settings 60 10 1", "time_left b 60 0"),
    ("move=2", "", "time_settings 0 2 1", "time_left b 0 0"),
    ("nodes=9", "", "", "time_left b 0 0"),
    # cut, never rounded up, and never to the 0 that means no limit
    ("move=1.9", "", "time_settings 0 1 1", "time_left b 0 0"),
    ("move=0.5", "", "time_settings 0 1 1", "time_left b 0 0"),
    ("move=0.5", "kata-time_settings", "kata-time_settings byoyomi 0 0.5 1", "time_left b 0 0"),
    ("0.5", "", "time_settings 1 0 0", "time_left b 0 0"),
    ("0.5", "kata-time_settings", "kata-time_settings fischer 0.5 0", "time_left b 0 0"),
    ("byo=59.9+3x9.9", "kgs-time_settings", "kgs-time_settings byoyomi 59 9 3", "time_left b 59 0"),
    ("byo=0+3x0.5", "kata-time_settings kgs-time_settings", "kata-time_settings byoyomi 0 0.5 3", "time_left b 0 3"),
    # a limit of the move and of the game
    ("turn=1/match=60", "kata-time_settings", "kata-time_settings fischer-capped 60 0 -1 1", "time_left b 60 0"),
    ("turn=1/match=60", "", "time_settings 0 60 60", "time_left b 60 60"),
    ("turn=9/match=60", "", "time_settings 0 60 30", "time_left b 60 30"),
]


@pytest.mark.parametrize(("control", "commands", "line", "left"), LINES)
def test_time_over_gtp(control: str, commands: str, line: str, left: str) -> None:
    spec = TimeSpec.parse(control)
    assert _time_line(spec, frozenset(commands.split())) == line
    assert _time_left("b", Clock(spec), "kata-time_settings" not in commands) == left


SETTINGS = [
    # control, what a Gomocup engine is told of the turn: nothing leaves it its own time, 0 would be as fast as it can
    ("none", []),
    ("move=2", ["INFO timeout_turn 2000"]),
    ("60", ["INFO timeout_turn 60000"]),
    ("turn=5/match=100", ["INFO timeout_turn 5000"]),
    ("nodes=100", ["INFO timeout_turn 2147483647"]),
]


@pytest.mark.parametrize(("control", "lines"), SETTINGS)
def test_time_over_gomocup(tmp_path: Path, control: str, lines: list[str]) -> None:
    async def told() -> str:
        driver = make_driver(fake("gomocup"), tmp_path / "log")
        await driver.start()
        await driver.new_game(GAMES["gomocup"], START, True, Clock(TimeSpec.parse(control)))
        await driver.quit()
        return (tmp_path / "log").read_text("utf-8")

    found = [line.partition("< ")[2] for line in asyncio.run(told()).splitlines() if "< INFO timeout_turn" in line]
    assert found == lines


@pytest.mark.parametrize(
    ("control", "line"), [("turn=5/match=100", "100000"), ("60", "60000"), ("move=2", "2147483647")]
)
def test_the_time_left_over_gomocup_is_the_games(tmp_path: Path, control: str, line: str) -> None:
    async def told() -> str:
        driver = make_driver(fake("gomocup"), tmp_path / "log")
        await driver.start()
        clock = Clock(TimeSpec.parse(control))
        await driver.new_game(GAMES["gomocup"], START, True, clock)
        await driver.think(Turn(clock, clock))
        await driver.quit()
        return (tmp_path / "log").read_text("utf-8")

    assert f"< INFO time_left {line}\n" in asyncio.run(told())


GO_LINES = [
    ("60", "go wtime 60000 btime 60000"),
    ("60+2", "go wtime 60000 btime 60000 winc 2000 binc 2000"),
    ("40/60", "go wtime 60000 btime 60000 movestogo 40"),
    ("move=2", "go movetime 2000"),
    ("turn=2/match=60", "go wtime 60000 btime 60000 movetime 2000"),
    ("byo=60+3x10", "go wtime 90000 btime 90000"),
    ("nodes=9", "go nodes 9"),
]


@pytest.mark.parametrize(("control", "line"), GO_LINES)
def test_time_over_uci(control: str, line: str) -> None:
    driver = UciDriver(fake("uci"))
    clock = Clock(TimeSpec.parse(control))
    assert driver._go(Turn(clock, clock)) == line


def test_nodes_that_cannot_be_told_are_no_unlimited_time() -> None:
    async def set_up() -> None:
        driver = make_driver(fake("nboard"))
        try:
            await driver.start()
            await driver.new_game(GAMES["nboard"], START, True, Clock(TimeSpec(nodes=9)))
        finally:
            await driver.kill()

    with pytest.raises(EngineFault, match="number of nodes"):
        asyncio.run(set_up())


REPORTS = [
    ("info depth 5 score cp 100 nodes 7 pv e2e4", 5, 7, pytest.approx(0.245, abs=0.001)),
    ("info depth 5 score mate -3 nodes 7", 5, 7, -1.0),
    ("info depth 5 multipv 2 score cp 100", None, None, None),
    ("info string depth 5 score cp 100", None, None, None),
    ("info depth x score cp 1e999 nodes -", None, None, None),
]


@pytest.mark.parametrize(("line", "depth", "nodes", "score"), REPORTS)
def test_uci_reports(line: str, depth: int | None, nodes: int | None, score: object) -> None:
    report = _Report()
    report.read(line.split())
    assert (report.depth, report.nodes) == (depth, nodes) and report.score == score


def test_nboard_position_text() -> None:
    assert board_text("-" * 27 + "OX------XO" + "-" * 27 + " X;") == "-" * 27 + "O*------*O" + "-" * 27 + " *"
    with pytest.raises(EngineFault):
        board_text("rubbish")


def test_limits_reach_the_process(tmp_path: Path) -> None:
    """Processors, memory, environment, folder and log."""
    cpu = min(os.sched_getaffinity(0))
    code = "import os, sys, time; print(os.environ['COLOUR'], os.getcwd()); sys.stdout.flush(); input(); print(sorted(os.sched_getaffinity(0))); bytearray(400 << 20)"
    spec = EngineSpec(
        "limited",
        (sys.executable, "-S", "-c", code),
        "gtp",
        directory=str(tmp_path),
        env={"COLOUR": "blue"},
        memory_mb=200,
        cpus=(cpu,),
    )

    async def run() -> tuple[list[str], str]:
        process = await EngineProcess.start(spec, tmp_path / "engine.log")
        lines = [(await process.read(time.monotonic() + 10)).text]
        assert (cpu_of(process.pid) or 0) > 0
        process.send("go on")
        lines.append((await process.read(time.monotonic() + 10)).text)
        try:
            await process.read(time.monotonic() + 10)
        except EngineFault as fault:
            ending = fault.sentence
        await process.kill()
        return lines, ending

    lines, ending = asyncio.run(run())
    assert lines == [f"blue {tmp_path}", f"[{cpu}]"] and ending == "exited with code 1"
    log = (tmp_path / "engine.log").read_text()
    assert "< go on" in log and "MemoryError" in log


def test_a_log_is_bounded_and_keeps_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever was said first and last; a log that an earlier process filled goes aside."""
    monkeypatch.setattr(log, "LARGEST_LOG", 10_000)
    path = tmp_path / "engine.log"
    for _ in range(5):
        kept = log.EngineLog(path)
        for number in range(5_000):
            kept.write(">", f"line {number} " + "x" * 5_000 * (number == 4_998))
        kept.close()
        text = path.read_text()
        assert "> line 0 \n" in text and text.endswith("> line 4999 \n") and "lines left out" in text
        assert sum(file.stat().st_size for file in tmp_path.iterdir()) < 40_000
    assert len(list(tmp_path.iterdir())) == 2


def test_a_flood_on_stderr_leaves_time_for_other_games() -> None:
    code = "import os\nwhile True: os.write(2, b'y\\n' * 30_000)"

    async def run() -> float:
        engine = await EngineProcess.start(EngineSpec("flood", (sys.executable, "-S", "-c", code), "gtp"))
        begin = time.process_time()
        await asyncio.sleep(1.5)
        used = time.process_time() - begin
        await engine.kill()
        return used

    assert asyncio.run(run()) < 0.4


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_a_child_in_a_session_of_its_own_dies_with_the_engine() -> None:
    code = (
        "import subprocess, sys; child = subprocess.Popen([sys.executable, '-S', '-c', 'import time; time.sleep(99)'], "
        "start_new_session=True); print(child.pid, flush=True); input()"
    )

    async def run() -> int:
        engine = await EngineProcess.start(EngineSpec("parent", (sys.executable, "-S", "-c", code), "gtp"))
        child = int((await engine.read(time.monotonic() + 10)).text)
        await engine.kill()
        return child

    child = asyncio.run(run())
    deadline = time.monotonic() + 2
    while is_alive(child) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not is_alive(child)


@pytest.mark.skipif(os.name == "nt", reason="sessions")
def test_engines_start_also_when_the_keeper_was_killed() -> None:
    async def run() -> list[str]:
        words = []
        for _ in range(2):
            code = "print('here', flush=True); input()"
            engine = await EngineProcess.start(EngineSpec("e", (sys.executable, "-S", "-c", code), "gtp"))
            words.append((await engine.read(time.monotonic() + 10)).text)
            await engine.kill()
            assert keeper.process is not None
            keeper.process.kill()
            keeper.process.wait()
        return words

    assert asyncio.run(run()) == ["here", "here"]


def test_processors_that_are_not_there_are_told() -> None:
    spec = EngineSpec("far", (sys.executable, "-S", "-c", "input()"), "gtp", cpus=(4000,))
    with pytest.raises(EngineFault, match="cannot be kept to cpus=4000") as error:
        asyncio.run(EngineProcess.start(spec))
    assert error.value.reason is Reason.VOID


def test_a_very_long_line_is_cut() -> None:
    code = "import sys; sys.stdout.write('x' * 3_000_000 + chr(10) + 'next' + chr(10)); sys.stdout.flush(); input()"

    async def run() -> list[int]:
        process = await EngineProcess.start(EngineSpec("long", (sys.executable, "-S", "-c", code), "gtp"))
        lengths = [len((await process.read(time.monotonic() + 10)).text) for _ in range(2)]
        await process.kill()
        return lengths

    lengths = asyncio.run(run())
    assert lengths[0] <= 1 << 16 and lengths[1] == 4


@pytest.mark.parametrize("protocol", DRIVERS)
def test_a_game_of_another_protocol_is_void(protocol: str) -> None:
    wrong = GAMES["gtp"] if protocol in ("gomocup", "uci", "nboard") else GameSpec("chess")
    if wrong.game == "chess":
        pytest.importorskip("chess")

    async def run() -> GameResult:
        a, b = make_driver(fake(protocol)), make_driver(fake(protocol, name="b"))
        result = await play_game(task(), wrong, a, b, (CALM, CALM))
        await a.kill()
        await b.kill()
        return result

    result = asyncio.run(run())
    assert result.reason is Reason.VOID and "cannot play" in result.detail


def test_go_judge_is_what_counts() -> None:
    assert isinstance(make_judge(GAMES["gtp"], Opening("x")), GoJudge)
