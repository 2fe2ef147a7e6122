"""`tengen analysis` through the real process: every field, order, priorities, terminations, views, the command line."""

from __future__ import annotations

import json
import random
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from analysis_client import Client, Json, check, query
from checkout import needs_openvino
from networks import tiny

needs_openvino()

ENDLESS = 10**9
F32 = ("--precision", "f32", "--threads", "1")


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    one = Client("-model", str(tiny()), *F32)
    yield one
    assert one.close() == 0 and b"Traceback" not in one.stderr, one.stderr.decode()


@pytest.fixture(scope="module")
def single() -> Iterator[Client]:
    """One that looks at one position at a time."""
    one = Client("-model", str(tiny()), *F32, "-analysis-threads", "1")
    yield one
    assert one.close() == 0


INCLUDED = ("includeOwnership", "includeOwnershipStdev", "includeMovesOwnership", "includeMovesOwnershipStdev",
            "includePolicy", "includePVVisits", "includeNoResultValue")  # fmt: skip
SHAPES: dict[str, Json] = {
    "the least": {},
    "everything": dict.fromkeys(INCLUDED, True),
    **{name: {name: True} for name in INCLUDED},
    "a move": {"moves": [["B", "C3"]]},
    "moves of one colour": {"moves": [["B", "C3"], ["B", "B2"]]},
    "a retaken ko": {"moves": [["B", "A2"], ["W", "B1"], ["B", "B3"], ["W", "C2"], ["B", "E5"], ["W", "A1"], ["B", "B2"], ["W", "D5"]]},
    "two passes": {"moves": [["B", "pass"], ["W", "pass"]], "includePolicy": True},
    "points as numbers": {"moves": [["B", "(0,4)"], ["w", "( 1 , 1 )"]]},
    "stones": {"initialStones": [["B", "B2"], ["W", "D4"]], "initialPlayer": "W"},
    "a handicap": {"initialStones": [["B", "B2"], ["B", "D4"]], "rules": "chinese", "whiteHandicapBonus": "N-1"},
    "rules of an object": {"rules": {"ko": "SIMPLE", "scoring": "TERRITORY", "tax": "SEKI", "suicide": False}},
    "rules by KaTrain's names": {"rules": "new zealand"},
    "no komi": {"komi": None, "rules": "japanese"},
    "a rectangle": {"boardXSize": 7, "boardYSize": 3, "includeOwnership": True, "includePolicy": True},
    "the smallest board": {"boardXSize": 2, "boardYSize": 2, "includePolicy": True},
    "the largest board": {"boardXSize": 25, "boardYSize": 25, "maxVisits": 2, "includeOwnership": True, "includeMovesOwnership": True},
    "one visit": {"maxVisits": 1},
    "a short variation": {"maxVisits": 100, "analysisPVLen": 1},
    "settings": {"overrideSettings": {"maxTime": 5, "cpuctExploration": 1.1, "reportAnalysisWinratesAs": "BLACK", "nnRandomize": False}},
    "text for numbers": {"overrideSettings": {"maxVisits": "7"}, "maxVisits": None},
    "first reports": {"firstReportDuringSearchAfter": 0.001, "maxVisits": 200},
}  # fmt: skip


@pytest.mark.parametrize("name", SHAPES)
def test_answers_have_what_was_asked_for(client: Client, name: str) -> None:
    asked = query(name, **SHAPES[name])
    answer = client.ask(asked)
    check(answer, asked)
    assert answer["turnNumber"] == len(asked["moves"]) and not answer["isDuringSearch"]
    assert answer["rootInfo"]["visits"] == asked.get("maxVisits", 7)


def test_each_turn_has_an_answer(client: Client) -> None:
    asked = query("turns", moves=[["B", "C3"], ["W", "B2"], ["B", "D4"]], analyzeTurns=[3, 0, 2, 0])
    client.send(asked)
    answers = [client.take() for _ in range(3)]
    assert sorted(answer["turnNumber"] for answer in answers) == [0, 2, 3]
    assert {answer["turnNumber"]: answer["rootInfo"]["currentPlayer"] for answer in answers} == {0: "B", 2: "B", 3: "W"}


def test_illegal_points_of_a_policy(client: Client) -> None:
    found = client.ask(query(moves=[["B", "C3"]], includePolicy=True, maxVisits=1))["policy"]
    assert [at for at, share in enumerate(found) if share < 0] == [12]


FLIPPED = ("winrate", "lcb")
NEGATED = ("scoreLead", "scoreMean", "scoreSelfplay", "utility", "utilityLcb")


def views(client: Client, **fields: Any) -> dict[str, Json]:
    settings = {"nnRandomize": False}
    return {
        view: client.ask(query(view, overrideSettings={**settings, "reportAnalysisWinratesAs": view}, maxVisits=40,
                               includeOwnership=True, includeMovesOwnership=True, **fields))
        for view in ("BLACK", "WHITE", "SIDETOMOVE")
    }  # fmt: skip


@pytest.mark.parametrize("moves", ([], [["B", "C3"]]))
def test_views_mirror_each_other(client: Client, moves: list[list[str]]) -> None:
    """KataGo's default without a configuration is that of the side to move."""
    found = views(client, moves=moves)
    black, white, mover = found["BLACK"], found["WHITE"], found["SIDETOMOVE"]
    same = black if not moves else white
    assert {**mover, "id": same["id"]} == same
    default = client.ask(query("SIDETOMOVE", moves=moves, maxVisits=40, includeOwnership=True, includeMovesOwnership=True,
                               overrideSettings={"nnRandomize": False}))  # fmt: skip
    assert default == mover
    for one, other in zip(
        [black["rootInfo"], *black["moveInfos"]], [white["rootInfo"], *white["moveInfos"]], strict=True
    ):
        for key in set(FLIPPED) & set(one):
            assert one[key] == pytest.approx(1 - other[key], abs=1e-6)
        for key in set(NEGATED) & set(one):
            assert one[key] == pytest.approx(-other[key], abs=1e-5)
        assert one.get("ownership") == [-owner for owner in other.get("ownership", ())] or "ownership" not in one


def test_the_better_side_is_better(shared: Callable[[str], Path]) -> None:
    """A real network: Black has the left and most of the board; White's view of it is the opposite."""
    stones = [[player, f"{column}{row}"] for player, column in ("BB", "BD", "BF", "WG", "WH") for row in range(1, 10)]
    real = Client("-model", str(shared("data/go/katago/g170-b6c96.bin.gz")), *F32)
    asked = query(size=9, initialStones=stones, rules="chinese", maxVisits=20, includeOwnership=True, initialPlayer="W")
    for view, sign in (("BLACK", 1), ("WHITE", -1), ("SIDETOMOVE", -1)):
        answer = real.ask({**asked, "overrideSettings": {"reportAnalysisWinratesAs": view}})
        root, owners = answer["rootInfo"], answer["ownership"]
        assert (root["winrate"] > 0.9) == (sign > 0) and sign * root["scoreLead"] > 10
        assert all(sign * owners[row * 9] > 0.8 and sign * owners[row * 9 + 8] < -0.8 for row in range(9))
    assert real.close() == 0


def test_hashes_know_the_position(client: Client) -> None:
    def root(*moves: list[str]) -> Json:
        return client.ask(query(moves=list(moves), maxVisits=1))["rootInfo"]

    corner, other, pair = root(["B", "B2"]), root(["B", "D4"]), root(["B", "B2"], ["W", "pass"])
    assert corner["thisHash"] != other["thisHash"] != pair["thisHash"] and corner["symHash"] == other["symHash"]
    assert corner["thisHash"] != pair["thisHash"] and root(["B", "B2"])["thisHash"] == corner["thisHash"]


HELD_BACK = [
    ("avoidMoves", ["C3", "pass"], 1),
    ("avoidMoves", ["A1", "B1", "C1", "D1", "E1"], 30),
    ("allowMoves", ["C3"], 1),
    ("allowMoves", ["A1", "A2"], 2),
    ("allowMoves", ["pass"], 1),
    ("allowMoves", ["pass", "C3"], 3),
]


@pytest.mark.parametrize(("field", "points", "depth"), HELD_BACK)
def test_moves_that_may_not_be_played(client: Client, field: str, points: list[str], depth: int) -> None:
    """Nor in any variation, as far down as was asked, by that player."""
    held = [{"player": "B", "moves": points, "untilDepth": depth}]
    answer = client.ask(query(**{field: held}, maxVisits=150))
    assert answer["moveInfos"]
    for line in answer["moveInfos"]:
        for ply, move in enumerate(line["pv"]):
            if ply % 2 == 0 and ply < depth:
                assert (move in points) == (field == "allowMoves"), line


def test_nothing_may_be_played(client: Client) -> None:
    held = [{"player": "B", "moves": [], "untilDepth": 1}]
    answer = client.ask(query(allowMoves=held, maxVisits=ENDLESS))
    assert answer["moveInfos"] == [] and answer["rootInfo"]["visits"] == 1


def test_answers_come_in_the_order_of_completion(client: Client) -> None:
    client.send(query("long", maxVisits=1000), query("short", maxVisits=10))
    assert [client.take()["id"] for _ in range(2)] == ["short", "long"]


def test_higher_priorities_go_first(single: Client) -> None:
    single.ask(query(maxVisits=1))
    turns = {"moves": [["B", "C3"], ["W", "B2"]], "analyzeTurns": [0, 1, 2], "priorities": [-3, 9, -2]}
    single.send(
        query("long", maxVisits=1000), query("low", priority=-1), query("turns", **turns), query("high", priority=5)
    )
    found = [single.take() for _ in range(6)]
    assert [(answer["id"], answer["turnNumber"]) for answer in found] == [
        ("turns", 1), ("high", 0), ("long", 0), ("low", 0), ("turns", 2), ("turns", 0),
    ]  # fmt: skip


def test_equal_priorities_keep_their_order(single: Client) -> None:
    single.send(*(query(str(number), maxVisits=20) for number in range(12)))
    assert [single.take()["id"] for _ in range(12)] == [str(number) for number in range(12)]


def test_reports_while_searching(client: Client) -> None:
    asked = query("reported", maxVisits=ENDLESS, reportDuringSearchEvery=0.05, includeOwnership=True)
    client.send(asked)
    reports = [client.take() for _ in range(4)]
    client.send({"id": "stop", "action": "terminate", "terminateId": "reported"})
    for report in reports:
        check(report, asked)
        assert report["isDuringSearch"]
    visits = [report["rootInfo"]["visits"] for report in reports]
    assert visits == sorted(visits) and visits[0] < visits[-1]
    rest = [client.take()]
    while rest[-1].get("isDuringSearch", True):
        rest.append(client.take())
    assert {"id": "stop", "action": "terminate", "terminateId": "reported"} in rest
    check(rest[-1], asked)


def endless(name: str, **fields: Any) -> Json:
    return query(name, maxVisits=ENDLESS, **fields)


def collected(client: Client, count: int) -> list[Json]:
    return [client.take() for _ in range(count)]


def test_terminate_by_id_and_turn(client: Client) -> None:
    three = {"moves": [["B", "C3"], ["W", "B2"]], "analyzeTurns": [0, 1, 2]}
    client.send(endless("one", **three), endless("two"))
    action = {"id": "t", "action": "terminate", "terminateId": "one", "turnNumbers": [0, 2]}
    client.send(action)
    found = collected(client, 3)
    assert found[0] == action and sorted(answer["turnNumber"] for answer in found[1:]) == [0, 2]
    client.send({"id": "u", "action": "terminate", "terminateId": "one"})
    assert [answer.get("turnNumber") for answer in collected(client, 2)] == [None, 1]
    client.send({"id": "w", "action": "terminate", "terminateId": "nobody"})
    assert client.take()["id"] == "w"
    client.send({"id": "x", "action": "terminate_all", "turnNumbers": [5]})
    assert client.take()["id"] == "x"
    client.send({"id": "y", "action": "terminate_all"})
    assert [answer["id"] for answer in collected(client, 2)] == ["y", "two"]


def test_what_was_not_begun_has_no_results(single: Client) -> None:
    single.send(endless("first"), endless("second"))
    single.send({"id": "t", "action": "terminate", "terminateId": "second"})
    wanted = {"id": "second", "isDuringSearch": False, "noResults": True, "turnNumber": 0}
    assert wanted in collected(single, 2)
    single.send({"id": "t", "action": "terminate_all"})
    collected(single, 2)


@pytest.mark.parametrize("seed", (1, pytest.param(2, marks=pytest.mark.slow)))
def test_none_of_a_thousand_is_lost(seed: int) -> None:
    """Random sizes, visits, priorities and terminations: every query ends once, every action is echoed once."""
    choices = random.Random(seed)
    one = Client("-model", str(tiny()), *F32)
    expected: Counter[str] = Counter()
    lines: list[Json] = []
    for number in range(1000):
        name = f"q{choices.randrange(800)}"
        size = choices.choice((3, 5, 7))
        turns = choices.choice(([0], [1], [0, 1]))
        visits = ENDLESS if choices.random() < 0.1 else choices.randint(1, 30)
        lines.append(
            query(
                name, size, maxVisits=visits, moves=[["B", "B2"]], analyzeTurns=turns, priority=choices.randint(-2, 2)
            )
        )
        expected[name] += len(turns)
        if choices.random() < 0.3:
            lines.append({"id": f"t{number}", "action": "terminate", "terminateId": f"q{choices.randrange(800)}"})
            expected[f"t{number}"] += 1
    lines.append({"id": "end", "action": "terminate_all"})
    expected["end"] += 1
    one.send(*lines)
    found = Counter(answer["id"] for answer in one.leave())
    assert found == expected and expected.total() > 1300


def test_sixteen_share_batches(client: Client) -> None:
    """Many at once cost far less than one after the other would: they are answered together."""
    client.send(*(query(f"s{number}", maxVisits=100) for number in range(32)))
    answers = collected(client, 32)
    assert sorted(int(answer["id"][1:]) for answer in answers) == list(range(32))


def test_actions(client: Client) -> None:
    version = client.ask({"id": "v", "action": "query_version", "more": [1]})
    assert version["more"] == [1] and version["git_hash"] == "<omitted>" and isinstance(version["version"], str)
    (model,) = client.ask({"id": "m", "action": "query_models"})["models"]
    assert model["name"] == "tiny.bin.gz" and model["usesHumanSLProfile"] is False and model["version"] == 8
    assert client.ask({"id": "c", "action": "clear_cache"}) == {"id": "c", "action": "clear_cache"}


@pytest.mark.timing
@pytest.mark.parametrize("word", ("", "quit"))
def test_quitting_at_once(word: str) -> None:
    one = Client("-model", str(tiny()), *F32, *(() if word else ("-quit-without-waiting",)))
    one.ask(query())
    one.send(endless("never"), word)
    time.sleep(0.1)
    start = time.monotonic()
    assert one.close() == 0 and time.monotonic() - start < 1


def test_the_end_of_input_waits_for_answers() -> None:
    one = Client("-model", str(tiny()), *F32)
    one.send(query("a", maxVisits=300), query("b"))
    assert {answer["id"] for answer in one.leave()} == {"a", "b"} and one.process.returncode == 0


def test_the_line_that_katrain_starts(tmp_path: Path) -> None:
    """KataGo's own options, a configuration with comments, and settings over it; what is not known is told."""
    config = tmp_path / "analysis.cfg"
    config.write_text("# KataGo\nmaxVisits = 9  # few\nreportAnalysisWinratesAs = WHITE\nnumAnalysisThreads = 12\n"
                      "homeDataDir = x\nlogDir = logs\nwondrous = 1\n")  # fmt: skip
    one = Client("-model", str(tiny()), "-config", str(config), "-analysis-threads", "2",
                 "-override-config", f"homeDataDir={tmp_path},maxVisits=8", "--precision", "f32")  # fmt: skip
    answer = one.ask(query(maxVisits=None))
    assert answer["rootInfo"]["visits"] == 8
    assert one.close() == 0
    assert b"Started, ready to begin handling requests" in one.stderr and b"wondrous" in one.stderr
    assert b"homeDataDir" not in one.stderr and b"rror" not in one.stderr


BAD_LINES = {
    "no such network": (("-model", "nowhere.bin.gz"), "nowhere.bin.gz"),
    "no such configuration": (("-config", "nowhere.cfg"), "nowhere.cfg"),
    "no threads": (("-analysis-threads", "0"), "between"),
    "a setting out of range": (("-override-config", "maxVisits=0"), "maxVisits"),
    "no setting": (("-override-config", "maxVisits"), "name=value"),
    "no view": (("-override-config", "reportAnalysisWinratesAs=RED"), "SIDETOMOVE"),
    "an unknown option": (("-modell", "x"), "unknown option"),
    "no network at all": (("-model", "none"), "needs a network"),
}


@pytest.mark.parametrize("name", BAD_LINES)
def test_a_bad_command_line_is_one_sentence(name: str, called: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    options, fragment = BAD_LINES[name]
    done = called("analysis", *options)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.count("\n") == 1 and fragment in done.stderr, done.stderr


def test_a_damaged_network_is_told_of_each_query(tmp_path: Path) -> None:
    broken = tmp_path / "broken.bin.gz"
    broken.write_bytes(tiny().read_bytes()[:-40])
    one = Client("-model", str(broken), "--precision", "f32")
    version = one.ask({"id": "v", "action": "query_version"})
    assert version["id"] == "v"
    for name in ("a", "b"):
        answer = one.ask(query(name))
        assert answer["id"] == name and "broken.bin.gz" in answer["error"]
    assert one.close() == 0


def test_raw_values_are_katagos(shared: Callable[[str], Path]) -> None:
    """What KataGo itself said of some positions, with their history: policy, chances and lead before any search.

    All 60: tests/nets/test_katago_raw.py.
    """
    positions = json.loads(shared("data/go/katago/raw_nn.json").read_text())[::7]
    real = Client("-model", str(shared("data/go/katago/g170-b6c96.bin.gz")), *F32)
    settings = {"nnRandomize": False, "ignorePreRootHistory": False, "reportAnalysisWinratesAs": "WHITE"}
    for at, position in enumerate(positions):
        wanted = position["out"]
        answer = real.ask(
            query(str(at), position["size"], moves=position["moves"], komi=position["komi"], maxVisits=1, includePolicy=True,
                  rules=json.loads(position["rules_json"]), initialPlayer=position["to_play"] if not position["moves"] else "b",
                  overrideSettings=settings)
        )  # fmt: skip
        root = answer["rootInfo"]
        assert root["rawWinrate"] == pytest.approx((1 + wanted["whiteWin"] - wanted["whiteLoss"]) / 2, abs=1e-3)
        assert root["rawLead"] == pytest.approx(wanted["whiteLead"], abs=0.02)
        flat = [-1.0 if one is None else one for row in wanted["policy"] for one in row]
        assert answer["policy"] == pytest.approx([*flat, wanted["policyPass"]], abs=1e-3)
    assert {position["size"] for position in positions} == {9, 13, 19}
    assert len({position["rules_json"] for position in positions}) == 4 and real.close() == 0
