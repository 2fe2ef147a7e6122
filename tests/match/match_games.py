"""Games against the scripted engines of `tests/fakes` and against our own, for the tests of matches."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest
from checkout import FAKES

from tengen.tools.match.drivers import make_driver
from tengen.tools.match.game.referee import play_game
from tengen.tools.match.spec import EngineSpec, GameResult, GameSpec, GameTask, Opening, TimeSpec

FAKE = str(FAKES / "match_engines.py")
COMMAND = shlex.join((sys.executable, "-S", FAKE))
GAMES = {
    "gtp": GameSpec("go", size=9, rules="chinese", komi=7.5, cleanup="none"),
    "gomocup": GameSpec("gomoku", size=15, rules="freestyle"),
    "nboard": GameSpec("reversi", size=8),
    "uci": GameSpec("chess"),
    "xboard": GameSpec("chess"),
}
QUICK = TimeSpec(movetime=0.15)
CALM = TimeSpec(movetime=5.0)
START = Opening("start")
CHILDREN = ["child", pytest.param("daemon", marks=pytest.mark.skipif(sys.platform != "linux", reason="needs /proc"))]
"""Faults that leave a process behind."""
QUIET = ("--threads", "1", "--seed", "1")


def fake(protocol: str, fault: str = "", name: str = "", **options: object) -> EngineSpec:
    words = [sys.executable, "-S", FAKE, protocol, "--fault", fault]
    for key, value in options.items():
        words += [f"--{key}", str(value)]
    return EngineSpec(name or fault or "good", tuple(words), protocol)


def task(number: int = 1, opening: Opening = START, first: str = "a", second: str = "b") -> GameTask:
    return GameTask(f"{number:06d}a", number, 1, first, second, opening, seed=1)


async def one(
    first: EngineSpec, second: EngineSpec, game: GameSpec, spec: TimeSpec, games: int = 1, log: Path | None = None
) -> list[GameResult]:
    drivers = make_driver(first, log), make_driver(second)
    try:
        results = []
        for number in range(games):
            results.append(
                await play_game(
                    task(number, first=first.name, second=second.name), game, *drivers, (spec, spec), grace=0.4
                )
            )
        return results
    finally:
        for driver in drivers:
            await driver.kill()


def is_alive(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def chess_or_skip(protocol: str) -> None:
    if protocol in ("uci", "xboard"):
        pytest.importorskip("chess")


async def both_colours(a: EngineSpec, b: EngineSpec, game: GameSpec, spec: TimeSpec) -> tuple[GameResult, GameResult]:
    """The same two processes, colours changed; a failed one is started anew for the second game."""
    one, two = make_driver(a), make_driver(b)
    try:
        first = await play_game(task(first=a.name, second=b.name), game, one, two, (spec, spec), grace=0.4)
        return first, await play_game(task(first=b.name, second=a.name), game, two, one, (spec, spec), grace=0.4)
    finally:
        await one.kill()
        await two.kill()


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
