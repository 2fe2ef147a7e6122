"""Statistics of matches: against the reference of the shared folder, by simulation, and on ratings with known answers."""

from __future__ import annotations

import importlib.util
import math
import random
from collections.abc import Callable
from itertools import combinations, product
from pathlib import Path
from types import ModuleType

import pytest

from tengen.tools.match.statistics.elo import NORMALIZED_SCALE, Interval, elo_of, moments, score_of, summary
from tengen.tools.match.statistics.ratings import Game, fit
from tengen.tools.match.statistics.sprt import LIMITS, Sprt, llr


@pytest.fixture(scope="module")
def reference(shared: Callable[[str], Path]) -> ModuleType:
    """The referee's own statistics."""
    spec = importlib.util.spec_from_file_location("elo_sprt", shared("referee/elo_sprt.py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def tables(count: int) -> list[list[int]]:
    """Random tables of three and of five results, small and large, some with results that never came."""
    dice = random.Random(4)
    rows = []
    for number in range(count):
        top = 10 ** dice.randint(1, 4)
        row = [dice.randint(0, top) for _ in range(3 if number % 2 else 5)]
        if number % 5 == 0:
            row[dice.randrange(len(row))] = 0
        rows.append(row if sum(map(bool, row)) > 1 else [1, *row[1:-1], 2])
    return rows


@pytest.mark.parametrize("counts", tables(50), ids=str)
def test_reference(reference: ModuleType, counts: list[int]) -> None:
    expected, ours = reference.stats(counts), summary(counts)
    near = {"rel": 0.01, "abs": 1e-6}
    assert ours.score.value == pytest.approx(expected["score"], **near)
    assert ours.elo.value == pytest.approx(expected["elo"], **near)
    assert ours.normalized.value == pytest.approx(expected["nelo"], **near)
    assert ours.normalized.error == pytest.approx(expected["nelo_err"], **near)
    assert ours.los == pytest.approx(expected["los"], **near)
    if 0 < ours.score.low and ours.score.high < 1:  # else the reference cuts off at 3600 Elo, ours is infinite
        assert ours.elo.error == pytest.approx(expected["elo_err"], **near)
    for elo0, elo1, model in ((0, 5, "normalized"), (-3, 1, "normalized"), (0, 10, "logistic"), (-10, 30, "logistic")):
        assert llr(counts, elo0, elo1, model) == pytest.approx(reference.llr(counts, elo0, elo1, model), **near)


# Counts, worst to best; score, Elo, normalized Elo and its error. From the unit tests of fastchess (elo_test.cpp).
KNOWN = """
89 123 76      | .4774 | -15.7 | -20.76 | 40.13
96 111 136     | .5583 | 40.70 |  50.0  | 36.77
34 54 63 64 75 | .5793 | 55.58 |  57.94 | 28.28
"""


@pytest.mark.parametrize("row", KNOWN.strip().splitlines())
def test_known_tables(row: str) -> None:
    counts, score, elo, normalized, error = row.split("|")
    found = summary([int(word) for word in counts.split()])
    assert found.score.value == pytest.approx(float(score), abs=2e-4)
    assert found.elo.value == pytest.approx(float(elo), abs=0.1)
    assert found.normalized.value == pytest.approx(float(normalized), rel=0.01)
    assert found.normalized.error == pytest.approx(float(error), rel=0.01)


# Counts; LLR of (0, 5) and (-3, 1) normalized, of (0, 10) and (-10, 30) logistic: from an independent implementation.
RATIOS = """
10 5 20               |  .15183 |  .12551 |  .31913 |  1.20968
30 0 50               |  .27953 |  .23291 |  .54252 |  2.03788
100 300 140           |  .80776 |  .70860 | 2.09222 |  6.34195
0 0 3 4 1             |  .09813 |  .08022 |  .22687 |   .89424
5 20 60 40 10         |  .60925 |  .51788 | 1.65981 |  5.64592
120 900 2100 1000 180 | 4.39061 | 4.50823 | 7.71136 | -8.10004
"""
TESTS = [(0, 5, "normalized"), (-3, 1, "normalized"), (0, 10, "logistic"), (-10, 30, "logistic")]


@pytest.mark.parametrize("row", RATIOS.strip().splitlines())
def test_known_ratios(row: str) -> None:
    words, *ratios = row.split("|")
    counts = [int(word) for word in words.split()]
    for (elo0, elo1, model), ratio in zip(TESTS, ratios, strict=True):
        assert llr(counts, elo0, elo1, model) == pytest.approx(float(ratio), rel=1e-3, abs=2e-5)


@pytest.mark.parametrize(
    ("alpha", "beta", "low", "high"),
    [
        (0.05, 0.05, -2.94444, 2.94444),  # log 19
        (0.05, 0.1, -2.25129, 2.89037),  # log(0.1 / 0.95), log(0.9 / 0.05)
        (0.01, 0.1, -2.29253, 4.49981),
        (0.1, 0.01, -4.49981, 2.29253),
        (0.025, 0.2, -1.58412, 3.46574),
    ],
)
def test_bounds_of_the_test(alpha: float, beta: float, low: float, high: float) -> None:
    """Wald's: H0 at log(beta / (1 - alpha)), H1 at log((1 - beta) / alpha); the test ends there and not before."""
    test = Sprt(0, 10, alpha, beta, "logistic")
    assert test.bounds == pytest.approx((low, high), abs=1e-5)
    for better in (True, False):
        counts = [0, 40, 0]
        while not (verdict := test.verdict(counts)):
            assert low < test.llr(counts) < high
            counts[2 if better else 0] += 1
        assert verdict == ("H1" if better else "H0") and not low < test.llr(counts) < high
        counts[2 if better else 0] -= 1
        assert low < test.llr(counts) < high


@pytest.mark.parametrize(
    "counts", [[0, 0, 0], [0, 0, 5], [7, 0, 0], [0, 4, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 9]], ids=str
)
def test_tables_without_variance_claim_little(counts: list[int]) -> None:
    found = summary(counts)
    assert found.score.high - found.score.low > 0.2
    assert found.score.low <= found.score.value <= found.score.high
    assert found.elo.high - found.elo.low > 100
    assert math.isinf(found.normalized.error)
    assert Sprt(0, 5).verdict(counts) == ""


@pytest.mark.parametrize(
    ("interval", "text"),
    [
        ((12, -3, 27), "+12 (-3 to +27)"),
        ((math.inf, 166.2, math.inf), "over +166"),
        ((-math.inf, -math.inf, -166.2), "below -166"),
        ((0, -math.inf, math.inf), "unknown"),
        ((math.inf, -math.inf, math.inf), "unknown"),
        ((300, 80, math.inf), "+300 (+80 or more)"),
        ((-300, -math.inf, -80), "-300 (-80 or less)"),
        ((191, -20, math.inf), "+191 (-20 or more)"),
        ((math.inf, -113, math.inf), "unknown"),
        ((-math.inf, -math.inf, 113), "unknown"),
        ((50, -math.inf, math.inf), "unknown"),
    ],
)
def test_intervals_as_text(interval: tuple[float, float, float], text: str) -> None:
    assert Interval(*interval).as_text() == text


def test_elo_and_score_are_inverse() -> None:
    assert [round(elo_of(score_of(elo)), 6) for elo in (-800, -1, 0, 3.5, 400)] == [-800, -1, 0, 3.5, 400]


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ((5, 0), "elo0 (5) is not below elo1 (0)"),
        ((0, 5, 0.0), "alpha and beta"),
        ((0, 5, 0.05, 0.7), "alpha and beta"),
        ((0, 5, 0.05, 0.05, "bayesian"), "'bayesian' is no model"),
        ((0, 0), "elo0 (0) is not below elo1 (0)"),
        ((0, math.nan), "elo0 (0) is not below elo1 (nan)"),
        ((math.nan, 0), "elo0 (nan) is not below elo1 (0)"),
        ((0, 5, math.nan), "alpha and beta"),
        # pairs whose mean is more than 0.8 of a deviation off one half are beyond the iteration
        ((0, 300), "elo1 (300) is more than normalized Elo can hold; choose one from -200 to 200, or model=logistic"),
        ((-201, 0), "elo0 (-201) is more than normalized Elo can hold"),
        ((0, math.inf), "elo1 (inf) is more than normalized Elo can hold; choose one from -200 to 200"),
        ((0, 2001, 0.05, 0.05, "logistic"), "elo1 (2001) is more than logistic Elo can hold; choose one from -2000"),
    ],
)
def test_sprt_refuses(values: tuple[float, ...], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence.replace("(", r"\(").replace(")", r"\)")):
        Sprt(*values)  # type: ignore[arg-type]


EVERY = [
    *product(range(5), repeat=3),
    *product(range(3), repeat=5),
    *(tuple(10**6 * (place == one) for place in range(size)) for size in (3, 5) for one in range(size)),
    *(tuple(10**6 * (place in (0, last)) + (place == one) for place in range(last + 1)) for last in (2, 4) for one in range(last + 1)),
]  # fmt: skip
"""Counts of a beginning, and of matches that nearly always end alike."""


@pytest.mark.parametrize("model", LIMITS)
def test_every_count_has_its_ratio(model: str) -> None:
    """Within what a test may ask for, the ratio is a number, and the same from the other side."""
    most = LIMITS[model]
    tests = [Sprt(*bounds, 0.05, 0.05, model) for bounds in ((0, most), (-most, most), (most - 1, most), (-1, 4))]
    for test in tests:
        mirror = Sprt(-test.elo1, -test.elo0, 0.05, 0.05, model)
        for counts in EVERY:
            ratio = test.llr(counts)
            assert math.isfinite(ratio), (test, counts)
            assert ratio == pytest.approx(-mirror.llr(counts[::-1]), rel=1e-5, abs=1e-4), (test, counts)


def test_every_count_has_its_summary() -> None:
    for counts in EVERY:
        found = summary(counts)
        assert found.score.low <= found.score.value <= found.score.high and 0 <= found.los <= 1
        assert found.elo.low <= found.elo.value <= found.elo.high and not math.isnan(found.normalized.error)


def correlated_pairs(elo: float, model: str) -> list[float]:
    """Chances of [LL, LD, DD+WL, WD, WW] of two players who differ by `elo`, over openings that favour one side.

    Half of the openings give the first player a large edge, a quarter none, a quarter the second player one: so the
    games of a pair depend on each other. The skill is found by bisection, so that the pairs have just this `elo`.
    """

    def chances(skill: float) -> list[float]:
        result = [0.0] * 5
        for edge, share in ((250.0, 0.5), (0.0, 0.25), (-150.0, 0.25)):
            games = []
            for shift in (edge, -edge):
                mean = score_of(skill + shift)
                draw = 0.6 * min(mean, 1 - mean)
                games.append((1 - mean - draw / 2, draw, mean - draw / 2))
            for one, chance in enumerate(games[0]):
                for other, second in enumerate(games[1]):
                    result[one + other] += share * chance * second
        return result

    def found(skill: float) -> float:
        mean, variance = moments(chances(skill))
        return elo_of(mean) if model == "logistic" else (mean - 0.5) / math.sqrt(2 * variance) * NORMALIZED_SCALE

    low, high = -600.0, 600.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if found(middle) < elo else (low, middle)
    return chances(low)


def run_test(test: Sprt, chances: list[float], dice: random.Random) -> str:
    """Draw pairs until the test ends."""
    counts = [0] * 5
    while True:
        for place in dice.choices(range(5), chances, k=4):  # looked at every four pairs: that changes little
            counts[place] += 1
        verdict = test.verdict(counts)
        if verdict:
            return verdict


@pytest.mark.slow
@pytest.mark.parametrize("model", ["normalized", "logistic"])
@pytest.mark.parametrize("truth", ["H0", "H1"])
def test_error_rates_of_complete_tests(model: str, truth: str) -> None:
    """1,000 whole tests for each hypothesis. An error rate of 5 % is 50 +- 14 (two deviations) of 1,000; the steps
    over the bound make the true rate a little smaller."""
    test = Sprt(-10, 30, 0.05, 0.05, model)
    chances = correlated_pairs(test.elo0 if truth == "H0" else test.elo1, model)
    dice = random.Random(f"{model} {truth}")
    wrong = sum(run_test(test, chances, dice) != truth for _ in range(1000))
    print(f"{model} {truth}: {wrong} of 1000 tests wrong")
    assert 20 <= wrong <= 66


def test_sprt_accepts_what_is_true() -> None:
    test = Sprt(0, 60)
    for truth, elo in (("H0", 0.0), ("H1", 60.0)):
        chances = correlated_pairs(elo, "normalized")
        dice = random.Random(truth)
        assert sum(run_test(test, chances, dice) == truth for _ in range(20)) >= 17


TRUE = {"ann": 120.0, "bob": 40.0, "cid": -30.0, "dee": -130.0}
ADVANTAGE = 35.0


def played(dice: random.Random, rounds: int) -> list[Game]:
    """A round robin by the model, a third of the games drawn where that can be."""
    games = []
    for number in range(rounds):
        for place, (a, b) in enumerate(combinations(TRUE, 2)):
            for first, second in ((a, b), (b, a)):
                mean = score_of(TRUE[first] - TRUE[second] + ADVANTAGE)
                draw = min(1 / 3, 2 * min(mean, 1 - mean))
                throw = dice.random()
                score = 0.5 if throw < draw else 1.0 if throw < draw + mean - draw / 2 else 0.0
                games.append(Game(first, second, score, number * 10 + place))
    return games


def test_ratings_cover_the_truth() -> None:
    """60 tournaments: 95 % intervals contain the true value in 95 % of the cases (288 values, +- 3 deviations)."""
    covered = total = 0
    for seed in range(60):
        ratings = fit(played(random.Random(seed), 40))
        values = [(rating.elo, TRUE[rating.name]) for rating in ratings.players] + [(ratings.advantage, ADVANTAGE)]
        for interval, truth in values:
            covered += interval.low <= truth <= interval.high
            total += 1
    assert 0.91 <= covered / total <= 0.99


def test_ratings_of_two_are_the_elo_of_their_score() -> None:
    games = [Game("a", "b", score, n) for n, score in enumerate((1, 1, 1, 0) * 50)]
    games += [Game("b", "a", 1 - score, n) for n, score in enumerate((1, 1, 1, 0) * 50)]
    best, other = fit(games).players
    assert best.name == "a" and (best.points, best.games) == (300, 400)
    assert best.elo.value - other.elo.value == pytest.approx(elo_of(0.75), abs=1.0)
    assert best.elo.value + other.elo.value == pytest.approx(0, abs=1e-6)


def test_anchors_and_perfect_scores() -> None:
    games = [Game("a", "b", 1, n) for n in range(20)] + [Game(*"bc"[:: 1 - 2 * (n % 2)], 0.5, n) for n in range(20)]
    ratings = fit(games, {"b": 1500}, names=("new",))
    by_name = {rating.name: rating for rating in ratings.players}
    assert by_name["b"].elo == (1500, 1500, 1500)
    assert math.isfinite(by_name["a"].elo.value) and by_name["a"].elo.value > 1700
    assert by_name["a"].elo.low < by_name["a"].elo.value - 100  # twenty wins are no exact number
    assert by_name["c"].elo.value == pytest.approx(1500, abs=150)
    assert by_name["new"].games == 0 and by_name["new"].elo.error > 500
    with pytest.raises(ValueError, match="'nobody'"):
        fit(games, {"nobody": 1})


def each(count: int, *scores: float) -> list[Game]:
    """Pairs between "a" and "b" whose two games have the scores of who moves first."""
    return [Game(*order, score, n) for n in range(count) for order, score in zip(("ab", "ba"), scores, strict=True)]


HARD = [
    # the games, the least and the greatest half of the interval of "a"
    (each(50, 1, 1), 40, 200),  # who moves first always wins: nobody knows that both are equal
    (each(2, 1, 1), 100, 700),
    (each(50, 0.5, 0.5), 10, 60),
    (each(10, 1, 0), 100, 600),
    (each(1, 1, 0), 200, 900),
]


@pytest.mark.parametrize(("games", "least", "most"), HARD, ids=range(len(HARD)))
def test_intervals_without_variance(games: list[Game], least: float, most: float) -> None:
    ratings = fit(games)
    assert all(least <= rating.elo.error <= most for rating in ratings.players), ratings
    assert ratings.advantage.error > 10


def test_groups_that_never_met_have_no_order() -> None:
    dice = random.Random(1)
    games = [
        Game(*names, dice.choice((0, 0.5, 1)), number)
        for number in range(100)
        for names in (("a", "b"), ("b", "a"), ("c", "d"), ("d", "c"))
    ]
    assert all(900 < rating.elo.error < 1100 for rating in fit(games).players)
    anchored = {rating.name: rating.elo.error for rating in fit(games, {"a": 0}).players}
    assert anchored["b"] < 60 < 1300 < anchored["c"]


def test_no_games() -> None:
    assert fit([]).players == ()
    assert [rating.elo.value for rating in fit([], names=("a", "b")).players] == [0, 0]
