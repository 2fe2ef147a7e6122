"""Networks of people through the real processes: -human-model and --human-net, profiles, and what KataGo reports of them."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from analysis_client import Client, Json, query
from checkout import needs_openvino
from gtp_client import Process
from katago_files import file_of, network

needs_openvino()

Tengen = Callable[..., subprocess.CompletedProcess[str]]
HUMAN_ROOT = {"humanWinrate", "humanScoreMean", "humanScoreStdev", "humanStWrError", "humanStScoreError"}
F32 = ("--precision", "f32", "--threads", "1")


@pytest.fixture(scope="module")
def nets(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("nets")
    found = {name: folder / f"{name}.bin.gz" for name in ("main", "human")}
    found["main"].write_bytes(file_of(network(("ordinary",), 14)))
    found["human"].write_bytes(file_of(network(("ordinary", "pooling"), 15, has_metadata=True)))
    return found


@pytest.fixture(scope="module")
def client(nets: dict[str, Path]) -> Iterator[Client]:
    one = Client("-model", str(nets["main"]), "-human-model", str(nets["human"]), *F32)
    yield one
    assert one.close() == 0 and b"Traceback" not in one.stderr, one.stderr.decode()
    assert b"no humanSLProfile is set: the human network is asked where a query sets one" in one.stderr


@pytest.fixture(scope="module")
def alone(nets: dict[str, Path]) -> Iterator[Client]:
    one = Client("-model", str(nets["human"]), *F32)
    yield one
    assert one.close() == 0 and b"Traceback" not in one.stderr, one.stderr.decode()


def told(name: str, profile: str, **changes: object) -> Json:
    return query(
        name, includePolicy=True, overrideSettings={"humanSLProfile": profile, "ignorePreRootHistory": False, **changes}
    )


def test_a_query_with_a_profile_has_the_human_fields(client: Client) -> None:
    answer = client.ask(told("a", "rank_5k"))
    shares = answer["humanPolicy"]
    assert len(shares) == 26 and sum(shares) == pytest.approx(1, abs=1e-5) and min(shares) > 0
    assert set(answer["rootInfo"]) >= HUMAN_ROOT and 0 <= answer["rootInfo"]["humanWinrate"] <= 1
    columns = "ABCDE"
    for line in answer["moveInfos"]:
        move = line["move"]
        place = 25 if move == "pass" else 5 * (5 - int(move[1])) + columns.index(move[0])
        assert line["humanPrior"] == shares[place] and line["playSelectionValue"] == line["visits"]
    assert answer["humanPolicy"] != answer["policy"]


def test_each_profile_says_another_thing_and_without_one_nothing_is_said(client: Client) -> None:
    seen = [
        client.ask(told(name, name))["rootInfo"]["humanWinrate"]
        for name in ("rank_20k", "rank_9d", "proyear_1850", "preaz_9k_2d")
    ]
    assert len(set(seen)) == len(seen)
    for answer in (client.ask(query("plain", includePolicy=True)), client.ask(told("none", ""))):
        assert "humanPolicy" not in answer and not HUMAN_ROOT & set(answer["rootInfo"])
        assert all("humanPrior" not in line for line in answer["moveInfos"])


def test_the_view_of_the_other_side_is_turned(client: Client) -> None:
    black, white = (
        client.ask(told(view, "rank_5k", reportAnalysisWinratesAs=view))["rootInfo"] for view in ("BLACK", "WHITE")
    )
    assert black["humanWinrate"] == pytest.approx(1 - white["humanWinrate"])
    assert black["humanScoreMean"] == -white["humanScoreMean"] and black["humanScoreStdev"] == white["humanScoreStdev"]


def test_the_human_policy_may_speak_for_moves(client: Client) -> None:
    whole = client.ask(told("c", "rank_5k", humanSLChosenMoveProp=1, nnRandomize=False))
    lines = whole["moveInfos"]
    total, shares = (sum(line[key] for line in lines) for key in ("visits", "humanPrior"))
    for line in lines:
        assert line["playSelectionValue"] == pytest.approx(total * line["humanPrior"] / shares, rel=1e-4)


def test_what_is_not_there_is_told(client: Client) -> None:
    client.send(told("w", "rank_5k", humanSLRootExploreProbWeightless=0.5, humanSLCpuctPermanent=2.0))
    warning, answer = client.take(), client.take()
    assert "without effect: humanSLRootExploreProbWeightless,humanSLCpuctPermanent" in warning["warning"]
    assert "humanPolicy" in answer


@pytest.mark.parametrize("name", ["rank_21k", "proyear_1700", "Lee Sedol"])
def test_nobody_by_that_name(client: Client, name: str) -> None:
    answer = client.ask(told("x", name))
    assert (
        answer["field"] == "overrideSettings"
        and f"there are no players '{name}'; those known are rank_20k to" in answer["error"]
    )


def test_the_models_say_which_is_which(client: Client) -> None:
    models = client.ask({"id": "m", "action": "query_models"})["models"]
    assert [(one["name"], one["usesHumanSLProfile"], one["version"]) for one in models] == [
        ("main.bin.gz", False, 14),
        ("human.bin.gz", True, 15),
    ]


def test_a_human_network_may_be_the_only_one(alone: Client) -> None:
    names = ("rank_20k", "rank_9d", "rank_2k_9d")
    alone.send(*(told(name, name, maxVisits=40) for name in names))
    answers = {answer["id"]: answer for answer in (alone.final() for _ in names)}
    assert len({answers[name]["rootInfo"]["rawWinrate"] for name in names}) == 3, (
        "in shared batches each is told its own players"
    )
    assert all("humanPolicy" not in answer for answer in answers.values())
    refused = alone.ask(query("nobody"))
    assert "'tiny-net' imitates people and has to be told of the players: humanSLProfile" in refused["error"]
    again = alone.ask(told("again", "rank_20k", maxVisits=40))
    assert again["rootInfo"]["rawWinrate"] == pytest.approx(answers["rank_20k"]["rootInfo"]["rawWinrate"], abs=1e-6)


def test_a_configuration_names_a_profile(nets: dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / "a.cfg").write_text("humanSLProfile = rank_3d\nhumanSLChosenMoveProp = 0.5\n")
    one = Client(
        "-model", str(nets["main"]), "-human-model", str(nets["human"]), "-config", str(tmp_path / "a.cfg"), *F32
    )
    assert "humanPolicy" in one.ask(query("a", includePolicy=True))
    assert one.close() == 0 and b"no humanSLProfile" not in one.stderr


# The words of a command line -> what ends it.
REFUSED = {
    "nobody imitates": (
        ("--net", "main", "--human-profile", "rank_5k"),
        "humanSLProfile needs a network that imitates people",
    ),
    "a human network alone": (
        ("--net", "human"),
        "the network 'tiny-net' imitates people and has to be told of the players",
    ),
    "an unknown profile": (
        ("--human-net", "human", "--human-profile", "5k"),
        "human_profile: there are no players '5k'",
    ),
    "no file": (("--human-net", "none.bin.gz", "--human-profile", "rank_5k"), "cannot read the network 'none.bin.gz'"),
    "another game": (("--game", "gomoku", "--human-net", "human"), "human_net: networks of people play go, not gomoku"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_is_refused_at_the_start(nets: dict[str, Path], called: Tengen, name: str) -> None:
    words, says = REFUSED[name]
    done = called("gtp", *(str(nets.get(word, word)) for word in words))
    assert done.returncode == 2 and done.stdout == "" and says in done.stderr and done.stderr.count("\n") == 1, (
        done.stderr
    )


@pytest.fixture
def gtp(nets: dict[str, Path]) -> Iterator[Process]:
    with Process(
        "--net", str(nets["main"]), "--human-net", str(nets["human"]), "--visits", "8", "--seed", "1", *F32
    ) as one:
        yield one


def test_a_conversation(gtp: Process) -> None:
    assert gtp.ask("boardsize 5") == "="
    assert gtp.ask("kata-raw-human-nn 0") == "? Cannot run kata-raw-human-nn, humanSLProfile parameter was not set"
    assert gtp.ask("kata-get-param humanSLProfile") == "="
    assert gtp.ask("kata-set-param humanSLProfile rank_9q").startswith(
        "? Could not set params: human_profile: there are no players 'rank_9q'"
    )
    assert gtp.ask("kata-set-param humanSLProfile rank_5k") == "="
    assert gtp.ask("kata-get-param humanSLProfile") == "= rank_5k"
    raw = gtp.ask("kata-raw-human-nn 3")
    keys = [line.split()[0] for line in raw.removeprefix("= ").splitlines() if line[0].isalpha()]
    assert keys == [
        "symmetry", "whiteWin", "whiteLoss", "noResult", "whiteScore", "whiteScoreSq", "shorttermWinlossError",
        "shorttermScoreError", "policy", "policyPass", "whiteOwnership",
    ]  # fmt: skip
    assert gtp.ask("kata-raw-human-nn 0 0.5") == "? expected a symmetry from 0 to 7 or all"
    assert [one["usesHumanSLProfile"] for one in json.loads(gtp.ask("kata-get-models").removeprefix("= "))] == [
        False,
        True,
    ]
    assert gtp.ask('kata-set-params {"humanSLChosenMoveProp": 0.25, "humanSLChosenMovePiklLambda": 0.5}') == "="
    params = json.loads(gtp.ask("kata-get-params").removeprefix("= "))
    assert (params["humanSLChosenMoveProp"], params["humanSLChosenMovePiklLambda"], params["humanSLProfile"]) == (
        "0.25",
        "0.5",
        "rank_5k",
    )
    assert gtp.ask("kata-set-param humanSLChosenMoveProp 2").startswith(
        "? Could not set params: humanSLChosenMoveProp must be a number from 0 to 1"
    )
    assert gtp.ask("kata-set-param humanSLRootExploreProbWeightless 0.5") == "="
    for side in "bwbw":
        assert gtp.ask(f"genmove {side}")[2] in "ABCDE"
