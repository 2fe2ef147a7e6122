"""`memory_mb=` of an engine: it is told, our own engine lives within it, and who does not is blamed for that."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from match_games import CALM, GAMES, QUICK, chess_or_skip, fake, match, one, ours

from tengen.tools.match.settings.engine import engine
from tengen.tools.match.spec import GameSpec, Reason

OTHERS = {"crash": Reason.CRASH, "hang": Reason.STALL}
"""Faults that are not of memory; the drivers' common part finds them."""


@pytest.mark.parametrize(
    ("protocol", "fault", "reason"),
    [
        *((name, "greedy", Reason.MEMORY) for name in GAMES),
        *((name, *row) for name in ("gtp", "uci") for row in OTHERS.items()),
    ],
)
def test_who_needs_more_is_blamed_for_that(protocol: str, fault: str, reason: Reason) -> None:
    chess_or_skip(protocol)
    bad = replace(fake(protocol, fault), memory_mb=200)
    (result,) = asyncio.run(one(bad, fake(protocol), GAMES[protocol], QUICK))
    assert (result.reason, result.culprit, result.result) == (reason, fault, "0-1"), result
    assert ("memory_mb=200 is not enough" in result.detail) == (reason is Reason.MEMORY)


def test_without_a_limit_memory_is_no_reason() -> None:
    """What an engine says of memory by itself is its own affair."""
    (result,) = asyncio.run(one(fake("gtp", "refused"), fake("gtp"), GAMES["gtp"], QUICK))
    assert (result.reason, result.culprit) == (Reason.CRASH, "refused")


TOLD = [
    ("gomocup", "INFO max_memory 157286400"),
    ("xboard", "memory 150"),
    ("uci", "setoption name Hash value 64"),  # its maximum; 75 without
]


@pytest.mark.parametrize(("protocol", "line"), TOLD)
def test_the_limit_is_told(protocol: str, line: str, tmp_path: Path) -> None:
    chess_or_skip(protocol)
    log = tmp_path / "engine.log"
    asyncio.run(
        one(replace(fake(protocol), memory_mb=200), fake(protocol, name="other"), GAMES[protocol], CALM, log=log)
    )
    assert f"< {line}\n" in log.read_text()


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"player": "uct", "memory_mb": 400}, ["--memory", "300"]),
        ({"player": "uct", "memory_mb": 400, "memory": 80}, ["--memory", "80"]),
        ({"player": "uct", "memory_mb": 8}, ["--memory", "16"]),
    ],
)
def test_our_own_engine_is_told_in_its_command(table: dict[str, object], words: list[str]) -> None:
    command = engine(table, "go").command
    at = command.index("--memory")
    assert list(command[at : at + 2]) == words
    assert "--memory" not in engine({"player": "uct"}, "go").command


@pytest.mark.parametrize("memory_mb", [512, 200])
def test_our_own_engine_lives_within_it(memory_mb: int) -> None:
    """Also one that is not told: it sees the limit."""
    limited = replace(ours("gtp", "go", "uct", playouts=20), memory_mb=memory_mb)
    game = GameSpec("go", size=5, rules="tromp-taylor", komi=7.5)
    for result in asyncio.run(match(limited, ours("gtp", "go", "random"), game, CALM)):
        assert result.reason in (Reason.SCORE, Reason.RESIGN), result
