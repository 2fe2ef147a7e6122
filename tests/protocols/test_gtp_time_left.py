"""A controller that sends `time_left` and no time control has a clock by it."""

from __future__ import annotations

import pytest
from fakes.player import FakePlayer
from gtp_client import say

from tengen.engine.play.time_control import System


def clocks(*lines: str) -> FakePlayer:
    player = FakePlayer()
    assert say(*lines, player=player) == ["="] * len(lines)
    return player


@pytest.mark.parametrize(
    ("left", "most"), [("1 0", 0.2), ("10 0", 1.5), ("600 0", 60), ("0 0", 0.002), ("-3 0", 0.002)]
)
def test_sudden_death(left: str, most: float) -> None:
    player = clocks("boardsize 9", f"time_left b {left}")
    assert player.clock[0].control.system is System.ABSOLUTE
    seconds = player.clock[0].budget(40)
    assert seconds is not None and 0 < seconds < most
    assert player.clock[1].budget(40) is None, "nothing was said of White's time"


def test_a_period_with_stones() -> None:
    player = clocks("time_left w 30 10")
    seconds = player.clock[1].budget(40)
    assert player.clock[1].control.system is System.CANADIAN and seconds is not None and 1 < seconds < 4.5


def test_both_colours_and_later_figures() -> None:
    player = clocks("time_left b 300 0", "time_left w 5 0", "time_left b 290 0", "time_left w 4 0")
    assert [clock.remaining for clock in (player.clock[0], player.clock[1])] == [290, 4]
    assert (player.clock[1].budget(40) or 0) > 0.02


@pytest.mark.parametrize(
    "settings", ["time_settings 0 0 0", "kgs-time_settings none", "kata-time_settings none", "time_settings 0 5 0"]
)
def test_a_control_without_limit_stays_one(settings: str) -> None:
    player = clocks(settings, "time_left b 1 0")
    assert player.clock[0].budget(40) is None


def test_settings_replace_it() -> None:
    player = clocks("time_left b 1 0", "time_settings 600 0 0")
    assert player.clock[0].remaining == 600 and (player.clock[0].budget(40) or 0) > 5


def test_stones_left_of_a_period_are_kept() -> None:
    """Three stones in ten seconds: the clock is in overtime, and a move gets about a third."""
    player = clocks("time_settings 0 30 5", "time_left b 10 3")
    clock = player.clock[0]
    assert (clock.is_overtime, clock.count, clock.remaining) == (True, 3, 10.0)
