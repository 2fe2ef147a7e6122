"""Settings by KataGo's names, its configuration files, and what positions a query's moves lead to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tengen.engine.config import ConfigError
from tengen.engine.games.go.rules import parse_rules
from tengen.engine.play.go.line import BadMove, Start, roots
from tengen.protocols.analysis import katago_config
from tengen.protocols.analysis.params import DEFAULTS, BadParam, tree_options, with_values

SETTINGS: list[tuple[str, Any, str, Any]] = [
    ("maxVisits", "12", "visits", 12),
    ("maxVisits", 12, "visits", 12),
    ("maxPlayouts", 7, "playouts", 7),
    ("maxTime", 0.5, "seconds", 0.5),
    ("analysisPVLen", 3, "pv_length", 3),
    ("numAnalysisThreads", "8", "parallel", 8),
    ("reportAnalysisWinratesAs", "black", "perspective", 0),
    ("reportAnalysisWinratesAs", "WHITE", "perspective", 1),
    ("reportAnalysisWinratesAs", "SIDETOMOVE", "perspective", None),
    ("ignorePreRootHistory", "false", "ignores_history", False),
    ("cpuctExploration", 1.0, "tree", {"c": 0.5}),
    ("cpuctExplorationLog", "0.45", "tree", {"c_log": 0.225}),
    ("fpuReductionMax", 0.2, "tree", {"fpu_reduction": 0.1}),
    ("nnRandomize", False, "tree", {"symmetries": 0.0}),
]


@pytest.mark.parametrize(("name", "value", "field", "expected"), SETTINGS)
def test_what_a_setting_sets(name: str, value: Any, field: str, expected: Any) -> None:
    params, warnings = with_values(DEFAULTS, {name: value})
    assert getattr(params, field) == expected and warnings == []


@pytest.mark.parametrize(("name", "value"), [("wideRootNoise", 0.04), ("rootPolicyTemperature", 1.16)])
def test_a_wider_root_is_taken_or_told(name: str, value: float) -> None:
    params, warnings = with_values(DEFAULTS, {name: value})
    if "root_temperature" in tree_options():
        assert params.tree == {"root_temperature": pytest.approx(1.16)} and warnings == []
    else:
        assert params.tree == {} and warnings == [f"Not available in tengen, without effect: {name}"]


@pytest.mark.parametrize(
    ("name", "value"),
    [("maxVisits", 1.5), ("maxVisits", "many"), ("maxTime", "nan"), ("nnRandomize", "perhaps"), ("humanSLProfile", "rank_1d"),
     ("reportAnalysisWinratesAs", ""), ("maxVisits", [1])],
)  # fmt: skip
def test_a_wrong_setting_is_one_sentence(name: str, value: Any) -> None:
    with pytest.raises(BadParam, match=name):
        with_values(DEFAULTS, {name: value})


def test_a_configuration_file(tmp_path: Path) -> None:
    (tmp_path / "more.cfg").write_text("numAnalysisThreads = 3\nmaxVisits=5\n")
    main = tmp_path / "main.cfg"
    main.write_text(
        '\ufeff# a comment\n@include more.cfg\nmaxVisits = 9 # so many\nnonsense\nlogDir = "x y"\n', "utf-8"
    )
    assert katago_config.read(str(main)) == {"numAnalysisThreads": "3", "maxVisits": "9", "logDir": "x y"}
    main.write_text("@include main.cfg\nmaxVisits = 2\n")
    assert katago_config.read(str(main)) == {"maxVisits": "2"}, "a file that includes itself ends"
    with pytest.raises(ConfigError, match="nowhere.cfg"):
        katago_config.read(str(tmp_path / "nowhere.cfg"))


def test_overrides() -> None:
    assert katago_config.overrides("homeDataDir=/a b/c, maxVisits=3,,x=") == {
        "homeDataDir": "/a b/c",
        "maxVisits": "3",
        "x": "",
    }
    with pytest.raises(ConfigError, match="name=value"):
        katago_config.overrides("maxVisits")


RULES = [
    "new zealand",
    "stone_scoring",
    "tromp-taylor",
    "japanese",
    "korean",
    "chinese",
    "aga",
    "Stone Scoring",
    "ancient-area",
]


@pytest.mark.parametrize("name", RULES)
def test_rules_by_the_names_that_katrain_sends(name: str) -> None:
    assert parse_rules(name)[0].name != "custom"


def start(rules: str = "chinese", **fields: Any) -> Start:
    return Start(9, 9, parse_rules(rules)[0], **fields)


@pytest.mark.parametrize(
    ("rules", "komi", "stones", "moves", "expected"),
    [
        ("chinese", None, 0, [], 7.5),
        ("japanese", None, 0, [], 6.5),
        ("chinese", 0.5, 3, [], 3.5),
        ("aga", 0.5, 3, [], 2.5),
        ("japanese", 0.5, 3, [], 0.5),
        ("chinese", 0.5, 0, [(0, 10), (0, 20), (1, 30)], 2.5),
        ("aga-button", 7.0, 0, [(0, 81), (1, 40)], 6.5),
    ],
)
def test_komi_with_what_belongs_to_it(
    rules: str, komi: float | None, stones: int, moves: list[Any], expected: float
) -> None:
    board = bytes([1] * stones + [0] * (81 - stones))
    found = roots(start(rules, komi=komi, stones=board), moves, [len(moves)])[len(moves)]
    assert found.state.komi == expected  # type: ignore[attr-defined]


def test_who_moves() -> None:
    handicap = bytes([1, 0, 1] + [0] * 78)
    assert roots(start(), [], [0])[0].state.to_move == 0
    assert roots(start(stones=handicap), [], [0])[0].state.to_move == 1
    assert roots(start(stones=handicap, first=0), [], [0])[0].state.to_move == 0
    turns = roots(start(), [(1, 3), (1, 4)], [0, 1, 2])
    assert [turns[turn].state.to_move for turn in range(3)] == [1, 0, 0]


def test_history_is_shown_where_it_is_wanted() -> None:
    moves = [(0, 3), (1, 4), (0, 5)]
    plain, shown = (roots(start(has_history=shown), moves, [3])[3] for shown in (False, True))
    assert (plain.recent, plain.earlier) == ([], []) and list(shown.recent) == [3, 4, 5] and len(shown.earlier) == 2
    assert plain.seen == shown.seen and len(plain.seen) == 4


def test_a_move_that_cannot_be() -> None:
    with pytest.raises(BadMove, match="occupied") as raised:
        roots(start(), [(0, 3), (1, 3)], [2])
    assert raised.value.number == 1
