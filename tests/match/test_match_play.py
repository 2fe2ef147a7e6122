"""The referee against scripted engines: every planted fault gets its right name, and nothing is left running."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from match_games import (
    CALM,
    CHILDREN,
    FAKE,
    GAMES,
    QUICK,
    START,
    both_colours,
    chess_or_skip,
    fake,
    is_alive,
    one,
    task,
)

from tengen.engine.options import number
from tengen.tools.match import adjudication
from tengen.tools.match.adjudication import adjudge, settings_of
from tengen.tools.match.adjudication.base import Rule, Settings, Sight, Verdict
from tengen.tools.match.drivers import make_driver
from tengen.tools.match.game.referee import play_game
from tengen.tools.match.spec import EngineSpec, GameResult, Reason, TimeSpec


@pytest.mark.parametrize("protocol", GAMES)
def test_two_good_engines(protocol: str) -> None:
    chess_or_skip(protocol)
    (result,) = asyncio.run(one(fake(protocol), fake(protocol, name="other"), GAMES[protocol], CALM))
    reasons = {"gtp": Reason.SCORE, "gomocup": Reason.FIVE, "nboard": Reason.SCORE, "uci": Reason.REPETITION}
    reasons["xboard"] = Reason.REPETITION
    assert result.reason is reasons[protocol], result
    assert result.culprit is None and result.moves and result.versions["good"][0] in ("fake", "good")
    assert GameResult.from_json(result.to_json()).reason is result.reason


FAULTS = [
    ("illegal", QUICK, Reason.ILLEGAL),
    ("crash", QUICK, Reason.CRASH),
    ("heir", CALM, Reason.CRASH),  # long before its time is over
    ("hang", QUICK, Reason.STALL),
    ("late", QUICK, Reason.TIME),
    ("late-illegal", QUICK, Reason.TIME),  # time is tested before legality
    ("flood", QUICK, Reason.STALL),
]


ALIKE = (("heir", "late-illegal", "flood"), ("gomocup", "nboard", "xboard"))
"""Faults that the drivers' common part finds, and the drivers that are tried with them in the slow tests alone."""


@pytest.mark.parametrize(
    ("protocol", "fault", "spec", "reason"),
    [
        pytest.param(name, *row, marks=pytest.mark.slow if row[0] in ALIKE[0] and name in ALIKE[1] else ())
        for name in GAMES
        for row in FAULTS
    ],
)
def test_a_planted_fault_gets_its_name(protocol: str, fault: str, spec: TimeSpec, reason: Reason) -> None:
    chess_or_skip(protocol)
    bad = fake(protocol, fault)
    first, second = asyncio.run(both_colours(bad, fake(protocol), GAMES[protocol], spec))
    assert (first.reason, first.culprit, first.result) == (reason, fault, "0-1"), first
    assert (second.reason, second.culprit, second.result) == (reason, fault, "1-0"), second
    assert first.detail.startswith(fault + " ")


GARBAGE = {"gtp": Reason.ILLEGAL, "gomocup": Reason.STALL, "nboard": Reason.ILLEGAL, "uci": Reason.ILLEGAL}
GARBAGE["xboard"] = Reason.ILLEGAL


@pytest.mark.parametrize("protocol", GAMES)
def test_an_answer_that_is_no_move(protocol: str) -> None:
    chess_or_skip(protocol)
    (result,) = asyncio.run(one(fake(protocol, "garbage"), fake(protocol), GAMES[protocol], QUICK))
    assert (result.reason, result.culprit) == (GARBAGE[protocol], "garbage")


@pytest.mark.parametrize("protocol", GAMES)
@pytest.mark.parametrize("fault", ["noise", "chatty"])
def test_noise_disturbs_nothing(protocol: str, fault: str) -> None:
    chess_or_skip(protocol)
    (result,) = asyncio.run(one(fake(protocol, fault), fake(protocol), GAMES[protocol], CALM))
    assert result.culprit is None and result.reason in (Reason.SCORE, Reason.FIVE, Reason.REPETITION), result


def test_lines_that_look_like_answers_are_none() -> None:
    """An engine that repeats the numbers of commands is believed with its numbers only."""
    (result,) = asyncio.run(one(fake("gtp", "banner"), fake("gtp"), GAMES["gtp"], CALM))
    assert result.culprit is None and result.reason is Reason.SCORE, result


@pytest.mark.parametrize("protocol", ["gtp", "gomocup"])
def test_a_refused_board_is_void(protocol: str) -> None:
    (result,) = asyncio.run(one(fake(protocol, "refuse"), fake(protocol), GAMES[protocol], QUICK))
    assert (result.result, result.reason, result.culprit) == ("*", Reason.VOID, "refuse")
    assert "refuses" in result.detail and not result.moves


@pytest.mark.parametrize("command", [("/no/such/engine",), (sys.executable, "-S", FAKE, "gtp", "--fault", "dead")])
def test_an_engine_that_does_not_start_is_void(command: tuple[str, ...]) -> None:
    (result,) = asyncio.run(one(EngineSpec("broken", command, "gtp"), fake("gtp"), GAMES["gtp"], QUICK))
    assert (result.result, result.reason, result.culprit) == ("*", Reason.VOID, "broken")


def test_a_hostile_name_is_only_data() -> None:
    name = "<script>alert(1)</script>"
    evil = EngineSpec("evil", (sys.executable, "-S", FAKE, "gtp", "--name", name), "gtp")
    (result,) = asyncio.run(one(evil, fake("gtp"), GAMES["gtp"], CALM))
    assert result.versions["evil"] == (name, "1.0") and result.culprit is None


@pytest.mark.parametrize("fault", CHILDREN)
def test_a_hung_engine_is_killed_with_its_child_and_started_anew(tmp_path: Path, fault: str) -> None:
    log = tmp_path / "pids"
    results = asyncio.run(one(fake("gtp", fault, log=log), fake("gtp"), GAMES["gtp"], QUICK, games=2))
    assert [result.reason for result in results] == [Reason.STALL, Reason.STALL]
    pids = [int(line) for line in log.read_text().split()]
    assert len(pids) == 4  # two engines, each with a child
    assert not any(map(is_alive, pids))


SUPERVISOR = """
import asyncio, sys
sys.path[:0] = {tests!r}
import match_games as t
async def main():
    drivers = [t.make_driver(t.fake(*row, log={log!r})) for row in (("gtp", {fault!r}), ("gomocup", "hang"))]
    for driver in drivers:
        await driver.start()
    print("ready", flush=True)
    await asyncio.sleep(60)
asyncio.run(main())
"""


@pytest.mark.parametrize("fault", CHILDREN)
def test_no_orphan_after_the_supervisor_is_killed(tmp_path: Path, fault: str) -> None:
    log = tmp_path / "pids"
    code = SUPERVISOR.format(tests=sys.path, log=str(log), fault=fault)
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as supervisor:
        assert supervisor.stdout is not None and supervisor.stdout.readline() == b"ready\n"
        supervisor.kill()
    pids = [int(line) for line in log.read_text().split()]
    assert len(pids) == 3
    deadline = time.monotonic() + 10
    while any(map(is_alive, pids)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(is_alive, pids))


def test_both_dead_at_once_is_nobodys_fault() -> None:
    (result,) = asyncio.run(one(fake("gtp", "crash", "a", at=3), fake("gtp", "crash", "b", at=3), GAMES["gtp"], CALM))
    assert result.reason is Reason.CRASH and result.culprit == "a"  # the second was still there

    async def gone() -> GameResult:
        a, b = make_driver(fake("gtp", "late", "a", delay=0.5)), make_driver(fake("gtp", name="b"))

        async def strike() -> None:
            while a.process is None or b.process is None:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.3)
            os.kill(b.process.pid, 9)
            os.kill(a.process.pid, 9)

        killer = asyncio.create_task(strike())
        result = await play_game(task(), GAMES["gtp"], a, b, (CALM, CALM))
        await killer
        await a.kill()
        await b.kill()
        return result

    assert asyncio.run(gone()).reason is Reason.VOID


@pytest.mark.timing
@pytest.mark.parametrize("protocol", GAMES)
def test_the_referee_costs_less_than_two_milliseconds_a_move(protocol: str) -> None:
    """CPU of our own process, which a loaded machine does not change much."""
    chess_or_skip(protocol)

    async def measure() -> float:
        drivers = make_driver(fake(protocol)), make_driver(fake(protocol, name="other"))
        try:
            await play_game(task(), GAMES[protocol], *drivers, (CALM, CALM))
            begin = time.process_time()
            moves = 0
            for _ in range(5):
                moves += len((await play_game(task(), GAMES[protocol], *drivers, (CALM, CALM))).moves)
            return (time.process_time() - begin) / moves
        finally:
            for driver in drivers:
                await driver.kill()

    assert asyncio.run(measure()) < 0.002


@pytest.mark.timing
def test_eight_games_at_once_lose_nothing_on_time() -> None:
    """Instant engines with 0.1 s a move: whatever the referee is late by must stay below that.

    Three attempts: a machine that stands still for 0.1 s once is not the referee's fault, one that is late is always.
    """

    async def run() -> list[GameResult]:
        drivers = [make_driver(fake(protocol, name=str(n))) for protocol in ("gtp", "nboard") for n in range(8)]
        games = zip(drivers[::2], drivers[1::2], strict=True)
        short = TimeSpec(movetime=0.1)
        try:
            return await asyncio.gather(
                *(play_game(task(n), GAMES[a.spec.protocol], a, b, (short, short)) for n, (a, b) in enumerate(games))
            )
        finally:
            for driver in drivers:
                await driver.kill()

    lost = [[result.culprit for result in asyncio.run(run()) if result.culprit is not None] for _ in range(3)]
    assert min(lost, key=len) == []


def sight(own: list[float | None], other: list[float | None], length: int) -> Sight:
    """What rules see of a game by its scores alone."""
    return Sight("gomoku", None, length, True, own, other)


def test_adjudication_needs_both_sides() -> None:
    rules = settings_of({"resign_moves": 2, "draw_moves": 2, "draw_after": 4})
    lost = adjudge(rules, sight([-0.1, -0.99, -0.97], [0.96, None], 10))
    assert lost == Verdict("other", "lost by 2 scores in a row")
    assert adjudge(rules, sight([-0.1, -0.99, -0.97], [0.96, 0.2], 10)) is None
    even = adjudge(rules, sight([0.0, 0.01], [0.02, -0.03], 10))
    assert even == Verdict(None, "even by 2 scores in a row of both")
    assert adjudge(rules, sight([0.0, 0.01], [0.02, None], 10)) is None
    assert adjudge(rules, sight([0.0, 0.01], [0.02, 0.0], 3)) is None
    assert adjudge({}, sight([-1.0, -1.0], [1.0, 1.0], 10)) is None


def test_a_new_rule_of_adjudication_sees_the_position(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is one value in `RULES`: its settings have names and bounds of its own, and a game ends by it."""

    def verdict(settings: Settings, sight: Sight) -> Verdict | None:
        stones = sum(map(bool, sight.position.stones()))
        return Verdict("own", f"{stones} stones") if stones >= settings["crowd_stones"] else None

    rule = Rule((number("crowd_stones", None, 1, 99, "stones on the board", is_whole=True),), "crowd_stones=9", verdict)
    monkeypatch.setattr(adjudication, "RULES", [*adjudication.RULES, rule])
    assert adjudication.example().endswith("draw_after=40 crowd_stones=9")
    with pytest.raises(ValueError, match="crowd_stones"):
        settings_of({"crowd_stones": 100})
    game = replace(GAMES["gomocup"], adjudication=settings_of({"crowd_stones": 6}))
    (result,) = asyncio.run(one(fake("gomocup"), fake("gomocup", name="other"), game, CALM))
    assert (result.reason, result.detail, result.result) == (Reason.ADJUDICATED, "6 stones", "0-1")


@pytest.mark.parametrize("most", [4, 5])
def test_a_game_ends_after_as_many_moves_as_it_may_have(most: int) -> None:
    game = replace(GAMES["gomocup"], max_moves=most)
    (result,) = asyncio.run(one(fake("gomocup"), fake("gomocup", name="other"), game, CALM))
    assert result.culprit is None and len(START.moves) + len(result.moves) == most, result
