"""Analysis: text of the reports as Sabaki and Lizzie read them, and when a response that streams ends."""

from __future__ import annotations

import re
import time

import pytest
from fakes.player import FakePlayer
from gtp_client import InProcess, say

from tengen.engine.config import Config
from tengen.engine.play.request import MoveRequest, Restrictions
from tengen.protocols import session

LZ = (
    "info move A5 visits 9 winrate 6250 prior 1000 lcb 4000 order 0 pv A5 pass "
    "info move pass visits 1 winrate 2500 prior 0 lcb 0 order 1 pv pass"
)
KATA = (
    "info move A5 visits 9 edgeVisits 9 utility 0.25 winrate 0.625000 scoreMean 1.5 scoreLead 1.5 scoreSelfplay 1.5 "
    "prior 0.1 lcb 0.400000 utilityLcb -0.2 weight 9 order 0 pv A5 pass"
)
ROOT = "rootInfo visits 10 utility 0.2 winrate 0.600000 scoreMean 1.25 scoreLead 1.25 scoreSelfplay 1.25 weight 10"
OWNERSHIP = "ownership" + " 0.5" * 25


def plies(by_move: dict[int, int], others: int = 0) -> tuple[int, ...]:
    return tuple(by_move.get(move, others) for move in range(26))


def lines(command: str) -> list[str]:
    return say("boardsize 5", command)[1].split("\n")


@pytest.mark.parametrize("command, expected", [
    ("lz-analyze b 10", LZ),
    ("kata-analyze b 10 maxmoves 1", KATA),
    ("analyze b 10 maxmoves 1", KATA),
    ("kata-analyze b 10 maxmoves 1 rootInfo true", f"{KATA} {ROOT}"),
    ("kata-analyze b 10 maxmoves 1 ownership true", f"{KATA} {OWNERSHIP}"),
    ("kata-analyze 10 ownership true rootInfo true maxmoves 1 pvVisits true minmoves 3", f"{KATA} {ROOT} {OWNERSHIP}"),
    ("lz-analyze ownership true", LZ),
])  # fmt: skip
def test_report(command: str, expected: str) -> None:
    got = lines(command)
    assert got[0] == "=" and set(got[1:]) == {expected}


@pytest.mark.parametrize(
    "command", ["lz-genmove_analyze b 50", "kata-genmove_analyze b 50", "genmove_analyze b", "kata-search_analyze b"]
)
def test_a_move_with_reports(command: str) -> None:
    got = lines(command)
    assert got[0] == "=" and got[1].startswith("info move A5 ") and got[-1] == "play A5"


def test_sabaki_finds_the_best_line_at_the_end_of_each_segment() -> None:
    for line in (LZ, KATA):
        for segment in re.split(r"\s*info\s+", line)[1:]:
            assert re.search(r" pv( (pass|[A-Z]\d+))+$", segment)


def test_what_the_player_is_asked() -> None:
    player = FakePlayer()
    say("boardsize 5", "lz-analyze 20", "lz-analyze w interval 30 avoid w A1,B2 5 avoid b C3 1 allow w D4 1",
        "kata-analyze b", "kata-genmove_analyze w 10 ownership true avoid w pass 1", player=player)  # fmt: skip
    calm = {"restrictions": Restrictions(), "ownership": False, "max_lines": 0}
    held = plies({12: 1}), plies({20: 5, 16: 5, 8: 0}, others=1)
    passes = (), plies({25: 1})
    assert player.asked == [
        (0, 0.2, calm),
        (1, 0.3, calm | {"restrictions": Restrictions((8,), (20, 16), held)}),
        (0, 1.0, calm),
        MoveRequest(1, on_info=player.asked[3].on_info, interval=0.1, ownership=True, avoid=(25,), held_back=passes),
    ]


# What is said -> the plies before which moves of Black and of White may not be played, on 5x5.
HELD_BACK = {
    "avoid b A5 7": (plies({0: 7}), ()),
    "avoid w A5,B5 7": ((), plies({0: 7, 1: 7})),
    "avoid b A5 2 avoid b A5,B5 9 avoid b A5 3": (plies({0: 9, 1: 9}), ()),
    "allow w A5,pass 4": ((), plies({0: 0, 25: 0}, others=4)),
    "allow b A5 4 allow b B5 2": (plies({0: 0, 1: 0}, others=4), ()),
    "allow b A5,B5 4 avoid b B5 2 avoid white pass 1": (plies({0: 0, 1: 2}, others=4), plies({25: 1})),
    "avoid b A5 9223372036854775807": (plies({0: 10**9}), ()),
}


@pytest.mark.parametrize("words", HELD_BACK)
@pytest.mark.parametrize("command", ["kata-analyze", "lz-analyze", "kata-genmove_analyze", "kata-search_analyze"])
def test_restrictions_keep_their_depth_and_colour(command: str, words: str) -> None:
    player = FakePlayer()
    say("boardsize 5", f"{command} b {words}", player=player)
    (asked,) = player.asked
    assert (asked.held_back if isinstance(asked, MoveRequest) else asked[2]["restrictions"].held_back) == HELD_BACK[
        words
    ]


@pytest.mark.parametrize(
    "words", ["avoid b A5 0", "avoid b A5 -1", "avoid b A5 x", "avoid x A5 1", "avoid b A9 1", "allow b A5"]
)
def test_restrictions_that_are_none(words: str) -> None:
    assert say("boardsize 5", f"kata-analyze b {words}")[1] == "? cannot parse analyze tags"


@pytest.mark.parametrize("word, expected", [("0", 0.01), ("1", 0.01), ("1e300", 1e6)])
def test_absurd_intervals(word: str, expected: float) -> None:
    player = FakePlayer()
    say(f"lz-analyze b {word}", player=player)
    assert player.asked[0][1] == expected


@pytest.mark.parametrize("command", ["lz-analyze", "kata-analyze", "analyze"])
@pytest.mark.parametrize(
    "ending, answer", [("", None), ("# comment", None), ("protocol_version", "= 2"), ("9 name", "=9 Tengen")]
)
def test_any_line_ends_an_analysis(command: str, ending: str, answer: str | None) -> None:
    talk = InProcess()
    talk.send(f"3 {command} b 1")
    assert talk.line() == "=3"
    assert [talk.line().split()[0] for _ in range(5)] == ["info"] * 5
    start = time.monotonic()
    talk.send(ending)
    while (line := talk.line()) != "":
        assert line.startswith("info ")
    assert time.monotonic() - start < 2
    if answer:
        assert talk.take() == answer
    time.sleep(0.03)
    assert talk.ask("1 version").startswith("=1 ")
    talk.end()


def test_five_analyses_started_and_aborted_at_once() -> None:
    got = say(*["lz-analyze b 50", "protocol_version"] * 5, "name")
    assert got[1::2] == ["= 2"] * 5 and got[-1] == "= Tengen"


def test_genmove_is_not_ended_by_input_but_by_the_interrupt_comment() -> None:
    talk = InProcess(FakePlayer(Config(time=20)))
    talk.send("1 genmove b\n2 name")
    time.sleep(0.2)
    assert talk.lines.empty()
    start = time.monotonic()
    talk.send("# interrupt")
    assert talk.take() == "=1 A19" and time.monotonic() - start < 5
    assert talk.take() == "=2 Tengen"
    talk.end()


@pytest.mark.parametrize("question", ["final_score", "final_status_list dead", "tengen-ownership"])
@pytest.mark.parametrize("leave", ["quit\n", ""])
def test_a_judgement_of_the_position_ends_when_the_controller_leaves(
    question: str, leave: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "AFTERWARDS", 0.5)
    talk = InProcess(FakePlayer(Config(time=60)))
    talk.send(f"{question}\n{leave}", end="")
    assert talk.end() < 5 and talk.take().startswith("=")


def test_an_interrupt_ends_only_what_came_before_it() -> None:
    talk = InProcess(FakePlayer(Config(time=2.5)))
    talk.send("1 genmove b\n# interrupt\n2 genmove w")
    start = time.monotonic()
    assert talk.take() == "=1 A19" and time.monotonic() - start < 2
    assert talk.take().startswith("=2") and time.monotonic() - start > 2.5
    talk.end()


@pytest.mark.parametrize("command, cancelled, done", [
    ("kata-search_cancellable b", "=1 cancelled", "=1 A19"), ("kata-search_analyze_cancellable b", "play cancelled", "play A19"),
])  # fmt: skip
def test_cancellable_searches(command: str, cancelled: str, done: str) -> None:
    talk = InProcess(FakePlayer(Config(time=1.0)))
    talk.send("1 " + command)
    assert talk.take().split("\n")[-1] == done
    talk.send("1 " + command)
    time.sleep(0.1)
    talk.send("2 name")
    assert talk.take().split("\n")[-1] == cancelled and talk.take() == "=2 Tengen"
    talk.end()


def test_quit_behind_a_long_search() -> None:
    talk = InProcess(FakePlayer(Config(time=60)))
    start = time.monotonic()
    talk.send("1 genmove b\n2 quit")
    assert talk.take() == "=1 A19" and talk.take() == "=2"
    talk.thread.join(5)
    assert 0.8 * session.GRACE < time.monotonic() - start < 5 and talk.status == 0


@pytest.mark.parametrize("command", ["genmove b", "lz-genmove_analyze b 10", "lz-analyze b 10", "name"])
def test_the_end_of_input_ends_everything_when_its_time_is_over(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "AFTERWARDS", 0.5)
    talk = InProcess(FakePlayer(Config(time=60)))
    talk.send(command)
    time.sleep(0.1)
    assert talk.end() < 5 and talk.status == 0
    assert talk.player.closed or command == "name"  # which needs no player


def test_a_late_move_is_told_once() -> None:
    talk = InProcess(FakePlayer(Config(time=0.01)))
    talk.ask("genmove b")
    assert talk.stderr.getvalue() == ""
    for _ in range(3):
        talk.player.clock.overhead.observe(0.5, 1.1)
        talk.ask("genmove b")
    talk.end()
    assert talk.stderr.getvalue().count("later than planned") == 1
