"""The parts of the NBoard protocol as tables: moves, clocks, strength, report lines."""

from __future__ import annotations

import re

import pytest

from tengen.engine.info import Info, Line, Proof
from tengen.protocols.nboard import clock, notation, report, strength
from tengen.protocols.nboard.clock import Allowance, GameClock

MOVES = [
    ("F5", (37, None)),
    ("f5", (37, None)),
    ("A1", (0, None)),
    ("H8", (63, None)),
    (" F5 ", (37, None)),
    ("F5/1.25/3.5", (37, 3.5)),
    ("F5//0.1", (37, 0.1)),
    ("F5/-1.00", (37, None)),
    ("F5/", (37, None)),
    ("F5//", (37, None)),
    ("F5/x/y", (37, None)),
    ("F5//nan", (37, None)),
    ("F5//-1", (37, None)),
    ("F5 -1.00 0.5", (37, 0.5)),
    ("PA", (64, None)),
    ("pa", (64, None)),
    ("PAS", (64, None)),
    ("PASS//0.01", (64, 0.01)),
    ("--", (64, None)),
    ("", None),
    ("I5", None),
    ("F9", None),
    ("F0", None),
    ("F55", None),
    ("pair", None),
    ("PASSED", None),
    ("F5/1/2/3", None),
    ("\u0666\u0665", None),
]


@pytest.mark.parametrize("text, expected", MOVES)
def test_moves_in(text: str, expected: tuple[int, float | None] | None) -> None:
    assert notation.read(text) == expected


def test_moves_out() -> None:
    assert [notation.write(move) for move in (0, 7, 37, 56, 63, 64)] == ["A1", "H1", "F5", "A8", "H8", "PA"]
    assert all(notation.read(notation.write(move)) == (move, None) for move in range(65))
    assert notation.line((37, 64, 19)) == "F5PAD3"


CLOCKS = [
    ("15:00", Allowance(900, 0, 120)),
    ("15:00//02:00", Allowance(900, 0, 120)),
    ("05:00/00:10/00:30", Allowance(300, 10, 30)),
    ("5", Allowance(5, 0, 120)),
    ("1:00:00", Allowance(3600, 0, 120)),
    ("1.01:00:30", Allowance(90030, 0, 120)),
    ("0/12//", Allowance(0, 12, 120)),
    ("0", Allowance()),
    ("", Allowance()),
    ("x", Allowance()),
    ("-5", Allowance()),
    ("15:00/x", Allowance(900, 0, 120)),
    ("9" * 30, Allowance()),
]


@pytest.mark.parametrize("text, expected", CLOCKS)
def test_time_of_a_game(text: str, expected: Allowance) -> None:
    assert clock.parse(text) == expected


def test_what_is_left() -> None:
    game = GameClock.of({"TI": "1:00/2/30", "TW": "10"})
    assert (game.left(0), game.left(1)) == (60, 10)
    game.charge(0, 12.5)
    game.charge(1, 9.0)
    assert (game.left(0), game.left(1)) == (49.5, 1)
    game.charge(1, 3.0)
    assert game.left(1) == 118  # two seconds of the grace are gone
    game.charge(1, 500)
    assert game.left(1) == 0
    assert not GameClock.of({}).allowances[0].is_limited


def test_depth_and_playouts_are_inverse() -> None:
    assert [strength.playouts(depth) for depth in (-5, 0, 1, 6, 12, 20, 26)] == [
        150, 150, 150, 1140, 12975, 332526, 3787676,
    ]  # fmt: skip
    assert strength.playouts(10**17) == strength.playouts(strength.DEEPEST)
    assert [strength.depth(strength.playouts(depth)) for depth in range(1, 41)] == list(range(1, 41))
    assert [strength.depth(visits) for visits in (0, 1, 100, 149)] == [1, 1, 1, 1]


def line(**changes: object) -> Line:
    values = {"move": 37, "pv": (37, 45), "visits": 10, "win": 0.5, "draw": 0.1, "score": 2.5, **changes}
    return Line(**values)  # type: ignore[arg-type]


SEARCHES = [
    (line(), "search F5F6 2.50 0 6 10 visits 55.0%"),
    (line(pv=()), "search F5 2.50 0 6 10 visits 55.0%"),
    (line(score=-0.001), "search F5F6 0.00 0 6 10 visits 55.0%"),
    (line(proof=Proof(1, 3), bound="estimate"), "search F5F6 2.50 0 100%W 10 visits 55.0%"),
    (line(proof=Proof(-1, 3), bound="estimate"), "search F5F6 -1.00 0 100%W 10 visits 55.0%"),
    (line(proof=Proof(1, 3), score=38, bound="exact"), "search F5F6 38.00 0 100% 10 visits 55.0%"),
    (line(proof=Proof(0, 3), bound="estimate"), "search F5F6 0.00 0 100% 10 visits 55.0%"),
]


@pytest.mark.parametrize("best, expected", SEARCHES)
def test_search_line(best: Line, expected: str) -> None:
    assert report.search_line(best, Info((best,), visits=1200)) == expected


def test_the_terms_of_a_mixed_evaluation_are_told() -> None:
    class Mixed:
        move, pv, visits, expected, score, proof = 37, (37,), 7, 0.5, 1.0, None
        terms = (("search", 0.5), ("frontier", 0.25), ("square", 1.0))

    text = report.search_line(Mixed(), Info(visits=10))  # type: ignore[arg-type]
    assert text == "search F5 1.00 0 1 7 visits 50.0% search 0.500 frontier 0.250 square 1.000"


def test_decision_and_nodes() -> None:
    assert report.decision(37, line(score=-3.456), 1.239) == "=== F5/-3.46/1.24"
    assert report.decision(37, None, 0.0) == "=== F5//0.00"
    assert report.node_stats(Info(playouts=10**12, seconds=1e-9)) == "nodestats 1000000000000 0.00"


def test_reports_come_with_each_doubling_and_at_the_end() -> None:
    told: list[str] = []
    tell = report.Iterations(told.append, 2)

    def after(visits: int) -> Info:
        lines = tuple(line(move=move, pv=(), visits=visits - move) for move in range(3)) if visits else ()
        return Info(lines, visits=visits, playouts=visits)

    for visits in (0, 5, 6, 9, 10, 19, 20):
        tell(after(visits))
    tell.finish(after(20))
    tell.finish(after(21))
    assert [re.findall(r"nodestats (\d+)", text) for text in told] == [["5"], ["10"], ["20"], ["21"]]
    assert all(text.count("search ") == 2 and text.endswith("\n") for text in told)


def test_a_solved_move_is_news() -> None:
    told: list[str] = []
    tell = report.Iterations(told.append, 1)
    for proof, bound in (
        (None, "estimate"),
        (Proof(1, 9), "estimate"),
        (Proof(1, 9), "estimate"),
        (Proof(1, 9), "exact"),
    ):
        tell(Info((line(proof=proof, bound=bound),), visits=100))
    assert [text.split()[4] for text in told] == ["1", "100%W", "100%"]
