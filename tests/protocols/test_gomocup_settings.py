"""What INFO says: rules, time, memory, and the Config that follows."""

from __future__ import annotations

import math

import pytest

from tengen.engine.config import RESERVED_MB, Config
from tengen.engine.play.clock import Clocks, Overhead
from tengen.engine.play.time_control import System
from tengen.protocols.gomocup.info import Settings, apply
from tengen.protocols.gomocup.timing import Timing

# number, Yixin's or not -> the rule set
RULES = [
    (0, False, "freestyle"), (1, False, "standard"), (2, False, "freestyle"), (3, False, "standard"),
    (4, False, "renju"), (5, False, "renju"), (6, False, "renju"), (8, False, "caro"), (9, False, "exact-caro"),
    (10, False, "caro"), (12, False, ""), (16, False, ""), (-1, False, ""), (10**18, False, ""),
    (0, True, "freestyle"), (1, True, "standard"), (2, True, "renju"), (4, True, "renju"), (5, True, "freestyle"),
    (6, True, "freestyle"), (8, True, "caro"), (7, True, "renju"),
]  # fmt: skip


@pytest.mark.parametrize(("number", "is_yixin", "name"), RULES)
def test_rules(number: int, is_yixin: bool, name: str) -> None:
    assert Settings(rule=number, is_yixin=is_yixin).rule_name() == name


def test_no_rule_was_said() -> None:
    assert Settings().rule_name() is None


# INFO lines -> seconds of a move at most (least and most), with 20 moves to go and nothing known of the machine
BUDGETS = [
    ([], None, None),
    (["timeout_turn 1000"], 0.88, 0.96),
    (["timeout_turn 50"], 0.02, 0.04),
    (["timeout_turn 30"], 0.01, 0.02),
    (["timeout_turn 1"], 0.0, 0.001),
    (["timeout_turn 0"], 0.005, 0.02),
    (["timeout_turn 0", "timeout_match 100000", "time_left 100000"], 0.005, 0.02),
    (["timeout_turn -5"], 0.005, 0.02),
    (["timeout_turn 2147483647"], None, None),
    (["timeout_turn 30000", "timeout_match 0"], 29.8, 29.95),
    (["timeout_turn 30000", "timeout_match 180000", "time_left 180000"], 8.0, 14.0),
    (["timeout_turn 5000", "timeout_match 100000", "time_left 100000"], 4.0, 4.95),
    (["timeout_turn 5000", "timeout_match 100000", "time_left 2147483647"], 4.8, 4.95),
    (["timeout_turn 5000", "timeout_match 100000", "time_left 20000"], 0.5, 1.5),
    (["timeout_turn 5000", "timeout_match 100000", "time_left 300"], 0.0, 0.06),
    (["timeout_turn 5000", "timeout_match 100000", "time_left 0"], 0.0, 0.001),
    (["timeout_turn 5000", "timeout_match 100000", "time_left -700"], 0.0, 0.001),
    (["time_left 60000"], 2.0, 5.0),
    (["timeout_match 60000"], 2.0, 5.0),
    (["timeout_match 60000", "timeout_match 0"], None, None),
    (["timeout_turn 10000", "timeout_match 60000", "time_increment 2000", "time_left 60000"], 3.5, 7.0),
]


@pytest.mark.parametrize(
    ("lines", "least", "most"), BUDGETS, ids=lambda part: " ".join(part) if isinstance(part, list) else ""
)
def test_budgets(lines: list[str], least: float | None, most: float | None) -> None:
    settings = Settings()
    for line in lines:
        apply(settings, line)
    clocks = Clocks()
    settings.timing.apply(clocks, 1)
    budget = clocks[1].budget(20)
    if least is None or most is None:
        assert budget is None
    else:
        assert budget is not None and least <= budget <= most


def test_the_match_clock_counts_on_without_time_left() -> None:
    timing, clocks = Timing(), Clocks()
    timing.set_match(10_000)
    timing.apply(clocks, 0)
    clocks[0].start(0.0)
    clocks[0].stop(4.0)
    timing.apply(clocks, 0)
    assert clocks[0].remaining == 6.0
    timing.set_left(3000)
    timing.apply(clocks, 0)
    assert clocks[0].remaining == 3.0 and timing.left is None


def test_what_is_known_of_the_machine_survives_a_new_control() -> None:
    timing, clocks = Timing(), Clocks()
    clocks.overhead = Overhead(0.4)
    timing.set_turn(5000)
    timing.apply(clocks, 0)
    budget = clocks[0].budget(20)
    assert clocks[0].control.system is System.PER_MOVE and budget is not None and budget < 4.3


# INFO lines over the options -> fields of the Config
CONFIGS = [
    ([], {}, {"memory": 96, "ponder": False, "playouts": None}),
    (["max_memory 0"], {}, {"memory": 96}),
    (["max_memory -7"], {}, {"memory": 96}),
    (["max_memory 367001600"], {}, {"memory": 96}),
    (["max_memory 367001600"], {"memory": 512}, {"memory": 328}),
    (["max_memory 83886080"], {}, {"memory": 75}),
    (["max_memory 1000"], {}, {"memory": 16}),
    (["max_memory 9223372036854775807"], {"memory": 512}, {"memory": 512}),
    (["max_memory 99999999999999999999999"], {"memory": 512}, {"memory": 512}),
    (["hash_size 65536"], {}, {"memory": RESERVED_MB + 64}),
    (["hash_size 65536", "max_memory 83886080"], {}, {"memory": 75}),
    (["thread_num 2"], {"threads": 1}, {"threads": 2}),
    (["thread_num 0"], {}, {"threads": 1}),
    (["thread_num 99999"], {}, {"threads": 256}),
    (["pondering 1"], {}, {"ponder": True}),
    (["pondering 0"], {"ponder": True}, {"ponder": False}),
    (["max_node 100"], {}, {"playouts": 100}),
    (["max_node 100"], {"playouts": 50}, {"playouts": 50}),
    (["max_node 0"], {"playouts": 50}, {"playouts": 50}),
    (["max_node 18446744073709551615"], {}, {"playouts": None}),
    (["strength 0"], {}, {"level": 1}),
    (["strength 55"], {}, {"level": 6}),
    (["strength 100"], {"level": 3}, {"level": None}),
]


@pytest.mark.parametrize(("lines", "options", "fields"), CONFIGS)
def test_configs(lines: list[str], options: dict, fields: dict) -> None:
    settings = Settings()
    for line in lines:
        apply(settings, line)
    config = settings.over(Config(game="gomoku", **{"memory": 96, **options}))
    assert {name: getattr(config, name) for name in fields} == fields


def test_words_of_yixin_board_are_noticed() -> None:
    settings = Settings()
    apply(settings, "rule 2")
    assert settings.rule_name() == "freestyle"
    apply(settings, "SHOW_DETAIL 1")
    assert settings.rule_name() == "renju" and settings.show_detail == 1


@pytest.mark.parametrize("text", ["", " ", "rule", "rule ", "rule nan", "rule inf", "timeout_turn 1e999", "x" * 9999])
def test_nonsense_changes_nothing(text: str) -> None:
    settings = Settings()
    apply(settings, text)
    assert settings == Settings() and math.isinf(settings.timing.match)


def test_what_is_left_does_not_shorten_a_match_that_was_announced() -> None:
    """`time_left` alone tells of a match limit; beside `timeout_match` it only sets the clock."""
    alone, announced = Timing(), Timing()
    announced.set_match(100_000)
    for timing in (alone, announced):
        timing.set_left(5_000)
        assert timing.left == 5.0
    assert (alone.match, announced.match) == (5.0, 100.0)
    assert announced.control().main == 100.0
