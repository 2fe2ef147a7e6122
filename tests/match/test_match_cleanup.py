"""Who is dead when Go ends: by both engines, by an arbiter (GNU Go where it is installed), or by playing on."""

from __future__ import annotations

import asyncio
import os
import shutil

import pytest
from match_games import CALM, fake, ours, task

from tengen.tools.match.clock import Clock
from tengen.tools.match.drivers import make_driver
from tengen.tools.match.drivers.base import Thought, Turn
from tengen.tools.match.drivers.gtp import GtpDriver
from tengen.tools.match.game.referee import play_game
from tengen.tools.match.spec import EngineSpec, GameResult, GameSpec, Opening, Reason, TimeSpec

GNUGO = shutil.which("gnugo") or ("/usr/games/gnugo" if os.path.exists("/usr/games/gnugo") else None)


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
