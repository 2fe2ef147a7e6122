"""Where a run stands: pairs, faults, duplicates, from both sides; moves and those who played them."""

from __future__ import annotations

import json
from itertools import product

import pytest
from whole_sets import EVERY

from tengen.tools.match.openings.start import first_mover
from tengen.tools.match.report import summary
from tengen.tools.match.report.summary import movers
from tengen.tools.match.run.progress import Progress
from tengen.tools.match.run.standing import Standing, standing
from tengen.tools.match.settings.table import run_spec
from tengen.tools.match.spec import GameResult, MoveRecord, Opening, Reason

# id, first, second, result, reason, culprit, hash
GAMES = """
000001a a b 1-0 five - h1
000001b b a 0-1 resign - h2
000002a a b 1-0 score - h3
000002b b a 1-0 time a h4
000003a a b 1/2-1/2 full - h5
000003b b a 1/2-1/2 full - h6
000004a a b 0-1 five - h7
000005a a b * void - h8
000005a a b 1-0 crash b -
000006a a b 1-0 five - h1
000006b b a 0-1 resign - h2
000001a a b 0-1 five - h9
"""


def rows() -> list[GameResult]:
    found = []
    for line in GAMES.strip().splitlines():
        name, first, second, result, reason, culprit, key = line.split()
        found.append(
            GameResult(
                name, int(name[:-1]), first, second, "o", result, Reason(reason),
                culprit=None if culprit == "-" else culprit, hash="" if key == "-" else key,
            )
        )  # fmt: skip
    return found


def test_counts_from_both_sides() -> None:
    found = standing(rows())
    assert (len(found.games), found.duplicates, found.void, found.played) == (8, 2, 1, 10)
    score = found.score("a", "b")
    assert score.trinomial == [2, 2, 4] and score.points == 5 and score.as_text() == "+4 =2 -2"
    assert score.pentanomial == [0, 0, 2, 0, 1]  # pairs 4 to 6 are not complete, or repeat
    assert found.score("b", "a").trinomial == [4, 2, 2] and found.score("b", "a").pentanomial == [1, 0, 2, 0, 0]
    assert found.total("b").trinomial == [4, 2, 2]
    assert found.score("a", "c").games == 0
    assert found.faults() == {"a": {"time": 1}, "b": {"crash": 1}}
    assert found.reasons() == {"five": 2, "resign": 1, "score": 1, "time": 1, "full": 2, "crash": 1}


def test_no_game_is_no_score() -> None:
    """Games that are void prove nothing, least of all 50 %."""
    found = standing([GameResult("000001a", 1, "a", "b", "o", "*", Reason.VOID, culprit="b", detail="b is gone")])
    spec = run_spec({"engine": [{"name": "a", "player": "uct"}, {"name": "b", "player": "uct"}]})
    text = summary.text(spec, found, [])
    assert text.startswith("a - b: no game counts\n") and "%" not in text and "1 void games" in text


OUTCOMES = ["1-0 0-1", "1-0 1-0", "1-0 1/2-1/2", "1/2-1/2 1/2-1/2"]


def pairs_of(counts: tuple[int, ...], names: str) -> Standing:
    """So many pairs of each of OUTCOMES; the first of `names` moves first in the first game."""
    found = standing(())
    for number, outcome in enumerate(outcome for n, outcome in zip(counts, OUTCOMES, strict=True) for _ in range(n)):
        for order, colours, result in zip("ab", (names, names[::-1]), outcome.split(), strict=True):
            found.add(GameResult(f"{number:06}{order}", number, *colours, "o", result, Reason.FIVE))
    return found


@pytest.mark.parametrize("names", ["ab", "ba"])
def test_ratings_of_two_are_their_difference(names: str) -> None:
    """Table and summary have one scale: the difference of the ratings is the Elo of the pairs, infinite or not."""
    for counts in product(range(3), repeat=4):
        found = pairs_of(counts, names)
        expected = found.score("a", "b").summary().elo
        told = {row.name: row.elo for row in found.ratings("ab").players}
        if not sum(counts):
            continue  # nobody has played: there is no row to show
        assert told["a"] == pytest.approx([end / 2 for end in expected]), counts
        assert told["b"] == pytest.approx([-end / 2 for end in (expected.value, expected.high, expected.low)]), counts
        anchored = {row.name: row.elo for row in found.ratings("ab", {"b": 1500.0}).players}
        assert anchored["b"] == (1500,) * 3 and anchored["a"] == pytest.approx([end + 1500 for end in expected])


FEN = "4k3/8/8/8/8/8/4P3/4K3 {} - - 0 1"
OBF = "-" * 27 + "OX------XO" + "-" * 27 + " {};"


@pytest.mark.parametrize(
    ("position", "moves", "first"),
    [
        (None, 0, True), (None, 3, False), (FEN.format("w"), 0, True), (FEN.format("b"), 0, False),
        (FEN.format("b"), 1, True), (OBF.format("X"), 0, True), (OBF.format("O"), 0, False), (OBF.format("O"), 1, True),
    ],
)  # fmt: skip
def test_who_moves_after_an_opening(position: str | None, moves: int, first: bool) -> None:
    opening = Opening("x", ("m",) * moves, position)
    assert first_mover(opening) is first
    game = GameResult(
        "000001a", 1, "a", "b", "x", "1-0", Reason.FIVE, moves=(MoveRecord("c", 1), MoveRecord("d", 1)), round=1
    )
    assert [name for name, _ in movers(game, [opening])] == (["a", "b"] if first else ["b", "a"])


# Results of the first engine in the order of the games, two a pair; the Elo that is told.
FEW = [
    ("1", "unknown"),
    ("0", "unknown"),
    ("11", "unknown"),
    ("111", "unknown"),
    ("1111", "over +7"),
    ("11111", "over +46"),
    ("00000", "below -46"),
    ("111111111111", "over +198"),
    ("1=", "+191 (-68 or more)"),
]


@pytest.mark.parametrize(("results", "elo"), FEW)
def test_few_games_claim_little(results: str, elo: str) -> None:
    found = beginning(results)
    assert found.score("a", "b").summary().elo.as_text() == elo
    assert 0.01 < found.score("a", "b").summary().los < 0.9999


@pytest.mark.parametrize("size", range(1, 7))
def test_no_beginning_is_told_in_infinities(size: int) -> None:
    """In the live line, the summary, the table of ratings and JSON."""
    every = list(product("1=0", repeat=size))
    for row in every if size < 6 else every[::EVERY]:
        assert_finite("".join(row))


def assert_finite(results: str) -> None:
    found, spec = beginning(results), run_spec(SPEC)
    score = found.score("a", "b")
    texts = [Progress(spec).text(found), summary.text(spec, found, [])]
    texts += [row.elo.as_text() for row in found.ratings(("a", "b")).players]
    for text in texts:
        assert "inf" not in text and "nan" not in text, results
        assert "over -" not in text and "below +" not in text, text
    assert 0 < score.summary().los < 1
    json.dumps(Progress(spec)._numbers(found), allow_nan=False)


SPEC = {
    "game": "gomoku",
    "games": 100,
    "engine": [{"name": name, "player": "random"} for name in "ab"],
    "sprt": {"elo0": 0, "elo1": 10},
}


def beginning(results: str) -> Standing:
    """Of games with these results, all different."""
    found = Standing()
    for number, result in enumerate(results):
        is_second = number % 2
        score = {"1": "1-0", "=": "1/2-1/2", "0": "0-1"}[result]
        first, second = ("b", "a") if is_second else ("a", "b")
        told = score[::-1] if is_second and result != "=" else score
        found.add(GameResult(f"{number // 2 + 1:06d}{'ab'[is_second]}", number // 2 + 1, first, second, "o", told,
                             Reason.RESIGN, hash=f"h{number}"))  # fmt: skip
    return found
