"""UCI: what of a clock a move takes."""

from __future__ import annotations

import pytest

from tengen.engine.play.clock import LEAST, Overhead
from tengen.protocols.chess import timing
from tengen.protocols.uci import go

# seconds, increment, moves to go, moves left
CLOCKS = [(1, 0.01, None, 37), (60, 0, None, 40), (60, 1, None, 20), (300, 3, None, 15), (0.1, 0, None, 30), (10, 0, 1, 40),
          (10, 0, 40, 40), (10, 0.1, 2, 40), (0.03, 0.01, None, 30)]  # fmt: skip


@pytest.mark.parametrize(("left", "increment", "moves", "moves_left"), CLOCKS)
@pytest.mark.parametrize("overhead", [0.0, 0.01, 0.5])
def test_a_move_takes_a_share_of_the_clock(
    left: float, increment: float, moves: int | None, moves_left: float, overhead: float
) -> None:
    late = Overhead()
    plan, seconds = timing.share(timing.Remaining(left, increment, moves), moves_left, overhead, late)
    assert LEAST <= plan <= seconds
    assert seconds + overhead < left or seconds == LEAST
    if moves is None:
        assert seconds <= max(LEAST, 0.5 * left)


@pytest.mark.parametrize("left", [0.0, -5.0, -1e9, 0.001])
def test_a_clock_that_is_over_leaves_the_least(left: float) -> None:
    assert timing.share(timing.Remaining(left, 0.0, None), 30, 0.01, Overhead()) == (LEAST, LEAST)


def test_a_whole_game_keeps_within_its_clock() -> None:
    """Each move takes all that it may and 5 ms more."""
    late, left = Overhead(), 1.0
    for ply in range(400):
        left -= timing.share(timing.Remaining(left, 0.01, None), max(15, 40 - ply / 10), 0.01, late).most + 0.005
        assert left > 0.03
        left += 0.01


def test_moves_to_go_share_the_time() -> None:
    late = Overhead(0.0)
    last, many = (timing.share(timing.Remaining(10.0, 0.0, moves), 40, 0.0, late) for moves in (1, 10))
    assert 7 < last.plan == last.most < 9.5 and 0.8 < many.plan < 1.0 and many.most < 4.0


def test_a_fixed_time_is_kept() -> None:
    late = Overhead(0.0)
    assert timing.fixed(1000, 0.01, late) == pytest.approx(0.99)
    assert timing.fixed(1, 0.01, late) == LEAST
    assert timing.fixed(100, 5.0, late) == pytest.approx(0.05)


def test_lost_time_is_learned() -> None:
    late, game = Overhead(0.0), object()
    lags = timing.Lags(late)
    first = timing.Remaining(10.0, 0.1)
    lags.told(game, 0, first)
    lags.spent(first, 0.5)
    lags.told(game, 2, timing.Remaining(9.5, 0.1))
    assert late.reserve() == pytest.approx(Overhead.FLOOR + 0.1)
    lags.spent(timing.Remaining(9.5, 0.1), 0.5)
    lags.told(object(), 4, timing.Remaining(8.0, 0.1))
    assert late.reserve() == pytest.approx(Overhead.FLOOR + 0.1)


def test_the_other_clock_stands_in() -> None:
    assert timing.remaining(go.parse("wtime 500 winc 7".split()), 1) == timing.Remaining(0.5, 0.0, None)
    assert timing.remaining(go.parse(["infinite"]), 0) is None
