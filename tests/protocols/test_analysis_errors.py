"""What `tengen analysis` says to lines that it cannot use: KataGo's sentences, by field and id, and it goes on."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from analysis_client import Client, Json, query
from checkout import needs_openvino
from networks import tiny
from whole_sets import portion

needs_openvino()

NO_QUERY: dict[str, tuple[str | bytes, str]] = {
    "no JSON": ("play B D4", "could not parse input line as json request: play B D4"),
    "half a line": ('{"id":"a"', "could not parse"),
    "a number that is none": ('{"id":"a","komi":NaN}', "NaN"),
    "infinity": ('{"id":"a","komi":Infinity}', "Infinity"),
    "a list": ("[1,2]", "Request line was valid json but was not an object, ignoring: [1,2]"),
    "a text": ('"a"', "was not an object"),
    "no id": ("{}", 'Request must have a string "id" field'),
    "an id that is a number": ('{"id":5}', 'Request must have a string "id" field'),
    "too deep": ("[" * 100_000, "could not parse"),
    "too long a number": ('{"id":' + "9" * 5000 + "}", "could not parse"),
    "no text": (b"\xff\xfe{\x00", "could not parse"),
    "too long": ('{"id":"' + "a" * (1 << 20) + '"}', "the line is longer than"),
}


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    one = Client("-model", str(tiny()), "--precision", "f32")
    yield one
    assert one.close() == 0 and b"Traceback" not in one.stderr, one.stderr.decode()


@pytest.mark.parametrize("name", NO_QUERY)
def test_lines_that_are_no_query(client: Client, name: str) -> None:
    line, sentence = NO_QUERY[name]
    answer = client.ask(line)
    assert set(answer) == {"error"} and sentence in answer["error"], answer
    assert client.ask({"id": "v", "action": "query_version"})["id"] == "v"


SIZE = "Must provide an integer from 2 to 25"
KOMI = "Must be a integer or half-integer from -400.0 to 400.0"
HELD = "Must be a list of dicts with subfields 'player', 'moves', 'untilDepth'"
SECONDS = "Must be number of seconds from 0.001 to 1000000.0"
PAIRS = 'Must be an array of pairs of the form: ["b" or "w", GTP board vertex]'


def held(**changes: Any) -> list[Json]:
    return [{"player": "B", "moves": ["C3"], "untilDepth": 1, **changes}]


BAD: dict[str, tuple[Json, str, str]] = {
    "no width": ({"boardXSize": None}, "boardXSize", SIZE),
    "no height": ({"boardYSize": None}, "boardYSize", SIZE),
    "too small": ({"boardXSize": 1}, "boardXSize", SIZE),
    "too large": ({"boardYSize": 26}, "boardYSize", SIZE),
    "half a board": ({"boardXSize": 9.5}, "boardXSize", SIZE),
    "a board of words": ({"boardXSize": "9"}, "boardXSize", SIZE),
    "a true board": ({"boardXSize": True}, "boardXSize", SIZE),
    "no moves": ({"moves": None}, "moves", "Must specify an array of [player,location] pairs"),
    "moves of words": ({"moves": "C3"}, "moves", PAIRS),
    "a move alone": ({"moves": ["C3"]}, "moves", PAIRS),
    "three words": ({"moves": [["B", "C3", "D4"]]}, "moves", PAIRS),
    "a numbered move": ({"moves": [["B", 3]]}, "moves", PAIRS),
    "nobody's move": ({"moves": [["R", "C3"]]}, "moves", "Could not parse player: R"),
    "off the board": ({"moves": [["B", "F6"]]}, "moves", "Could not parse board location: F6"),
    "off the board in numbers": ({"moves": [["B", "(5,0)"]]}, "moves", "Could not parse board location: (5,0)"),
    "the letter I": ({"moves": [["B", "I3"]], "boardXSize": 9}, "moves", "Could not parse board location: I3"),
    "an occupied point": ({"moves": [["B", "C3"], ["W", "C3"]]}, "moves", "Illegal move 1: C3"),
    "a stone that passes": ({"initialStones": [["B", "pass"]]}, "initialStones", "Could not parse board location: pass"),
    "stones without liberties": (
        {"initialStones": [["B", "A1"], ["W", "A2"], ["W", "B1"]]}, "initialStones", "no liberties",
    ),
    "nobody first": ({"initialPlayer": "X"}, "initialPlayer", 'Must be "b" or "w"'),
    "a turn too many": ({"analyzeTurns": [0, 1]}, "analyzeTurns", "Invalid turn number: 1"),
    "a turn too few": ({"analyzeTurns": [-1]}, "analyzeTurns", "Invalid turn number: -1"),
    "no turn": ({"analyzeTurns": []}, "analyzeTurns", "Must specify at least one turn"),
    "turns of words": ({"analyzeTurns": ["0"]}, "analyzeTurns", "Must specify an array of integers"),
    "one turn": ({"analyzeTurns": 0}, "analyzeTurns", "Must specify an array of integers"),
    "no rules": ({"rules": None}, "rules", "Must specify rules string"),
    "rules in a list": ({"rules": ["chinese"]}, "rules", "Must specify rules string"),
    "unknown rules": ({"rules": "calvinball"}, "rules", "Could not parse rules: calvinball"),
    "unknown rule": ({"rules": {"ko": "SOMETIMES"}}, "rules", "Could not parse rules: "),
    "a quarter of komi": ({"komi": 6.25}, "komi", KOMI),
    "too much komi": ({"komi": 401}, "komi", KOMI),
    "komi of words": ({"komi": "7.5"}, "komi", KOMI),
    "komi of rules": ({"komi": None, "rules": {"komi": 6.3}}, "komi", KOMI),
    "a bonus of numbers": ({"whiteHandicapBonus": 0}, "whiteHandicapBonus", "Must be a string"),
    "an unknown bonus": ({"whiteHandicapBonus": "2N"}, "whiteHandicapBonus", "2N"),
    "no visits": ({"maxVisits": 0}, "maxVisits", "Must be an integer from 1 to 2^50"),
    "half a visit": ({"maxVisits": 1.5}, "maxVisits", "Must be an integer from 1 to 2^50"),
    "no variation": ({"analysisPVLen": 0}, "analysisPVLen", "Must be an integer from 1 to 1000"),
    "a cold root": ({"rootPolicyTemperature": 0}, "rootPolicyTemperature", "Must be a number from 0.01 to 100.0"),
    "too few tries": ({"rootFpuReductionMax": -1}, "rootFpuReductionMax", "Must be a number from 0.0 to 2.0"),
    "perhaps ownership": ({"includeOwnership": 1}, "includeOwnership", "Must be a boolean"),
    "perhaps a policy": ({"includePolicy": "yes"}, "includePolicy", "Must be a boolean"),
    "reports at once": ({"reportDuringSearchEvery": 0}, "reportDuringSearchEvery", SECONDS),
    "first reports in words": ({"firstReportDuringSearchAfter": "1"}, "firstReportDuringSearchAfter", SECONDS),
    "a high priority": ({"priority": 2**62}, "priority", "Must be a number between -2^62 and 2^62"),
    "half a priority": ({"priority": 0.5}, "priority", "Must be a number between -2^62 and 2^62"),
    "priorities without turns": ({"priorities": [1]}, "priorities", "Can only specify when also specifying analyzeTurns"),
    "priorities for nothing": (
        {"priorities": [1, 2], "analyzeTurns": [0]}, "priorities", "Must be of matching length to analyzeTurns",
    ),
    "both": ({"priorities": [1], "analyzeTurns": [0], "priority": 1}, "priority", "Cannot specify both priority and priorities"),
    "settings in a list": ({"overrideSettings": []}, "overrideSettings", "Must be an object"),
    "a setting out of range": (
        {"overrideSettings": {"maxVisits": -1}}, "overrideSettings", "Could not set settings: maxVisits must be a whole number",
    ),
    "a view of nobody": (
        {"overrideSettings": {"reportAnalysisWinratesAs": "RED"}}, "overrideSettings", "BLACK, WHITE or SIDETOMOVE",
    ),
    "a person": ({"overrideSettings": {"humanSLProfile": "rank_5k"}}, "overrideSettings", "imitates people"),
    "moves avoided and allowed": (
        {"avoidMoves": held(), "allowMoves": held()}, "allowMoves", "Cannot specify both allowMoves and avoidMoves",
    ),
    "avoided in words": ({"avoidMoves": "C3"}, "avoidMoves", HELD),
    "avoided for ever": ({"avoidMoves": [{"player": "B", "moves": []}]}, "avoidMoves", HELD),
    "avoided by nobody": ({"avoidMoves": held(player="R")}, "player", 'Must be "b" or "w"'),
    "avoided nowhere": ({"avoidMoves": held(moves=["Z9"])}, "moves", "Could not parse board location: Z9"),
    "avoided at no depth": ({"avoidMoves": held(untilDepth=0)}, "untilDepth", "Must be a positive integer"),
    "allowed twice": ({"allowMoves": held() + held()}, "allowMoves", "more than once for the same player"),
    "allowed three times": ({"allowMoves": held() * 3}, "allowMoves", "at most one entry per player"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_fields_that_cannot_be_used(client: Client, name: str) -> None:
    changes, field, sentence = BAD[name]
    answer = client.ask(query(name, **changes))
    assert set(answer) == {"error", "field", "id"} and answer["id"] == name
    assert answer["field"] == field and sentence in answer["error"], answer


ACTIONS: dict[str, tuple[Json, str]] = {
    "unknown": ({"action": "dance"}, "'action' field must be 'query_version' or 'query_models' or"),
    "terminate nothing": ({"action": "terminate"}, 'must have a string "terminateId" field'),
    "terminate a number": ({"action": "terminate", "terminateId": 1}, 'must have a string "terminateId" field'),
    "a turn alone": ({"action": "terminate_all", "turnNumbers": 1}, "array of integers indicating turns"),
}


@pytest.mark.parametrize("name", ACTIONS)
def test_actions_that_cannot_be_done(client: Client, name: str) -> None:
    fields, sentence = ACTIONS[name]
    answer = client.ask({"id": name, **fields})
    assert answer["id"] == name and sentence in answer["error"]


WARNED = {
    "a typo": ({"maxVisit": 5}, "maxVisit", "Unexpected or unused field"),
    "an unknown setting": ({"overrideSettings": {"wonder": 1}}, "overrideSettings", "Unknown config params: wonder"),
    "a setting that is not there": (
        {"overrideSettings": {"playoutDoublingAdvantage": 1.5}}, "overrideSettings", "playoutDoublingAdvantage",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WARNED)
def test_warned_and_answered(client: Client, name: str) -> None:
    changes, field, sentence = WARNED[name]
    client.send(query(name, **changes))
    warning, answer = client.take(), client.take()
    assert set(warning) == {"warning", "field", "id"} and warning["field"] == field and sentence in warning["warning"]
    assert answer["id"] == name and "moveInfos" in answer


def test_what_makes_no_difference_is_taken_in_silence(client: Client) -> None:
    settings = {"playoutDoublingAdvantage": 0, "antiMirror": False, "numSearchThreads": 8, "wideRootNoise": 0.0}
    assert "moveInfos" in client.ask(query(overrideSettings=settings))


def test_any_text_is_survived(client: Client) -> None:
    """Queries with pieces cut out, doubled and replaced: each line has an answer, all are JSON, none is of a crash."""
    choices = random.Random(7)
    whole = json.dumps(
        query("f", moves=[["B", "C3"]], analyzeTurns=[1], avoidMoves=held(), overrideSettings={"maxTime": 1})
    )
    for _ in range(portion(400)):
        start, end = sorted(choices.randrange(len(whole)) for _ in range(2))
        end = min(end, start + choices.randrange(12))
        piece = choices.choice(
            ["", "[", "}", '"', "null", "-1", "1e999", "\\u0000", ",", whole[start:end] * 2, '"\\ud800"']
        )
        client.send((whole[:start] + piece + whole[end:]).replace("\n", " "))
    client.send({"id": "t", "action": "terminate_all"}, {"id": "end", "action": "query_version"})
    seen = []
    while (answer := client.take()).get("id") != "end":
        assert "internal error" not in answer.get("error", ""), answer
        seen.append(answer)
    assert len(seen) > portion(200)
    while not client.ask(query("last"))["id"] == "last":
        pass
