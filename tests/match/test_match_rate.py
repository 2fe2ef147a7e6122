"""`tengen rate`: an engine among opponents of known rating."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tengen.engine.config import ConfigError
from tengen.tools.match.report import build
from tengen.tools.match.report.summary import against
from tengen.tools.match.run import store
from tengen.tools.match.settings.table import load, rated, run_spec
from tengen.tools.match.statistics.elo import Interval, elo_of, score_of, wilson
from tengen.tools.match.statistics.known import DOUBTFUL, Meeting, agreement

Run = Callable[..., subprocess.CompletedProcess[str]]
ROWS = [{"name": "a", "player": "uct", "rating": 900}, {"name": "me", "player": "uct"}, {"name": "b", "player": "random", "rating": "-50.5"}]  # fmt: skip


def meeting(name: str, known: float, points: float, games: int) -> Meeting:
    low, high = wilson(points / games, games)
    score = Interval(points / games, low, high)
    return Meeting(name, known, points, games, score, Interval(*(known + elo_of(one) for one in score)))


def test_the_unrated_engine_meets_all_others() -> None:
    spec = run_spec({"game": "reversi", "games": 10, **rated(ROWS)})
    assert spec.names == ("me", "a", "b") and spec.kind == "gauntlet" and spec.total == 20
    assert spec.anchors == {"a": 900, "b": -50.5}


def test_a_rating_is_an_anchor_in_every_tournament() -> None:
    spec = run_spec({"game": "reversi", "kind": "round-robin", "engine": ROWS, "anchors": {"me": 7}})
    assert spec.anchors == {"a": 900, "b": -50.5, "me": 7}


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (ROWS[:1], "every engine has a rating"),
        (ROWS[1:2], "no engine has a known rating"),
        ([{**ROWS[0], "rating": "strong"}, ROWS[1]], "rating must be a number"),
    ],
)
def test_who_is_rated_by_whom_is_said(rows: list[dict[str, object]], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        run_spec({"game": "reversi", **rated(rows)})
    assert rated(ROWS[:1], is_check=True)["engine"] == ROWS[:1]


def test_one_opponent_agrees_with_itself() -> None:
    assert agreement(100, []) is None
    assert agreement(100, [meeting("a", 100, 5, 10)]) is None
    assert against("me", 100, [meeting("a", 100, 5, 10)])[1:] == [
        "  a     100  5/10, expected 5.0; by these games alone 100 (-104 to 304)"
    ]


def test_opponents_of_two_scales_do_not_agree() -> None:
    near = [meeting("a", 3000, 50, 100), meeting("b", 3100, 36, 100)]
    apart = [meeting("a", 3000, 50, 100), meeting("b", 3100, 64, 100)]
    perfect = [meeting("a", 3000, 20, 20), meeting("b", 3700, 10, 20)]
    assert (agreement(3000, near) or 0) > 0.5
    assert (agreement(3050, apart) or 1) < DOUBTFUL
    assert (agreement(3700, perfect) or 0) > 0.3  # a perfect score has an error, too
    assert "do not agree" in against("me", 3050, apart)[-1] and "agree (p =" in against("me", 3000, near)[-1]


def test_agreement_is_as_rare_as_it_says() -> None:
    """Of 2,000 gauntlets whose ratings are right, 5 % have p below 0.05."""
    dice = random.Random(5)
    known = (-200, -50, 0, 100, 250)
    rare = 0
    for _ in range(2000):
        rows = []
        for number, rating in enumerate(known):
            chance = score_of(-rating)
            rows.append(meeting(f"{number}", rating, sum(dice.random() < chance for _ in range(100)), 100))
        # the rating that explains all games: expected points are the points
        low, high = -400.0, 400.0
        for _ in range(40):
            middle = (low + high) / 2
            is_low = sum(row.expected(middle) for row in rows) < sum(row.points for row in rows)
            low, high = (middle, high) if is_low else (low, middle)
        rare += (agreement(low, rows) or 0) < 0.05
    assert 60 <= rare <= 150


def test_a_rating_from_the_command_to_the_report(called: Run, tmp_path: Path) -> None:
    out = tmp_path / "run"
    words = ["--game", "reversi", "--engine", "name=known", "player=random", "rating=1000", "--games", "4", "--out", str(out)]  # fmt: skip
    words += [
        "--engine",
        "name=weak",
        "player=random",
        "rating=900",
        "--engine",
        "name=me",
        "player=uct",
        "playouts=30",
    ]
    found = called("rate", *words)
    assert found.returncode == 0, found.stderr
    assert "Elo relative to known, weak" in found.stdout and "1000, given" in found.stdout
    assert "me against" in found.stdout and "the opponents" in found.stdout
    assert len(store.read(out)) == 8 and {"me"} <= {row.first for row in store.read(out)}
    again = called("rate", "--out", str(out), "--games", "6")
    assert again.returncode == 0 and len(store.read(out)) == 12, again.stderr
    more = called("rate", *words, "--games", "6", "--engine", "name=late", "player=random", "rating=800")
    assert more.returncode == 0 and len(store.read(out)) == 18, more.stderr
    assert run_spec(load(out / store.RUN)).anchors == {"known": 1000, "weak": 900, "late": 800}
    text = build(out).read_text(encoding="utf-8")
    assert "Against known ratings" in text and "1000, given" in text


def test_a_rating_has_no_sprt(called: Run) -> None:
    found = called("rate", "--game", "reversi", "--engine", "player=uct", "--sprt", "elo0=0", "elo1=5")
    assert found.returncode == 2 and "--sprt" in found.stderr
