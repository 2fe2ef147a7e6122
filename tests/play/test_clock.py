"""Clocks: simulated games under every system never lose on time, and use what they are given."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Callable

import pytest
from whole_sets import portion, some_of

from tengen.engine.play.clock import LEAST, Clock, Clocks, Overhead
from tengen.engine.play.time_control import System, TimeControl

GAMES = 500
CONTROLS = {
    "absolute 60": TimeControl.absolute(60),
    "absolute 600": TimeControl.absolute(600),
    "canadian 30 + 25 in 20 s": TimeControl.canadian(30, 20, 25),
    "canadian 0 + 5 in 10 s": TimeControl.canadian(0, 10, 5),
    "byoyomi 30 + 3 x 2 s": TimeControl.byoyomi(30, 2, 3),
    "byoyomi 0 + 1 x 1 s": TimeControl.byoyomi(0, 1, 1),
    "fischer 20 + 1": TimeControl.fischer(20, 1),
    "fischer 2 + 0.5": TimeControl.fischer(2, 0.5),
    "fischer-capped 20 + 2, 30, 5": TimeControl.fischer_capped(20, 2, 30, 5),
    "gomocup 30 s a move, 180 s": TimeControl.gomocup(30, 180),
    "gomocup 5 s a move, 100 s": TimeControl.gomocup(5, 100),
    "gomocup 1 s a move, 20 s": TimeControl.gomocup(1, 20),
    "gomocup 5 s a move, 10 + 1 s": TimeControl.gomocup(5, 10, 1),
}


def jitter(generator: random.Random) -> float:
    """How late a move is on a busy machine: a few milliseconds, rarely 60."""
    return generator.expovariate(1 / 0.004) + (generator.uniform(0.02, 0.06) if generator.random() < 0.01 else 0.0)


class Referee:
    """Counts time as the rules say, written apart from Clock: `take` returns False when the time is over."""

    def __init__(self, control: TimeControl) -> None:
        self.control, self.main = control, control.main
        self.period, self.stones, self.periods = control.period, control.count, control.count

    def take(self, seconds: float) -> bool:
        system = self.control.system
        if seconds > self.control.move_limit:
            return False
        if system is System.FISCHER:
            if seconds > self.main:
                return False
            self.main = min(self.main - seconds + self.control.increment, self.control.main_limit)
            return True
        used = min(self.main, seconds)
        self.main -= used
        over = seconds - used
        if self.main > 0:
            return True
        if system is System.ABSOLUTE:
            return over <= 0
        return self._canadian(over) if system is System.CANADIAN else self._byoyomi(over)

    def _canadian(self, over: float) -> bool:
        self.period -= over
        self.stones -= 1
        if self.period < 0:
            return False
        if self.stones == 0:
            self.period, self.stones = self.control.period, self.control.count
        return True

    def _byoyomi(self, over: float) -> bool:
        self.periods -= int(over // self.control.period)
        return self.periods > 0


def play(control: TimeControl, seed: int, length: int = 150) -> bool:
    """One side of a game; True when no move lost on time."""
    generator = random.Random(seed)
    clock, referee, now = Clock(control, Overhead()), Referee(control), 0.0
    for ply in range(length):
        clock.start(now)
        planned = clock.budget(max(8.0, 30.0 - ply))
        assert planned is not None and planned >= LEAST
        actual = planned * (generator.uniform(0.2, 1.0) if generator.random() < 0.3 else 1.0) + jitter(generator)
        now += actual
        clock.stop(now)
        clock.overhead.observe(planned, actual)
        if not referee.take(actual + generator.uniform(0.0, 0.002)):
            return False
    return True


@pytest.mark.parametrize("name", CONTROLS)
def test_never_loses_on_time(name: str) -> None:
    assert sum(not play(CONTROLS[name], seed) for seed in some_of(portion(GAMES))) == 0


def test_per_move_limit_on_a_busy_machine() -> None:
    """The bar: 99.9 % of 2,000 moves of 100 ms within 20 ms of the limit, at least 70 % of it used."""
    generator = random.Random(1)
    clock, spent = Clock(TimeControl.per_move(0.1), Overhead()), []
    for _ in range(2000):
        planned = clock.budget(1)
        assert planned is not None
        late = generator.uniform(0.02, 0.045) if generator.random() < 0.01 else generator.expovariate(1 / 0.003)
        spent.append(planned + late)
        clock.overhead.observe(planned, spent[-1])
    assert sum(one > 0.12 for one in spent) <= 2
    assert statistics.mean(spent) >= 0.07


@pytest.mark.parametrize(
    ("control", "least", "most"),
    [
        (TimeControl.absolute(60), 1.5, 6.0),
        (TimeControl.fischer(20, 1), 1.0, 4.0),
        (TimeControl.byoyomi(0, 5, 3), 4.5, 5.0),
        (TimeControl.byoyomi(60, 5, 3), 4.5, 10.0),
        (TimeControl.canadian(0, 50, 10), 4.0, 5.0),
        (TimeControl.fischer_capped(100, 5, 100, 2), 1.5, 2.0),
        (TimeControl.per_move(5), 4.9, 5.0),
        (TimeControl.gomocup(30, 180), 5.0, 10.0),
        (TimeControl.gomocup(5, 100), 2.5, 4.9),
        (TimeControl.gomocup(5, math.inf), 4.8, 4.95),
        (TimeControl.gomocup(0.05, math.inf), 0.02, 0.04),
        (TimeControl.gomocup(0.05, 1000), 0.02, 0.04),
    ],
)
def test_first_budget(control: TimeControl, least: float, most: float) -> None:
    budget = Clock(control, Overhead()).budget(30)
    assert budget is not None and least <= budget <= most


@pytest.mark.parametrize(
    ("control", "to_solve", "least", "most"),
    [
        (TimeControl.absolute(60), 4.0, 14.0, 16.0),  # four times, for a hard one
        (TimeControl.absolute(60), 20.0, 27.0, 30.0),  # at most half of what is left
        (TimeControl.absolute(60), 31.0, 1.5, 6.0),  # too many: as ever
        (TimeControl.absolute(60), 0.01, 1.5, 6.0),  # a share is more than enough
        (TimeControl.fischer(60, 1), 4.0, 14.0, 16.0),
        (TimeControl.byoyomi(60, 5, 3), 4.0, 14.0, 16.0),
        (TimeControl.byoyomi(0, 5, 3), 4.0, 4.5, 5.0),
        (TimeControl.canadian(0, 50, 10), 4.0, 4.0, 5.0),
        (TimeControl.per_move(5), 4.0, 4.9, 5.0),
        (TimeControl.gomocup(5, 100), 4.0, 2.5, 4.9),
    ],
)
def test_what_can_be_solved_gets_up_to_half_of_the_time(
    control: TimeControl, to_solve: float, least: float, most: float
) -> None:
    budget = Clock(control, Overhead()).budget(30, to_solve)
    assert budget is not None and least <= budget <= most


def test_no_clock() -> None:
    assert Clock(TimeControl.none(), Overhead()).budget(30) is None
    assert Clock(TimeControl.gomocup(math.inf, math.inf), Overhead()).budget(30) is None


@pytest.mark.parametrize("limit", [0.03, 0.05, 0.2, 1.0, 30.0])
def test_a_hard_limit_per_move(limit: float) -> None:
    """Going over loses the game: none of 2000 moves does on a machine as in `jitter`."""
    generator = random.Random(2)
    clock, spent = Clock(TimeControl.gomocup(limit, math.inf), Overhead()), []
    for _ in range(2000):
        planned = clock.budget(1)
        assert planned is not None
        spent.append(planned + min(jitter(generator), 0.5 * limit))
        clock.overhead.observe(planned, spent[-1])
    assert max(spent) <= limit
    assert statistics.mean(spent) >= 0.5 * limit


@pytest.mark.parametrize(
    ("main", "period", "stones", "system"),
    [
        (0, 0, 0, System.NONE),
        (0, 10, 0, System.NONE),
        (60, 10, 0, System.NONE),
        (60, 0, 0, System.ABSOLUTE),
        (60, 10, 5, System.CANADIAN),
        (0, 10, 1, System.CANADIAN),
    ],
)
def test_gtp_time_settings(main: float, period: float, stones: int, system: System) -> None:
    assert TimeControl.gtp(main, period, stones).system is system


@pytest.mark.parametrize(
    "make",
    [
        lambda: TimeControl.absolute(-1),
        lambda: TimeControl.absolute(math.nan),
        lambda: TimeControl.absolute(math.inf),
        lambda: TimeControl.canadian(1, 1, 0),
        lambda: TimeControl.byoyomi(1, 1, 0),
    ],
)
def test_impossible_times_are_refused(make: Callable[[], TimeControl]) -> None:
    with pytest.raises(ValueError):
        make()


def test_time_left_decides() -> None:
    clock = Clock(TimeControl.canadian(60, 30, 5), Overhead())
    clock.time_left(10, 2)
    assert clock.is_overtime and clock.count == 2
    budget = clock.budget(30)
    assert budget is not None and 4.0 <= budget <= 5.0
    clock.time_left(40, 0)
    assert not clock.is_overtime and clock.remaining == 40


@pytest.mark.parametrize("seconds", [0.0, -5.0, 0.001])
@pytest.mark.parametrize("name", CONTROLS)
def test_an_empty_clock_still_answers(name: str, seconds: float) -> None:
    clock = Clock(CONTROLS[name], Overhead())
    for count in (0, 1):
        clock.time_left(seconds, count)
        budget = clock.budget(30)
        assert budget is not None and LEAST <= budget <= CONTROLS[name].period + CONTROLS[name].increment + LEAST


def test_lateness_seen_by_the_controller_is_learned() -> None:
    clocks = Clocks(TimeControl.absolute(60))
    before = clocks.overhead.reserve()
    clocks[0].start(0.0)
    clocks[0].stop(1.0)
    clocks.time_left(0, 58.8, 0)
    assert clocks.overhead.reserve() > before + 0.1
    clocks.reset()
    assert clocks[0].remaining == 60


@pytest.mark.parametrize("late", [0.06, 0.2, 0.6, 5.0])
@pytest.mark.parametrize("name", [*CONTROLS, "gomocup 1 s a move", "1 s a move"])
def test_a_late_move_is_forgotten_after_ten(name: str, late: float) -> None:
    """Once, and again later; what a busy machine is late all the time is remembered."""
    more = {"gomocup 1 s a move": TimeControl.gomocup(1, math.inf), "1 s a move": TimeControl.per_move(1)}
    clock = Clock((CONTROLS | more)[name], Overhead())
    before = clock.budget(30)
    assert before is not None and before > LEAST
    for _ in range(2):
        clock.overhead.observe(0.5, 0.5 + late)
        for _ in range(10):
            clock.overhead.observe(0.5, 0.504)
        clock.reset()
        after = clock.budget(30)
        assert after is not None and after >= (0.99 if late > 0.1 else 0.93) * before


def test_a_machine_that_is_late_again_and_again_loses_no_move() -> None:
    """Each seventh move is a quarter of a second late: the first costs the game, no other one does."""
    clock, over = Clock(TimeControl.gomocup(1, math.inf), Overhead()), []
    for number in range(200):
        planned = clock.budget(1)
        assert planned is not None
        spent = planned + (0.25 if number % 7 == 3 else 0.004)
        clock.overhead.observe(planned, spent)
        over += [number] if spent > 1 else []
    assert over == [3]


def test_the_user_is_told_of_a_late_move() -> None:
    overhead = Overhead()
    for late in (-0.4, 0.004, 0.06, 0.1):
        overhead.observe(0.5, 0.5 + late)
        overhead.lose(0.3)
        assert overhead.notice == ""
    overhead.observe(0.5, 0.9)
    assert "later than planned" in overhead.notice


def test_what_a_move_usually_loses_is_no_peak() -> None:
    overhead = Overhead(0.0)
    for lost in (0.05, 0.9, 0.05, 0.051, 0.049, -0.3):
        overhead.lose(lost)
    assert overhead.lag == 0.05 and overhead.usual == pytest.approx(Overhead.FLOOR + 0.05)
    for number in range(10):
        overhead.lose(0.09 if number % 3 == 0 else 0.05)
    assert overhead.lag == pytest.approx(0.066)
