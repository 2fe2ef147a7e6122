"""Stages: how a search shares its time with one, what it asks it, and how what was found shows in its report."""

from __future__ import annotations

import math
import threading

import _tengen_units as units
import pytest
from gomoku_boards import board

from tengen.engine._core import ReversiMcts, ReversiState

A_SECOND, A_PLAYOUT = 1000.0, 10.0  # the work of the stage in the tables

Result = tuple[int, int, float, str, list[int]]  # move, result, score, bound, variation


def bounds(**values: float) -> units.Bounds:
    made = units.Bounds()
    for name, value in values.items():
        setattr(made, name, value)
    return made


# Bounds, the work expected, and the plan: first seconds and playouts, seconds to prove, seconds, work.
PLANS = [
    ("a second, easy", {"seconds": 1}, 4, (0.002, 0), 0.7, 1, math.inf),
    ("a second, as much as fits", {"seconds": 1}, 600, (0.1, 0), 0.7, 1, math.inf),
    ("a quarter of the expected time", {"seconds": 10}, 2000, (0.5, 0), 7, 10, math.inf),
    ("twice what fits", {"seconds": 1}, 1200, (0.1, 0), 0.7, 1, math.inf),
    ("no bound at all", {}, 2000, (0.5, 0), 60, math.inf, math.inf),
    ("a depth alone is no bound of the stage's", {"depth": 9}, 2000, (0.5, 0), 60, math.inf, math.inf),
    ("playouts, easy: a fifth is two hundred", {"playouts": 1000}, 100, (0, 200), math.inf, math.inf, 10000),
    ("few playouts: a quarter of them", {"playouts": 10}, 100, (0, 3), math.inf, math.inf, 100),
    ("playouts, as long as the expected work", {"playouts": 9000}, 40000, (0, 1000), math.inf, math.inf, 90000),
    ("visits are playouts of the first part", {"visits": 1000}, 100, (0, 200), math.inf, math.inf, 10000),
    ("the lesser of playouts and visits", {"visits": 100, "playouts": 50}, 100, (0, 25), math.inf, math.inf, 500),
    ("seconds and playouts", {"seconds": 1, "playouts": 1000}, 100, (0.025, 200), 0.7, 1, 600),
]


@pytest.mark.parametrize(("case", "limits", "expected", "first", "to_prove", "seconds", "work"), PLANS)
def test_a_plan(
    case: str,
    limits: dict[str, float],
    expected: float,
    first: tuple[float, int],
    to_prove: float,
    seconds: float,
    work: float,
) -> None:
    plan = units.plan_stage(bounds(**limits), expected, A_SECOND, A_PLAYOUT)
    assert plan.asks, case
    assert (plan.first.seconds, plan.first.playouts) == (pytest.approx(first[0]), first[1]), case
    assert (plan.seconds_to_prove, plan.seconds) == (pytest.approx(to_prove), seconds), case
    assert plan.work == pytest.approx(work), case
    assert (plan.first.visits, plan.first.depth) == (limits.get("visits", 0), limits.get("depth", 0)), case


# Bounds, the work expected: the stage is not asked.
UNASKED = [
    ("not for this stage", {"seconds": 1}, 0),
    ("more than twice what fits in the time", {"seconds": 1}, 1201),
    ("more than twice what the playouts are worth", {"playouts": 10}, 201),
    ("the visits too", {"visits": 10, "playouts": 1000}, 201),
    ("the time too", {"seconds": 0.1, "playouts": 1000}, 121),
    ("more than two minutes without a bound", {}, 120001),
]


@pytest.mark.parametrize(("case", "limits", "expected"), UNASKED)
def test_when_a_stage_is_not_asked(case: str, limits: dict[str, float], expected: float) -> None:
    assert not units.plan_stage(bounds(**limits), expected, A_SECOND, A_PLAYOUT).asks, case


# Bounds, work done, seconds gone, whether it is known who wins: whether the stage ends.
ENDS = [
    ({"seconds": 1}, 1e9, 0.69, False, False),
    ({"seconds": 1}, 0, 0.71, False, True),
    ({"seconds": 1}, 0, 0.99, True, False),
    ({"seconds": 1}, 0, 1.01, True, True),
    ({}, 0, 59, False, False),
    ({}, 0, 61, False, True),
    ({}, 0, 1e6, True, False),
    ({"playouts": 100}, 1000, 1e6, False, False),
    ({"playouts": 100}, 1001, 0, False, True),
    ({"playouts": 100}, 1001, 0, True, True),
    ({"seconds": 1, "playouts": 1000}, 601, 0, True, True),
]


@pytest.mark.parametrize(("limits", "work", "seconds", "is_proved", "is_over"), ENDS)
def test_when_a_stage_ends(
    limits: dict[str, float], work: float, seconds: float, is_proved: bool, is_over: bool
) -> None:
    plan = units.plan_stage(bounds(**limits), 100, A_SECOND, A_PLAYOUT)
    assert plan.asks and plan.is_over(work, seconds, is_proved) == is_over


@pytest.mark.parametrize(
    ("limits", "bound", "is_enough"),
    [
        ({"seconds": 1}, "lower", True),
        ({}, "upper", True),
        ({"playouts": 100}, "lower", False),
        ({"playouts": 100}, "exact", True),
    ],
)
def test_when_what_was_found_is_enough(limits: dict[str, float], bound: str, is_enough: bool) -> None:
    """Time need not be used up, playouts are there to say more than who wins."""
    plan = units.plan_stage(bounds(**limits), 100, A_SECOND, A_PLAYOUT)
    assert plan.is_enough(units.Found(1, 1, 2, bound, [])) == is_enough


# Bounds, seconds gone, playouts done, what is left.
RESTS = [
    ({"seconds": 2}, 0.5, 100, (1.5, 0, 0)),
    ({"seconds": 2}, 3, 100, (1e-4, 0, 0)),
    ({"playouts": 300}, 0.5, 100, (0, 200, 0)),
    ({"playouts": 300}, 0.5, 400, (0, 1, 0)),
    ({"visits": 300}, 0.5, 100, (0, 0, 300)),
]


@pytest.mark.parametrize(("limits", "seconds", "playouts", "rest"), RESTS)
def test_what_is_left_after_it(
    limits: dict[str, float], seconds: float, playouts: int, rest: tuple[float, int, int]
) -> None:
    left = units.rest_of(bounds(**limits), seconds, playouts)
    assert (left.seconds, left.playouts, left.visits) == (pytest.approx(rest[0]), rest[1], rest[2])


# What was found, one after the other, over a report of the moves 1, 2 and 3: the moves in order, then of each line that
# changed proof, bound, score and variation, by move.
FINDINGS: list[tuple[str, list[Result], list[int], dict[int, tuple[int, str, float, list[int]]]]] = [
    ("nothing", [], [1, 2, 3], {}),
    ("who wins leads and keeps the search's variation", [(2, 1, 1, "lower", [])], [2, 1, 3], {2: (1, "lower", 1, [2, 99])}),
    ("a lost game", [(3, -1, -1, "upper", [])], [3, 1, 2], {3: (-1, "upper", -1, [3, 99])}),
    ("a drawn game", [(3, 0, 0, "exact", [])], [3, 1, 2], {3: (0, "exact", 0, [3, 99])}),
    ("a move without a line", [(7, 1, 1, "lower", [])], [7, 1, 2, 3], {7: (1, "lower", 1, [7])}),
    ("what is exact is better known", [(2, 1, 1, "lower", []), (2, 1, 8, "exact", [2, 5])], [2, 1, 3], {2: (1, "exact", 8, [2, 5])}),
    ("the bound was there to say who wins", [(2, 1, 1, "lower", []), (3, 1, 8, "exact", [3])], [3, 1, 2], {3: (1, "exact", 8, [3])}),
    (
        "by score, of equals the first",
        [(3, 1, 8, "exact", [3]), (1, -1, -2, "exact", [1]), (2, 1, 8, "exact", [2])],
        [3, 2, 1],
        {3: (1, "exact", 8, [3]), 2: (1, "exact", 8, [2]), 1: (-1, "exact", -2, [1])},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("case", "found", "order", "changed"), FINDINGS)
def test_findings_over_a_report(
    case: str, found: list[Result], order: list[int], changed: dict[int, tuple[int, str, float, list[int]]]
) -> None:
    win, score, lines = units.laid_over([units.Found(*one) for one in found], [1, 2, 3])
    assert [line[0] for line in lines] == order, case
    for move, visits, line_win, proof, bound, line_score, pv in lines:
        if move in changed:
            assert (proof, bound, line_score, pv) == changed[move] and line_win == 0.5 + 0.5 * proof, case
        else:
            assert (proof, bound, line_score, pv, line_win) == (0, "estimate", 0, [move, 99], 0.5), case
        assert visits == (1 if move < 4 else 0), case
    assert (win, score) == ((lines[0][2], lines[0][5]) if found else (0.5, 0)), case


STARTS = "19 26 37 44"  # Reversi's first moves
WON, BEST, OTHER = (26, 1, 1, "lower", []), (26, 1, 6, "exact", [26, 18]), (19, -1, -4, "exact", [19])

# What the search has lines of, what the stage tells and expects, bounds, moves avoided: the log and the playouts.
RUNS: list[tuple[str, list[int], list[Result], float, dict[str, float], list[int], list[str], int]] = [
    ("nothing for the stage", [44], [WON], 0, {"playouts": 400}, [], ["search 400"], 400),
    ("too much for the stage", [44], [WON], 801, {"playouts": 400}, [], ["search 400"], 400),
    ("it finds nothing", [44, 26], [], 1, {"playouts": 400}, [], ["search 100", "stage, all of 44 26 19 37", "search 300"], 400),
    ("it proves who wins", [44], [WON], 1, {"playouts": 400}, [], ["search 100", "stage, all of 44 19 26 37", "search 300"], 400),
    ("it finds the best", [], [WON, BEST], 1, {"playouts": 400}, [], ["search 100", f"stage, all of {STARTS}"], 100),
    ("a hundred playouts' worth after two", [], [WON, BEST, OTHER], 1, {"playouts": 150}, [],
     ["search 38", f"stage, all of {STARTS}", "over after 2"], 38),
    ("in time who wins is enough", [], [WON], 1, {"seconds": 50}, [], ["search 0", f"stage, all of {STARTS}"], 0),
    ("the best alone", [], [BEST], 1, {"playouts": 8, "early_stop": True}, [], ["search 2", f"stage, the best of {STARTS}"], 2),
    ("but for moves avoided", [44], [BEST], 1, {"playouts": 8}, [19], ["search 2", "stage, all of 44 26 37"], 2),
]  # fmt: skip


@pytest.mark.parametrize(("case", "lines", "found", "expected", "limits", "avoid", "log", "playouts"), RUNS)
def test_a_search_and_a_stage(
    case: str, lines: list[int], found: list[Result], expected: float, limits: dict[str, float], avoid: list[int],
    log: list[str], playouts: int,
) -> None:  # fmt: skip
    script = units.Script()
    script.lines, script.expected = lines, expected
    script.found = [units.Found(*one) for one in found]
    said, made, shown = units.played(script, bounds(**limits), avoid)
    assert said == ["stage's memory 16", "memory 64", *log], case
    assert made == playouts, case
    if len(log) > 1 and found:
        assert (shown[0][0], shown[0][3]) == (26, 1), case


def test_a_stop_ends_search_and_stage() -> None:
    script = units.Script()
    script.expected, script.found = 1, [units.Found(*one) for one in (WON, BEST)]
    script.stop_after = 1
    said, made, _ = units.played(script, bounds(playouts=400), [])
    assert said[2:] == ["search 100", f"stage, all of {STARTS}", "over after 1"] and made == 100


@pytest.mark.parametrize(("takes", "left"), [(0, "64"), (16, "48"), (63.5, "1")])
def test_the_search_has_the_memory_that_the_stage_leaves(takes: float, left: str) -> None:
    script = units.Script()
    script.memory_mb = takes
    said, _, _ = units.played(script, bounds(playouts=4), [])
    assert said[:2] == ["stage's memory 16", f"memory {left}"]


FOURS = """
    ...............
    ....X..........
    ....X..........
    ...............
    OXXX..O........
    ...............
    ...............
    ..OO...........
    ...............
    ...............
    ...............
    ...............
    ...............
    ...............
    ..............."""
FOUR = 4 * 15 + 4


def test_any_search_may_ask_for_fours() -> None:
    """Uniform playouts do not see the four and three; the stage before them proves it, where it may be played."""
    stones = board(FOURS).stones()
    lines, playouts = units.fours_before_playouts(15, stones, 0, 2000, [])
    assert (lines[0][0], lines[0][3], lines[0][4]) == (FOUR, 1, "exact") and playouts <= 500
    lines, playouts = units.fours_before_playouts(15, stones, 0, 2000, [FOUR])
    assert lines[0][3] == 0 and playouts == 2000
    lines, playouts = units.fours_before_playouts(15, stones, 1, 2000, [])
    assert all(line[3] == 0 for line in lines) and playouts == 2000


# Two positions with 16 empty cells, black to move, and the scores with best play.
ENDINGS = {
    "O-X-XXXXOXXOXXX-OOXXOOOOO-XOX-O--OOOXO--XXOOXOX-OO-OXXO----OXO-O": -2,
    "-XXX----XXX-OOXX--OOOOXXOOOOXXOXOOOOXOOOO-XXOOO--OOOOOO---O-X-XO": -10,
}


@pytest.mark.threads
def test_what_a_stage_finds_is_told_to_other_threads() -> None:
    """Reports come while the tree and the solver work: each is of one position, and what is exact is right."""
    states = {ReversiState(): score for score in ENDINGS.values()}
    for state, cells in zip(states, ENDINGS, strict=True):
        state.setup(bytes("-XO".index(cell) for cell in cells), 0)
    legal = [(set(state.legal_moves()), score) for state, score in states.items()]
    search, done = ReversiMcts("weighted"), threading.Event()
    search.set("seed", 1)

    def run() -> None:
        for state in [*states] * 2:
            search.run(state, playouts=10**9)
        done.set()

    runner = threading.Thread(target=run)
    runner.start()
    reports = []
    while not done.wait(0.001):
        reports.append(search.info().lines)
    runner.join()
    reports.append(search.info().lines)
    for lines in reports:
        moves = [line.move for line in lines]
        scores = {score for allowed, score in legal if allowed.issuperset(moves)}
        assert scores and len(set(moves)) == len(moves)
        assert not lines or lines[0].bound != "exact" or lines[0].score in scores
    assert len({tuple(line.move for line in lines) for lines in reports}) > 4
    assert reports[-1][0].bound == "exact"
