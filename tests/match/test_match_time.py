"""Time controls: their text, the clock of a game, and what engines are told of it over each protocol."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from match_games import GAMES, START, fake

from tengen.tools.match.clock import Clock
from tengen.tools.match.drivers import make_driver
from tengen.tools.match.drivers.base import EngineFault, Turn
from tengen.tools.match.drivers.gtp import _time_left, _time_line
from tengen.tools.match.drivers.uci import UciDriver
from tengen.tools.match.spec import TimeSpec

CLOCKS = [
    # control, seconds of the moves, (left, periods) after each or None for the flag
    ("10", [4, 5, 2], [(6, 0), (1, 0), None]),
    ("10+1", [4, 5], [(7, 0), (3, 0)]),
    ("2/10", [4, 5, 8], [(6, 0), (11, 0), (3, 0)]),
    ("byo=5+2x3", [4, 3, 2.5, 3.5, 2.9, 3.1], [(1, 2), (0, 2), (0, 2), (0, 1), (0, 1), None]),
    ("move=1", [0.9, 1.0, 1.01], [(0, 0), (0, 0), None]),
    ("turn=5/match=8", [4, 3, 2], [(4, 0), (1, 0), None]),
    ("move=1/margin=0.1", [1.05, 1.2], [(0, 0), None]),
    ("1/margin=0.5", [1.2, 0.4, 0.6], [(0, 0), (0, 0), None]),
    ("nodes=5", [100], [(0, 0)]),
]


@pytest.mark.parametrize(("control", "spent", "expected"), CLOCKS)
def test_clocks(control: str, spent: list[float], expected: list[tuple[float, int] | None]) -> None:
    clock = Clock(TimeSpec.parse(control))
    for seconds, after in zip(spent, expected, strict=True):
        assert clock.spend(seconds) is (after is not None)
        if after is not None:
            assert (pytest.approx(clock.left), clock.periods) == after


@pytest.mark.parametrize(
    "text",
    [
        "60+0.5",
        "40/60+0.5",
        "move=1",
        "byo=60+3x10",
        "turn=5/match=100",
        "nodes=1000",
        "60",
        "move=1/clock=cpu/margin=0.05",
        "none",
    ],
)
def test_time_control_text(text: str) -> None:
    assert TimeSpec.parse(str(TimeSpec.parse(text))) == TimeSpec.parse(text)


@pytest.mark.parametrize("text", ["", "x", "60+", "byo=60+0x10", "nodes=0", "move=-1", "60/60", "clock=sun"])
def test_time_control_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"time control|twice|no time"):
        TimeSpec.parse(text)


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


def test_the_last_period_is_kept_within_the_margin() -> None:
    """A move that is forgiven costs no period that would not be there again; one that is not loses."""
    clock = Clock(TimeSpec(base=0.0, periods=1, period=1.0, margin=0.5))
    for _ in range(3):
        assert clock.spend(1.4) and (clock.left, clock.periods) == (0.0, 1)
    assert not clock.spend(1.6) and clock.periods == 0
